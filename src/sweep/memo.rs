//! Results that several threads may need, computed once: the first thread computes, the others wait.

use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

#[derive(Debug)]
pub struct Memo<K, V>(Mutex<FxHashMap<K, Arc<OnceLock<V>>>>);

impl<K: Hash + Eq, V: Clone> Memo<K, V> {
    pub fn new() -> Self {
        Memo(Mutex::new(FxHashMap::default()))
    }

    /// The result for a key, computed by `work` if it is missing.
    pub fn get(&self, key: K, work: impl FnOnce() -> V) -> V {
        let slot = Arc::clone(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default());
        slot.get_or_init(work).clone()
    }

    /// Number of keys.
    pub fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn work_is_done_once() {
        let (memo, done) = (Memo::new(), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (memo, done) = (&memo, &done);
                scope.spawn(move || {
                    for key in 0..100 {
                        let key = (key + thread * 25) % 100;
                        assert_eq!(
                            memo.get(key, || {
                                done.fetch_add(1, Ordering::Relaxed);
                                key * 2
                            }),
                            key * 2
                        );
                    }
                });
            }
        });
        assert_eq!((done.into_inner(), memo.len()), (100, 100));
    }
}
