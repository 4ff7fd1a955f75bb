//! Finding the modules in cleaned lines.
//!
//! One scan over the lines. A module is its leading aliases, the operation up to its last closing bracket, and the location
//! aliases after it. A dump header before it names its pass; a `{-# … #-}` section after it makes it a reproducer and has
//! the pipeline. A `module {` that a line of carets points at is source text quoted by a diagnostic.
//!
//! In a file without `module`, the functions at the top level are one module, as for MLIR itself.

use super::syntax::{
    Balance, continues_operation, is_alias, is_function, is_module, is_resource, starts_line, starts_mlir,
};
use super::text::LogLine;
use super::{AssemblyForm, DumpedPass, FoundModule, ModuleRole};
use crate::compiler::diagnostic::{PassOnOperation, is_caret_line, is_mlir_diagnostic};
use crate::compiler::pipeline::Pass;

/// An alias definition is at most this many lines long.
const LONGEST_ALIAS: usize = 64;

/// A module with more foreign lines than this and a third of its lines is corrupted in another way, which leaving lines out would hide.
const MOST_FOREIGN: usize = 16;

#[derive(Debug, Default)]
pub(super) struct Scan {
    pub modules: Vec<FoundModule>,
    /// For each module, the index of the line on which its operation begins.
    pub starts: Vec<usize>,
    /// For each module, the raw pipeline text of its reproducer section.
    pub pipelines: Vec<Option<String>>,
    /// Pipeline text of a section without a module.
    pub loose_pipeline: Option<String>,
    pub truncated: Vec<Truncated>,
    /// Passes by their dump headers, with the options that newer versions print there.
    pub headers: Vec<(u32, DumpedPass)>,
    /// Indices of the lines outside modules, where diagnostics are.
    pub around: Vec<usize>,
    /// Numbers of lines inside modules that say that others were left out.
    pub gaps: Vec<u32>,
    /// The first line outside of modules that is inside of one by its looks: what came before is missing.
    pub headless: Option<u32>,
    /// Numbers of foreign lines inside modules, which were left out.
    pub foreign: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Truncated {
    pub begins: u32,
    pub ends: u32,
    pub open: usize,
}

pub(super) fn find(lines: &[LogLine<'_>]) -> Scan {
    let found = Scanner::new(lines, false).run();
    if !found.modules.is_empty() || !found.truncated.is_empty() {
        return found;
    }
    let bare = Scanner::new(lines, true).run();
    if bare.modules.is_empty() && bare.truncated.is_empty() { found } else { bare }
}

struct Scanner<'l, 't> {
    lines: &'l [LogLine<'t>],
    at: usize,
    /// Functions count as modules.
    bare: bool,
    /// The first alias before the next module.
    aliases: Option<usize>,
    /// Lines of other processes since then.
    interruptions: Vec<usize>,
    role: ModuleRole,
    found: Scan,
}

impl<'l, 't> Scanner<'l, 't> {
    fn new(lines: &'l [LogLine<'t>], bare: bool) -> Self {
        Scanner {
            lines,
            at: 0,
            bare,
            aliases: None,
            interruptions: Vec::new(),
            role: ModuleRole::Plain,
            found: Scan::default(),
        }
    }

