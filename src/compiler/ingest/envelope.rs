//! Takes lines out of what a program or a web page put around them.
//!
//! - records of JSON, a line of the log in a field of each
//! - strings with escapes, as an exception or a debugger shows the output of another process
//! - backslashes of Markdown (`tensor\<4xf32\>`), blanks at the end of every line, every line twice
//! - what Ray adds to a line that several workers printed
//!
//! All that comes of one line keeps its number.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use super::text::LogLine;

/// A line with so many escaped line ends is a text of many lines.
const MANY_ENDS: usize = 5;
/// Strings in strings.
const MOST_LAYERS: usize = 3;
/// What Markdown gives a meaning, and a page's editor therefore escapes.
const MARKDOWN: [char; 7] = ['*', '_', '#', '<', '>', '[', ']'];

/// Opens all envelopes; notes what it did.
pub(super) fn open(lines: &mut Vec<LogLine<'_>>, notes: &mut Vec<String>) {
    for _ in 0..MOST_LAYERS {
        let before = lines.len();
        records(lines, notes);
        escaped(lines, notes);
        if lines.len() == before {
            break;
        }
    }
    markdown(lines, notes);
    suffixes(lines, notes);
    blanks(lines);
    twice(lines, notes);
}

/// Replaces each line by the texts that `text` gives for it.
fn replace<'t>(lines: &mut Vec<LogLine<'t>>, text: impl Fn(&str) -> Option<String>) -> usize {
    let mut count = 0;
    let mut out: Vec<LogLine<'t>> = Vec::with_capacity(lines.len());
    for line in lines.drain(..) {
        let Some(text) = text(&line.text) else {
            out.push(line);
            continue;
        };
        count += 1;
        let part = |part: &str| LogLine { text: Cow::Owned(part.trim_end_matches('\r').to_owned()), ..line.clone() };
        out.extend(text.strip_suffix('\n').unwrap_or(&text).split('\n').map(part));
    }
    *lines = out;
    count
}

fn fields(line: &str) -> Option<serde_json::Map<String, serde_json::Value>> {
    let line = line.trim();
    (line.starts_with("{\"") && line.ends_with('}')).then(|| serde_json::from_str(line).ok()).flatten()
}

/// Records of JSON: the field with the most text is the line.
fn records(lines: &mut Vec<LogLine<'_>>, notes: &mut Vec<String>) {
    let mut lengths: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    let mut count = 0usize;
    for record in lines.iter().filter_map(|line| fields(&line.text)) {
        count += 1;
        for (name, value) in record {
            // A time is as long in every record, so that short lines would lose.
            let text = value.as_str().map_or(0, |text| if text.contains([' ', '{', '}']) { text.len() } else { 0 });
            *lengths.entry(name).or_default() += text;
        }
    }
    let full = lines.iter().filter(|line| !line.text.trim().is_empty()).count();
    let Some((field, _)) = lengths.iter().max_by_key(|(_, length)| **length) else { return };
    if count < 3 || count * 2 < full {
        return;
    }
    let count = replace(lines, |line| fields(line)?.get(field)?.as_str().map(str::to_owned));
    notes.push(format!("{count} lines were records of JSON: their field {field:?} is the log."));
}

/// Strings with escaped line ends.
fn escaped(lines: &mut Vec<LogLine<'_>>, notes: &mut Vec<String>) {
    let count = replace(lines, |line| {
        let told = ["\\nmodule", "\\n{-#", "error: ", "Traceback"].iter().any(|sign| line.contains(sign));
        if !told || line.matches("\\n").count() < MANY_ENDS {
            return None;
        }
        let first = line.find("\\n")?;
        let begins = line.get(..first)?.find(['"', '\''])?;
        let quote = line.get(begins..)?.chars().next()?;
        let (before, string) = (line.get(..begins)?, line.get(begins + 1..)?);
        let string = string.rfind(quote).and_then(|end| string.get(..end)).unwrap_or(string);
        let before = before.strip_suffix('b').unwrap_or(before);
        Some(format!("{before}\n{}", unescaped(string)))
    });
    if count > 0 {
        notes.push(format!("{count} lines were strings with escapes, and were made plain."));
    }
}

