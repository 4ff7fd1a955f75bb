//! Messages that quote the text they are about, in the style of rustc.
//!
//! A module may have been taken out of a log: its lines are then those of the log with prefixes off, breaks healed and
//! foreign lines left out. An [`ExcerptSource`] holds the text as the person has it, and a [`Quoted`] says where each line of a
//! module stands in it, so that what is quoted is what the person sees, under its own line numbers. Where a line was
//! repaired so much that it does not occur there, the whole line is marked.

use super::output;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, renderer::DecorStyle};
use serde::Serialize;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;
use tritonsmith::ir::{Module, ParseError, Span};
use tritonsmith::oracle::{Violations, dominance, structure};

/// Two places further apart than this many lines are quoted apart.
const FAR: usize = 200;

/// A text as the person has it.
#[derive(Debug)]
pub struct ExcerptSource<'a> {
    /// What to call it.
    pub name: &'a str,
    bytes: &'a [u8],
    text: OnceCell<Cow<'a, str>>,
    starts: OnceCell<Vec<usize>>,
}

/// A module's text inside a source.
#[derive(Debug)]
pub struct Quoted<'a> {
    source: &'a ExcerptSource<'a>,
    /// Its text, and for each line of it the line of the source, from 1. `None` where the text is the source.
    part: Option<(&'a str, &'a [u32])>,
    starts: OnceCell<Vec<usize>>,
}

/// A place in a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExcerptPlace {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// One past the last column.
    pub end_column: usize,
    /// The bytes in the source.
    #[serde(skip)]
    bytes: Range<usize>,
}

/// Something that is wrong with a module, for people and for machines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Complaint {
    /// Which oracle says so: `dominance` or `structure`.
    pub oracle: &'static str,
    /// The kind of violation.
    pub kind: String,
    /// The operation concerned.
    pub op: String,
    /// The sentence.
    pub message: String,
    /// Where.
    pub place: Option<ExcerptPlace>,
    /// Where the value is defined, for a violation of dominance.
    pub definition: Option<ExcerptPlace>,
    #[serde(skip)]
    labels: [String; 2],
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1)).collect()
}

/// The number of the line, from 0, that holds a byte.
fn line_of(starts: &[usize], byte: usize) -> usize {
    starts.partition_point(|&start| start <= byte).saturating_sub(1)
}

/// The bytes of a line, its end left out.
fn line_range(text: &str, starts: &[usize], line: usize) -> Range<usize> {
    let start = starts.get(line).copied().unwrap_or(text.len());
    let end = starts.get(line + 1).map_or(text.len(), |next| next - 1);
    let end = if text.get(start..end).is_some_and(|line| line.ends_with('\r')) { end - 1 } else { end };
    start..end.max(start)
}

impl<'a> ExcerptSource<'a> {
    /// A source; bytes that are no text are replaced.
    pub fn new(name: &'a str, bytes: &'a [u8]) -> Self {
        ExcerptSource { name, bytes, text: OnceCell::new(), starts: OnceCell::new() }
    }

    fn text(&self) -> &str {
        self.text.get_or_init(|| String::from_utf8_lossy(self.bytes))
    }

    fn starts(&self) -> &[usize] {
        self.starts.get_or_init(|| line_starts(self.text()))
    }

