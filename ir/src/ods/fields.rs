//! An entry's fields, understood. Errors are sentences for who writes entries; a test reads every entry.

use super::assembly::{Assembly, Directive};
use super::enums::find_enum;
use super::{
    ArgumentPart, Arity, AttrDef, AttrKind, Constraint, Edge, EdgeSource, EdgeTarget, OdsSource, OpDef, RegionDef,
    RegionSize, ShapeRule, Slot, Trait, TypeRule, TypeTrait, ValueDef,
};

type Read<T> = Result<T, String>;

const FIELDS: [&str; 8] = ["traits", "arguments", "results", "regions", "successors", "edges", "shape", "assembly"];

/// Reads an entry for one of its operations.
pub(super) fn read(source: &'static OdsSource) -> Read<OpDef> {
    let mut def = OpDef {
        kind: source.kind,
        name: source.name,
        traits: 0,
        types: Vec::new(),
        parents: Vec::new(),
        operands: Vec::new(),
        results: Vec::new(),
        attributes: Vec::new(),
        regions: Vec::new(),
        successors: Vec::new(),
        edges: Vec::new(),
        shape: ShapeRule::Unknown,
        assemblies: Vec::new(),
    };
    let fields = fields(source.body)?;
    // Later fields name what earlier ones define, whatever their order in the entry.
    for name in FIELDS {
        for (_, text) in fields.iter().filter(|(field, _)| *field == name) {
            match name {
                "traits" => split(text).into_iter().try_for_each(|text| read_trait(&mut def, text))?,
                "arguments" => split(text).into_iter().try_for_each(|text| argument(&mut def, text))?,
                "results" => {
                    for text in split(text) {
                        let (kind, name) = named(text)?;
                        def.results.push(value(kind, name)?);
                    }
                }
                "regions" => {
                    def.regions = split(text).into_iter().map(region).collect::<Read<_>>()?;
                }
                "successors" => {
                    let names = split(text).into_iter().map(|text| named(text).map(|(_, name)| name));
                    def.successors = names.collect::<Read<_>>()?;
                }
                "edges" => {
                    def.edges = split(text).into_iter().map(|text| edge(&def, text)).collect::<Read<_>>()?;
                }
                "shape" => def.shape = text.parse().map_err(|_| format!("no shape rule is called `{text}`"))?,
                _ => {
                    let assembly = Assembly::read(text, &def)?;
                    def.assemblies.push(assembly);
                }
            }
        }
    }
    if def.shape == ShapeRule::Unknown && def.has(Trait::SameOperandsAndResultShape) {
        def.shape = ShapeRule::Same;
    }
    infer(&mut def)?;
    Ok(def)
}

/// The fields of a body with their text, lines that go on joined.
fn fields(body: &'static str) -> Read<Vec<(&'static str, &'static str)>> {
    let begins = |line: &str| line.strip_prefix("  ").is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic()));
    let mut found = Vec::new();
    let mut rest = body;
    while !rest.is_empty() {
        let mut end = rest.find('\n').map_or(rest.len(), |end| end + 1);
        while end < rest.len() && !begins(&rest[end..]) {
            end += rest[end..].find('\n').map_or(rest.len() - end, |more| more + 1);
        }
        let (field, text) = rest[..end].trim().split_once(' ').ok_or("a field has no text")?;
        if !FIELDS.contains(&field) {
            return Err(format!("no field is called `{field}`"));
        }
        found.push((field, text.trim()));
        rest = &rest[end..];
    }
    Ok(found)
}

