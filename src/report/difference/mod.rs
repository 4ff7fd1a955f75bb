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

mod align;
mod side;
mod wording;

use crate::ir::ValueId;
use align::{align, equal_pairs};
use rustc_hash::{FxHashMap, FxHashSet};
use side::{Side, Token};
use similar::DiffOp;
use std::ops::Range;
use wording::{like, printed, with_aliases_of, with_names_of};

/// Unchanged lines around a change or a mark that are worth seeing.
const CONTEXT: usize = 3;
/// So many lines or fewer between two places that are worth seeing are shown too: hiding them saves nothing.
const SHORT: usize = 3;

/// What a piece of a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mark {
    /// Nothing special.
    Plain,
    /// The definition that does not reach its use, or the first of two.
    Definition,
    /// The use, or whatever else is wrong.
    Use,
    /// A value that is another one on the other side, on a line that is the same otherwise.
    Other,
}

/// A line of one side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffLine {
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
    pub before: Option<DiffLine>,
    /// The line after it.
    pub after: Option<DiffLine>,
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

/// One module, marked, and nothing beside it. What begins on one of the lines of the text that are `pointed_at`, counted
/// from 0, is marked too.
pub fn alone(text: &str, pointed_at: &[usize]) -> Difference {
    let (text, heads) = wording::printed_with(text, pointed_at);
    let mut side = Side::new(text);
    let (complaints, _) = side.accuse();
    heads.into_iter().for_each(|line| side.mark_line(line, Mark::Use));
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

    mark_others(&mut before, &mut after, &operations, &same);

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

/// Whether the values that two lines of the same key use are the same.
fn same_values(old: &[Token], new: &[Token], same: &FxHashMap<ValueId, ValueId>) -> bool {
    old.iter().zip(new).all(|(old, new)| same.get(&old.value) == Some(&new.value))
}

/// Marks values that are others on lines that are the same otherwise.
fn mark_others(before: &mut Side, after: &mut Side, operations: &[DiffOp], same: &FxHashMap<ValueId, ValueId>) {
    for (left, right) in operations.iter().flat_map(equal_pairs) {
        let both = before.tokens_of(left).iter().zip(after.tokens_of(right));
        let others = both.filter(|(old, new)| same.get(&old.value) != Some(&new.value));
        let ranges: Vec<_> = others.map(|(old, new)| (old.bytes.clone(), new.bytes.clone())).collect();
        for (old, new) in ranges {
            before.mark(old, Mark::Other);
            after.mark(new, Mark::Other);
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{self, PrintOptions};

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

    fn text(line: &Option<DiffLine>) -> String {
        line.iter().flat_map(|line| line.pieces.iter().map(|(_, text)| text.as_str())).collect()
    }

    fn changed(difference: &Difference) -> Vec<(String, String)> {
        let own = |line: &Option<DiffLine>| line.as_ref().is_some_and(|line| line.changed);
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
        let marks = |of: fn(&Row) -> &Option<DiffLine>| -> Vec<(usize, Mark, String)> {
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
    fn no_seed_differs_from_its_own_generic_form() {
        let seeds = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/seeds");
        let mut looked_at = 0;
        for entry in std::fs::read_dir(seeds).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "mlir") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let module = ir::parse(&text).unwrap();
            let generic = ir::print(&module, &PrintOptions::generic());
            let difference = difference(&text, &generic);
            // Its generic form does not say which operands are sizes and which strides, so it is not read back as custom.
            let unsaid = |(_, new): &(String, String)| new.contains("\"tt.make_tensor_descriptor\"");
            let changes: Vec<_> = changed(&difference).into_iter().filter(|change| !unsaid(change)).collect();
            assert_eq!(changes, [], "{}", path.display());
            assert!(difference.complaints.is_empty(), "{}: {:?}", path.display(), difference.complaints);
            looked_at += 1;
        }
        assert!(looked_at > 30);
    }

    #[test]
    fn any_two_texts_can_be_compared() {
        use proptest::prelude::*;
        let lines = proptest::collection::vec("[ %#{}a-c=:\\^b0-2]{0,12}", 0..12);
        proptest!(|(old in lines.clone(), new in lines)| {
            let difference = difference(&old.join("\n"), &new.join("\n"));
            let own = |of: fn(&Row) -> &Option<DiffLine>| difference.rows.iter().filter(|row| of(row).is_some()).count();
            prop_assert_eq!(own(|row| &row.before), printed(&old.join("\n")).lines().count());
            prop_assert_eq!(own(|row| &row.after), like(None, &new.join("\n")).lines().count());
        });
    }

    #[test]
    fn what_a_message_points_at_is_marked_wherever_it_is_printed() {
        let text = BEFORE.replace("module {\n", "module {\n\n\n").replace("    \"a.last\"", "\n  \"a.last\"");
        let line = text.lines().position(|line| line.contains("a.last")).unwrap();
        let marked = |difference: &Difference| -> Vec<String> {
            let pieces = difference.rows.iter().filter_map(|row| row.before.as_ref()).flat_map(|line| &line.pieces);
            pieces.filter(|(mark, _)| *mark == Mark::Use).map(|(_, text)| text.clone()).collect()
        };
        let own = marked(&alone(&text, &[line]));
        assert_eq!(own, ["\"a.last\"(%0) : (tensor<32xi32, #blocked>) -> ()"]);
        assert_eq!(marked(&alone("x\ny\n", &[1, 7])), ["y"]);
    }

    #[test]
    fn text_that_is_no_module_is_compared_as_it_stands() {
        let difference = difference("a\nb\n", "a\nc\n");
        assert_eq!(changed(&difference), [("b".to_owned(), "c".to_owned())]);
    }
}
