//! Fewer passes: where no single pass shows a failure, those that do are thinned out until each is needed. Options stay:
//! what a text leaves out means something else to each that reads it.

use crate::compiler::NestedPass;

/// The shortest list found that still shows the failure, beginning from one that does: parts of halving size are left out,
/// then single passes until none can go. The last pass, in which it fails, stays. `shows` is
/// called with each list.
pub(super) fn fewest<E>(
    passes: Vec<NestedPass>,
    mut shows: impl FnMut(&[NestedPass]) -> Result<bool, E>,
) -> Result<Vec<NestedPass>, E> {
    let mut passes = passes;
    let mut part = passes.len().saturating_sub(1);
    while part > 0 {
        let before = passes.len();
        let mut at = 0;
        while at + 1 < passes.len() {
            let end = (at + part).min(passes.len() - 1);
            let fewer = [&passes[..at], &passes[end..]].concat();
            if shows(&fewer)? {
                passes = fewer;
            } else {
                at = end;
            }
        }
        // One pass may need another only as long as a third is there.
        part = if part == 1 && passes.len() < before { 1 } else { part / 2 };
    }
    Ok(passes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn texts(list: &[&str]) -> Vec<NestedPass> {
        list.iter().flat_map(|text| NestedPass::named(text)).collect()
    }

    #[test]
    fn only_passes_that_are_needed_stay() {
        let passes = texts(&["a", "b", "c", "d", "e", "f", "g"]);
        let mut asked = 0;
        let needed = |list: &[NestedPass]| -> Result<bool, Infallible> {
            asked += 1;
            Ok(["b", "e", "g"].iter().all(|pass| list.iter().any(|other| other.name() == *pass)))
        };
        assert_eq!(fewest(passes, needed), Ok(texts(&["b", "e", "g"])));
        assert!(asked < 16, "{asked} lists were tried");
    }

    #[test]
    fn a_pass_may_go_once_what_needed_it_is_gone() {
        // `a` must be there while `b` is.
        let shows = |list: &[NestedPass]| -> Result<bool, Infallible> {
            let has = |pass: &str| list.iter().any(|other| other.name() == pass);
            Ok(has("z") && (has("a") || !has("b")))
        };
        assert_eq!(fewest(texts(&["a", "b", "z"]), shows), Ok(texts(&["z"])));
    }

    #[test]
    fn errors_are_passed_on() {
        assert_eq!(fewest(texts(&["a", "b"]), |_| Err("broken")), Err("broken"));
    }
}