/// The parts of a list that are separated by commas outside of brackets.
pub(super) fn split(text: &'static str) -> Vec<&'static str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (place, c) in text.char_indices() {
        match c {
            '<' | '[' | '(' => depth += 1,
            // The arrow of an edge closes nothing.
            '>' if text[..place].ends_with('-') => {}
            '>' | ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..place].trim());
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// `Name<a, b>` as its name and its parameters.
fn parameters(text: &'static str) -> Read<(&'static str, Vec<&'static str>)> {
    match text.split_once('<') {
        None => Ok((text, Vec::new())),
        Some((name, rest)) => {
            let inside = rest.strip_suffix('>').ok_or_else(|| format!("`{text}` is not closed"))?;
            Ok((name, split(inside)))
        }
    }
}

/// `[a, b]` or `a`.
fn names(text: &'static str) -> Vec<&'static str> {
    split(text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text))
}

/// `Kind:$name`.
fn named(text: &'static str) -> Read<(&'static str, &'static str)> {
    text.rsplit_once(":$").ok_or_else(|| format!("`{text}` has no name: write Kind:$name"))
}

fn read_trait(def: &mut OpDef, text: &'static str) -> Read<()> {
    let (name, parameters) = parameters(text)?;
    if let Ok(plain) = name.parse() {
        let implied: &[Trait] = match plain {
            Trait::Elementwise => &[Trait::SameOperandsAndResultShape, Trait::SameOperandsAndResultEncoding],
            _ => &[],
        };
        def.traits |= implied.iter().fold(1 << plain as u8, |traits, &of| traits | 1 << of as u8);
        return Ok(());
    }
    let relation = match (name, parameters.as_slice()) {
        ("ParentOneOf" | "HasParent", &[parents]) => {
            def.parents = names(parents);
            return Ok(());
        }
        ("SameOperandsAndResultType", []) => TypeTrait::SameOperandsAndResultType,
        ("SameTypeOperands", []) => TypeTrait::SameTypeOperands,
        ("SameOperandsAndResultElementType", []) => TypeTrait::SameOperandsAndResultElementType,
        ("AllTypesMatch", &[list]) => TypeTrait::AllTypesMatch(names(list)),
        ("AllElementTypesMatch", &[list]) => TypeTrait::AllElementTypesMatch(names(list)),
        ("TypesMatchWith", &[from, to, transform]) => {
            let transform = transform.parse().map_err(|_| format!("no transform is called `{transform}`"));
            TypeTrait::TypesMatchWith(from, to, transform?)
        }
        _ => return Err(format!("`{text}` is no trait")),
    };
    def.types.push(relation);
    Ok(())
}

/// An operand or an inherent attribute.
fn argument(def: &mut OpDef, text: &'static str) -> Read<()> {
    let (kind, name) = named(text)?;
    let (outer, inside) = parameters(kind)?;
    let attribute = |kind: &'static str, optional, default| -> Read<AttrDef> {
        Ok(AttrDef { name, kind: attr_kind(kind)?, optional, default })
    };
    match (outer, inside.as_slice()) {
        ("OptionalAttr", &[kind]) => def.attributes.push(attribute(kind, true, None)?),
        ("DefaultValuedAttr", &[kind, default]) => def.attributes.push(attribute(kind, false, Some(default))?),
        ("DialectAttr", _) => def.attributes.push(attribute(kind, false, None)?),
        _ if outer.ends_with("Attr") => def.attributes.push(attribute(kind, outer == "UnitAttr", None)?),
        _ => def.operands.push(value(kind, name)?),
    }
    Ok(())
}

fn attr_kind(text: &'static str) -> Read<AttrKind> {
    Ok(match text {
        "I1Attr" => AttrKind::Integer("i1"),
        "I8Attr" => AttrKind::Integer("i8"),
        "I16Attr" => AttrKind::Integer("i16"),
        "I32Attr" => AttrKind::Integer("i32"),
        "I64Attr" => AttrKind::Integer("i64"),
        "IndexAttr" => AttrKind::Integer("index"),
        "BoolAttr" => AttrKind::Bool,
        "StrAttr" => AttrKind::String,
        "SymbolNameAttr" => AttrKind::SymbolName,
        "FlatSymbolRefAttr" => AttrKind::Symbol,
        "TypeAttr" => AttrKind::Type,
        "UnitAttr" => AttrKind::Unit,
        "DenseBoolArrayAttr" => AttrKind::DenseArray("i1"),
        "DenseI8ArrayAttr" => AttrKind::DenseArray("i8"),
        "DenseI32ArrayAttr" => AttrKind::DenseArray("i32"),
        "DenseI64ArrayAttr" => AttrKind::DenseArray("i64"),
        "AnyAttr" => AttrKind::Any,
        _ => match parameters(text)? {
            ("DialectAttr", parameters) => {
                AttrKind::Dialect(parameters.first().copied().ok_or("DialectAttr wants a name")?)
            }
            (name, _) => {
                let found = name.strip_suffix("Attr").and_then(find_enum);
                AttrKind::Enum(found.ok_or_else(|| format!("no kind of attribute is called `{text}`"))?)
            }
        },
    })
}

fn value(kind: &'static str, name: &'static str) -> Read<ValueDef> {
    let (arity, kind) = match parameters(kind)? {
        ("Optional", inside) => (Arity::Optional, inside.first().copied().unwrap_or_default()),
        ("Variadic", inside) => (Arity::Variadic, inside.first().copied().unwrap_or_default()),
        _ => (Arity::One, kind),
    };
    let constraint = match kind {
        "AnyType" => Constraint::AnyType,
        "AnyElement" => Constraint::AnyElement,
        "IntLike" => Constraint::IntLike,
        "FloatLike" => Constraint::FloatLike,
        "PtrLike" => Constraint::PtrLike,
        "PtrType" => Constraint::Class("tt.ptr"),
        "TensorDescType" => Constraint::Class("tt.tensordesc"),
        "MemDescType" => Constraint::Class("ttg.memdesc"),
        "ArefType" => Constraint::Class("nvws.aref"),
        "I32" => Constraint::Exactly("i32"),
        "Index" => Constraint::Exactly("index"),
        "AsyncToken" => Constraint::Exactly("!ttg.async.token"),
        other => return Err(format!("no type constraint is called `{other}`")),
    };
    Ok(ValueDef { name, arity, constraint, infer: None })
}

