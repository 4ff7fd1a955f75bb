//! Failures that happen only sometimes: how often one is seen, and how often a candidate must be asked about because of it.
//!
//! A failure that is seen every time is believed after a few looks. One that is seen only sometimes is looked for until
//! its rate is known well enough, and a candidate then counts as boring only after so many asks that a failure of that rate
//! would almost surely have shown itself. The rate that this is computed from is not the one seen but the lowest that
//! is still likely (the lower end of Wilson's interval), since taking it too high loses good candidates and taking it too
//! low only costs time.

use std::fmt;
use tritonsmith_reducer::attempts_for;

/// Looks after which a failure that was seen every time is believed to be steady.
const STEADY: u32 = 2;
/// Looks at a failure that is seen sometimes.
const LOOKS: u32 = 20;
/// The chance of taking an interesting candidate for a boring one.
const MISS: f64 = 0.01;
/// No candidate is asked about more often.
const MOST: u32 = 50;
/// How many standard deviations the rate may lie below the one seen: nineteen times in twenty it does not.
const DEVIATIONS: f64 = 1.645;

/// How often a failure was looked for, and how often it was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sightings {
    /// Runs that failed in the way that was looked for.
    pub seen: u32,
    /// Runs.
    pub asked: u32,
}

impl Sightings {
    /// Looks for a failure: a few times if it is seen each time, more often if it is not. One that was not seen within
    /// `tries` looks (0 counts as 1) is given up. What was seen before counts.
    ///
    /// # Errors
    /// Those of `ask`, which says whether the failure was seen.
    pub fn look<E>(&mut self, tries: u32, mut ask: impl FnMut() -> Result<bool, E>) -> Result<(), E> {
        loop {
            self.asked += 1;
            self.seen += u32::from(ask()?);
            let Sightings { seen, asked } = *self;
            let enough = if seen == 0 {
                asked >= tries
            } else if seen == asked {
                asked >= STEADY
            } else {
                asked >= LOOKS.max(tries)
            };
            if enough {
                return Ok(());
            }
        }
    }

    /// Whether it was seen every time.
    pub fn steady(self) -> bool {
        self.seen == self.asked
    }

    /// The share of runs in which it was seen, between 0 and 1.
    pub fn rate(self) -> f64 {
        if self.asked == 0 { 0.0 } else { f64::from(self.seen) / f64::from(self.asked) }
    }

    /// How often a candidate is asked about before it counts as boring.
    pub fn attempts(self) -> u32 {
        if self.steady() { 1 } else { attempts_for(self.lowest_rate(), MISS, MOST) }
    }

    /// The lower end of Wilson's score interval for the rate.
    fn lowest_rate(self) -> f64 {
        let (asked, rate, square) = (f64::from(self.asked.max(1)), self.rate(), DEVIATIONS * DEVIATIONS);
        let centre = rate + square / (2.0 * asked);
        let spread = DEVIATIONS * (rate * (1.0 - rate) / asked + square / (4.0 * asked * asked)).sqrt();
        ((centre - spread) / (1.0 + square / asked)).max(0.0)
    }
}

/// In words: `every time`, or `about one run in three (7 of 20)`.
impl fmt::Display for Sightings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NUMBERS: [&str; 11] =
            ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
        let Sightings { seen, asked } = *self;
        match (seen, asked) {
            (0, 1) => return f.write_str("not in one run"),
            (0, _) => return write!(f, "not in {asked} runs"),
            (seen, asked) if seen == asked => return f.write_str("every time"),
            _ => {}
        }
        // The nearest fraction with one run of n, or all but one of n.
        let of = |part: u32| NUMBERS.get((f64::from(asked) / f64::from(part)).round() as usize);
        match (of(seen), of(asked - seen)) {
            (Some(&"one" | &"two"), _) if seen * 5 < asked * 3 => f.write_str("about every second run")?,
            (Some(&"one" | &"two"), Some(count)) => write!(f, "all but about one run in {count}")?,
            (Some(&"one" | &"two"), None) => f.write_str("almost every run")?,
            (Some(count), _) => write!(f, "about one run in {count}")?,
            (None, _) => f.write_str("few runs")?,
        }
        write!(f, " ({seen} of {asked})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks at a failure that is seen in the runs whose numbers, from 0, `seen` accepts.
    fn look(tries: u32, seen: impl Fn(u32) -> bool) -> Sightings {
        let mut run = 0;
        let ask = || {
            run += 1;
            Ok::<_, ()>(seen(run - 1))
        };
        let mut sightings = Sightings::default();
        sightings.look(tries, ask).unwrap();
        sightings
    }

    #[test]
    fn a_steady_failure_is_believed_soon() {
        let sightings = look(3, |_| true);
        assert_eq!((sightings.seen, sightings.asked, sightings.attempts()), (2, 2, 1));
        assert_eq!(sightings.to_string(), "every time");
    }

    #[test]
    fn a_failure_that_is_not_seen_is_given_up() {
        assert_eq!(look(3, |_| false), Sightings { seen: 0, asked: 3 });
        assert_eq!(look(3, |_| false).to_string(), "not in 3 runs");
    }

    #[test]
    fn a_failure_that_is_seen_sometimes_is_looked_at_longer() {
        let sightings = look(3, |run| run % 3 == 0);
        assert_eq!(sightings, Sightings { seen: 7, asked: 20 });
        assert_eq!(sightings.to_string(), "about one run in three (7 of 20)");
        // At the lowest likely rate of one in five, 99 of 100 such candidates are recognised.
        assert_eq!(sightings.attempts(), 21);
    }

    #[test]
    fn rates_are_said_in_words() {
        let words = |seen, asked| Sightings { seen, asked }.to_string();
        assert_eq!(words(10, 20), "about every second run (10 of 20)");
        assert_eq!(words(18, 20), "all but about one run in ten (18 of 20)");
        assert_eq!(words(15, 20), "all but about one run in four (15 of 20)");
        assert_eq!(words(1, 20), "few runs (1 of 20)");
        assert_eq!(words(19, 20), "almost every run (19 of 20)");
    }
}
