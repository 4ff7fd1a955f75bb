//! Which lines of two texts match, and which values are the same for that reason.

use super::side::Side;
use crate::ir::ValueId;
use rustc_hash::FxHashMap;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::ops::Range;

/// Which lines match, and which values are the same for that reason.
pub(super) fn align(before: &Side, after: &Side) -> (Vec<DiffOp>, FxHashMap<ValueId, ValueId>) {
    let keys = |side: &Side| (0..side.line_count()).map(|line| side.key(line)).collect::<Vec<String>>();
    let (old, new) = (keys(before), keys(after));
    let mut operations = capture_diff_slices(Algorithm::Patience, &old, &new);
    slide(&mut operations, &old, &new);
    let mut pairs: Vec<(usize, usize)> = operations.iter().flat_map(equal_pairs).collect();
    pairs.extend(moved(before, after, &operations));
    pairs.extend(rewritten(before, after, &operations));
    let same = matching(before, after, &pairs);
    (operations, same)
}

/// The lines of a stretch that is the same on both sides.
pub(super) fn equal_pairs(operation: &DiffOp) -> Vec<(usize, usize)> {
    match operation {
        DiffOp::Equal { .. } => operation.old_range().zip(operation.new_range()).collect(),
        _ => Vec::new(),
    }
}

/// Moves what was added or removed up where it may as well stand a few lines earlier, and is a whole there: an operation
/// with its regions, from its head to its closing brace. Of two operations with the same head it is chance otherwise whose
/// head counts as new.
fn slide(operations: &mut [DiffOp], old: &[String], new: &[String]) {
    for place in 1..operations.len().saturating_sub(1) {
        let Some([before, group, after]) = operations.get_mut(place - 1..=place + 1) else { continue };
        let (DiffOp::Equal { .. }, DiffOp::Equal { .. }) = (*before, *after) else { continue };
        let (lines, range) = match group {
            DiffOp::Insert { .. } => (new, group.new_range()),
            DiffOp::Delete { .. } => (old, group.old_range()),
            _ => continue,
        };
        let Some(by) = steps_up(lines, range, before.old_range().len()) else { continue };
        let shorter = |operation: &DiffOp| DiffOp::Equal {
            old_index: operation.old_range().start,
            new_index: operation.new_range().start,
            len: operation.old_range().len() - by,
        };
        let longer = DiffOp::Equal {
            old_index: after.old_range().start - by,
            new_index: after.new_range().start - by,
            len: after.old_range().len() + by,
        };
        let moved = match *group {
            DiffOp::Insert { old_index, new_index, new_len } => {
                DiffOp::Insert { old_index: old_index - by, new_index: new_index - by, new_len }
            }
            DiffOp::Delete { old_index, old_len, new_index } => {
                DiffOp::Delete { old_index: old_index - by, old_len, new_index: new_index - by }
            }
            other => other,
        };
        (*before, *group, *after) = (shorter(before), moved, longer);
    }
}

/// How far a group of lines can go up to be a whole; none if it is one, or cannot become one with `room` lines above.
fn steps_up(lines: &[String], group: Range<usize>, room: usize) -> Option<usize> {
    let line = |at: usize| lines.get(at).map_or("", String::as_str);
    let indent = |text: &str| text.len() - text.trim_start().len();
    let whole = |by: usize| {
        let (first, last) = (line(group.start - by), line(group.end - 1 - by));
        last.trim_start().starts_with('}') && !first.trim_start().starts_with('}') && indent(first) == indent(last)
    };
    if group.is_empty() || whole(0) {
        return None;
    }
    let same = |by: &usize| line(group.start - by) == line(group.end - by);
    (1..=room.min(group.start)).take_while(same).find(|&by| whole(by))
}

/// Lines that went elsewhere: removed in one place and added in another, each once.
fn moved(before: &Side, after: &Side, operations: &[DiffOp]) -> Vec<(usize, usize)> {
    let changed = operations.iter().filter(|operation| !matches!(operation, DiffOp::Equal { .. }));
    let mut gone: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    let mut come: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for operation in changed {
        operation.old_range().for_each(|line| gone.entry(trimmed(before, line)).or_default().push(line));
        operation.new_range().for_each(|line| come.entry(trimmed(after, line)).or_default().push(line));
    }
    let once = |(key, lines): (&String, &Vec<usize>)| match (lines.as_slice(), come.get(key).map(Vec::as_slice)) {
        (&[old], Some(&[new])) => Some((old, new)),
        _ => None,
    };
    gone.iter().filter_map(once).collect()
}

/// Lines of the same operation that stand beside each other and differ: what they define is taken for the same.
fn rewritten(before: &Side, after: &Side, operations: &[DiffOp]) -> Vec<(usize, usize)> {
    let replaced = operations.iter().filter(|operation| matches!(operation, DiffOp::Replace { .. }));
    let beside = replaced.flat_map(|operation| operation.old_range().zip(operation.new_range()));
    beside
        .filter(|&(old, new)| {
            let own = operation_of(&before.key(old));
            own.is_some() && own == operation_of(&after.key(new))
        })
        .collect()
}

/// The name of the operation on a line that defines something.
fn operation_of(key: &str) -> Option<String> {
    let (_, operation) = key.split_once(" = ")?;
    operation.trim_start_matches('"').split([' ', '(', '"']).next().map(str::to_owned)
}

/// What is compared of a line that may stand deeper than before.
fn trimmed(side: &Side, line: usize) -> String {
    side.key(line).trim_start().to_owned()
}

/// Which value after the pass each value before it is, as far as matching lines define them.
fn matching(before: &Side, after: &Side, pairs: &[(usize, usize)]) -> FxHashMap<ValueId, ValueId> {
    let mut same = FxHashMap::default();
    for &(left, right) in pairs {
        for (old, new) in before.tokens_of(left).iter().zip(after.tokens_of(right)) {
            if old.definition && new.definition {
                let all = |side: &Side, value: ValueId| -> Vec<ValueId> {
                    let Some(module) = &side.module else { return vec![value] };
                    match module.defining_op(value) {
                        Some(op) => module.op(op).results.iter().copied().filter(|other| *other >= value).collect(),
                        None => vec![value],
                    }
                };
                same.extend(all(before, old.value).into_iter().zip(all(after, new.value)));
            }
        }
    }
    same
}