fn region(text: &'static str) -> Read<RegionDef> {
    let (kind, name) = named(text)?;
    let (outer, inside) = parameters(kind)?;
    let (variadic, (outer, inside)) = match (outer, inside.as_slice()) {
        ("VariadicRegion", &[inner]) => (true, parameters(inner)?),
        _ => (false, (outer, inside)),
    };
    let size = match outer {
        "AnyRegion" => RegionSize::Any,
        "SizedRegion" => RegionSize::One,
        "MinSizedRegion" => RegionSize::AtLeastOne,
        "MaxSizedRegion" => RegionSize::AtMostOne,
        other => return Err(format!("no kind of region is called `{other}`")),
    };
    Ok(RegionDef { name, size, terminator: inside.get(1).copied(), variadic })
}

/// `$a -> $b[1:]`, `$a -> $b[:1]`, `-> $b`, `$b -> results`, `$a -> parent`.
fn edge(def: &OpDef, text: &'static str) -> Read<Edge> {
    let wrong = || format!("`{text}` is no edge");
    let (from, to) = text.split_once("->").ok_or_else(wrong)?;
    let region = |name: &str| def.regions.iter().position(|region| region.name == name);
    let from = match from.trim().strip_prefix('$') {
        None => EdgeSource::Nothing,
        Some(name) => match (region(name), def.slot(name)) {
            (Some(index), _) => EdgeSource::Region(index),
            (None, Some(Slot::Operand(index))) => EdgeSource::Operand(index),
            _ => return Err(wrong()),
        },
    };
    let to = match (to.trim(), to.trim().strip_prefix('$')) {
        ("results", _) => EdgeTarget::Results,
        ("parent", _) => EdgeTarget::Parent,
        (_, Some(target)) => {
            let (name, part) = match target.split_once('[') {
                None => (target, ArgumentPart::All),
                Some((name, "1:]")) => (name, ArgumentPart::AllButFirst),
                Some((name, ":1]")) => (name, ArgumentPart::First),
                Some(_) => return Err(wrong()),
            };
            match (region(name), def.successors.iter().position(|successor| *successor == name)) {
                (Some(index), _) => EdgeTarget::Region(index, part),
                (None, Some(index)) => EdgeTarget::Successor(index),
                _ => return Err(wrong()),
            }
        }
        _ => return Err(wrong()),
    };
    Ok(Edge { from, to })
}

/// Where the types of results come from when the assembly format leaves them out, by constraints and traits.
fn infer(def: &mut OpDef) -> Read<()> {
    for index in 0..def.results.len() {
        def.results[index].infer = match def.results[index].constraint {
            Constraint::Exactly(text) => Some(TypeRule::Exactly(text)),
            _ => {
                let rules: Vec<_> = def.types.iter().map(|of| rule(def, of, index)).collect::<Read<_>>()?;
                rules.into_iter().flatten().next()
            }
        };
    }
    Ok(())
}

/// What a trait says of the type of a result. Also checks that what it names is there.
fn rule(def: &OpDef, of: &TypeTrait, result: usize) -> Read<Option<TypeRule>> {
    let name = def.results[result].name;
    let slot = |name: &str| def.slot(name).ok_or_else(|| format!("no operand or result is called `{name}`"));
    Ok(match of {
        TypeTrait::SameOperandsAndResultType if !def.operands.is_empty() => Some(TypeRule::Same(Slot::Operand(0))),
        TypeTrait::AllTypesMatch(names) => {
            let attribute = |name: &&str| def.attributes.iter().position(|attribute| attribute.name == *name);
            match names.iter().find_map(attribute) {
                Some(attribute) => Some(TypeRule::Attribute(attribute)),
                None if names.contains(&name) => {
                    let other = names.iter().find(|other| **other != name).ok_or("AllTypesMatch wants two names")?;
                    Some(TypeRule::Same(slot(other)?))
                }
                None => None,
            }
        }
        TypeTrait::AllElementTypesMatch(names) => {
            names.iter().try_for_each(|name| slot(name).map(drop))?;
            None
        }
        TypeTrait::TypesMatchWith(from, to, transform) if *to == name => Some(TypeRule::From(slot(from)?, *transform)),
        _ => None,
    })
}

impl OpDef {
    /// The directives of the assembly format with that number, if it is a declarative one.
    pub fn directives(&self, index: usize) -> Option<&[Directive]> {
        match self.assemblies.get(index)? {
            Assembly::Custom => None,
            Assembly::Declarative(directives) => Some(directives),
        }
    }
}
