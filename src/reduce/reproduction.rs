//! Failures that happen only sometimes: the rate at which one reproduces, and how often a candidate must be tested because
//! of it.
//!
//! A failure that reproduces every time is believed after a few runs. One that reproduces only sometimes is run until its
//! rate is known well enough, and a candidate then counts as uninteresting only after so many runs that a failure of that
//! rate would almost surely have shown itself. The rate that this is computed from is not the one seen but the lowest that
//! is still likely (the lower end of Wilson's interval), since taking it too high loses good candidates and taking it too
//! low only costs time.

use std::fmt;

/// Runs after which a failure that was seen every time is believed to be steady.
const STEADY: u32 = 2;
/// Runs of a failure that is seen sometimes.
const RUNS: u32 = 20;
/// The chance of taking an interesting candidate for a uninteresting one.
const MISS: f64 = 0.01;
/// No candidate is tested more often.
const MOST: u32 = 50;
/// How many standard deviations the rate may lie below the one seen: nineteen times in twenty it does not.
const DEVIATIONS: f64 = 1.645;

/// How often a failure was looked for, and how often it was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReproductionRate {
    /// Runs that failed in the way that was looked for.
    pub seen: u32,
    /// All runs.
    pub runs: u32,
}

impl ReproductionRate {
    /// Measures it: with a few runs if the failure is seen each time, with more if not. One that was not seen within
    /// `tries` runs (0 counts as 1) is given up. Earlier runs count.
    ///
    /// # Errors
    /// Those of `run`, which says whether the failure was seen.
    pub fn measure<E>(&mut self, tries: u32, mut run: impl FnMut() -> Result<bool, E>) -> Result<(), E> {
        loop {
            self.runs += 1;
            self.seen += u32::from(run()?);
            let ReproductionRate { seen, runs } = *self;
            let enough = if seen == 0 {
                runs >= tries
            } else if seen == runs {
                runs >= STEADY
            } else {
                runs >= RUNS.max(tries)
            };
            if enough {
                return Ok(());
            }
        }
    }

    /// Counts runs in which the failure was not seen.
    pub(super) fn add_unseen(&mut self, runs: u64) {
        self.runs = self.runs.saturating_add(u32::try_from(runs).unwrap_or(u32::MAX));
    }

    /// Whether it was seen every time.
    pub fn steady(self) -> bool {
        self.seen == self.runs
    }

    /// The share of runs in which it was seen, between 0 and 1.
    pub fn rate(self) -> f64 {
        f64::from(self.seen) / f64::from(self.runs.max(1))
    }

    /// How often a candidate is tested before it counts as uninteresting.
    pub fn attempts(self) -> u32 {
        if self.steady() { 1 } else { attempts_for(self.lowest_rate()) }
    }

    /// The lower end of Wilson's score interval for the rate.
    fn lowest_rate(self) -> f64 {
        let (runs, rate, square) = (f64::from(self.runs.max(1)), self.rate(), DEVIATIONS * DEVIATIONS);
        let centre = rate + square / (2.0 * runs);
        let spread = DEVIATIONS * (rate * (1.0 - rate) / runs + square / (4.0 * runs * runs)).sqrt();
        ((centre - spread) / (1.0 + square / runs)).max(0.0)
    }
}

/// How many runs miss a failure of this rate with a probability of at most [`MISS`]: the least `n` with
/// `(1 - rate)^n <= MISS`, between 1 and [`MOST`].
fn attempts_for(rate: f64) -> u32 {
    let mut missed = 1.0;
    let enough = |_: &u32| {
        missed *= 1.0 - rate;
        missed <= MISS
    };
    (1..MOST).find(enough).unwrap_or(MOST)
}

/// In words: `every time`, or `about one run in three (7 of 20)`.
impl fmt::Display for ReproductionRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NUMBERS: [&str; 11] =
            ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
        let ReproductionRate { seen, runs } = *self;
        match (seen, runs) {
            (0, 1) => return f.write_str("not in one run"),
            (0, _) => return write!(f, "not in {runs} runs"),
            (seen, runs) if seen == runs => return f.write_str("every time"),
            _ => {}
        }
        // The nearest fraction with one run of n, or all but one of n.
        let of = |part: u32| NUMBERS.get((f64::from(runs) / f64::from(part)).round() as usize);
        match (of(seen), of(runs - seen)) {
            (Some(&"one" | &"two"), _) if seen * 5 < runs * 3 => f.write_str("about every second run")?,
            (Some(&"one" | &"two"), Some(count)) => write!(f, "all but about one run in {count}")?,
            (Some(&"one" | &"two"), None) => f.write_str("almost every run")?,
            (Some(count), _) => write!(f, "about one run in {count}")?,
            (None, _) => f.write_str("few runs")?,
        }
        write!(f, " ({seen} of {runs})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rate of a failure that is seen in the runs whose numbers, from 0, `seen` accepts.
    fn measure(tries: u32, seen: impl Fn(u32) -> bool) -> ReproductionRate {
        let mut run = 0;
        let ask = || {
            run += 1;
            Ok::<_, ()>(seen(run - 1))
        };
        let mut rate = ReproductionRate::default();
        rate.measure(tries, ask).unwrap();
        rate
    }

    #[test]
    fn a_steady_failure_is_believed_soon() {
        let rate = measure(3, |_| true);
        assert_eq!((rate.seen, rate.runs, rate.attempts()), (2, 2, 1));
        assert_eq!(rate.to_string(), "every time");
    }

    #[test]
    fn a_failure_that_is_not_seen_is_given_up() {
        assert_eq!(measure(3, |_| false), ReproductionRate { seen: 0, runs: 3 });
        assert_eq!(measure(3, |_| false).to_string(), "not in 3 runs");
    }

    #[test]
    fn a_failure_that_is_seen_sometimes_is_run_more_often() {
        let rate = measure(3, |run| run % 3 == 0);
        assert_eq!(rate, ReproductionRate { seen: 7, runs: 20 });
        assert_eq!(rate.to_string(), "about one run in three (7 of 20)");
        // At the lowest likely rate of one in five, 99 of 100 such candidates are recognised.
        assert_eq!(rate.attempts(), 21);
    }

    #[test]
    fn as_many_attempts_as_the_rate_demands() {
        assert_eq!([1.0, 0.5, 0.0].map(attempts_for), [1, 7, MOST]);
    }

    #[test]
    fn rates_are_said_in_words() {
        let words = |seen, runs| ReproductionRate { seen, runs }.to_string();
        assert_eq!(words(10, 20), "about every second run (10 of 20)");
        assert_eq!(words(18, 20), "all but about one run in ten (18 of 20)");
        assert_eq!(words(15, 20), "all but about one run in four (15 of 20)");
        assert_eq!(words(1, 20), "few runs (1 of 20)");
        assert_eq!(words(19, 20), "almost every run (19 of 20)");
    }
}
