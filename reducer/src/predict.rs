//! How likely the next candidate of a step is to be accepted.
//!
//! The prediction guides speculation alone, in the manner of a processor's branch predictor: outcomes are counted by what
//! the two before them were, and by the kind of candidate. Streaks and regular alternation are both predicted after a few
//! turns. Where nothing has been counted yet, the step's prior decides.

/// Outcomes remembered.
const HISTORY: u32 = 2;
/// The weight of the prior against counted outcomes.
const PRIOR: f64 = 3.0;
/// Beyond this many sites the probability is as good as zero, or the prior as good as certain.
const MANY: usize = 256;
/// How fast old outcomes lose weight.
const FADE: f64 = 0.8;

/// What kind of candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChunkKind {
    /// One fresh site.
    Alone,
    /// Two fresh sites.
    Two,
    /// More than two fresh sites.
    Many,
    /// Sites that failed together with others, and not alone so far.
    Shared,
    /// A site that failed alone before.
    Suspect,
}

/// The probability of a candidate that failed in another context, or of a pair.
pub(crate) const UNLIKELY: f64 = 0.05;

/// The outcomes of one step so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Predictor {
    history: usize,
    /// Weighted counts of acceptances and of all outcomes.
    counts: [[(f64, f64); 5]; 1 << HISTORY],
}

impl Predictor {
    /// The probability, between 0 and 1, that this many sites are accepted together, given the step's prior for each.
    pub(crate) fn probability(&self, kind: ChunkKind, sites: usize, prior: f64) -> f64 {
        let (accepted, all) = self.counts[self.history][kind as usize];
        let expected = match kind {
            ChunkKind::Suspect => UNLIKELY,
            _ => (0..sites.min(MANY)).fold(1.0, |probability, _| probability * prior),
        };
        (accepted + PRIOR * expected) / (all + PRIOR)
    }

    pub(crate) fn learn(&mut self, kind: ChunkKind, accepted: bool) {
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
    fn alternation_and_streaks_are_predicted() {
        for pattern in [&[true, false][..], &[true], &[false], &[false, false, true]] {
            let mut predictor = Predictor::default();
            let mut right = 0;
            for &accepted in pattern.iter().cycle().take(60) {
                right += u32::from((predictor.probability(ChunkKind::Alone, 1, 0.5) > 0.5) == accepted);
                predictor.learn(ChunkKind::Alone, accepted);
            }
            assert!(right > 50, "{right} of 60 for {pattern:?}");
        }
    }
}
