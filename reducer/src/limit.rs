//! The time limit that adapts: a candidate that hangs should cost little more than one that answers.
//!
//! The limit is a multiple of the median time of the interesting answers so far. The median, not the mean, because the
//! first query to a worker often pays for its start.

use std::time::Duration;

/// Learns from the times of interesting answers.
#[derive(Debug)]
pub(crate) struct TimeLimit {
    sorted: Vec<Duration>,
    factor: u32,
    min: Duration,
    max: Duration,
}

impl TimeLimit {
    pub(crate) fn new(factor: u32, min: Duration, max: Duration) -> TimeLimit {
        TimeLimit { sorted: Vec::new(), factor, min: min.min(max), max }
    }

    /// Takes note of the time of an interesting answer.
    pub(crate) fn learn(&mut self, time: Duration) {
        let at = self.sorted.partition_point(|&known| known <= time);
        self.sorted.insert(at, time);
    }

    /// The limit for the next query.
    pub(crate) fn now(&self) -> Duration {
        match self.sorted.get(self.sorted.len() / 2) {
            Some(median) => median.saturating_mul(self.factor).clamp(self.min, self.max),
            None => self.max,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_follows_the_median_between_its_bounds() {
        let ms = Duration::from_millis;
        let mut limit = TimeLimit::new(10, ms(50), ms(2000));
        assert_eq!(limit.now(), ms(2000), "nothing is known yet");
        limit.learn(ms(1500));
        assert_eq!(limit.now(), ms(2000), "bounded above");
        limit.learn(ms(20));
        limit.learn(ms(30));
        assert_eq!(limit.now(), ms(300), "one slow start does not count");
        for _ in 0..4 {
            limit.learn(ms(1));
        }
        assert_eq!(limit.now(), ms(50), "bounded below");
    }
}
