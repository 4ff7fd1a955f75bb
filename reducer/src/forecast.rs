//! How likely the next candidate of a step is to be accepted.
//!
//! It guides speculation alone, in the manner of a processor's branch predictor: outcomes are counted by what the three
//! before them were, and by the kind of candidate. Streaks and regular alternation are both foreseen after a few turns.
//! Where nothing has been counted yet, the odds of the step stand in.

/// Outcomes remembered.
const HISTORY: u32 = 3;
/// The weight of the odds against counted outcomes.
const PRIOR: f64 = 1.5;
/// How fast old outcomes lose weight.
const FADE: f64 = 0.8;

/// What kind of candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One fresh site.
    Alone,
    /// Two fresh sites.
    Two,
    /// More than two fresh sites.
    Many,
    /// A site that failed before, in whatever company.
    Suspect,
}

/// The outcomes of one step so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Forecast {
    history: usize,
    /// Weighted counts of acceptances and of all outcomes.
    counts: [[(f64, f64); 4]; 1 << HISTORY],
}

impl Forecast {
    /// The chance of acceptance, between 0 and 1; `odds` is the chance as far as it is known from elsewhere.
    pub(crate) fn chance(&self, kind: Kind, odds: f64) -> f64 {
        let (accepted, all) = self.counts[self.history][kind as usize];
        (accepted + PRIOR * odds) / (all + PRIOR)
    }

    pub(crate) fn learn(&mut self, kind: Kind, accepted: bool) {
        let (good, all) = &mut self.counts[self.history][kind as usize];
        *good = *good * FADE + f64::from(u8::from(accepted));
        *all = *all * FADE + 1.0;
        self.history = (self.history << 1 | usize::from(accepted)) & ((1 << HISTORY) - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternation_and_streaks_are_foreseen() {
        for pattern in [&[true, false][..], &[true], &[false], &[false, false, true]] {
            let mut forecast = Forecast::default();
            let mut right = 0;
            for &accepted in pattern.iter().cycle().take(60) {
                right += u32::from((forecast.chance(Kind::Alone, 0.5) > 0.5) == accepted);
                forecast.learn(Kind::Alone, accepted);
            }
            assert!(right > 50, "{right} of 60 for {pattern:?}");
        }
    }
}
