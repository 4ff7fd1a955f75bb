//! What is already known about candidates, by key.
//!
//! Only verdicts that the sequential order has used enter, in that order, so the content is the same for every number of
//! jobs. When the cache is full the oldest entry leaves.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::predicate::Verdict;

/// A bounded map from key to verdict.
#[derive(Debug)]
pub(crate) struct Cache {
    verdicts: FxHashMap<u128, Verdict>,
    ages: VecDeque<u128>,
    capacity: usize,
}

impl Cache {
    pub(crate) fn new(capacity: usize) -> Cache {
        Cache { verdicts: FxHashMap::default(), ages: VecDeque::new(), capacity }
    }

    pub(crate) fn get(&self, key: u128) -> Option<Verdict> {
        self.verdicts.get(&key).copied()
    }

    pub(crate) fn put(&mut self, key: u128, verdict: Verdict) {
        if self.capacity == 0 {
            return;
        }
        if self.verdicts.insert(key, verdict).is_some() {
            return;
        }
        self.ages.push_back(key);
        if self.ages.len() > self.capacity
            && let Some(oldest) = self.ages.pop_front()
        {
            self.verdicts.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_entry_leaves_a_full_cache() {
        let mut cache = Cache::new(2);
        for key in [1, 2, 1, 3] {
            cache.put(key, Verdict::Boring);
        }
        assert_eq!(cache.get(1), None);
        assert_eq!(cache.get(2), Some(Verdict::Boring));
        assert_eq!(cache.get(3), Some(Verdict::Boring));
    }
}