/// Text without the escapes of C, Python and JSON.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        bytes.extend(before.bytes());
        let mut characters = escape.chars();
        let Some(kind) = characters.next() else { break };
        rest = characters.as_str();
        let mut code = |digits: usize| {
            let (code, after) = rest.split_at_checked(digits)?;
            let code = u32::from_str_radix(code, 16).ok()?;
            rest = after;
            Some(code)
        };
        match kind {
            'n' => bytes.push(b'\n'),
            't' => bytes.push(b'\t'),
            'r' => bytes.push(b'\r'),
            'x' => bytes.extend(code(2).and_then(|code| u8::try_from(code).ok())),
            'u' => bytes.extend(code(4).and_then(char::from_u32).into_iter().flat_map(|c| c.to_string().into_bytes())),
            other => bytes.extend(other.to_string().bytes()),
        }
    }
    bytes.extend(rest.bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Backslashes before signs that mean something in Markdown.
fn markdown(lines: &mut [LogLine<'_>], notes: &mut Vec<String>) {
    let escapes = |text: &str| {
        let after = text.match_indices('\\').filter_map(|(at, _)| text.get(at + 1..)?.chars().next());
        after.filter(|c| MARKDOWN.contains(c)).count()
    };
    let certain = |text: &str| ["\\<", "\\_", "\\#-}", "{-\\#"].iter().any(|sign| text.contains(sign));
    let count: usize = lines.iter().filter(|line| certain(&line.text)).count();
    if count < 3 {
        return;
    }
    for line in lines.iter_mut().filter(|line| escapes(&line.text) > 0) {
        let mut plain = String::with_capacity(line.text.len());
        let mut characters = line.text.chars().peekable();
        while let Some(c) = characters.next() {
            if c != '\\' || !characters.peek().is_some_and(|next| MARKDOWN.contains(next)) {
                plain.push(c);
            }
        }
        line.text = Cow::Owned(plain);
    }
    notes.push("Backslashes of Markdown were removed.".to_owned());
}

/// What Ray writes behind a line that several workers printed.
fn suffixes(lines: &mut [LogLine<'_>], notes: &mut Vec<String>) {
    static REPEATED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r" ?\[repeated \d+x across cluster\]( \(Ray dedup.*)?\s*$").expect("a pattern"));
    let mut count = 0usize;
    for line in lines {
        // The pattern is slow to find nothing.
        if let Some(found) = line.text.contains("[repeated ").then(|| REPEATED.find(&line.text)).flatten() {
            let length = found.start();
            line.text = Cow::Owned(line.text.get(..length).unwrap_or_default().to_owned());
            count += 1;
        }
    }
    if count > 0 {
        notes.push(format!("\"[repeated …x across cluster]\" was removed from {count} lines."));
    }
}

/// Blanks at the end of every line; those of some lines only may be where a terminal wrapped.
fn blanks(lines: &mut [LogLine<'_>]) {
    let full = lines.iter().filter(|line| !line.text.trim().is_empty());
    let (all, ending) = full.fold((0usize, 0usize), |(all, ending), line| {
        (all + 1, ending + usize::from(line.text.ends_with([' ', '\t'])))
    });
    if all < MANY_ENDS || ending * 10 < all * 9 {
        return;
    }
    for line in lines {
        let length = line.text.trim_end().len();
        line.text = Cow::Owned(line.text.get(..length).unwrap_or_default().to_owned());
    }
}

/// Two processes that printed the same at the same time.
fn twice(lines: &mut Vec<LogLine<'_>>, notes: &mut Vec<String>) {
    let pairs = lines.chunks_exact(2);
    let (all, same) =
        (pairs.len(), pairs.filter(|pair| pair.iter().skip(1).all(|line| line.text == pair[0].text)).count());
    if all < MANY_ENDS || same < all {
        return;
    }
    let mut keep = false;
    lines.retain(|_| {
        keep = !keep;
        keep
    });
    notes.push("Every line was there twice, as two processes print it.".to_owned());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiler::ingest::text;

    const LOG: &str =
        "module {\n  tt.func @f(%a: tensor<4xf32>) {\n    tt.return\n  }\n}\n\n{-#\n#-}\na.py:1:2: error: 'x_y' é";

    fn opened(text: &str) -> String {
        let mut lines = text::lines(text);
        open(&mut lines, &mut Vec::new());
        lines.iter().map(|line| line.text.as_ref()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn records_of_json_are_their_lines() {
        let record = |line: &str| serde_json::json!({"ts": "2026-01-01T00:00:00.000000Z", "msg": line}).to_string();
        let log: Vec<String> = LOG.lines().map(record).collect();
        assert_eq!(opened(&log.join("\n")), LOG);
    }

    #[test]
    fn strings_with_escapes_are_their_lines() {
        let json = serde_json::to_string(LOG).unwrap();
        assert_eq!(opened(&format!("RuntimeError: {json}")), format!("RuntimeError: \n{LOG}"));
        let python = LOG.replace('\'', "\\'").replace('\n', "\\n").replace('é', "\\xc3\\xa9");
        assert_eq!(opened(&format!("stderr=b'{python}'")), format!("stderr=\n{LOG}"));
    }

    #[test]
    fn markdown_and_blanks_and_doubled_lines_go() {
        let escaped: String = LOG
            .lines()
            .map(|line| format!("{}\n", line.replace('<', "\\<").replace('#', "\\#").replace('_', "\\_")))
            .collect();
        assert_eq!(opened(escaped.trim_end()), LOG);
        let blanks: Vec<String> = LOG.lines().map(|line| format!("{line}  ")).collect();
        assert_eq!(opened(&blanks.join("\n")), LOG);
        let twice: Vec<&str> = LOG.lines().flat_map(|line| [line, line]).collect();
        assert_eq!(opened(&twice.join("\n")), LOG);
    }

    #[test]
    fn what_is_in_no_envelope_stays() {
        for text in [LOG, "{\"a\": 1}\nx\n", "print(\"a\\nb\")\\<", "a\\_b \\*", "C:\\_x\\#y"] {
            assert_eq!(opened(text), text);
        }
    }
}
