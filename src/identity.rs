//! Hashes that identify content: candidates of a reduction, the journal's test, names of buckets and captured cases.
//!
//! They end up on disk, so they are the same in every build, on every machine and in every release: XXH3 with 128 bits, whose
//! values its specification fixes. Maps in memory use a faster hash that may change.

use std::fmt;
use twox_hash::XxHash3_128;

/// What identifies some content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Identity(pub u128);

impl Identity {
    /// The identity of parts in their order. Each begins with its length, so that what ends one part and begins the next
    /// counts too.
    pub fn of<P: AsRef<[u8]>>(parts: impl IntoIterator<Item = P>) -> Identity {
        let mut hasher = XxHash3_128::new();
        for part in parts {
            let part = part.as_ref();
            hasher.write(&(part.len() as u64).to_le_bytes());
            hasher.write(part);
        }
        Identity(hasher.finish_128())
    }

    /// Half of it, for names of directories that a person reads.
    pub fn short(self) -> String {
        format!("{:016x}", self.0 >> 64)
    }
}

/// 32 hexadecimal digits.
impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_never_change() {
        let long: String = (0..1000).map(|line| format!("%{line} = arith.constant {line} : i32\n")).collect();
        // Computed with xxHash's own library.
        assert_eq!(Identity::of([""; 0]).to_string(), "99aa06d3014798d86001c324468d497f");
        assert_eq!(Identity::of(["module {}"]).to_string(), "b87a0b9bd27d462bb1f0f3815ebef744");
        assert_eq!(Identity::of([&long, "tritongpu-coalesce"]).to_string(), "7c894456618417ef3a11bfe00d9e94fb");
        assert_eq!(Identity::of(["module {}"]).short(), "b87a0b9bd27d462b");
    }

    #[test]
    fn parts_are_kept_apart() {
        assert_ne!(Identity::of(["ab", "c"]), Identity::of(["a", "bc"]));
        assert_ne!(Identity::of(["ab"]), Identity::of(["ab", ""]));
    }
}
