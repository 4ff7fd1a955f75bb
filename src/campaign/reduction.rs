//! Reductions beside the search. One thread takes buckets in the order in which they were opened; what it comes to is
//! committed in that order by the thread that commits cases, so that what is on disk depends on neither jobs nor timing.

use super::CampaignSettings;
use super::state::CampaignState;
use crate::compiler::Compiler;
use crate::compiler::plan::Plan;
use crate::compiler::worker::WorkerError;
use crate::corpus::{CaseError, LocatedCase};
use crate::ir;
use crate::judge::Tracer;
use crate::judge::releases::{VersionResult, try_with};
use crate::reduce::{Effort, MinimiseError, Minimised, ReductionJob, minimise};
use crate::store::REDUCED;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What a query may take in the reduction of a pass that does not end: that it does not, was seen with the limit of the
/// campaign when it was found.
const HANG_AFTER: Duration = Duration::from_secs(3);

/// A bucket to reduce.
#[derive(Debug)]
pub(super) struct ReductionRequest {
    /// Its position among the buckets.
    pub bucket: usize,
    /// The compiler that fails, by its position.
    pub compiler: usize,
    /// The case that it was stored as.
    pub located: LocatedCase,
}

/// What came of it.
#[derive(Debug)]
pub(super) struct Reduction {
    /// The request's bucket.
    pub bucket: usize,
    /// The request's compiler.
    pub compiler: usize,
    /// The result.
    pub result: Result<FinishedReduction, ReductionError>,
}

/// A reduced bucket.
#[derive(Debug)]
pub(super) struct FinishedReduction {
    pub minimised: Minimised,
    /// What the campaign's other compilers do with it.
    pub versions: Vec<VersionResult>,
    /// Why one of them could not be tried.
    pub problems: Vec<String>,
}

/// Why a bucket is not reduced.
#[derive(Debug, thiserror::Error)]
pub(super) enum ReductionError {
    #[error(transparent)]
    Case(#[from] CaseError),
    #[error(transparent)]
    Minimise(#[from] MinimiseError),
    #[error("its compiler, {0}, is none of this campaign")]
    Compiler(String),
}

impl From<WorkerError> for ReductionError {
    fn from(error: WorkerError) -> Self {
        ReductionError::Minimise(error.into())
    }
}

impl CampaignState<'_> {
    /// What there is to reduce of a bucket; nothing where that is done, or not asked for.
    pub fn request(&mut self, bucket: usize) -> Result<Option<ReductionRequest>, ReductionError> {
        let own = &mut self.buckets[bucket];
        let located = LocatedCase::read(&own.directory(&self.settings.out))?;
        if located.case.module == Path::new(REDUCED) {
            own.operations = ir::parse(&located.module).ok().map(|module| module.size());
            return Ok(None);
        }
        if self.settings.reduce_queries == 0 {
            return Ok(None);
        }
        let compiler = self.settings.compilers.iter().position(|other| other.to_string() == own.triton);
        let compiler = compiler.ok_or_else(|| ReductionError::Compiler(own.triton.clone()))?;
        Ok(Some(ReductionRequest { bucket, compiler, located }))
    }
}

/// Reduces a bucket, and tries the result on the campaign's other compilers.
pub(super) fn reduce(
    settings: &CampaignSettings,
    compilers: &[Box<dyn Compiler>],
    stop: &Arc<AtomicBool>,
    request: ReductionRequest,
) -> Reduction {
    let ReductionRequest { bucket, compiler, located } = request;
    let result = minimised(settings, compilers[compiler].as_ref(), stop, located).map(|minimised| {
        let (mut versions, mut problems) = (Vec::new(), Vec::new());
        let others = compilers.iter().enumerate().filter(|(place, _)| *place != compiler);
        for (place, other) in others.take_while(|_| !stop.load(Ordering::Relaxed)) {
            match try_with(&Tracer::new(other.as_ref()), &minimised.compile, &minimised.text) {
                Ok(version) => versions.push(version),
                Err(error) => problems.push(format!("{} could not be tried: {error}", settings.compilers[place])),
            }
        }
        FinishedReduction { minimised, versions, problems }
    });
    Reduction { bucket, compiler, result }
}

fn minimised(
    settings: &CampaignSettings,
    compiler: &dyn Compiler,
    stop: &Arc<AtomicBool>,
    located: LocatedCase,
) -> Result<Minimised, ReductionError> {
    let plan = Plan::of_compile(compiler, &located.case.compile()?).map_err(WorkerError::from)?;
    let effort = Effort {
        jobs: settings.jobs.div_ceil(2),
        max_queries: Some(settings.reduce_queries),
        cancel: stop.clone(),
        ..Effort::default()
    };
    let job = ReductionJob { effort, hang_after: Some(HANG_AFTER), ..ReductionJob::new(plan.joined(), located.module) };
    Ok(minimise(compiler, &job, &mut |_| {})?)
}
