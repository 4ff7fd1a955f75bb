//! The declarative assembly format of ODS, understood: from its text to a list of directives that parser and printer walk
//! over.

use super::fields::split;
use super::{Constraint, OpDef, Slot};

/// One way to write an operation.
#[derive(Debug)]
pub enum Assembly {
    /// Code reads and writes it (`hasCustomAssemblyFormat`).
    Custom,
    /// A list of directives.
    Declarative(Vec<Directive>),
}

/// One element of an assembly format. Indices are into the definition's lists.
#[derive(Debug)]
pub enum Directive {
    /// A keyword or punctuation.
    Literal(&'static str),
    /// An operand: all of its values, with commas.
    Operand(usize),
    /// An inherent attribute.
    Attribute(usize),
    /// `type($x)`: the types of an operand's or result's values, without the dialect's name where that is given.
    Type(Slot, Option<&'static str>),
    /// `functional-type(…, …)`: `(types) -> types`.
    FunctionalType(Vec<Slot>, Vec<Slot>),
    /// `attr-dict`, with that keyword in front in `attr-dict-with-keyword`: the attributes that are not written elsewhere.
    AttrDict(Option<&'static str>),
    /// The next successor.
    Successor,
    /// A region, or all that are left.
    Region {
        /// Whether it is all that are left.
        variadic: bool,
    },
    /// `(…)?`: there as a whole or not at all, as the element with that index is.
    Optional(Vec<Directive>, usize),
    /// `custom<Token>($dep, type($token))`: `[%dep]` if the result is there, with nothing in it where the operand is not.
    Token(usize, usize),
    /// `custom<BarriersAndPreds>($barriers, $preds)`: `, %barrier[%pred]` again and again.
    BarriersAndPreds(usize, usize),
}

impl Assembly {
    pub(super) fn read(text: &'static str, def: &OpDef) -> Result<Assembly, String> {
        if text == "hasCustomAssemblyFormat" {
            return Ok(Assembly::Custom);
        }
        let mut reader = AssemblyReader { rest: text, def };
        let (directives, _) = reader.list()?;
        if !reader.rest.is_empty() {
            return Err(format!("`{}` is left over", reader.rest));
        }
        Ok(Assembly::Declarative(directives))
    }
}

struct AssemblyReader<'d> {
    rest: &'static str,
    def: &'d OpDef,
}

impl AssemblyReader<'_> {
    /// Elements up to a closing parenthesis or the end, and which of them is the anchor.
    fn list(&mut self) -> Result<(Vec<Directive>, Option<usize>), String> {
        let (mut list, mut anchor) = (Vec::new(), None);
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.is_empty() || self.rest.starts_with(')') {
                return Ok((list, anchor));
            }
            let directive = self.directive()?;
            list.push(directive);
            if let Some(rest) = self.rest.strip_prefix('^') {
                self.rest = rest;
                anchor = Some(list.len() - 1);
            }
        }
    }

    fn directive(&mut self) -> Result<Directive, String> {
        if let Some(rest) = self.rest.strip_prefix('`') {
            let (literal, rest) = rest.split_once('`').ok_or("a literal is not closed")?;
            self.rest = rest;
            return Ok(Directive::Literal(literal));
        }
        if let Some(rest) = self.rest.strip_prefix('(') {
            self.rest = rest;
            let (list, anchor) = self.list()?;
            self.rest = self.rest.strip_prefix(")?").ok_or("a group is not closed by `)?`")?;
            return Ok(Directive::Optional(list, anchor.ok_or("a group has no anchor `^`")?));
        }
        if self.rest.starts_with('$') {
            let name = &self.word()[1..];
            return self.variable(name);
        }
        let word = self.word();
        match word {
            "attr-dict" => Ok(Directive::AttrDict(None)),
            "attr-dict-with-keyword" => Ok(Directive::AttrDict(Some("attributes"))),
            "type" => self.arguments().and_then(|list| self.type_of(&list, true)),
            "qualified" => {
                let list = self.arguments()?;
                let inner = list.first().and_then(|inner| inner.strip_prefix("type(")?.strip_suffix(')'));
                self.type_of(&[inner.ok_or("qualified() wants a type()")?], false)
            }
            "functional-type" => match self.arguments()?.as_slice() {
                [from, to] => Ok(Directive::FunctionalType(self.slots(from)?, self.slots(to)?)),
                _ => Err("functional-type() wants two arguments".to_owned()),
            },
            "custom<Token>" => match self.custom()?[..] {
                [Slot::Operand(dep), Slot::Result(token)] => Ok(Directive::Token(dep, token)),
                _ => Err("custom<Token> wants an operand and the type of a result".to_owned()),
            },
            "custom<BarriersAndPreds>" => match self.custom()?[..] {
                [Slot::Operand(barriers), Slot::Operand(preds)] => Ok(Directive::BarriersAndPreds(barriers, preds)),
                _ => Err("custom<BarriersAndPreds> wants two operands".to_owned()),
            },
            other => Err(format!("no directive is called `{other}`")),
        }
    }

    fn variable(&self, name: &str) -> Result<Directive, String> {
        if let Some(Slot::Operand(index)) = self.def.slot(name) {
            return Ok(Directive::Operand(index));
        }
        if let Some(index) = self.def.attributes.iter().position(|attribute| attribute.name == name) {
            return Ok(Directive::Attribute(index));
        }
        if self.def.successors.contains(&name) {
            return Ok(Directive::Successor);
        }
        match self.def.regions.iter().find(|region| region.name == name) {
            Some(region) => Ok(Directive::Region { variadic: region.variadic }),
            None => Err(format!("nothing is called `${name}`")),
        }
    }

    fn type_of(&self, list: &[&str], stripped: bool) -> Result<Directive, String> {
        let &[name] = list else { return Err("type() wants one argument".to_owned()) };
        let slot = self.slot(name)?;
        let class = match self.def.value(slot).constraint {
            Constraint::Class(name) if stripped => Some(name),
            _ => None,
        };
        Ok(Directive::Type(slot, class))
    }

    fn custom(&mut self) -> Result<Vec<Slot>, String> {
        let list = self.arguments()?;
        list.into_iter()
            .map(|text| self.slot(text.strip_prefix("type(").and_then(|text| text.strip_suffix(')')).unwrap_or(text)))
            .collect()
    }

    fn slot(&self, text: &str) -> Result<Slot, String> {
        let name = text.strip_prefix('$').ok_or_else(|| format!("`{text}` is no variable"))?;
        self.def.slot(name).ok_or_else(|| format!("no operand or result is called `{name}`"))
    }

    fn slots(&self, text: &str) -> Result<Vec<Slot>, String> {
        match text {
            "operands" => Ok((0..self.def.operands.len()).map(Slot::Operand).collect()),
            "results" => Ok((0..self.def.results.len()).map(Slot::Result).collect()),
            _ => Ok(vec![self.slot(text)?]),
        }
    }

    fn word(&mut self) -> &'static str {
        let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '<' | '>' | '.');
        let end = self.rest[1..].find(|c: char| !part(c)).map_or(self.rest.len(), |end| end + 1);
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    /// What stands in the parentheses at the position, separated by commas.
    fn arguments(&mut self) -> Result<Vec<&'static str>, String> {
        let mut depth = 0;
        for (place, c) in self.rest.char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let inside = self.rest[..place].strip_prefix('(').ok_or("a directive wants parentheses")?;
                self.rest = &self.rest[place + 1..];
                return Ok(split(inside));
            }
        }
        Err("a parenthesis is not closed".to_owned())
    }
}
