//! From lines to diagnostics, in one pass with a few lines of lookahead.

use super::{Diagnostic, DiagnosticKind, SourceLocation};

/// Lines of one stack dump that are kept.
const LONGEST_STACK: usize = 256;
/// Most lines of quoted source between a diagnostic and its line of carets.
const QUOTE: usize = 2;

pub(super) fn read(lines: &[(u32, &str)]) -> Vec<Diagnostic> {
    let mut reader = DiagnosticReader { lines, at: 0, entries: Vec::new(), owner: None };
    while let Some(&(number, line)) = reader.lines.get(reader.at) {
        reader.at += 1;
        reader.line(number, line);
    }
    reader.entries
}

struct DiagnosticReader<'l> {
    lines: &'l [(u32, &'l str)],
    /// The next line to read.
    at: usize,
    entries: Vec<Diagnostic>,
    /// The entry that notes belong to.
    owner: Option<usize>,
}

impl DiagnosticReader<'_> {
    fn line(&mut self, number: u32, line: &str) {
        if line.len() < "error: ".len() {
            return;
        }
        if line.starts_with("Traceback (most recent call last)") {
            return self.traceback();
        }
        if let Some((kind, location, message)) = mlir(line) {
            let source = self.quoted_source();
            return self.add(Diagnostic {
                line: number,
                kind,
                location,
                message: message.to_owned(),
                function: None,
                source,
                notes: vec![],
            });
        }
        if let Some((location, message)) = assertion(line) {
            self.push(number, DiagnosticKind::Assertion, location, message);
            if let Some(entry) = self.entries.last_mut() {
                entry.function = asserting_function(line);
            }
            return;
        }
        if let Some((_, class)) = line.split_once("terminate called after throwing an instance of ") {
            let class = class.trim().trim_matches('\'');
            let what = self.lines.get(self.at).and_then(|(_, next)| next.trim_start().strip_prefix("what():"));
            let message = what.map_or_else(|| class.to_owned(), |what| format!("{class}: {}", what.trim()));
            return self.push(number, DiagnosticKind::Exception, None, &message);
        }
        if let Some((_, message)) = line.split_once("LLVM ERROR: ") {
            return self.push(number, DiagnosticKind::FatalError, None, message.trim());
        }
        if let Some((_, place)) = line.split_once("UNREACHABLE executed") {
            let location = place.trim_start().strip_prefix("at ").and_then(|place| {
                let (file, number) = place.trim_end_matches(['!', '\n', ' ']).rsplit_once(':')?;
                Some(SourceLocation { file: file.to_owned(), line: number.parse().ok()?, column: None })
            });
            // The message of llvm_unreachable is the line before.
            let before =
                self.at.checked_sub(2).and_then(|before| self.lines.get(before)).map_or("", |(_, line)| line.trim());
            let message = if before.is_empty() || mlir(before).is_some() { "unreachable" } else { before };
            return self.push(number, DiagnosticKind::Unreachable, location, message);
        }
        if line.starts_with("Stack dump") || line.starts_with("PLEASE submit a bug report") {
            return self.stack(number, line);
        }
        if let Some(message) = signal(line) {
            self.push(number, DiagnosticKind::Signal, None, message);
        }
    }

    fn push(&mut self, line: u32, kind: DiagnosticKind, location: Option<SourceLocation>, message: &str) {
        let message = message.to_owned();
        let (source, notes) = (Vec::new(), Vec::new());
        self.entries.push(Diagnostic { line, kind, location, message, function: None, source, notes });
    }

    /// Notes go to the diagnostic before them.
    fn add(&mut self, diagnostic: Diagnostic) {
        if diagnostic.kind != DiagnosticKind::Note {
            self.owner = Some(self.entries.len());
            self.entries.push(diagnostic);
            return;
        }
        match self.owner.and_then(|owner| self.entries.get_mut(owner)) {
            Some(owner) => owner.notes.push(diagnostic),
            None => self.entries.push(diagnostic),
        }
    }

    /// The source lines between here and a line of carets, if one is near.
    fn quoted_source(&mut self) -> Vec<String> {
        for length in 1..=QUOTE {
            let quoted = self.lines.get(self.at..self.at + length).unwrap_or_default();
            if quoted.iter().any(|(_, line)| mlir(line).is_some()) {
                break;
            }
            if self.lines.get(self.at + length).is_some_and(|(_, line)| is_caret_line(line)) {
                self.at += length + 1;
                return quoted.iter().map(|(_, line)| (*line).to_owned()).collect();
            }
        }
        Vec::new()
    }

    /// Up to the exception, the first line of the traceback that is not indented.
    fn traceback(&mut self) {
        while let Some(&(number, line)) = self.lines.get(self.at) {
            if line.starts_with("Traceback") || mlir(line).is_some() {
                return;
            }
            self.at += 1;
            if line.starts_with([' ', '\t']) || line.is_empty() {
                continue;
            }
            let name = line.split([':', ' ', '(']).next().unwrap_or_default();
            if !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_')) {
                self.push(number, DiagnosticKind::PythonException, None, line.trim_end());
            }
            return;
        }
    }

    fn stack(&mut self, number: u32, line: &str) {
        let is_frame = |line: &str| {
            let line = line.trim_start();
            line.starts_with("Stack dump") || line.starts_with('#') || line.starts_with(|c: char| c.is_ascii_digit())
        };
        let mut source = Vec::new();
        while let Some((_, frame)) = self.lines.get(self.at) {
            if !is_frame(frame) {
                break;
            }
            self.at += 1;
            if source.len() < LONGEST_STACK {
                source.push((*frame).to_owned());
            }
        }
        self.push(number, DiagnosticKind::StackDump, None, line.trim());
        if let Some(entry) = self.entries.last_mut() {
            entry.source = source;
        }
    }
}

