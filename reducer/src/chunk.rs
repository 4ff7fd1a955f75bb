//! Which sites of a step go together next.
//!
//! Classic delta debugging halves a list and then tries complements; probabilistic delta debugging keeps a probability
//! per element instead, and its analysis showed that these behave like counters: an element is the more suspect, the
//! smaller the chunk was in which it failed. What is kept here per site is just that, the size of the smallest chunk
//! that failed with it; and per step the rate at which single sites could go so far. A chunk is the prefix of the open
//! sites, best first, with the highest expected gain: the sum of its gains times the probability that all of it can go.
//! A failed chunk holds at least one site that cannot go, and its members come back in chunks of at most half the size.
//! A site that failed alone is finished.
//!
//! Before that a *burst* looks for lists of which almost everything can go: all of it, a quarter, a sixteenth, until
//! the expected gain would choose as much itself; after a success it grows again.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::predict::Predictor;
use crate::test_case::Site;

/// The size at which a site counts as not yet tried.
const FRESH: u32 = u32::MAX;
/// A site that failed alone before: it is only tried alone again.
const SUSPECT: u32 = 2;
/// A site that needs no more trials in this visit.
const FINISHED: u32 = 1;
/// No chunk chosen by expected gain is larger; beyond that a burst finds out.
const CHUNK_MAX: usize = 64;
/// Beyond this much evidence old answers count half, because test cases become harder as they shrink.
const EVIDENCE_MAX: f64 = 32.0;

/// The rate at which single fresh sites of a step could go so far.
#[derive(Debug, Clone)]
pub(crate) struct SuccessRate {
    good: f64,
    bad: f64,
    /// Whether bursts are worth a try.
    burst: bool,
}

impl SuccessRate {
    /// Optimistic, but two failures bring it down to pairs.
    pub(crate) fn new() -> SuccessRate {
        SuccessRate { good: 6.0, bad: 1.0, burst: true }
    }

    /// This many more sites could go, or chunks could not because of one of their sites at least.
    fn learn(&mut self, good: usize, bad: usize) {
        self.good += good.min(CHUNK_MAX) as f64;
        self.bad += bad as f64;
        if self.good + self.bad > EVIDENCE_MAX {
            self.good /= 2.0;
            self.bad /= 2.0;
        }
    }

    /// The probability that `sites` fresh sites can go together. Multiplication alone, so that every machine agrees.
    fn probability(&self, sites: usize) -> f64 {
        let rate = (self.good + 1.0) / (self.good + self.bad + 2.0);
        (0..sites.min(4 * CHUNK_MAX)).fold(1.0, |probability, _| probability * rate)
    }
}

/// One visit to a step: its sites on the present test case, and what is known of each.
#[derive(Debug, Clone)]
pub(crate) struct Visit {
    /// Best first.
    sites: Arc<[Site]>,
    /// The smallest chunk in which each site failed.
    failed_in: Vec<u32>,
    /// The size of the next burst; 0 when the expected gain decides.
    burst: usize,
    chunkable: bool,
    /// Chunks that failed since one was accepted.
    pub(crate) failures: u32,
    /// Whether a chunk was accepted.
    pub(crate) improved: bool,
}

/// The next chunk.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub(crate) sites: Vec<Site>,
    /// Whether none of them has failed yet, in whatever chunk.
    pub(crate) fresh: bool,
}

/// How a site that failed alone in an earlier visit is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Retry {
    /// Left out, unless its expected gain is higher now.
    Skip,
    /// Tried alone.
    Alone,
}

/// What is remembered of a step between visits.
#[derive(Debug, Clone)]
pub(crate) struct StepHistory {
    pub(crate) rate: SuccessRate,
    pub(crate) predictor: Predictor,
    /// The sites that failed alone, with the gain that was expected of them then.
    failed: FxHashMap<u64, u32>,
}

impl StepHistory {
    pub(crate) fn new() -> StepHistory {
        StepHistory { rate: SuccessRate::new(), predictor: Predictor::default(), failed: FxHashMap::default() }
    }

    /// Whether a site failed alone, in this visit or an earlier one.
    pub(crate) fn failed_alone(&self, site: u64) -> bool {
        self.failed.contains_key(&site)
    }

    fn start(&self, site: Site, retry: Retry) -> u32 {
        match (self.failed.get(&site.id), retry) {
            (Some(&gain), Retry::Skip) if gain >= site.gain => FINISHED,
            (Some(_), Retry::Alone) => SUSPECT,
            _ => FRESH,
        }
    }
}

