//! A module before and after a pass, line by line.
//!
//! Both are printed by our own printer first, so that only what they say differs: a module that does not verify comes in
//! generic form and without names, and gets the forms and names of the other one. Two more things would make every line
//! differ that has nothing to do with the change: values are numbered anew, and so are the aliases of layouts. Aliases that
//! stand for the same layout get the name that they have before the pass; values are compared by what they are: a line is
//! the same where the text beside its values is, and where each value that it uses is the one defined on the matching
//! line. Their numbers stay those of each side.
//!
//! What our oracles have against a module is marked in its text: the use (or whatever else is wrong), and the definition
//! that does not reach it. Where a marked value stands in the module before, it is marked there too.

use crate::ir::{self, Module, ParseOptions, PrintOptions, Syntax, Use, ValueId};
use crate::oracle::{self, dominance};
use regex::Regex;
use rustc_hash::{FxHashMap, FxHashSet};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::ops::Range;
use std::sync::LazyLock;

/// Unchanged lines around a change or a mark that are worth seeing.
const CONTEXT: usize = 3;
/// So many lines or fewer between two places that are worth seeing are shown too: hiding them saves nothing.
const SHORT: usize = 3;

static ALIAS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"#[A-Za-z_][A-Za-z0-9_$.]*").ok());
static LABEL: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\^bb[0-9]+").ok());

/// What a piece of a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mark {
    /// Nothing special.
    Plain,
    /// The definition that does not reach its use, or the first of two.
    Definition,
    /// The use, or whatever else is wrong.
    Use,
}

/// A line of one side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its number, from 1.
    pub number: usize,
    /// Its text in pieces.
    pub pieces: Vec<(Mark, String)>,
    /// Whether the other side has no such line.
    pub changed: bool,
}

/// Lines that stand beside each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The line before the pass.
    pub before: Option<Line>,
    /// The line after it.
    pub after: Option<Line>,
    /// Whether it is far from everything that changed or is marked.
    pub far: bool,
}

/// Two modules beside each other, or one alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// All lines.
    pub rows: Vec<Row>,
    /// What our oracles say of the last module, one sentence each.
    pub complaints: Vec<String>,
}

/// A value's name in a text.
#[derive(Debug, Clone)]
struct Token {
    bytes: Range<usize>,
    value: ValueId,
    definition: bool,
}

/// A text with all that is needed to compare and to mark it.
struct Side {
    text: String,
    starts: Vec<usize>,
    module: Option<Module>,
    tokens: Vec<Token>,
    marks: Vec<(Range<usize>, Mark)>,
}

impl Side {
    fn new(text: String) -> Side {
        let module = ir::parse_with(&text, ParseOptions { spans: true }).ok();
        let tokens = module.as_ref().map(|module| tokens(module, &text)).unwrap_or_default();
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Side { text, starts, module, tokens, marks: Vec::new() }
    }

    fn line_count(&self) -> usize {
        self.text.lines().count()
    }

    fn bytes_of(&self, line: usize) -> Range<usize> {
        let start = self.starts.get(line).copied().unwrap_or(self.text.len());
        let end = self.starts.get(line + 1).map_or(self.text.len(), |next| next - 1);
        start..end.max(start)
    }

    fn tokens_of(&self, line: usize) -> &[Token] {
        let bytes = self.bytes_of(line);
        let from = self.tokens.partition_point(|token| token.bytes.start < bytes.start);
        let to = self.tokens.partition_point(|token| token.bytes.start < bytes.end);
        self.tokens.get(from..to).unwrap_or_default()
    }

    /// A line's text without what is named anew on each side.
    fn key(&self, line: usize) -> String {
        let bytes = self.bytes_of(line);
        let mut key = String::new();
        let mut at = bytes.start;
        for token in self.tokens_of(line) {
            key.push_str(self.text.get(at..token.bytes.start).unwrap_or_default());
            key.push('%');
            at = token.bytes.end.max(at);
        }
        key.push_str(self.text.get(at..bytes.end).unwrap_or_default());
        match LABEL.as_ref() {
            Some(label) => label.replace_all(&key, "^").into_owned(),
            None => key,
        }
    }

    /// A line in pieces.
    fn line(&self, line: usize, changed: bool) -> Line {
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
        Line { number: line + 1, pieces, changed }
    }

    fn has_mark(&self, line: usize) -> bool {
        let bytes = self.bytes_of(line);
        self.marks.iter().any(|(marked, _)| marked.start < bytes.end && marked.end > bytes.start)
    }