    fn text(&self, index: usize) -> &'l str {
        self.lines.get(index).map_or("", |line| &line.text)
    }

    fn number(&self, index: usize) -> u32 {
        self.lines.get(index).map_or(0, |line| line.number)
    }

    /// Whether a line between aliases and what belongs to them is another process's.
    fn interrupts_aliases(&self, text: &str) -> bool {
        let next = self.text(self.at + 1).trim_start();
        let goes_on = is_alias(next) || self.begins_module(self.at + 1);
        self.aliases.is_some() && goes_on && !text.is_empty() && !text.starts_with("//") && !text.starts_with("```")
    }

    /// Whether an operation stands here that only a module or a function has.
    fn is_body(&self, text: &str) -> bool {
        text.starts_with('%') && starts_mlir(text) || text == "tt.return"
    }

    /// Whether a module (with `bare`, a function) begins here and is not quoted by a diagnostic.
    fn begins_module(&self, index: usize) -> bool {
        let text = self.text(index).trim_start();
        (is_module(text) || (self.bare && is_function(text))) && !is_caret_line(self.text(index + 1))
    }

    fn run(mut self) -> Scan {
        while self.at < self.lines.len() {
            let text = self.text(self.at).trim_start();
            if self.begins_module(self.at) {
                self.module();
                continue;
            }
            if is_alias(text) {
                self.aliases = self.aliases.or(Some(self.at));
                self.at = self.alias_end(self.at);
                continue;
            }
            self.found.around.push(self.at);
            if text.starts_with("{-#") {
                let (end, pipeline) = self.section(self.at);
                self.found.loose_pipeline = pipeline.or(self.found.loose_pipeline.take());
                self.at = end;
                continue;
            }
            if let Some((role, pass)) = header(text) {
                self.found.headers.push((self.number(self.at), pass));
                self.role = role;
                self.aliases = None;
            } else if self.found.headless.is_none() && self.is_body(text) {
                self.found.headless = Some(self.number(self.at));
            } else if self.interrupts_aliases(text) {
                self.interruptions.push(self.at);
            } else if !text.is_empty() && (!text.starts_with("//") || text.starts_with("// -----")) {
                self.aliases = None;
                self.role = ModuleRole::Plain;
            }
            self.at += 1;
        }
        self.found
    }

    /// The index after an alias definition, which may take several lines.
    fn alias_end(&self, start: usize) -> usize {
        let mut balance = Balance::default();
        for (index, line) in self.lines.iter().enumerate().skip(start).take(LONGEST_ALIAS) {
            if index > start && starts_mlir(&line.text) {
                break;
            }
            balance.feed(&line.text);
            if !balance.incomplete() {
                return index + 1;
            }
        }
        start + 1
    }

    /// Takes the module whose operation begins here, or notes that it does not end.
    fn module(&mut self) {
        let operation = self.at;
        let start = self.aliases.take().unwrap_or(operation);
        let role = std::mem::replace(&mut self.role, ModuleRole::Plain);
        let indent = self.text(operation).len() - self.text(operation).trim_start().len();
        let mut depth = Depth::default();
        let mut foreign: Vec<usize> = std::mem::take(&mut self.interruptions);
        foreign.retain(|line| *line > start);
        let mut end = None;
        let mut index = operation;
        while let Some(line) = self.lines.get(index) {
            if index > operation && self.is_gap(index) {
                self.found.gaps.push(self.number(index));
            }
            if index > operation {
                // Fast path: nearly all lines of a module are indented or begin with one of these.
                let margin = line.text.as_bytes().get(indent).copied().unwrap_or(b' ');
                if !matches!(margin, b' ' | b'}' | b'^' | b'%' | b')') {
                    if self.interrupts(index, indent) {
                        break;
                    }
                    if foreign.len() < MOST_FOREIGN + (index - operation) / 3 && self.is_foreign(index, indent) {
                        foreign.push(index);
                        index += 1;
                        continue;
                    }
                }
            }
            depth.feed(&line.text);
            if depth.opened && depth.open == 0 {
                end = Some(index);
                break;
            }
            index += 1;
        }
        let Some(last) = end else {
            let ends = self.number(index.saturating_sub(1).max(operation));
            self.found.truncated.push(Truncated { begins: self.number(operation), ends, open: depth.open });
            self.at = index.max(operation + 1);
            return;
        };
        let mut behind = last + 1;
        while is_alias(self.text(behind).trim_start()) {
            behind = self.alias_end(behind);
        }
        if self.bare {
            behind = self.more_functions(behind);
        }
        let left_out: Vec<u32> = foreign.iter().map(|index| self.number(*index)).collect();
        self.found.foreign.extend(left_out);
        let kept: Vec<usize> = (start..behind).filter(|index| foreign.binary_search(index).is_err()).collect();
        self.at = behind;
        self.keep(kept, operation, indent, role);
    }

    /// In a file without `module`: the index after the last of the functions that follow.
    fn more_functions(&self, mut behind: usize) -> usize {
        let mut index = behind;
        while index < self.lines.len() {
            let text = self.text(index).trim_start();
            if self.begins_module(index) {
                let mut depth = Depth::default();
                let end = self.lines.iter().enumerate().skip(index).find_map(|(at, line)| {
                    depth.feed(&line.text);
                    (depth.opened && depth.open == 0).then_some(at + 1)
                });
                let Some(end) = end else { break };
                (behind, index) = (end, end);
            } else if is_alias(text) {
                index = self.alias_end(index);
                behind = index;
            } else if text.is_empty() || (text.starts_with("//") && !text.starts_with("// -----")) {
                index += 1;
            } else {
                break;
            }
        }
        behind
    }

    /// Adds the module with its section of resources, if one follows.
    fn keep(&mut self, mut kept: Vec<usize>, operation: usize, indent: usize, mut role: ModuleRole) {
        let form = if self.text(operation).trim_start().starts_with('"') {
            AssemblyForm::Generic
        } else {
            AssemblyForm::Custom
        };
        let mut next = self.at;
        // Another process may have printed a line in between.
        let passes = |next: usize| self.text(next).trim().is_empty() || self.text(next + 1).starts_with("{-#");
        while next < self.lines.len() && next < self.at + 3 && !self.text(next).starts_with("{-#") && passes(next) {
            next += 1;
        }
        let mut pipeline = None;
        if self.text(next).trim_start().starts_with("{-#") {
            let (end, text) = self.section(next);
            let section = next..end;
            let mentions = |word: &str| section.clone().any(|index| self.text(index).contains(word));
            if text.is_some() || mentions("mlir_reproducer") {
                role = ModuleRole::Reproducer;
            }
            // Constants may live there; a reproducer's section says nothing that the pipeline does not.
            if mentions("dialect_resources") {
                kept.extend(self.at..end);
            }
            pipeline = text;
            self.at = end;
        }
        let mut text = String::new();
        for index in &kept {
            let line = self.text(*index);
            let blanks = line.len() - line.trim_start_matches(' ').len();
            text.push_str(line.get(indent.min(blanks)..).unwrap_or(line));
            text.push('\n');
        }
        let line_map = kept.iter().map(|index| self.number(*index)).collect();
        self.found.modules.push(FoundModule { text, line_map, role, form });
        self.found.pipelines.push(pipeline);
        self.found.starts.push(operation);
    }

    /// Whether a line says that others were left out: `...`, `[… skipped 120 lines …]`.
    fn is_gap(&self, index: usize) -> bool {
        let text = self.text(index).trim().trim_matches(['[', ']', '(', ')', '<', '>', '/', '#', ' ']);
        let dots = text.starts_with("...") || text.starts_with('…');
        let word =
            ["skipped", "omitted", "truncated", "more lines", "snip", "lines"].iter().any(|word| text.contains(word));
        dots && (word || text.trim_matches(['.', '…', ' ']).is_empty())
    }

    /// Whether a line inside a module shows that the module was cut off before it.
    fn interrupts(&self, index: usize, indent: usize) -> bool {
        let text = self.text(index).get(indent..).unwrap_or_default();
        text.starts_with("// -----")
            || text.starts_with("Traceback (most recent call last)")
            || text.starts_with("{-#")
            || text.starts_with("```")
            || (is_module(text) && !is_caret_line(self.text(index + 1)))
    }

    /// Whether a line inside a module is other output: at the margin, unlike MLIR, and after a complete line.
    fn is_foreign(&self, index: usize, indent: usize) -> bool {
        let text = self.text(index).get(indent..).unwrap_or_default();
        let like_mlir = matches!(text.as_bytes().first(), Some(b'"' | b'#' | b'!' | b'/' | b'<' | b'@'))
            || continues_operation(text)
            || starts_mlir(text)
            || starts_mlir(&format!(" {text}"));
        if like_mlir && !is_mlir_diagnostic(text) && !is_tagged(text) {
            return false;
        }
        !Balance::of(self.text(index.saturating_sub(1))).incomplete()
    }

    /// The index after a `{-# … #-}` section, and the pipeline text in it.
    fn section(&self, start: usize) -> (usize, Option<String>) {
        let mut end = start + 1;
        let mut text = String::from(self.text(start));
        while end < self.lines.len() && !text.trim_end().ends_with("#-}") {
            let line = self.text(end);
            if !line.starts_with([' ', '#', '}']) && !line.is_empty() && starts_line(line) && !is_resource(line) {
                break;
            }
            text.push('\n');
            text.push_str(line);
            end += 1;
        }
        (end, quoted_pipeline(&text))
    }
}