/// Whether a line consists of carets that point at the line above.
pub(crate) fn is_caret_line(line: &str) -> bool {
    let line = line.trim();
    line.contains('^') && line.bytes().all(|byte| matches!(byte, b'^' | b'~' | b' '))
}

/// Whether a line is an MLIR diagnostic.
pub(crate) fn is_mlir_diagnostic(line: &str) -> bool {
    mlir(line).is_some()
}

/// `location: severity: message`, with the locations of all versions: `file:1:2`, `loc("file":1:2)`, `<unknown>:0`, none.
fn mlir(line: &str) -> Option<(DiagnosticKind, Option<SourceLocation>, &str)> {
    const SEVERITIES: [(&str, DiagnosticKind); 4] = [
        ("error: ", DiagnosticKind::Error),
        ("warning: ", DiagnosticKind::Warning),
        ("note: ", DiagnosticKind::Note),
        ("remark: ", DiagnosticKind::Remark),
    ];
    let (at, length, kind) = SEVERITIES
        .iter()
        .filter_map(|(word, kind)| line.find(word).map(|at| (at, word.len(), *kind)))
        .min_by_key(|(at, ..)| *at)?;
    let message = line.get(at + length..)?.trim_end();
    let before = line.get(..at)?.trim_end();
    if before.is_empty() {
        return (at == 0).then_some((kind, None, message));
    }
    let place = before.strip_suffix(':')?;
    if place == "loc(unknown)" || place.starts_with("<unknown>") || place == "-" {
        return Some((kind, None, message));
    }
    let location = location(place)?;
    Some((kind, Some(location), message))
}

/// The last `file:line:column` of a location; MLIR's fused and call-site locations hold several, the first is the inmost.
fn location(place: &str) -> Option<SourceLocation> {
    if let Some(inner) = place.strip_prefix("loc(") {
        // `"name"("file":1:2)` and `callsite("a"("f":1:2) at …)`: the first quoted text that a line and a column follow.
        let mut rest = inner;
        while let Some((_, quoted)) = rest.split_once('"') {
            let (file, after) = quoted.split_once('"')?;
            if let Some((line, column)) = after.strip_prefix(':').and_then(line_and_column) {
                return Some(SourceLocation { file: file.to_owned(), line, column });
            }
            rest = after;
        }
        // A location without a file is still one of MLIR's.
        return Some(SourceLocation {
            file: inner.trim_end_matches(')').trim_matches('"').to_owned(),
            line: 0,
            column: None,
        });
    }
    let (rest, column) = place.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some(SourceLocation { file: file.to_owned(), line: line.parse().ok()?, column: Some(column.parse().ok()?) })
}

