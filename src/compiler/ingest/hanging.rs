//! Joins lines that were wrapped with an indentation: chats and mail programs put blanks before what continues a line.
//!
//! The first part of such a line has exactly the width, and each continuation the width and the indentation, but for the
//! last. As elsewhere, only incomplete lines of MLIR are evidence.

use std::collections::BTreeMap;

use super::syntax::{Balance, starts_line, starts_mlir};
use super::text::LogLine;
use crate::compiler::diagnostic::is_caret_line;

/// No window is narrower.
const NARROWEST: usize = 40;
/// So many lines must be broken alike.
const FEWEST: usize = 2;
/// A break at a blank can leave one at the beginning of the next line.
const NARROWEST_INDENT: usize = 2;
/// Parts of one line that are looked at.
const MOST_PARTS: usize = 4096;

/// Joins such lines; notes what it did.
pub(super) fn join<'t>(lines: Vec<LogLine<'t>>, notes: &mut Vec<String>) -> Vec<LogLine<'t>> {
    let Some((width, indent)) = shape(&lines) else { return lines };
    let mut joined: Vec<LogLine<'t>> = Vec::with_capacity(lines.len());
    // The width of the last part of the line that is held, without its indentation.
    let (mut last, mut parts, mut joins) = (0, 0, 0usize);
    let mut iterator = lines.into_iter().peekable();
    while let Some(line) = iterator.next() {
        // Source text that a diagnostic quotes has a line of carets below it.
        let quoted = iterator.peek().is_some_and(|after| is_caret_line(&after.text));
        let continues = !quoted && last == width && blanks(&line.text) >= indent && parts < MOST_PARTS;
        if let Some(held) = joined.last_mut().filter(|held| continues && is_open(&held.text, &line.text)) {
            let rest = line.text.get(indent..).unwrap_or_default();
            held.text.to_mut().push_str(rest);
            last = columns(rest);
            parts += 1;
            joins += 1;
        } else {
            last = columns(&line.text);
            parts = 0;
            joined.push(line);
        }
    }
    notes.push(format!("Lines had been wrapped at {width} columns with {indent} blanks: {joins} breaks were removed."));
    joined
}

/// Whether the next line cannot be one of its own.
fn is_open(held: &str, next: &str) -> bool {
    !starts_line(next.trim_start()) || starts_mlir(held) && Balance::of(held).incomplete()
}

fn columns(text: &str) -> usize {
    text.chars().count()
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches(' ').len()
}

/// The width of first parts and the indentation of what follows them, if most broken lines agree on both.
fn shape(lines: &[LogLine<'_>]) -> Option<(usize, usize)> {
    let mut shapes: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut broken = 0;
    for pair in lines.windows(2) {
        let [line, next] = pair else { continue };
        let (width, indent) = (columns(&line.text), blanks(&next.text));
        if width < NARROWEST || !starts_mlir(&line.text) || starts_line(next.text.trim_start()) {
            continue;
        }
        if Balance::of(&line.text).incomplete() {
            broken += 1;
            *shapes.entry((width, indent)).or_default() += 1;
        }
    }
    // A continuation may begin with a blank of its own.
    let (&(width, _), _) = shapes.iter().max_by_key(|(_, count)| **count)?;
    let of_width = shapes.iter().filter(|((other, _), _)| *other == width);
    let count: usize = of_width.clone().map(|(_, count)| count).sum();
    let indent = of_width.map(|((_, indent), _)| *indent).min()?;
    (indent >= NARROWEST_INDENT && count >= FEWEST && count * 10 >= broken * 8).then_some((width, indent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiler::ingest::text;

    fn joined(text: &str) -> String {
        let lines = join(text::lines(text), &mut Vec::new());
        lines.iter().map(|line| line.text.as_ref()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn continuations_lose_their_indentation() {
        let log: String = (0..6)
            .map(|at| format!("    %{at} = tt.load %p{at} : tensor<128x64x!tt.ptr<f32>, #blocked> -> tensor<128x64xf32, #blocked>\n"))
            .collect();
        let mut wrapped = String::new();
        for line in log.lines() {
            let characters: Vec<char> = line.chars().collect();
            for (at, part) in characters.chunks(48).enumerate() {
                wrapped.push_str(if at == 0 { "" } else { "   " });
                wrapped.extend(part);
                wrapped.push('\n');
            }
        }
        assert_eq!(joined(&wrapped), log);
        // What somebody broke by hand is broken anywhere.
        let by_hand =
            "  tt.func @f(%a: tensor<128x64x!tt.ptr<f32>, #blocked>,\n             %b: i32) {\n    tt.return\n";
        assert_eq!(joined(by_hand), by_hand);
    }
}
