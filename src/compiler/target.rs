//! Targets of a pipeline: a kind that some backend accepts (`cuda`, `hip`, a vendor's own) and an architecture in that
//! backend's notation (`87`, `gfx942`). The number of threads in a warp follows from the two unless it is given.

use std::fmt;
use std::str::FromStr;

/// A `kind:arch` pair, optionally with the number of threads in a warp: `cuda:87`, `hip:gfx942`, `hip:gfx1100:32`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Target {
    /// The kind that the backend's `supports_target` compares with, such as `cuda`.
    pub kind: String,
    /// The architecture as text; the worker converts it to an integer where it is one.
    pub arch: String,
    /// Threads per warp, if given.
    pub warp_size: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a target: write kind:arch, for example cuda:87 or hip:gfx942")]
pub struct TargetError(pub String);

impl Target {
    /// Threads per warp: as given, else 64 for AMD's `gfx9` family and 32 for others.
    pub fn threads_per_warp(&self) -> u32 {
        self.warp_size.unwrap_or(if self.arch.starts_with("gfx9") { 64 } else { 32 })
    }
}

impl FromStr for Target {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Self, TargetError> {
        let wrong = || TargetError(text.to_owned());
        let mut parts = text.split(':');
        let (kind, arch) = (parts.next().ok_or_else(wrong)?, parts.next().ok_or_else(wrong)?);
        let warp_size = parts.next().map(|size| size.parse().map_err(|_| wrong())).transpose()?;
        let word =
            |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "_-.+".contains(c));
        if !word(kind) || !word(arch) || parts.next().is_some() {
            return Err(wrong());
        }
        Ok(Target { kind: kind.to_owned(), arch: arch.to_owned(), warp_size })
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind, self.arch)?;
        self.warp_size.map_or(Ok(()), |size| write!(f, ":{size}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_what_it_reads() {
        for text in ["cuda:87", "hip:gfx942", "hip:gfx1100:32", "npu:Ascend910B3"] {
            assert_eq!(text.parse::<Target>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn refuses_what_is_no_pair() {
        for text in ["", "cuda", "cuda:", ":87", "cuda:87:x", "cuda:87:32:1", "cu da:87"] {
            assert!(text.parse::<Target>().is_err(), "{text}");
        }
    }
}