    fn mark(&mut self, range: Range<usize>, mark: Mark) {
        // A whole operation may span many lines: its head is what is pointed at.
        let line = self.starts.partition_point(|&start| start <= range.start).saturating_sub(1);
        let end = range.end.min(self.bytes_of(line).end);
        if range.start < end && !self.marks.iter().any(|(other, _)| other.start < end && other.end > range.start) {
            self.marks.push((range.start..end, mark));
            self.marks.sort_by_key(|(range, _)| range.start);
        }
    }

    /// Marks what the oracles have against it. Gives their sentences and the values concerned.
    fn accuse(&mut self) -> (Vec<String>, Vec<ValueId>) {
        let Some(module) = self.module.take() else { return (Vec::new(), Vec::new()) };
        let report = oracle::judge(&module);
        let mut complaints = Vec::new();
        let mut values = Vec::new();
        for violation in &report.dominance {
            let op = match violation.place {
                dominance::Place::Use(place) => format!("`{}`: ", module.op_name(place.op)),
                dominance::Place::Definition(_) => String::new(),
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

/// One module, marked, and nothing beside it.
pub fn alone(text: &str) -> Difference {
    let mut side = Side::new(printed(text));
    let (complaints, _) = side.accuse();
    let rows = (0..side.line_count()).map(|line| Row { before: Some(side.line(line, false)), after: None, far: false });
    Difference { rows: rows.collect(), complaints }
}

/// The module before a pass and the one after it.
pub fn difference(before: &str, after: &str) -> Difference {
    let before = Side::new(printed(before));
    let mut after = Side::new(with_aliases_of(&before.text, &like(before.module.as_ref(), after)));
    let (mut operations, mut same) = align(&before, &after);
    if let Some(named) = with_names_of(&before, &after, &same) {
        after = Side::new(with_aliases_of(&before.text, &named));
        (operations, same) = align(&before, &after);
    }
    let mut before = before;
    let (complaints, values) = after.accuse();
    mark_counterparts(&mut before, &same, &values);

    let mut rows = Vec::new();
    let mut interesting: FxHashSet<usize> = FxHashSet::default();
    for operation in &operations {
        let (old, new) = (operation.old_range(), operation.new_range());
        let equal = matches!(operation, DiffOp::Equal { .. });
        for offset in 0..old.len().max(new.len()) {
            let (left, right) = (old.start + offset, new.start + offset);
            let differs = !equal || !same_values(before.tokens_of(left), after.tokens_of(right), &same);
            let own = |side: &Side, line: usize, range: &Range<usize>| {
                range.contains(&line).then(|| side.line(line, differs))
            };
            let marked =
                (old.contains(&left) && before.has_mark(left)) || (new.contains(&right) && after.has_mark(right));
            if differs || marked {
                interesting.insert(rows.len());
            }
            rows.push(Row { before: own(&before, left, &old), after: own(&after, right, &new), far: false });
        }
    }
    let near = |row: &usize| (row.saturating_sub(CONTEXT)..=row + CONTEXT).any(|row| interesting.contains(&row));
    let all: Vec<usize> = (0..rows.len()).collect();
    for stretch in all.chunk_by(|a, b| near(a) == near(b)) {
        let far = stretch.len() > SHORT && !stretch.iter().any(near);
        for &place in stretch {
            if let Some(row) = rows.get_mut(place) {
                row.far = far;
            }
        }
    }
    Difference { rows, complaints }
}

/// Which lines match, and which values are the same for that reason.
fn align(before: &Side, after: &Side) -> (Vec<DiffOp>, FxHashMap<ValueId, ValueId>) {
    let keys = |side: &Side| (0..side.line_count()).map(|line| side.key(line)).collect::<Vec<String>>();
    let (old, new) = (keys(before), keys(after));
    let mut operations = capture_diff_slices(Algorithm::Patience, &old, &new);
    slide(&mut operations, &old, &new);
    let mut pairs: Vec<(usize, usize)> = operations.iter().flat_map(equal_pairs).collect();
    pairs.extend(moved(before, after, &operations));
    let same = matching(before, after, &pairs);
    (operations, same)
}

/// A module as our printer writes it, in the forms that the module before has for the same operations.
fn like(before: Option<&Module>, after: &str) -> String {
    let Ok(mut module) = ir::parse(after) else { return after.to_owned() };
    let mut forms: FxHashMap<String, Syntax> = FxHashMap::default();
    for op in before.iter().flat_map(|before| before.walk().into_iter().map(move |op| (before, op))) {
        let (before, op) = op;
        if let Syntax::Custom(form) = before.op(op).syntax {
            forms.insert(before.op_name(op).to_owned(), Syntax::Custom(form));
        }
    }
    for op in module.walk() {
        if module.op(op).syntax == Syntax::Generic
            && let Some(form) = forms.get(module.op_name(op)).cloned()
        {
            module.op_mut(op).syntax = form;
        }
    }
    ir::print(&module, &PrintOptions::default())
}

/// The module after with the names of the values before; none where there is no name to take.
fn with_names_of(before: &Side, after: &Side, same: &FxHashMap<ValueId, ValueId>) -> Option<String> {
    let (old, mut new) = (before.module.as_ref()?, after.module.clone()?);
    let mut any = false;
    for (&from, &to) in same {
        let Some(name) = old.value(from).name else { continue };
        let name = new.name(old.interners.name_text(name));
        any |= new.value(to).name != Some(name);
        new.value_mut(to).name = Some(name);
    }
    any.then(|| ir::print(&new, &PrintOptions::default()))
}

fn equal_pairs(operation: &DiffOp) -> Vec<(usize, usize)> {
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

/// Whether the values that two lines of the same key use are the same.
fn same_values(old: &[Token], new: &[Token], same: &FxHashMap<ValueId, ValueId>) -> bool {
    old.iter().zip(new).all(|(old, new)| same.get(&old.value) == Some(&new.value))
}

/// Marks the definitions of values that the module after the pass has trouble with.
fn mark_counterparts(before: &mut Side, same: &FxHashMap<ValueId, ValueId>, values: &[ValueId]) {
    let definitions = before.tokens.iter().filter(|token| token.definition);
    let marked = definitions.filter(|token| same.get(&token.value).is_some_and(|value| values.contains(value)));
    let ranges: Vec<Range<usize>> = marked.map(|token| token.bytes.clone()).collect();
    for range in ranges {
        before.mark(range, Mark::Definition);
    }
}

/// A module as our printer writes it; the text itself where our parser cannot read it.
fn printed(text: &str) -> String {
    match ir::parse(text) {
        Ok(module) => ir::print(&module, &PrintOptions::default()),
        Err(_) => text.to_owned(),
    }
}

/// The lines that define aliases, as names and what they stand for.
fn aliases(text: &str) -> Vec<(&str, &str)> {
    text.lines().map_while(|line| line.starts_with('#').then(|| line.split_once(" = ")).flatten()).collect()
}

/// A text with other names for its aliases: those of the text before where they stand for the same, else names that are
/// not taken there.
fn with_aliases_of(before: &str, after: &str) -> String {
    let old = aliases(before);
    let own = aliases(after);
    let Some(alias) = ALIAS.as_ref() else { return after.to_owned() };
    let mut names: FxHashMap<String, String> = FxHashMap::default();
    let mut taken: FxHashSet<String> = old.iter().map(|(name, _)| (*name).to_owned()).collect();
    let rename = |text: &str, names: &FxHashMap<String, String>| {
        let name = |found: &regex::Captures<'_>| {
            let word = found.get(0).map_or("", |word| word.as_str());
            names.get(word).cloned().unwrap_or_else(|| word.to_owned())
        };
        alias.replace_all(text, name).into_owned()
    };
    let mut given: FxHashSet<String> = FxHashSet::default();
    for (name, body) in &own {
        let body = rename(body, &names);
        let known = old.iter().find(|(other, stands)| *stands == body && !given.contains(*other));
        let new = match known {
            Some((other, _)) => (*other).to_owned(),
            None => {
                let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
                let mut candidates = std::iter::once(stem.to_owned()).chain((1..).map(|n| format!("{stem}{n}")));
                candidates.find(|name| !taken.contains(name)).unwrap_or_else(|| stem.to_owned())
            }
        };
        taken.insert(new.clone());
        given.insert(new.clone());
        names.insert((*name).to_owned(), new);
    }
    let mut lines: Vec<String> = after.lines().map(|line| rename(line, &names)).collect();
    let place = |line: &String| old.iter().position(|(name, _)| line.split(" = ").next() == Some(name));
    if let Some(head) = lines.get_mut(..own.len()) {
        head.sort_by_key(|line| place(line).unwrap_or(usize::MAX));
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = r#"#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module {
  tt.func @f(%arg0: tensor<32xi32, #blocked>) {
    %0 = arith.addi %arg0, %arg0 : tensor<32xi32, #blocked>
    "a.loop"() ({
      "a.use"(%0) : (tensor<32xi32, #blocked>) -> ()
    }) : () -> ()
    "a.last"(%0) : (tensor<32xi32, #blocked>) -> ()
    tt.return
  }
}
"#;

    fn text(line: &Option<Line>) -> String {
        line.iter().flat_map(|line| line.pieces.iter().map(|(_, text)| text.as_str())).collect()
    }

    fn changed(difference: &Difference) -> Vec<(String, String)> {
        let own = |line: &Option<Line>| line.as_ref().is_some_and(|line| line.changed);
        let rows = difference.rows.iter().filter(|row| own(&row.before) || own(&row.after));
        rows.map(|row| (text(&row.before).trim().to_owned(), text(&row.after).trim().to_owned())).collect()
    }

    #[test]
    fn other_names_for_the_same_are_no_change() {
        let after = BEFORE.replace("#blocked", "#other3").replace("%0", "%7").replace("%arg0", "%x");
        assert_eq!(changed(&difference(BEFORE, &after)), []);
    }

    #[test]
    fn another_operand_is_a_change_though_the_text_beside_it_is_the_same() {
        let after = BEFORE.replace("\"a.last\"(%0)", "\"a.last\"(%arg0)");
        let changes = changed(&difference(BEFORE, &after));
        assert_eq!(changes.len(), 1);
        assert!(
            changes[0].0.starts_with("\"a.last\"(%0)") && changes[0].1.starts_with("\"a.last\"(%arg0)"),
            "{changes:?}"
        );
    }

    #[test]
    fn the_use_and_the_definition_are_marked_on_the_side_where_they_do_not_fit() {
        let addi = "    %0 = arith.addi %arg0, %arg0 : tensor<32xi32, #blocked>\n";
        let inner = "    \"a.loop\"() ({\n";
        let after = BEFORE.replace(addi, "").replace(inner, &format!("{inner}{addi}"));
        let difference = difference(BEFORE, &after);
        assert_eq!(difference.complaints.len(), 1, "{:?}", difference.complaints);
        let marks = |of: fn(&Row) -> &Option<Line>| -> Vec<(usize, Mark, String)> {
            let lines = difference.rows.iter().filter_map(|row| of(row).as_ref());
            lines
                .flat_map(|line| line.pieces.iter().map(move |(mark, text)| (line.number, *mark, text.clone())))
                .filter(|(_, mark, _)| *mark != Mark::Plain)
                .collect()
        };
        let own = |number, mark| (number, mark, "%0".to_owned());
        assert_eq!(marks(|row| &row.after), [own(5, Mark::Definition), own(8, Mark::Use)]);
    }

    #[test]
    fn a_generic_form_without_names_is_no_change() {
        let before = BEFORE.replace("%0", "%sum").replace("%arg0", "%input");
        let after = before.replace(
            "%sum = arith.addi %input, %input : tensor<32xi32, #blocked>",
            "%9 = \"arith.addi\"(%input, %input) <{overflowFlags = #arith.overflow<none>}> : (tensor<32xi32, #blocked>, \
             tensor<32xi32, #blocked>) -> tensor<32xi32, #blocked>",
        );
        let difference = difference(&before, &after.replace("%sum", "%9"));
        assert_eq!(changed(&difference), []);
        let last = difference.rows.iter().map(|row| text(&row.after)).find(|line| line.contains("a.last"));
        assert!(last.is_some_and(|line| line.contains("%sum")));
    }

    #[test]
    fn an_operation_that_comes_before_one_like_it_is_new_from_its_head() {
        let one = "module {\n  \"a.if\"() ({\n    \"a.one\"() : () -> ()\n  }) : () -> ()\n}\n";
        let two = one.replace("module {\n", "module {\n  \"a.if\"() ({\n    \"a.two\"() : () -> ()\n  }) : () -> ()\n");
        let new: Vec<String> = changed(&difference(one, &two)).into_iter().map(|(_, new)| new).collect();
        assert_eq!(new, ["\"a.if\"() ({", "\"a.two\"() : () -> ()", "}) : () -> ()"]);
    }

    #[test]
    fn text_that_is_no_module_is_compared_as_it_stands() {
        let difference = difference("a\nb\n", "a\nc\n");
        assert_eq!(changed(&difference), [("b".to_owned(), "c".to_owned())]);
    }
}
