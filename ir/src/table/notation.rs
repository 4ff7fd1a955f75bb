//! The notation of rows, understood: from four strings to lists that parser and printer walk over.

use super::{Enum, Row, find_enum};

/// A row's strings as data.
#[derive(Debug)]
pub struct Shape {
    /// Operand groups in the order of the generic form.
    pub operands: Vec<Group>,
    /// Result groups.
    pub results: Vec<Group>,
    /// Inherent attributes.
    pub props: Vec<Prop>,
    /// Custom forms, newest first.
    pub forms: Vec<Form>,
}

/// How many values a group holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// Exactly one.
    One,
    /// None or one.
    Optional,
    /// Any number.
    Variadic,
}

/// A named run of operands or results.
#[derive(Debug)]
pub struct Group {
    /// Its name in the row.
    pub name: &'static str,
    /// How many values it holds.
    pub count: Count,
    /// For a result whose type the form leaves out.
    pub rule: Option<Rule>,
}

/// Where a result's type comes from when the form does not spell it. Indices are into operands, then results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The type of that value group's first value.
    Same(Slot),
    /// `i1` in the shape of that value.
    Bool(Slot),
    /// What that pointer, or tensor of pointers, points to.
    Pointee(Slot),
    /// The element type of that tensor.
    Element(Slot),
    /// This type.
    Fixed(&'static str),
    /// The type of that inherent attribute.
    Attribute(usize),
}

/// An operand group or a result group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// The operand group with that index.
    Operand(usize),
    /// The result group with that index.
    Result(usize),
}

