//! Removes the prefixes that a launcher or logger wrote before every line.
//!
//! There is no list of loggers. Some texts can only begin a line (`module {`, `{-#`, a dump header, a traceback), so the text
//! before them is a candidate. It is a prefix only if its shape, in which numbers and identifiers vary, recurs on the
//! lines around; only lines of that shape lose it. Quotation marks (`> `) and line numbers of a listing are prefixes too.
//!
//! Lines of several processes are separated by the fields of the prefix that identify the process: numbers that alternate,
//! unlike a clock's.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::syntax::Balance;
use super::text::LogLine;

/// Only so many bytes at the beginning of a line are searched for a prefix.
const LONGEST_PREFIX: usize = 240;
/// Lines before and after an anchor on which its prefix must recur.
const NEIGHBOURS: usize = 40;
/// Nested prefixes: a logger's in a launcher's in a quotation.
const MOST_LAYERS: usize = 4;
/// More shapes mean that the anchors were wrong.
const MOST_SHAPES: usize = 32;
/// A field with more values than this is a clock or a serial number.
const MOST_STREAMS: usize = 64;
/// So many processes may print line by line in turns, and so often at least.
const MOST_IN_STEP: usize = 16;
const FEWEST_TURNS: usize = 8;

/// Texts that compilers and Python print only at the beginning of a line.
const ANCHORS: [&str; 8] = [
    "module {",
    "module attributes {",
    "module @",
    "\"builtin.module\"(",
    "{-#",
    "#-}",
    "// -----// IR Dump ",
    "Traceback (most recent call last)",
];

/// A pattern of prefixes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct PrefixShape(Vec<PrefixPart>);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum PrefixPart {
    /// Fixed letters or punctuation.
    Same(String),
    /// A word with a digit in it: a number, a time, an identifier.
    Varying,
    /// Blanks. The number matters only at the end, where the text's own indentation follows.
    Blanks(usize),
}

impl PrefixShape {
    fn of(prefix: &str) -> Self {
        let mut parts = Vec::new();
        let mut rest = prefix;
        while let Some(first) = rest.chars().next() {
            let class = |c: char| (c.is_alphanumeric(), c.is_whitespace());
            let length = rest.find(|c| class(c) != class(first)).unwrap_or(rest.len());
            let (token, after) = rest.split_at(length);
            parts.push(match first {
                c if c.is_whitespace() => PrefixPart::Blanks(token.len()),
                c if c.is_alphanumeric() && token.contains(|c: char| c.is_ascii_digit()) => PrefixPart::Varying,
                _ => PrefixPart::Same(token.to_owned()),
            });
            rest = after;
        }
        PrefixShape(parts)
    }

    /// Shorter shapes that end in blanks, shortest first.
    fn beginnings(&self) -> impl Iterator<Item = PrefixShape> {
        let ends = self.0.iter().enumerate().skip(1).filter(|(_, part)| matches!(part, PrefixPart::Blanks(_)));
        ends.map(|(end, _)| PrefixShape(self.0.iter().take(end + 1).cloned().collect()))
            .filter(move |shape| shape != self)
    }

    /// The length of the line's prefix of this shape. `field` gets the varying parts in order.
    fn matches<'t>(&self, line: &'t str, mut field: impl FnMut(&'t str)) -> Option<usize> {
        let mut rest = line;
        let parts = &self.0;
        for (index, part) in parts.iter().enumerate() {
            let last = index + 1 == parts.len();
            match part {
                PrefixPart::Same(text) => rest = rest.strip_prefix(text.as_str())?,
                PrefixPart::Varying => {
                    let length = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
                    let (word, after) = rest.split_at(length);
                    if !word.contains(|c: char| c.is_ascii_digit()) {
                        return None;
                    }
                    field(word);
                    rest = after;
                }
                PrefixPart::Blanks(count) => {
                    let blanks = rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len());
                    let taken = match (last, blanks == rest.len()) {
                        // An empty line may have lost the blanks at its end.
                        (true, true) => blanks.min(*count),
                        (true, false) if blanks < *count => return None,
                        (true, false) => *count,
                        (false, _) if blanks == 0 && index > 0 => return None,
                        (false, _) => blanks,
                    };
                    rest = rest.get(taken..)?;
                }
            }
        }
        Some(line.len() - rest.len())
    }
}

/// Removes prefixes and separates the lines of different processes; notes what it did.
pub(super) fn strip(lines: &mut Vec<LogLine<'_>>, notes: &mut Vec<String>) {
    for _ in 0..MOST_LAYERS {
        let shapes = shapes(lines);
        if shapes.is_empty() {
            return;
        }
        strip_layer(lines, shapes, notes);
    }
}

