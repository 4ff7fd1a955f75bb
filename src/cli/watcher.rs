//! What a person sees of a reduction while it runs, and the best module so far on disk.

use super::meter::{Meter, Unit};
use super::output::Output;
use tritonsmith::compiler::Compile;
use tritonsmith::compiler::protocol::Passes;
use tritonsmith::reduce::{Cost, LocatedFailure, ReductionEvent};
use tritonsmith::report::Curve;
use tritonsmith::store::{CASE, FindingDirectory, Origin, REDUCED, SLIPPED, StoreError};
use tritonsmith_reducer::Progress;

/// What a reduction has stored.
#[derive(Debug)]
pub struct Stored {
    /// Where.
    pub directory: FindingDirectory,
    /// Whether `reduced.mlir` is of this run.
    pub begun: bool,
    /// Other bugs that were met.
    pub slipped: usize,
}

/// The failure that a reduction is about, to be stored as soon as it is seen.
#[derive(Debug)]
pub struct WatchedReduction {
    /// The module as it was given.
    pub input: String,
    /// Where it came from.
    pub origin: String,
    /// The compiler that fails, as it is asked for.
    pub triton: String,
    /// What expectations call it.
    pub version: String,
}

/// Shows how far a reduction is and keeps the best module on disk.
pub struct Watcher<'o> {
    stored: Stored,
    subject: Option<WatchedReduction>,
    /// Where it is said.
    pub output: &'o mut Output,
    meter: Meter,
    curve: Curve,
    failure: Option<StoreError>,
}

impl Stored {
    /// What is in it, for people.
    pub fn describe(&self) -> String {
        let others = match self.slipped {
            0 => String::new(),
            1 => format!(" and {SLIPPED}/, another bug that was met"),
            count => format!(" and {SLIPPED}/, {count} other bugs that were met"),
        };
        format!("{}/{REDUCED}, report.md, curve.svg, {CASE}{others}", self.directory.path().display())
    }
}

impl<'o> Watcher<'o> {
    /// A watcher that stores the subject, where it is a compiler that fails, and what becomes of it, and says what it sees.
    pub fn new(directory: FindingDirectory, subject: Option<WatchedReduction>, output: &'o mut Output) -> Self {
        let meter = Meter::new("reducing", Unit::Words);
        let stored = Stored { directory, begun: false, slipped: 0 };
        Watcher { stored, subject, output, meter, curve: Curve::default(), failure: None }
    }

    fn show(&mut self, step: &str, progress: &Progress<Cost>) {
        let seconds = progress.elapsed.as_secs_f64().max(0.001);
        let (left, asked) = (progress.cost.operations, progress.queries);
        let rate = progress.asked as f64 / seconds;
        if self.curve.points().is_empty() {
            self.curve.push(asked, seconds, left as u64, "");
        }
        let shape = self.curve.sparkline(16);
        let words = format!("{shape} {left} operations left, {asked} queries, {rate:.0} a second, {step}");
        self.meter.update(&words, asked, None);
    }

    fn keep(&mut self, done: Result<(), StoreError>) {
        if let Err(error) = done {
            self.failure.get_or_insert(error);
        }
    }

    fn best(&mut self, text: &str) {
        let done = self.stored.directory.best(text);
        self.stored.begun |= done.is_ok();
        self.keep(done);
    }

    /// The directory, unless something could not be written into it.
    ///
    /// # Errors
    /// The first thing that could not be written.
    pub fn finish(self) -> Result<Stored, StoreError> {
        drop(self.meter);
        self.failure.map_or(Ok(self.stored), Err)
    }
}

impl Watcher<'_> {
    /// Shows and stores what happened.
    pub fn event(&mut self, event: ReductionEvent<'_>) {
        if !matches!(event, ReductionEvent::Progress { .. }) {
            self.output.object(&event);
        }
        match event {
            ReductionEvent::Located { located, all, each, .. } => self.located(located, all, each),
            ReductionEvent::Reproduced { rate, .. } if rate.steady() => {}
            ReductionEvent::Reproduced { rate, .. } => {
                self.output.warn(&format!("it fails {rate}; each candidate is tested up to {} times", rate.attempts()));
            }
            ReductionEvent::Progress { step, progress, .. } => self.show(step, progress),
            ReductionEvent::Smaller { step, operations, best, progress, .. } => {
                self.curve.push(progress.queries, progress.elapsed.as_secs_f64(), operations as u64, step);
                self.best(best.text());
                self.show(step, progress);
            }
            ReductionEvent::SlippedBug { bug, .. } => {
                self.stored.slipped += 1;
                let done = self.stored.directory.slipped(bug);
                self.keep(done);
            }
        }
    }

    fn located(&mut self, located: &LocatedFailure, all: &Compile, each: &Compile) {
        self.output.say(&format!("found: {}", located.judgement.signature));
        if let Passes::Texts { texts } = &each.passes {
            let how = match texts.len() {
                1 => "that pass alone".to_owned(),
                count => format!("{count} passes"),
            };
            self.output.say(&format!("tested with {how}, for {}", each.target));
        }
        if let Some(WatchedReduction { input, origin, triton, version }) = &self.subject {
            let origin = Origin { words: origin, triton, version };
            let done = self.stored.directory.begin(input, origin, all, &located.judgement);
            self.keep(done);
        }
        if matches!(&each.passes, Passes::Texts { texts } if texts.len() == 1) {
            self.best(&located.before);
        }
    }
}