/// How an inherent attribute is written.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// An integer of that type, by its number.
    Integer(&'static str),
    /// `true` or `false`.
    Bool,
    /// A quoted string.
    String,
    /// `@name`.
    Symbol,
    /// A type.
    Type,
    /// Present or absent.
    Unit,
    /// A dense array of that element type, `[1, 2]`.
    DenseArray(&'static str),
    /// Any attribute, whole.
    Any,
    /// A dialect attribute with its name left out.
    Stripped(&'static str),
    /// One word of an enumeration.
    Enum(&'static Enum),
}

/// An inherent attribute.
#[derive(Debug)]
pub struct Prop {
    /// Its name in the generic form.
    pub name: &'static str,
    /// How it is written.
    pub kind: Kind,
    /// Whether it may be absent, with nothing implied.
    pub optional: bool,
    /// The value that the custom form leaves out, in the generic spelling.
    pub default: Option<&'static str>,
}

/// One way to write the operation.
#[derive(Debug)]
pub enum Form {
    /// A piece of code, by name.
    Special(&'static str),
    /// A list of elements.
    Elements(Vec<Element>),
}

/// One element of a form.
#[derive(Debug)]
pub enum Element {
    /// A keyword or punctuation.
    Literal(&'static str),
    /// An operand group.
    Operand(usize),
    /// An inherent attribute.
    Attribute(usize),
    /// The type or types of a group, with a prefix `!name` that is left out.
    Type(Slot, Option<&'static str>),
    /// `(types of groups) -> types of groups`.
    Functional(Vec<Slot>, Vec<Slot>),
    /// The attributes that the form does not mention, after a keyword if any.
    Attributes(Option<&'static str>),
    /// A successor and the operand group that it takes.
    Successor(Option<usize>),
    /// One region, or all that are left.
    Region {
        /// Whether it stands for all regions that are left.
        rest: bool,
    },
    /// Writes nothing; makes the group around it be there just when that result is.
    Present(Slot),
    /// Present or absent as a whole.
    Optional(Vec<Element>),
    /// As often as the operand groups in it have values, one value of each a turn.
    Repeated(Vec<Element>),
}

/// Understands a row; the error is a sentence for who writes rows.
pub fn compile(row: &'static Row) -> Result<Shape, String> {
    let (operands, results) = match row.operands.split_once("->") {
        Some((operands, results)) => (groups(operands)?, groups(results)?),
        None => (groups(row.operands)?, Vec::new()),
    };
    let mut shape = Shape {
        operands: operands.into_iter().map(|(group, _)| group).collect(),
        results: Vec::new(),
        props: row.props.split_whitespace().map(prop).collect::<Result<_, _>>()?,
        forms: Vec::new(),
    };
    let (mut named, rules): (Vec<Group>, Vec<&str>) = results.into_iter().unzip();
    std::mem::swap(&mut shape.results, &mut named);
    for (index, text) in rules.into_iter().enumerate() {
        shape.results[index].rule = if text.is_empty() { None } else { Some(rule(text, &shape)?) };
    }
    for form in row.forms {
        let compiled = match form.strip_prefix('!') {
            Some(name) => Form::Special(name),
            None => {
                let mut reader = Reader { rest: form, shape: &shape };
                let elements = reader.elements()?;
                if !reader.rest.is_empty() {
                    return Err(format!("`{}` is left over", reader.rest));
                }
                Form::Elements(elements)
            }
        };
        shape.forms.push(compiled);
    }
    Ok(shape)
}

fn groups(text: &'static str) -> Result<Vec<(Group, &'static str)>, String> {
    text.split_whitespace()
        .map(|word| {
            let (name, rule) = word.split_once('=').unwrap_or((word, ""));
            let (name, count) = match name.as_bytes().last() {
                Some(b'?') => (&name[..name.len() - 1], Count::Optional),
                Some(b'*') => (&name[..name.len() - 1], Count::Variadic),
                Some(_) => (name, Count::One),
                None => return Err("a group without a name".to_owned()),
            };
            Ok((Group { name, count, rule: None }, rule))
        })
        .collect()
}

fn slot(shape: &Shape, name: &str) -> Result<Slot, String> {
    let find = |groups: &[Group]| groups.iter().position(|group| group.name == name);
    find(&shape.operands)
        .map(Slot::Operand)
        .or_else(|| find(&shape.results).map(Slot::Result))
        .ok_or_else(|| format!("no operand or result is called `{name}`"))
}

fn rule(text: &'static str, shape: &Shape) -> Result<Rule, String> {
    if let Some(fixed) = text.strip_prefix('\'') {
        return Ok(Rule::Fixed(fixed.trim_end_matches('\'')));
    }
    let Some((name, argument)) = text.split_once('(') else {
        return Ok(Rule::Same(slot(shape, text)?));
    };
    let argument = argument.trim_end_matches(')');
    match name {
        "i1" => Ok(Rule::Bool(slot(shape, argument)?)),
        "pointee" => Ok(Rule::Pointee(slot(shape, argument)?)),
        "element" => Ok(Rule::Element(slot(shape, argument)?)),
        "attr" => Ok(Rule::Attribute(attribute(shape, argument)?)),
        _ => Err(format!("no rule is called `{name}`")),
    }
}

fn attribute(shape: &Shape, name: &str) -> Result<usize, String> {
    shape.props.iter().position(|prop| prop.name == name).ok_or_else(|| format!("no prop is called `{name}`"))
}

fn prop(word: &'static str) -> Result<Prop, String> {
    let (name, rest) = word.split_once(':').ok_or_else(|| format!("prop `{word}` has no kind"))?;
    let (kind, default) = match rest.split_once('=') {
        Some((kind, default)) => (kind, Some(default)),
        None => (rest, None),
    };
    let (kind, optional) = kind.strip_suffix('?').map_or((kind, false), |kind| (kind, true));
    let kind = match kind {
        "i1" | "i8" | "i16" | "i32" | "i64" | "index" => Kind::Integer(kind),
        "bool" => Kind::Bool,
        "str" => Kind::String,
        "sym" => Kind::Symbol,
        "type" => Kind::Type,
        "unit" => Kind::Unit,
        "i1s" => Kind::DenseArray("i1"),
        "i8s" => Kind::DenseArray("i8"),
        "i32s" => Kind::DenseArray("i32"),
        "i64s" => Kind::DenseArray("i64"),
        "any" => Kind::Any,
        _ => match kind.strip_prefix('~') {
            Some(name) => Kind::Stripped(name),
            None => Kind::Enum(find_enum(kind).ok_or_else(|| format!("no kind is called `{kind}`"))?),
        },
    };
    Ok(Prop { name, kind, optional, default })
}

struct Reader<'a> {
    rest: &'static str,
    shape: &'a Shape,
}

impl Reader<'_> {
    fn elements(&mut self) -> Result<Vec<Element>, String> {
        let mut elements = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            let Some(first) = self.rest.chars().next() else { return Ok(elements) };
            let tail = &self.rest[first.len_utf8()..];
            if first == ']' || first == ')' {
                return Ok(elements);
            }
            self.rest = tail;
            elements.push(match first {
                '\'' => Element::Literal(self.until('\'')?),
                '%' => match slot(self.shape, self.word())? {
                    Slot::Operand(index) => Element::Operand(index),
                    Slot::Result(_) => return Err("`%` wants an operand".to_owned()),
                },
                '$' => Element::Attribute(attribute(self.shape, self.word())?),
                ':' => {
                    let slot = slot(self.shape, self.word())?;
                    let prefix = self.rest.strip_prefix('/').map(|rest| {
                        self.rest = rest;
                        self.word()
                    });
                    Element::Type(slot, prefix)
                }
                '{' => {
                    let keyword = self.until('}')?;
                    Element::Attributes((!keyword.is_empty()).then_some(keyword))
                }
                '^' => {
                    self.word();
                    let takes = self.rest.strip_prefix('(').map(|rest| {
                        self.rest = rest;
                        self.until(')')
                    });
                    Element::Successor(match takes {
                        None => None,
                        Some(name) => match slot(self.shape, name?)? {
                            Slot::Operand(index) => Some(index),
                            Slot::Result(_) => return Err("a successor takes operands".to_owned()),
                        },
                    })
                }
                '<' => Element::Region { rest: self.until('>')?.ends_with('*') },
                '[' => {
                    let inner = self.elements()?;
                    self.rest = self.rest.strip_prefix(']').ok_or("a `[` is not closed")?;
                    Element::Optional(inner)
                }
                '@' => Element::Present(slot(self.shape, self.word())?),
                '(' => {
                    let inner = self.elements()?;
                    self.rest = self.rest.strip_prefix(")*").ok_or("a `(` is not closed by `)*`")?;
                    Element::Repeated(inner)
                }
                'f' if tail.starts_with("n(") => {
                    self.rest = &tail[2..];
                    let (from, to) = self.until(')')?.split_once("->").ok_or("fn() wants an arrow")?;
                    let list = |text: &'static str| -> Result<Vec<Slot>, String> {
                        text.split(',').map(str::trim).filter(|t| !t.is_empty()).map(|t| slot(self.shape, t)).collect()
                    };
                    Element::Functional(list(from)?, list(to)?)
                }
                other => return Err(format!("`{other}` begins no element")),
            });
        }
    }

    fn word(&mut self) -> &'static str {
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn until(&mut self, close: char) -> Result<&'static str, String> {
        let (inner, rest) = self.rest.split_once(close).ok_or_else(|| format!("`{close}` is missing"))?;
        self.rest = rest;
        Ok(inner)
    }
}
