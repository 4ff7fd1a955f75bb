//! The sequential search: what is tried, and in which order.
//!
//! A [`Search`] is a value. It proposes one candidate at a time and is advanced by the outcome of each; nothing else moves
//! it, so a copy that is advanced by *predicted* outcomes shows what will be asked next. The engine speculates on such
//! copies, and because the search never learns about time, caches or threads, its course is the same for any number of
//! jobs.
//!
//! The course: passes over the list of steps, each step visited until its sites are exhausted ([`crate::chunk`]), leaving
//! out sites that failed alone before. A visit that fails many times in a row is broken off, so that a step with many
//! hopeless sites does not hold up the others; as soon as a later step succeeds, the pass begins again. When such a pass
//! finds nothing, a pass of the late steps follows; then a sweep in which every site is tried alone, which either finds
//! something or proves 1-minimality; then, if wanted, pairs. Whatever finds something is followed by passes again.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;

use crate::chunk::{Retry, StepHistory, Visit};
use crate::pairs::PairCursor;
use crate::predict::{ChunkKind, UNLIKELY};
use crate::report::Minimality;
use crate::test_case::{Measured, Site, Step, TestCase};

/// How many failures in a row a visit to a step may have at first before the next step gets its chance.
const PATIENCE: u32 = 12;

/// What kind of pass is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SearchPhase {
    /// Sites that have not failed alone yet.
    Fresh,
    /// Every site alone.
    Sweep,
    /// Every pair of sites.
    Pairs,
    /// Nothing is left.
    Done,
}

/// Sites of one step, by its index.
#[derive(Debug, Clone)]
pub(crate) struct Edit {
    pub(crate) step: usize,
    pub(crate) sites: Vec<Site>,
}

/// The next candidate.
#[derive(Debug)]
pub(crate) struct Proposal<T> {
    pub(crate) edit: Edit,
    /// In a pair, the edit before that and what it leaves.
    pub(crate) first: Option<(Edit, Arc<T>)>,
    /// How likely it is to be accepted. It guides speculation alone.
    pub(crate) probability: f64,
    kind: ChunkKind,
    /// Whether this is the first candidate of a visit.
    pub(crate) opens: bool,
}