impl Visit {
    /// A visit to `sites`. `alone` keeps every site by itself and has no bursts.
    pub(crate) fn new(sites: Vec<Site>, history: &StepHistory, retry: Retry, alone: bool, reversed: bool) -> Visit {
        let mut visit = Visit {
            sites: Arc::from([]),
            failed_in: Vec::new(),
            burst: 0,
            chunkable: !alone,
            failures: 0,
            improved: false,
        };
        visit.arrange(sites, reversed, |site| history.start(site, retry));
        let fresh = visit.failed_in.iter().filter(|&&size| size == FRESH).count();
        if !alone && history.rate.burst && fresh > 1 {
            visit.burst = fresh;
        }
        visit
    }

    /// Takes the sites after an accepted edit: known ones keep what was learned, new ones start fresh.
    pub(crate) fn refresh(&mut self, sites: Vec<Site>, history: &StepHistory, retry: Retry, reversed: bool) {
        let known: FxHashMap<u64, u32> =
            self.sites.iter().map(|site| site.id).zip(self.failed_in.iter().copied()).collect();
        self.arrange(sites, reversed, |site| {
            known.get(&site.id).copied().unwrap_or_else(|| history.start(site, retry))
        });
    }

    fn arrange(&mut self, sites: Vec<Site>, reversed: bool, start: impl Fn(Site) -> u32) {
        let mut rated: Vec<(Site, u32)> = sites.into_iter().map(|site| (site, start(site))).collect();
        if reversed {
            rated.reverse();
        }
        // Suspects last: they are less likely to go, whatever their gain. The sort is stable.
        rated.sort_by_key(|&(site, size)| {
            let gain = if reversed { site.gain } else { u32::MAX - site.gain };
            (size <= SUSPECT, gain)
        });
        self.failed_in = rated.iter().map(|&(_, size)| size).collect();
        self.sites = rated.into_iter().map(|(site, _)| site).collect();
    }

    /// The next chunk, or `None` when every site is finished.
    pub(crate) fn next(&self, rate: &SuccessRate) -> Option<Chunk> {
        let open =
            || self.sites.iter().copied().zip(self.failed_in.iter().copied()).filter(|&(_, size)| size > FINISHED);
        if !self.chunkable {
            let (site, size) = open().next()?;
            return Some(Chunk { sites: vec![site], fresh: size == FRESH });
        }
        if self.burst > 1 {
            let sites: Vec<Site> =
                open().filter(|&(_, size)| size == FRESH).map(|(site, _)| site).take(self.burst).collect();
            if sites.len() > 1 {
                return Some(Chunk { sites, fresh: true });
            }
        }
        let mut best: Option<(f64, usize)> = None;
        // Only sites that have not failed in a chunk of less than twice the size.
        let eligible = |size| open().filter(move |&(_, failed_in)| failed_in as usize / 2 >= size).take(size);
        for size in 1..=CHUNK_MAX {
            let gains = eligible(size).map(|(site, _)| f64::from(site.gain.max(1)));
            let (count, gain) = gains.fold((0, 0.0), |(count, sum), gain| (count + 1, sum + gain));
            if count < size {
                break;
            }
            let expected = gain * rate.probability(size);
            if best.is_none_or(|(most, _)| expected > most) {
                best = Some((expected, size));
            }
        }
        let (sites, sizes): (Vec<Site>, Vec<u32>) = eligible(best?.1).unzip();
        Some(Chunk { sites, fresh: sizes.iter().all(|&size| size == FRESH) })
    }

    /// The chunk was not accepted. `judged` is false where the interestingness test did not run, because the edit did not
    /// apply or was not worth a query: then nothing is learned for later visits.
    pub(crate) fn failed(&mut self, chunk: &[Site], history: &mut StepHistory, judged: bool) {
        let size = u32::try_from(chunk.len()).unwrap_or(FRESH - 1);
        let members: FxHashSet<u64> = chunk.iter().map(|site| site.id).collect();
        for (known, failed_in) in self.sites.iter().zip(&mut self.failed_in) {
            if members.contains(&known.id) {
                *failed_in = (*failed_in).min(size);
            }
        }
        if let ([site], true) = (chunk, judged) {
            history.failed.insert(site.id, site.gain);
        }
        if judged {
            self.failures += 1;
            history.rate.learn(0, 1);
        }
        if self.burst > 1 {
            self.burst /= 4;
            // Once the expected gain alone would go as far, it takes over.
            if self.burst <= 4 {
                self.burst = 0;
                history.rate.burst = false;
            }
        }
    }

    /// The chunk was accepted. To be followed by [`Visit::refresh`].
    pub(crate) fn accepted(&mut self, chunk: &[Site], history: &mut StepHistory) {
        history.rate.learn(chunk.len(), 0);
        self.failures = 0;
        self.improved = true;
        if self.burst > 1 {
            history.rate.burst = true;
            self.burst = self.burst.saturating_mul(2);
        }
    }
}