fn line_and_column(text: &str) -> Option<(u32, Option<u32>)> {
    let (line, rest) = text.split_once(':')?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    Some((line.parse().ok()?, rest.get(..digits)?.parse().ok()))
}

/// The place and the expression of a failed C++ assertion, as glibc, Apple's and Microsoft's libraries write it.
fn assertion(line: &str) -> Option<(Option<SourceLocation>, &str)> {
    if let Some((before, after)) = line.split_once("Assertion `").or_else(|| line.split_once("Assertion '")) {
        let expression = after.rfind("' failed").and_then(|end| after.get(..end)).unwrap_or(after);
        let numbered = |(at, _): (usize, &str)| {
            let digits: &str = before.get(at + 1..)?.split(':').next()?;
            let file = before.get(..at)?.rsplit(": ").next()?.trim();
            Some(SourceLocation { file: file.to_owned(), line: digits.parse().ok()?, column: None })
        };
        return Some((before.match_indices(':').find_map(numbered), expression));
    }
    let (_, after) = line.split_once("Assertion failed: ")?;
    let (expression, place) = after.split_once(", f")?;
    let file = line.rsplit_once("file ").map_or(place, |(_, place)| place);
    let location = file.split_once(", line ").and_then(|(file, number)| {
        let line = number.trim_end_matches(['.', ' ']).parse().ok()?;
        Some(SourceLocation { file: file.to_owned(), line, column: None })
    });
    let expression = expression.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(expression);
    Some((location, expression))
}

/// The function in `python: file:12: void ns::f<T>(A, B): Assertion …`, as glibc prints it: its name alone. Of a lambda, the
/// function that it is in.
fn asserting_function(line: &str) -> Option<String> {
    let (before, _) = line.split_once(": Assertion `")?;
    let signature = before.splitn(3, ": ").nth(2)?.replace("(anonymous namespace)::", "");
    let head = signature.split('(').next()?.split('<').next()?;
    let name = head.rsplit([' ', ':', '*', '&']).next()?;
    (!name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')).then(|| name.to_owned())
}

/// Lines by which a shell, Python or a runtime reports that a signal ended the process.
fn signal(line: &str) -> Option<&str> {
    const SIGNS: [&str; 10] = [
        "Fatal Python error: ",
        "Segmentation fault",
        "Aborted (core dumped)",
        "Illegal instruction",
        "SIGSEGV",
        "SIGABRT",
        "SIGILL",
        "SIGBUS",
        "SIGFPE",
        "SIGTRAP",
    ];
    let line = line.trim();
    (line == "Aborted" || SIGNS.iter().any(|sign| line.contains(sign))).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assertion_is_in_a_function() {
        let function = |signature: &str| {
            asserting_function(&format!("python: /a/b/Scan.cpp:159: {signature}: Assertion `a == b' failed."))
        };
        let named = |signature: &str, name: &str| assert_eq!(function(signature).as_deref(), Some(name), "{signature}");
        named("void AddPartialReduce(SmallVector<Value> &, int)", "AddPartialReduce");
        named("virtual LogicalResult (anonymous namespace)::Scan::rewrite(Op *) const", "rewrite");
        named("auto mlir::walkAll(Op *)::(anonymous class)::operator()(Op *) const", "walkAll");
        assert_eq!(asserting_function("Assertion `x' failed."), None);
    }

    #[test]
    fn an_exception_of_cpp_is_told_with_its_words() {
        let text = "terminate called after throwing an instance of 'std::out_of_range'\n  what():  map::at\n";
        let lines: Vec<(u32, &str)> = (1..).zip(text.lines()).collect();
        let entries = read(&lines);
        assert_eq!(
            (entries[0].kind, entries[0].message.as_str()),
            (DiagnosticKind::Exception, "std::out_of_range: map::at")
        );
    }
}