impl<T> Proposal<T> {
    /// Identifies the edits, whatever they are applied to.
    pub(crate) fn edits(&self) -> u64 {
        let mut hasher = FxHasher::default();
        for edit in self.first.iter().map(|(first, _)| first).chain([&self.edit]) {
            edit.step.hash(&mut hasher);
            edit.sites.hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// What became of a candidate.
#[derive(Debug)]
pub(crate) enum ProposalOutcome<T: TestCase> {
    /// Not worth a query: it did not apply, was not cheaper, or not valid.
    Filtered,
    /// The interestingness test says no.
    Uninteresting,
    /// The interestingness test says yes.
    Accepted(Arc<Measured<T>>),
}

/// A smaller test case and the edits that lead to it from the one before, with the key of what each leaves.
#[derive(Debug)]
pub(crate) struct Improved<T: TestCase> {
    pub(crate) case: Arc<Measured<T>>,
    pub(crate) edits: Vec<(Edit, u128)>,
}

/// The state of the search.
#[derive(Debug, Clone)]
pub(crate) struct Search<T: TestCase> {
    current: Arc<Measured<T>>,
    /// The order of the steps, as indices.
    order: Arc<[usize]>,
    history: Vec<Arc<StepHistory>>,
    phase: SearchPhase,
    /// Whether a fresh pass is one of the late steps.
    late: bool,
    position: usize,
    visit: Option<Visit>,
    /// Whether the next candidate is the first of its visit.
    opens: bool,
    improved: bool,
    /// Failures in a row after which a fresh visit is broken off.
    patience: u32,
    /// Whether a visit of this pass was broken off.
    broken_off: bool,
    pairs: Option<PairCursor<T>>,
    minimality: Minimality,
    rules: Rules,
}

/// The options that the search looks at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) pairs: bool,
    /// Lists of sites are reversed.
    pub(crate) reversed: bool,
}

impl<T: TestCase> Search<T> {
    pub(crate) fn new(first: Arc<Measured<T>>, order: Vec<usize>, rules: Rules) -> Search<T> {
        let history = order.iter().map(|_| Arc::new(StepHistory::new())).collect();
        Search {
            current: first,
            order: order.into(),
            history,
            phase: SearchPhase::Fresh,
            late: false,
            position: 0,
            visit: None,
            opens: false,
            improved: false,
            patience: PATIENCE,
            broken_off: false,
            pairs: None,
            minimality: Minimality::Unproven,
            rules,
        }
    }

    /// The test case that the next candidate is made from.
    pub(crate) fn current(&self) -> &Arc<Measured<T>> {
        &self.current
    }

    /// What is proven once the search is done.
    pub(crate) fn minimality(&self) -> Minimality {
        self.minimality
    }

    /// The next candidate, or `None` when nothing is left to try.
    pub(crate) fn propose(&mut self, steps: &[&dyn Step<T>]) -> Option<Proposal<T>> {
        loop {
            if self.phase == SearchPhase::Done {
                return None;
            }
            if self.phase == SearchPhase::Pairs {
                let case = &self.current.case;
                let cursor = self.pairs.get_or_insert_with(|| PairCursor::new(case, steps));
                if let Some((first, between, second)) = cursor.next(case, steps) {
                    return Some(self.proposal(second, Some((first, between)), ChunkKind::Suspect, UNLIKELY));
                }
                self.minimality = Minimality::Pairs;
                self.phase = SearchPhase::Done;
                continue;
            }
            let Some(&step) = self.order.get(self.position) else {
                self.turn(steps);
                continue;
            };
            let Some(visit) = &self.visit else {
                self.open(step, steps);
                continue;
            };
            let history = &self.history[step];
            match visit.next(&history.rate) {
                Some(_) if self.phase == SearchPhase::Fresh && visit.failures >= self.patience => {
                    self.broken_off = true;
                    self.close();
                }
                Some(chunk) => {
                    let kind = match (chunk.sites.as_slice(), chunk.fresh) {
                        (sites, false) if sites.iter().any(|site| history.failed_alone(site.id)) => ChunkKind::Suspect,
                        (_, false) => ChunkKind::Shared,
                        ([_], true) => ChunkKind::Alone,
                        ([_, _], true) => ChunkKind::Two,
                        (_, true) => ChunkKind::Many,
                    };
                    let probability = history.predictor.probability(kind, chunk.sites.len(), steps[step].prior());
                    return Some(self.proposal(Edit { step, sites: chunk.sites }, None, kind, probability));
                }
                None => self.close(),
            }
        }
    }

    /// Leaves a step. If it improved something and an earlier one was broken off, the pass begins again: the test case has
    /// changed, and earlier steps take away more.
    fn close(&mut self) {
        let improved = self.visit.take().is_some_and(|visit| visit.improved);
        if self.phase == SearchPhase::Fresh && self.broken_off && improved {
            self.begin(SearchPhase::Fresh);
        } else {
            self.position += 1;
        }
    }

    fn proposal(
        &mut self,
        edit: Edit,
        first: Option<(Edit, Arc<T>)>,
        kind: ChunkKind,
        probability: f64,
    ) -> Proposal<T> {
        Proposal { edit, first, probability, kind, opens: std::mem::take(&mut self.opens) }
    }

    fn retry(&self) -> Retry {
        if self.phase == SearchPhase::Fresh { Retry::Skip } else { Retry::Alone }
    }

    fn open(&mut self, step: usize, steps: &[&dyn Step<T>]) {
        if self.phase == SearchPhase::Fresh && steps[step].late() != self.late {
            self.position += 1;
            return;
        }
        let sites = steps[step].sites(&self.current.case);
        let alone = !steps[step].chunkable();
        self.visit = Some(Visit::new(sites, &self.history[step], self.retry(), alone, self.rules.reversed));
        self.opens = true;
    }

    /// The end of a pass: which one is next.
    fn turn(&mut self, steps: &[&dyn Step<T>]) {
        let next = match self.phase {
            _ if self.improved => SearchPhase::Fresh,
            SearchPhase::Fresh if self.broken_off => {
                self.patience = self.patience.saturating_mul(4);
                return self.begin_again();
            }
            SearchPhase::Fresh if !self.late && steps.iter().any(|step| step.late()) => {
                self.patience = PATIENCE;
                self.late = true;
                return self.begin_again();
            }
            SearchPhase::Fresh => SearchPhase::Sweep,
            SearchPhase::Sweep | SearchPhase::Pairs | SearchPhase::Done => {
                self.minimality = Minimality::Single;
                if self.rules.pairs { SearchPhase::Pairs } else { SearchPhase::Done }
            }
        };
        self.begin(next);
    }

    fn begin(&mut self, phase: SearchPhase) {
        self.phase = phase;
        self.late = false;
        self.patience = PATIENCE;
        self.begin_again();
    }

    fn begin_again(&mut self) {
        self.position = 0;
        self.visit = None;
        self.improved = false;
        self.broken_off = false;
        self.pairs = None;
    }

    /// Moves on by the outcome of `proposal`, which must be the last one made.
    pub(crate) fn advance(
        &mut self,
        proposal: &Proposal<T>,
        outcome: ProposalOutcome<T>,
        steps: &[&dyn Step<T>],
    ) -> Option<Improved<T>> {
        let step = proposal.edit.step;
        if proposal.first.is_none() && !matches!(outcome, ProposalOutcome::Filtered) {
            let accepted = matches!(outcome, ProposalOutcome::Accepted(_));
            Arc::make_mut(&mut self.history[step]).predictor.learn(proposal.kind, accepted);
        }
        let judged = matches!(outcome, ProposalOutcome::Uninteresting);
        let ProposalOutcome::Accepted(case) = outcome else {
            if let (None, Some(visit)) = (&proposal.first, &mut self.visit) {
                visit.failed(&proposal.edit.sites, Arc::make_mut(&mut self.history[step]), judged);
            }
            return None;
        };
        let first = proposal.first.iter().map(|(edit, between)| (edit.clone(), between.key()));
        let edits = first.chain([(proposal.edit.clone(), case.key)]).collect();
        self.current = Arc::clone(&case);
        self.improved = true;
        let retry = self.retry();
        if self.phase == SearchPhase::Pairs {
            self.begin(SearchPhase::Fresh);
        } else if let Some(visit) = &mut self.visit {
            let history = Arc::make_mut(&mut self.history[step]);
            visit.accepted(&proposal.edit.sites, history);
            visit.refresh(steps[step].sites(&self.current.case), history, retry, self.rules.reversed);
        }
        Some(Improved { case, edits })
    }
}