fn strip_layer(lines: &mut Vec<LogLine<'_>>, shapes: Vec<PrefixShape>, notes: &mut Vec<String>) {
    let mut census = Census::new(&shapes);
    let mut matched: Vec<Option<usize>> = Vec::with_capacity(lines.len());
    let mut example = None;
    let mut count = 0usize;
    for (line, before) in lines.iter().zip(std::iter::once(None).chain(lines.iter().map(Some))) {
        let mut fields = Vec::new();
        let found = shapes.iter().enumerate().find_map(|(index, shape)| {
            fields.clear();
            shape.matches(&line.text, |field| fields.push(field)).map(|length| (index, length))
        });
        let found = found.filter(|_| !before.is_some_and(|before| is_last_piece(&line.text, &before.text)));
        matched.push(found.map(|(_, length)| length));
        if let Some((index, length)) = found {
            census.count(index, &fields);
            count += 1;
            example = example.or_else(|| line.text.get(..length).map(str::to_owned));
        }
    }
    let order = census.order(lines, &shapes);
    for (line, length) in lines.iter_mut().zip(&matched) {
        line.outer += line.prefix.take().unwrap_or(0);
        if let Some(length) = *length {
            line.prefix = Some(line.text.get(..length).map_or(0, |prefix| prefix.chars().count() as u32));
            match &mut line.text {
                Cow::Borrowed(text) => *text = text.get(length..).unwrap_or_default(),
                Cow::Owned(text) => drop(text.drain(..length)),
            }
        }
    }
    notes.push(format!("A prefix such as {:?} was removed from {count} lines.", example.unwrap_or_default()));
    if let Some((order, streams)) = order {
        let mut keyed: Vec<(usize, LogLine<'_>)> = order.into_iter().zip(lines.drain(..)).collect();
        keyed.sort_by_key(|(stream, _)| *stream);
        lines.extend(keyed.into_iter().map(|(_, line)| line));
        notes.push(format!("The lines of {streams} processes were interleaved, and were separated by their prefixes."));
    }
}

/// Whether a line that looks like an empty quoted one (`>`) is the end of a type that was wrapped before it.
fn is_last_piece(line: &str, before: &str) -> bool {
    let short = line.len() < 4 && line.contains('>') && line.bytes().all(|byte| byte == b'>');
    short && Balance::of(before.trim_start_matches(['>', ' '])).incomplete()
}

/// The shapes of prefixes that recur around their anchors, longest first.
fn shapes(lines: &[LogLine<'_>]) -> Vec<PrefixShape> {
    let mut shapes: Vec<PrefixShape> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(prefix) = before_anchor(&line.text) else { continue };
        if shapes.iter().any(|shape| shape.matches(&line.text, |_| {}) == Some(prefix.len())) {
            continue;
        }
        let shape = PrefixShape::of(prefix);
        let around = lines.get(index.saturating_sub(NEIGHBOURS)..).unwrap_or_default();
        let around = around.iter().take(2 * NEIGHBOURS + 1).filter(|line| !line.text.trim().is_empty());
        let alike =
            |shape: &PrefixShape| around.clone().filter(|line| shape.matches(&line.text, |_| {}).is_some()).count();
        let (all, count) = (around.clone().count(), alike(&shape));
        // The rest may be what a terminal wrapped: those lines have no prefix.
        if count >= 3 && count * 6 >= all {
            // Unless they have its beginning: what was wrapped was quoted or logged again, and that layer comes off first.
            let outer = shape.beginnings().find(|outer| {
                let more = alike(outer);
                more * 5 >= all * 4 && more >= count + 3
            });
            shapes.push(outer.unwrap_or(shape));
        }
        if shapes.len() == MOST_SHAPES {
            break;
        }
    }
    shapes.sort_by_key(|shape| std::cmp::Reverse(shape.0.len()));
    shapes
}

/// The text before the anchor of a line, unless it is blank.
fn before_anchor(line: &str) -> Option<&str> {
    let mut end = line.len().min(LONGEST_PREFIX);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    let head = line.get(..end)?;
    let at = ANCHORS.iter().filter_map(|anchor| head.find(anchor)).min()?;
    let prefix = head.get(..at)?;
    let inside_word = prefix.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '"' | '`' | '\''));
    (!prefix.trim().is_empty() && !inside_word).then_some(prefix)
}

/// Statistics of the varying parts of the prefixes.
struct Census<'t> {
    fields: Vec<Vec<Field<'t>>>,
}

#[derive(Default, Clone)]
struct Field<'t> {
    values: BTreeMap<&'t str, usize>,
    last: Option<&'t str>,
    changes: usize,
    back: usize,
}