    /// A module that is the whole source.
    pub fn whole(&'a self) -> Quoted<'a> {
        Quoted { source: self, part: None, starts: OnceCell::new() }
    }

    /// A module that was found in the source.
    pub fn part(&'a self, text: &'a str, lines: &'a [u32]) -> Quoted<'a> {
        Quoted { source: self, part: Some((text, lines)), starts: OnceCell::new() }
    }

    fn place(&self, bytes: Range<usize>) -> ExcerptPlace {
        let line = line_of(self.starts(), bytes.start);
        let whole = line_range(self.text(), self.starts(), line);
        let end = bytes.end.min(whole.end).max(bytes.start);
        let count = |range: Range<usize>| self.text().get(range).map_or(0, |text| text.chars().count());
        ExcerptPlace {
            line: line + 1,
            column: count(whole.start..bytes.start) + 1,
            end_column: count(whole.start..end) + 1,
            bytes: bytes.start..end,
        }
    }
}

impl Quoted<'_> {
    /// What the source is called.
    pub fn file(&self) -> &str {
        self.source.name
    }

    /// Where a span of the module stands in the source.
    pub fn place(&self, span: Span) -> ExcerptPlace {
        let (start, end) = (span.start as usize, span.end as usize);
        let Some((text, lines)) = self.part else { return self.source.place(start..end) };
        let starts = self.starts.get_or_init(|| line_starts(text));
        let line = line_of(starts, start);
        let own = line_range(text, starts, line);
        let number = lines.get(line).or(lines.last()).copied().expect("a module has lines").max(1) as usize;
        let there = line_range(self.source.text(), self.source.starts(), number - 1);
        let quoted = text.get(own.clone()).map(str::trim_end).unwrap_or_default();
        let found = self.source.text().get(there.clone()).and_then(|text| text.find(quoted));
        self.source.place(match found {
            Some(at) => {
                let shifted = |byte: usize| there.start + at + byte.saturating_sub(own.start);
                shifted(start)..shifted(end.min(own.end))
            }
            None => there,
        })
    }

    /// A parse error, quoted.
    pub fn parse_error(&self, error: &ParseError) -> (ExcerptPlace, String) {
        let place = self.place(error.span);
        let text = self.render(&error.message, &[(&place, "")]);
        (place, text)
    }

    /// All that a report says of a module that was parsed from this text with the spans of its operands.
    pub fn complaints(&self, module: &Module, report: &Violations) -> Vec<Complaint> {
        let dominance = report.dominance.iter().map(|violation| self.dominance(module, violation));
        let structure = report.structure.iter().map(|violation| self.structure(module, violation));
        let mut complaints: Vec<Complaint> = dominance.chain(structure).collect();
        complaints.sort_by_key(|complaint| complaint.place.as_ref().map(|place| place.bytes.start));
        complaints
    }

    fn dominance(&self, module: &Module, violation: &dominance::DominanceViolation) -> Complaint {
        let value = module.value(violation.value);
        let text = self.part.map_or_else(|| self.source.text(), |(text, _)| text);
        let name = match text.get(value.span.start as usize..value.span.end as usize) {
            Some(name) if name.starts_with('%') => format!("`{name}`"),
            _ => "the value".to_owned(),
        };
        let op = match violation.place {
            dominance::ViolationPlace::Use(place) => module.op_name(place.op).to_owned(),
            dominance::ViolationPlace::Definition(_) => String::new(),
        };
        let labels = match violation.kind {
            dominance::DominanceViolationKind::DefinedTwice => {
                [format!("{name} is defined again"), "the first definition".to_owned()]
            }
            dominance::DominanceViolationKind::NeverDefined => [format!("{name} has no definition"), String::new()],
            _ => ["used here".to_owned(), format!("{name} is defined here")],
        };
        let span = violation.span(module);
        Complaint {
            oracle: "dominance",
            kind: word(&violation.kind),
            message: with_name(&op, &violation.to_string()),
            op,
            place: (!span.is_empty()).then(|| self.place(span)),
            definition: violation.definition_span(module).map(|span| self.place(span)),
            labels,
        }
    }

    fn structure(&self, module: &Module, violation: &structure::StructureViolation) -> Complaint {
        let span = module.op(violation.op).span;
        let op = module.op_name(violation.op).to_owned();
        Complaint {
            oracle: "structure",
            kind: word(&violation.kind),
            message: with_name(&op, &violation.message),
            op,
            place: (!span.is_empty()).then(|| self.place(span)),
            definition: None,
            labels: [String::new(), String::new()],
        }
    }

    /// A complaint as text for people.
    pub fn show(&self, complaint: &Complaint) -> String {
        let places = [&complaint.place, &complaint.definition];
        let marks: Vec<(&ExcerptPlace, &str)> = places
            .into_iter()
            .zip(&complaint.labels)
            .filter_map(|(place, label)| Some((place.as_ref()?, label.as_str())))
            .collect();
        self.render(&complaint.message, &marks)
    }

    /// A message with the lines that it is about; the first mark is the main one.
    fn render(&self, message: &str, marks: &[(&ExcerptPlace, &str)]) -> String {
        let mut group = Group::with_title(Level::ERROR.primary_title(message));
        let near = marks.windows(2).all(|pair| pair[0].0.line.abs_diff(pair[1].0.line) <= FAR);
        let parts: Vec<&[(&ExcerptPlace, &str)]> = if near { vec![marks] } else { marks.chunks(1).collect() };
        let mut first = true;
        for part in parts {
            let Some(low) = part.iter().map(|(place, _)| place.line).min() else { continue };
            let high = part.iter().map(|(place, _)| place.line).max().unwrap_or(low);
            let (text, starts) = (self.source.text(), self.source.starts());
            let window = line_range(text, starts, low - 1).start..line_range(text, starts, high - 1).end;
            let mut snippet =
                Snippet::source(text.get(window.clone()).unwrap_or_default()).line_start(low).path(self.source.name);
            for (place, label) in part {
                let kind = if std::mem::take(&mut first) { AnnotationKind::Primary } else { AnnotationKind::Context };
                let span = place.bytes.start - window.start..place.bytes.end - window.start;
                let label = (!label.is_empty()).then_some(*label);
                snippet = snippet.annotation(kind.span(span).label(label));
            }
            group = group.element(snippet);
        }
        let renderer = if output::colours() { Renderer::styled() } else { Renderer::plain() };
        renderer.decor_style(DecorStyle::Ascii).render(&[group])
    }
}

fn with_name(op: &str, message: &str) -> String {
    if op.is_empty() { message.to_owned() } else { format!("`{op}`: {message}") }
}

/// The word that stands for a kind in JSON.
fn word(kind: &impl Serialize) -> String {
    match serde_json::to_value(kind) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(text: &str, part: &str) -> Span {
        let start = text.find(part).unwrap() as u32;
        Span { start, end: start + part.len() as u32 }
    }

    #[test]
    fn a_place_in_a_log_has_the_lines_and_columns_of_the_log() {
        let log = "loading\n(worker pid=7) module {\n(worker pid=7)   %0 = a.b : f32\nWARN x\n(worker pid=7) }\n";
        let text = "module {\n  %0 = a.b : f32\n}";
        let source = ExcerptSource::new("x.log", log.as_bytes());
        let quoted = source.part(text, &[2, 3, 5]);
        let place = quoted.place(span(text, "a.b"));
        assert_eq!((place.line, place.column, place.end_column), (3, 23, 26));
        assert_eq!(&log[place.bytes], "a.b");
    }

    #[test]
    fn a_line_that_was_repaired_is_marked_as_a_whole() {
        let source = ExcerptSource::new("x.log", b"module {\n  %0 = a.\nb : f32\n}\n");
        let text = "module {\n  %0 = a.b : f32\n}\n";
        let place = source.part(text, &[1, 2, 4]).place(span(text, "f32"));
        assert_eq!((place.line, place.column, place.end_column), (2, 1, 10));
    }

    #[test]
    fn windows_line_ends_are_no_part_of_a_line() {
        let source = ExcerptSource::new("x.mlir", b"module {\r\n  oops\r\n}\r\n");
        let place = source.whole().place(Span { start: 12, end: 99 });
        assert_eq!((place.line, place.column, place.end_column), (2, 3, 7));
    }
}
