//! Choices from bytes. One byte decides one choice among up to 256, so that a small mutation of the bytes is a small change
//! of the module. When the bytes run out every choice is the first one, and callers put the choice that terminates first;
//! loops stop at [`Choice::is_over`].

use arbitrary::Unstructured;

pub(super) struct Choice<'a, 'u> {
    bytes: &'a mut Unstructured<'u>,
}

impl<'a, 'u> Choice<'a, 'u> {
    pub fn new(bytes: &'a mut Unstructured<'u>) -> Self {
        Choice { bytes }
    }

    fn byte(&mut self) -> usize {
        let mut byte = [0];
        // Fills with zeros at the end of the bytes; there is no other error.
        let _ = self.bytes.fill_buffer(&mut byte);
        byte[0].into()
    }

    pub fn is_over(&self) -> bool {
        self.bytes.is_empty()
    }

    /// A number below `count`; 0 for a `count` of 0 or 1, which costs no byte.
    pub fn below(&mut self, count: usize) -> usize {
        match count {
            0 | 1 => 0,
            2..=256 => self.byte() % count,
            _ => (self.byte() << 8 | self.byte()) % count,
        }
    }

    /// A number from `low` to `high`, inclusive.
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high.saturating_sub(low) as usize + 1) as u32
    }

    /// True with this probability; false when the bytes have run out, except for 100.
    pub fn chance(&mut self, percent: u32) -> bool {
        match percent {
            0 => false,
            100.. => true,
            _ => self.byte() * 100 / 256 >= 100 - percent as usize,
        }
    }

    /// `None` for an empty list.
    pub fn pick<T: Clone>(&mut self, items: &[T]) -> Option<T> {
        items.get(self.below(items.len())).cloned()
    }

    /// [`Choice::pick`] of a list that cannot be empty: `first` and the others.
    pub fn one_of<T: Clone>(&mut self, first: T, others: &[T]) -> T {
        match self.below(others.len() + 1) {
            0 => first,
            index => others.get(index - 1).cloned().unwrap_or(first),
        }
    }

    /// An index, with a probability in proportion to its weight; `None` if all weights are 0.
    pub fn weighted(&mut self, weights: &[u32]) -> Option<usize> {
        let total: u32 = weights.iter().sum();
        let mut left = self.below(total as usize) as u32;
        weights.iter().position(|&weight| {
            let here = left < weight;
            left = left.saturating_sub(weight);
            here
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_bytes_the_first_choice_is_taken() {
        let mut empty = Unstructured::new(&[]);
        let mut choice = Choice::new(&mut empty);
        assert_eq!((choice.below(7), choice.between(3, 9), choice.chance(99)), (0, 3, false));
        assert_eq!((choice.pick(&[4, 5]), choice.weighted(&[0, 3, 1])), (Some(4), Some(1)));
        assert_eq!((choice.pick::<u8>(&[]), choice.weighted(&[0])), (None, None));
    }

    #[test]
    fn weights_are_kept() {
        let bytes: Vec<u8> = (0..=255).collect();
        let mut source = Unstructured::new(&bytes);
        let mut choice = Choice::new(&mut source);
        let mut counts = [0; 3];
        for _ in 0..256 {
            counts[choice.weighted(&[1, 2, 1]).unwrap()] += 1;
        }
        assert_eq!(counts, [64, 128, 64]);
    }
}
