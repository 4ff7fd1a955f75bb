//! One module in the forms, names and aliases of another, so that only what they say differs.

use super::side::Side;
use crate::ir::{self, Module, PrintOptions, Syntax, ValueId};
use regex::Regex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

static ALIAS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"#[A-Za-z_][A-Za-z0-9_$.]*").expect("a pattern"));

/// A module as our printer writes it; the text itself where our parser cannot read it.
pub(super) fn printed(text: &str) -> String {
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
pub(super) fn with_aliases_of(before: &str, after: &str) -> String {
    let old = aliases(before);
    let own = aliases(after);
    if own.is_empty() {
        return after.to_owned();
    }
    let mut names: FxHashMap<String, String> = FxHashMap::default();
    let mut taken: FxHashSet<String> = old.iter().map(|(name, _)| (*name).to_owned()).collect();
    let rename = |text: &str, names: &FxHashMap<String, String>| {
        let name = |found: &regex::Captures<'_>| {
            let word = found.get(0).map_or("", |word| word.as_str());
            names.get(word).cloned().unwrap_or_else(|| word.to_owned())
        };
        ALIAS.replace_all(text, name).into_owned()
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

/// The same with the lines on which those operations begin that begin on some lines of the text, all counted from 0.
pub(super) fn printed_with(text: &str, lines: &[usize]) -> (String, Vec<usize>) {
    let Ok(module) = ir::parse(text) else { return (text.to_owned(), lines.to_vec()) };
    let (printed, starts) = ir::print_with_lines(&module, &PrintOptions::default());
    let line_of = |byte: u32| text.get(..byte as usize).map(|before| before.matches('\n').count());
    let wanted = |op: &ir::OpId| {
        let span = module.op(*op).span;
        !span.is_empty() && line_of(span.start).is_some_and(|line| lines.contains(&line))
    };
    let own = if lines.is_empty() { Vec::new() } else { module.walk() };
    let heads = own.iter().filter(|op| wanted(op)).filter_map(|op| starts.get(op.index()).copied().flatten());
    (printed, heads.map(|line| line as usize).collect())
}

/// A module as our printer writes it, in the forms that the module before has for the same operations.
pub(super) fn like(before: Option<&Module>, after: &str) -> String {
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
pub(super) fn with_names_of(before: &Side, after: &Side, same: &FxHashMap<ValueId, ValueId>) -> Option<String> {
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