impl Field<'_> {
    /// A process number alternates; a clock decreases only when it wraps. Processes in step take turns, far more often than
    /// a clock wraps.
    fn names_a_stream(&self) -> bool {
        let values = self.values.len();
        let alternates = self.back * 4 >= self.changes;
        let turns = values <= MOST_IN_STEP && self.back >= FEWEST_TURNS && self.back * (values + 1) >= self.changes;
        (2..=MOST_STREAMS).contains(&values) && self.changes >= values && (alternates || turns)
    }
}

impl<'t> Census<'t> {
    fn new(shapes: &[PrefixShape]) -> Self {
        let varying = |shape: &PrefixShape| shape.0.iter().filter(|part| **part == PrefixPart::Varying).count();
        Census { fields: shapes.iter().map(|shape| vec![Field::default(); varying(shape)]).collect() }
    }

    fn count(&mut self, shape: usize, values: &[&'t str]) {
        let Some(fields) = self.fields.get_mut(shape) else { return };
        for (field, value) in fields.iter_mut().zip(values) {
            if field.values.len() <= MOST_STREAMS {
                *field.values.entry(value).or_default() += 1;
            }
            if let Some(last) = field.last.filter(|last| last != value) {
                field.changes += 1;
                field.back += usize::from((value.len(), *value) < (last.len(), last));
            }
            field.last = Some(value);
        }
    }

    /// The stream of each line and the number of streams, if there are several. Lines without a prefix belong to the stream
    /// of the line before them.
    fn order(&self, lines: &[LogLine<'_>], shapes: &[PrefixShape]) -> Option<(Vec<usize>, usize)> {
        let named: Vec<Vec<bool>> =
            self.fields.iter().map(|fields| fields.iter().map(Field::names_a_stream).collect()).collect();
        if !named.iter().flatten().any(|named| *named) {
            return None;
        }
        let mut streams: BTreeMap<(usize, Vec<&str>), usize> = BTreeMap::new();
        let mut order = Vec::with_capacity(lines.len());
        let mut current = 0;
        for line in lines {
            let mut values: Vec<&str> = Vec::new();
            let found = shapes.iter().position(|shape| {
                values.clear();
                shape.matches(&line.text, |value| values.push(value)).is_some()
            });
            if let Some(index) = found {
                let mut named = named.get(index).into_iter().flatten();
                values.retain(|_| named.next() == Some(&true));
                let next = streams.len();
                current = *streams.entry((index, values)).or_insert(next);
            }
            order.push(current);
        }
        (streams.len() > 1).then_some((order, streams.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiler::ingest::text;

    const MODULE: &str = "module {\n  tt.func @f() {\n    %0 = a.b : i32\n    tt.return\n  }\n}\n\n{-#\n#-}";

    fn stripped(text: &str) -> String {
        let mut lines = text::lines(text);
        strip(&mut lines, &mut Vec::new());
        lines.iter().map(|line| line.text.as_ref()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn any_prefix_that_repeats_goes_and_the_modules_indentation_stays() {
        for prefix in [
            "(BenchmarkWorker pid=726) ",
            "[rank0]: ",
            "> ",
            ">> ",
            "ERROR 01-20 13:32:10 engine.py:366] ",
            "2025-11-03T09:14:55.123Z [pod/abc-7f9] stderr | ",
            "E   ",
        ] {
            let log: Vec<String> = MODULE.lines().map(|line| format!("{prefix}{line}").trim_end().to_owned()).collect();
            assert_eq!(stripped(&log.join("\n")), MODULE, "{prefix:?}");
        }
        let numbered: Vec<String> =
            MODULE.lines().enumerate().map(|(index, line)| format!("{:>3} | {line}", index + 7)).collect();
        assert_eq!(stripped(&numbered.join("\n")).trim_end(), MODULE);
    }

    #[test]
    fn what_does_not_repeat_is_no_prefix() {
        for text in [MODULE, &format!("warning: see module {{\n{MODULE}"), &format!("gpu.module @x {{\n{MODULE}")] {
            assert_eq!(stripped(text), text);
        }
    }

    #[test]
    fn two_processes_are_sorted_apart() {
        let mut log = String::new();
        for line in MODULE.lines() {
            log.push_str(&format!("[rank0]: {line}\n[rank1]: {line}\n"));
        }
        assert_eq!(stripped(&log).trim_end(), format!("{MODULE}\n{MODULE}"));
    }

    #[test]
    fn a_clock_that_moves_on_is_no_second_process() {
        let log: Vec<String> =
            MODULE.lines().enumerate().map(|(index, line)| format!("10:59:{:02} {line}", (57 + index) % 60)).collect();
        assert_eq!(stripped(&log.join("\n")).trim_end(), MODULE);
    }
}