/// Whether a logger put the name of a process before a line: `(APIServer pid=1) …`.
fn is_tagged(text: &str) -> bool {
    let Some((tag, _)) = text.strip_prefix('(').and_then(|text| text.split_once(')')) else { return false };
    let word = |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic()) && !word.contains(['%', '<', ':', ',']);
    let mut words = tag.split(' ');
    words.next().is_some_and(word) && words.next().is_some_and(|field| field.contains('='))
}

/// The string after `pipeline:`, unescaped, even of an incomplete section. Line breaks that are left are removed; between
/// two options they become a blank.
fn quoted_pipeline(section: &str) -> Option<String> {
    let (_, quoted) = section.split_once("pipeline:")?;
    let quoted = quoted.trim_start().strip_prefix('"')?;
    let mut pipeline = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => break,
            '\\' => pipeline.extend(characters.next().map(|(_, c)| c)),
            '\n' => {
                let is_option = |token: &str| token.contains('=');
                let before = pipeline.rsplit(['{', ' ', ',']).next().is_some_and(is_option);
                let after = quoted.get(at + 1..).and_then(|rest| rest.split([' ', ',', '}', '\n']).next());
                if before && after.is_some_and(is_option) {
                    pipeline.push(' ');
                }
            }
            other => pipeline.push(other),
        }
    }
    Some(pipeline)
}

