//! What a person sees of a reduction while it runs, and the best module so far on disk.

use super::Error;
use super::meter::{Meter, Unit};
use super::output::Output;
use super::results::Results;
use tritonsmith::compiler::protocol::Passes;
use tritonsmith::reduce::{Candidate, Compile, Cost, Located, ReproductionRate, SlippedBug, Watch};
use tritonsmith::report::Curve;
use tritonsmith_reducer::Progress;

/// Shows how far a reduction is and keeps the best module on disk.
pub struct Watcher<'o> {
    results: Results,
    /// Where it is said.
    pub output: &'o mut Output,
    meter: Meter,
    step: String,
    curve: Curve,
    slipped_bugs: usize,
    failure: Option<Error>,
}

impl<'o> Watcher<'o> {
    /// A watcher that writes to `results` and says what it sees to `output`.
    pub fn new(results: Results, output: &'o mut Output) -> Self {
        let meter = Meter::new("reducing", Unit::Words);
        Watcher { results, output, meter, step: String::new(), curve: Curve::default(), slipped_bugs: 0, failure: None }
    }

    fn show(&mut self, progress: &Progress<Cost>) {
        let seconds = progress.elapsed.as_secs_f64().max(0.001);
        let (left, asked) = (progress.cost.operations, progress.queries);
        let rate = progress.asked as f64 / seconds;
        if self.curve.points().is_empty() {
            self.curve.push(asked, seconds, left as u64, "");
        }
        let shape = self.curve.sparkline(16);
        let words = format!("{shape} {left} operations left, {asked} queries, {rate:.0} a second, {}", self.step);
        self.meter.update(&words, asked, None);
    }

    fn keep(&mut self, done: Result<(), Error>) {
        if let Err(error) = done {
            self.failure.get_or_insert(error);
        }
    }

    /// The directory, unless something could not be written into it.
    ///
    /// # Errors
    /// The first thing that could not be written.
    pub fn finish(self) -> Result<Results, Error> {
        drop(self.meter);
        self.failure.map_or(Ok(self.results), Err)
    }
}

impl Watch for Watcher<'_> {
    fn located(&mut self, located: &Located, compile: &Compile) {
        self.output.say(&format!("found: {}", located.judgement.signature));
        if let Passes::Texts { texts } = &compile.passes {
            let how = match texts.len() {
                1 => "that pass alone".to_owned(),
                count => format!("{count} passes"),
            };
            self.output.say(&format!("tested with {how}, for {}", compile.target));
        }
        let text = match (&compile.passes, located.index) {
            (Passes::Texts { texts }, _) if texts.len() == 1 => &located.before,
            _ => return,
        };
        let done = self.results.best(text);
        self.keep(done);
    }

    fn reproduced(&mut self, rate: ReproductionRate) {
        if !rate.steady() {
            self.output.warn(&format!("it fails {rate}; each candidate is tested up to {} times", rate.attempts()));
        }
    }

    fn step(&mut self, step: &str, progress: &Progress<Cost>) {
        step.clone_into(&mut self.step);
        self.show(progress);
    }

    fn answered(&mut self, progress: &Progress<Cost>) {
        self.show(progress);
    }

    fn smaller(&mut self, best: &Candidate, progress: &Progress<Cost>) {
        self.curve.push(progress.queries, progress.elapsed.as_secs_f64(), progress.cost.operations as u64, &self.step);
        let done = self.results.best(best.text());
        self.keep(done);
        self.show(progress);
    }

    fn slipped_bug(&mut self, bug: &SlippedBug) {
        self.slipped_bugs += 1;
        let done = self.results.slipped_bug(self.slipped_bugs, bug);
        self.keep(done);
    }
}
