//! What a person sees of a reduction while it runs, and the best module so far on disk.

use super::Error;
use super::meter::{Meter, Unit};
use super::output::Output;
use super::results::Results;
use tritonsmith::compiler::Compile;
use tritonsmith::compiler::protocol::Passes;
use tritonsmith::reduce::{Aside, Candidate, Cost, Located, Sightings, Watch};
use tritonsmith::report::Curve;
use tritonsmith_reducer::{Asked, Decision, Progress};

/// Shows how far a reduction is and keeps the best module on disk.
pub struct Watcher<'o> {
    results: Results,
    /// Where it is said.
    pub output: &'o mut Output,
    meter: Meter,
    step: String,
    curve: Curve,
    asides: usize,
    failure: Option<Error>,
}

impl<'o> Watcher<'o> {
    /// A watcher that writes to `results` and says what it sees to `output`.
    pub fn new(results: Results, output: &'o mut Output) -> Self {
        let meter = Meter::new("reducing", Unit::Words);
        Watcher { results, output, meter, step: String::new(), curve: Curve::default(), asides: 0, failure: None }
    }

    fn show(&mut self, progress: &Progress<Cost>) {
        let seconds = progress.elapsed.as_secs_f64().max(0.001);
        let (left, asked) = (progress.cost.operations, progress.questions);
        let rate = progress.asked as f64 / seconds;
        if self.curve.points().is_empty() {
            self.curve.push(asked, seconds, left as u64, "");
        }
        let shape = self.curve.sparkline(16);
        let words = format!("{shape} {left} operations left, {asked} questions, {rate:.0} a second, {}", self.step);
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
    fn located(&mut self, located: &Located, question: &Compile) {
        self.output.say(&format!("found: {}", located.judgement.signature));
        if let Passes::Texts { texts } = &question.passes {
            let how = match texts.len() {
                1 => "that pass alone".to_owned(),
                count => format!("{count} passes"),
            };
            self.output.say(&format!("the question: {how}, for {}", question.target));
        }
        let text = match (&question.passes, located.index) {
            (Passes::Texts { texts }, _) if texts.len() == 1 => &located.before,
            _ => return,
        };
        let done = self.results.best(text);
        self.keep(done);
    }

    fn looked(&mut self, sightings: Sightings) {
        if !sightings.steady() {
            let (often, most) = (sightings.to_string(), sightings.attempts());
            self.output.warn(&format!("it fails {often}; each candidate is asked about up to {most} times"));
        }
    }

    fn step(&mut self, step: &str, _: usize, progress: &Progress<Cost>) {
        step.clone_into(&mut self.step);
        self.show(progress);
    }

    fn asked(&mut self, _: &Asked<'_>, progress: &Progress<Cost>) {
        self.show(progress);
    }

    fn smaller(&mut self, best: &Candidate, _: &[Decision], progress: &Progress<Cost>) {
        self.curve.push(progress.questions, progress.elapsed.as_secs_f64(), progress.size, &self.step);
        let done = self.results.best(best.text());
        self.keep(done);
        self.show(progress);
    }

    fn aside(&mut self, aside: &Aside) {
        self.asides += 1;
        let done = self.results.aside(self.asides, aside);
        self.keep(done);
    }
}