/// Counts brackets outside strings and comments, line by line; MLIR's strings do not cross lines.
#[derive(Default)]
struct Depth {
    open: usize,
    opened: bool,
}

impl Depth {
    fn feed(&mut self, line: &str) {
        let bytes = line.as_bytes();
        let mut index = 0;
        let mut in_string = false;
        while let Some(&byte) = bytes.get(index) {
            match byte {
                b'\\' if in_string => index += 1,
                b'"' => in_string = !in_string,
                _ if in_string => {}
                b'(' | b'[' | b'{' => {
                    self.open += 1;
                    self.opened |= byte == b'{';
                }
                b')' | b']' | b'}' => self.open = self.open.saturating_sub(1),
                b'/' if bytes.get(index + 1) == Some(&b'/') => return,
                _ => {}
            }
            index += 1;
        }
    }
}

/// Reads `// -----// IR Dump Before Name (name) ('op' operation: @f) //----- //` and the newer
/// `… After Name Failed: name{options} ('op' operation) …`.
fn header(text: &str) -> Option<(ModuleRole, DumpedPass)> {
    let rest = text.strip_prefix("// -----// IR Dump ")?;
    let rest = rest.trim_end().trim_end_matches("//").trim_end().trim_end_matches("//-----").trim_end();
    let (before, rest) = match rest.strip_prefix("Before ") {
        Some(rest) => (true, rest),
        None => (false, rest.strip_prefix("After ")?),
    };
    let length = rest.find([' ', ':', '(']).unwrap_or(rest.len());
    let (name, mut rest) = rest.split_at(length);
    let failed = rest.trim_start().strip_prefix("Failed");
    rest = failed.unwrap_or(rest).trim_start_matches([':', ' ']);
    // The operation is in the last parentheses; a pass may have its own.
    let (described, operation) = match rest.rfind("('") {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let described = described.trim();
    let described = described.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(described);
    let (on, _) = PassOnOperation::read(operation.trim_start_matches('('));
    let pass = DumpedPass { name: name.to_owned(), pass: described.parse::<Pass>().ok(), on };
    let role = match (before, failed.is_some()) {
        (true, _) => ModuleRole::DumpBefore(pass.clone()),
        (false, true) => ModuleRole::DumpAfterFailed(pass.clone()),
        (false, false) => ModuleRole::DumpAfter(pass.clone()),
    };
    Some((role, pass))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_dump_headers_of_all_versions() {
        let read = |text: &str| {
            let (role, pass) = header(text).unwrap();
            let on = pass.on.map(|on| format!("{} {:?}", on.operation, on.symbol));
            (role.to_string(), pass.name, pass.pass.map(|pass| pass.to_string()), on)
        };
        let (role, name, pass, on) = read(
            "// -----// IR Dump Before TritonGPUCoalesce (tritongpu-coalesce) ('builtin.module' operation) //----- //",
        );
        assert_eq!((role.as_str(), name.as_str()), ("dump before TritonGPUCoalesce", "TritonGPUCoalesce"));
        assert_eq!(pass.as_deref(), Some("tritongpu-coalesce"));
        assert_eq!(on.as_deref(), Some("builtin.module None"));
        let (role, _, pass, on) =
            read("// -----// IR Dump After A Failed: a-b{x=1   y=2} ('tt.func' operation: @branchy_scale) //----- //");
        assert_eq!(role, "dump after the failing A");
        assert_eq!(pass.as_deref(), Some("a-b{x=1 y=2}"));
        assert_eq!(on.as_deref(), Some("tt.func Some(\"branchy_scale\")"));
        let (role, ..) = read("// -----// IR Dump After CSE (cse) ('builtin.module' operation) //----- //");
        assert_eq!(role, "dump after CSE");
    }
}
