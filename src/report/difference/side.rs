//! A module's text with the places of its values' names, and marks on what an oracle has against it.

use super::{DiffLine, Mark};
use crate::ir::{self, Module, ParseOptions, Use, ValueId};
use crate::oracle::{self, dominance};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

static LABEL: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\^bb[0-9]+").expect("a pattern"));

/// A value's name in a text.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub bytes: Range<usize>,
    pub value: ValueId,
    pub definition: bool,
}

/// A text with all that is needed to compare and to mark it.
pub(super) struct Side {
    pub text: String,
    starts: Vec<usize>,
    pub module: Option<Module>,
    pub tokens: Vec<Token>,
    marks: Vec<(Range<usize>, Mark)>,
}

impl Side {
    pub fn new(text: String) -> Side {
        let module = ir::parse_with(&text, ParseOptions { spans: true }).ok();
        let tokens = module.as_ref().map(|module| tokens(module, &text)).unwrap_or_default();
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Side { text, starts, module, tokens, marks: Vec::new() }
    }

    pub fn line_count(&self) -> usize {
        self.text.lines().count()
    }

    fn bytes_of(&self, line: usize) -> Range<usize> {
        let start = self.starts.get(line).copied().unwrap_or(self.text.len());
        let end = self.starts.get(line + 1).map_or(self.text.len(), |next| next - 1);
        start..end.max(start)
    }

    pub fn tokens_of(&self, line: usize) -> &[Token] {
        let bytes = self.bytes_of(line);
        let from = self.tokens.partition_point(|token| token.bytes.start < bytes.start);
        let to = self.tokens.partition_point(|token| token.bytes.start < bytes.end);
        self.tokens.get(from..to).unwrap_or_default()
    }

    /// A line's text without what is named anew on each side.
    pub fn key(&self, line: usize) -> String {
        let bytes = self.bytes_of(line);
        let mut key = String::new();
        let mut at = bytes.start;
        for token in self.tokens_of(line) {
            key.push_str(self.text.get(at..token.bytes.start).unwrap_or_default());
            key.push('%');
            at = token.bytes.end.max(at);
        }
        key.push_str(self.text.get(at..bytes.end).unwrap_or_default());
        LABEL.replace_all(&key, "^").into_owned()
    }

    /// A line in pieces.
    pub fn line(&self, line: usize, changed: bool) -> DiffLine {
        let bytes = self.bytes_of(line);
        let mut pieces = Vec::new();
        let mut at = bytes.start;
        let mut push = |mark, range: Range<usize>| match self.text.get(range) {
            Some(text) if !text.is_empty() => pieces.push((mark, text.to_owned())),
            _ => {}
        };
        for (marked, mark) in &self.marks {
            let (start, end) = (marked.start.max(at), marked.end.min(bytes.end));
            if start < end {
                push(Mark::Plain, at..start);
                push(*mark, start..end);
                at = end;
            }
        }
        push(Mark::Plain, at..bytes.end);
        DiffLine { number: line + 1, pieces, changed }
    }

    pub fn has_mark(&self, line: usize) -> bool {
        let bytes = self.bytes_of(line);
        self.marks.iter().any(|(marked, _)| marked.start < bytes.end && marked.end > bytes.start)
    }

    pub fn mark(&mut self, range: Range<usize>, mark: Mark) {
        // A whole operation may span many lines: its head is what is pointed at.
        let line = self.starts.partition_point(|&start| start <= range.start).saturating_sub(1);
        let end = range.end.min(self.bytes_of(line).end);
        if range.start < end && !self.marks.iter().any(|(other, _)| other.start < end && other.end > range.start) {
            self.marks.push((range.start..end, mark));
            self.marks.sort_by_key(|(range, _)| range.start);
        }
    }

    /// Marks a line from its first word on.
    pub fn mark_line(&mut self, line: usize, mark: Mark) {
        let bytes = self.bytes_of(line);
        let indent = self.text.get(bytes.clone()).map_or(0, |text| text.len() - text.trim_start().len());
        self.mark(bytes.start + indent..bytes.end, mark);
    }

    /// Marks what the oracles have against it. Gives their sentences and the values concerned.
    pub fn accuse(&mut self) -> (Vec<String>, Vec<ValueId>) {
        let Some(module) = self.module.take() else { return (Vec::new(), Vec::new()) };
        let report = oracle::judge(&module);
        let mut complaints = Vec::new();
        let mut values = Vec::new();
        for violation in &report.dominance {
            let op = match violation.place {
                dominance::ViolationPlace::Use(place) => format!("`{}`: ", module.op_name(place.op)),
                dominance::ViolationPlace::Definition(_) => String::new(),
            };
            complaints.push(format!("{op}{violation}"));
            values.push(violation.value);
            self.mark(range(violation.span(&module)), Mark::Use);
            if let Some(span) = violation.definition_span(&module) {
                self.mark(range(span), Mark::Definition);
            }
        }
        for violation in &report.structure {
            complaints.push(format!("`{}`: {}", module.op_name(violation.op), violation.message));
            self.mark(range(module.op(violation.op).span), Mark::Use);
        }
        self.module = Some(module);
        (complaints, values)
    }
}

fn range(span: ir::Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// Every place of a value's name, in the order of the text.
fn tokens(module: &Module, text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut add = |span: ir::Span, value, definition| {
        let bytes = range(span);
        if text.get(bytes.clone()).is_some_and(|name| name.starts_with('%')) {
            tokens.push(Token { bytes, value, definition });
        }
    };
    for op in module.walk() {
        let record = module.op(op);
        for &value in &record.results {
            add(module.value(value).span, value, true);
        }
        for &region in &record.regions {
            for &block in &module.region(region).blocks {
                for &value in &module.block(block).arguments {
                    add(module.value(value).span, value, true);
                }
            }
        }
        for (operand, &value) in (0..).zip(&record.operands) {
            if let Some(span) = module.use_span(Use { op, operand }) {
                add(span, value, false);
            }
        }
    }
    // Several results share one name, the first of them stands for all.
    tokens.sort_by_key(|token| (token.bytes.start, token.value));
    tokens.dedup_by_key(|token| token.bytes.start);
    tokens
}
