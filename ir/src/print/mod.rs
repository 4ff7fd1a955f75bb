//! From a [`Module`] to text: the custom form where its row says how, the generic form on request or where the custom
//! one cannot say it. What is printed parses to the same module.

mod attribute;
mod custom;
mod names;
mod special;

use super::intern::NamedAttrs;
use super::module::{Module, Syntax, TemplateSegment};
use super::ods::{Assembly, OpKind, Trait};
use super::{AttrId, BlockId, OpId, RegionId, TypeId, ValueId};
use names::ValueNames;
use std::fmt::Write;

/// How to print.
#[derive(Debug, Clone, Copy)]
pub struct PrintOptions {
    /// Every operation that has one in generic form.
    pub generic: bool,
    /// With `loc(…)`.
    pub locations: bool,
    /// Layouts by alias, `#blocked`.
    pub aliases: bool,
    /// With the `{-# … #-}` block.
    pub resources: bool,
}

impl Default for PrintOptions {
    fn default() -> Self {
        PrintOptions { generic: false, locations: false, aliases: true, resources: false }
    }
}

impl PrintOptions {
    /// The generic form of everything.
    pub fn generic() -> Self {
        PrintOptions { generic: true, ..PrintOptions::default() }
    }
}

/// The text of a module.
pub fn print(module: &Module, options: &PrintOptions) -> String {
    print_with_lines(module, options).0
}

/// The text of a module, and for each operation the line that it begins on (0-based; none for what is not printed).
pub fn print_with_lines(module: &Module, options: &PrintOptions) -> (String, Vec<Option<u32>>) {
    let mut printer = Printer {
        module,
        options: *options,
        names: ValueNames::new(module),
        out: String::with_capacity(module.op_count() * 64),
        aliases: Vec::new(),
        indent: 0,
        starts: vec![None; module.op_count()],
    };
    printer.operation(module.root());
    printer.out.push('\n');
    let body = std::mem::take(&mut printer.out);
    // Definitions may name further aliases, which then come before them.
    let mut written = 0;
    let mut definitions: Vec<String> = Vec::new();
    while written < printer.aliases.len() {
        let (attr, alias) = printer.aliases[written].clone();
        printer.out.clear();
        printer.attr_in_full(attr, true);
        definitions.push(format!("#{alias} = {}\n", printer.out));
        written += 1;
    }
    let order = printer.alias_order();
    let mut text: String = order.into_iter().map(|index| definitions[index].as_str()).collect();
    let head_lines = text.matches('\n').count() as u32;
    text.push_str(&body);
    let lines = line_numbers(&body, &printer.starts, head_lines);
    if let Some(resources) = module.resources.as_ref().filter(|_| options.resources) {
        let _ = write!(text, "\n{{-#{resources}#-}}\n");
    }
    (text, lines)
}

fn line_numbers(body: &str, starts: &[Option<usize>], head: u32) -> Vec<Option<u32>> {
    let breaks: Vec<usize> = memchr::memchr_iter(b'\n', body.as_bytes()).collect();
    starts.iter().map(|start| start.map(|at| head + breaks.partition_point(|&b| b < at) as u32)).collect()
}

struct Printer<'m> {
    module: &'m Module,
    options: PrintOptions,
    names: ValueNames,
    out: String,
    aliases: Vec<(AttrId, String)>,
    indent: usize,
    /// Where each operation begins in `out`.
    starts: Vec<Option<usize>>,
}

impl Printer<'_> {
    /// Aliases in an order in which each comes after those that its definition names.
    fn alias_order(&self) -> Vec<usize> {
        let mut order = Vec::new();
        let mut done = vec![false; self.aliases.len()];
        fn visit(printer: &Printer<'_>, index: usize, done: &mut [bool], order: &mut Vec<usize>) {
            if std::mem::replace(&mut done[index], true) {
                return;
            }
            for attr in printer.module.interners.attrs_inside(printer.aliases[index].0) {
                if let Some(inner) = printer.aliases.iter().position(|(known, _)| *known == attr) {
                    visit(printer, inner, done, order);
                }
            }
            order.push(index);
        }
        for index in 0..self.aliases.len() {
            visit(self, index, &mut done, &mut order);
        }
        order
    }

    fn line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
    }

    fn value(&mut self, value: ValueId) {
        self.out.push('%');
        let Printer { out, names, .. } = self;
        out.push_str(names.value(value));
    }

    fn types_of(&self, values: &[ValueId]) -> Vec<TypeId> {
        values.iter().map(|&value| self.module.value(value).ty).collect()
    }

    /// An operation, from its results to its location; no line break around it.
    fn operation(&mut self, op: OpId) {
        self.starts[op.index()] = Some(self.out.len());
        let module = self.module;
        let record = module.op(op);
        if !record.results.is_empty() {
            self.out.push('%');
            self.out.push_str(self.names.group(module, op));
            if record.results.len() > 1 {
                let _ = write!(self.out, ":{}", record.results.len());
            }
            self.out.push_str(" = ");
        }
        let at = self.out.len();
        let printed = match &record.syntax {
            Syntax::Text(segments) => {
                self.text_operation(op, segments);
                Some(())
            }
            Syntax::Custom(form) if !self.options.generic || module.has(op, Trait::Versioned) => {
                self.custom(op, *form as usize)
            }
            Syntax::Generic if !self.options.generic => {
                // A form that has changed between versions is not sure; the generic one is.
                module.def(op).filter(|def| def.assemblies.len() == 1).and_then(|_| self.custom(op, 0))
            }
            _ => None,
        };
        if printed.is_none() {
            self.out.truncate(at);
            self.generic(op);
        }
        self.location_of(record.loc);
    }

    /// An operation in the custom form of that index; none if that cannot say it.
    fn custom(&mut self, op: OpId, form: usize) -> Option<()> {
        let def = self.module.def(op)?;
        let short = if def.kind == OpKind::BuiltinModule { "module" } else { self.module.op_name(op) };
        self.out.push_str(short);
        match def.assemblies.get(form)? {
            Assembly::Declarative(directives) => self.declarative(op, def, directives),
            Assembly::Custom => self.special(op),
        }
    }

    fn generic(&mut self, op: OpId) {
        let module = self.module;
        let record = module.op(op);
        let _ = write!(self.out, "\"{}\"", module.op_name(op));
        self.enclosed('(', &record.operands, ')', Self::value);
        if !record.successors.is_empty() {
            self.enclosed('[', &record.successors, ']', Self::label);
        }
        let mut props: NamedAttrs = module.interners.attrs_data(record.props).clone();
        let segments = [
            ("operandSegmentSizes", self.segment_sizes(op)),
            ("resultSegmentSizes", self.result_segment_sizes(op, &props)),
        ];
        if !props.is_empty() || segments.iter().any(|(_, sizes)| sizes.is_some()) {
            self.out.push_str(" <{");
            // The inherent attributes in MLIR's order, by name.
            props.sort_by(|a, b| module.interners.name_text(a.0).cmp(module.interners.name_text(b.0)));
            self.separated(&props, Self::named_one);
            let mut comma = if props.is_empty() { "" } else { ", " };
            for (name, sizes) in segments {
                if let Some(sizes) = sizes {
                    let _ = write!(self.out, "{comma}{name} = array<i32: {sizes}>");
                    comma = ", ";
                }
            }
            self.out.push_str("}>");
        }
        if !record.regions.is_empty() {
            self.out.push(' ');
            self.enclosed('(', &record.regions, ')', |printer, region| printer.region(region, true, false));
        }
        if !module.interners.attrs_data(record.attrs).is_empty() {
            self.out.push(' ');
            self.dictionary(record.attrs);
        }
        self.signature(op);
    }

    /// ` : (t, t) -> t`: the types of all operands and results.
    fn signature(&mut self, op: OpId) {
        let record = self.module.op(op);
        let (inputs, results) = (self.types_of(&record.operands), self.types_of(&record.results));
        self.out.push_str(" : ");
        self.function_type(&inputs, &results);
    }

    /// The value of `operandSegmentSizes`, where the operation has that attribute.
    fn segment_sizes(&self, op: OpId) -> Option<String> {
        let record = self.module.op(op);
        let wanted = match self.module.def(op) {
            Some(def) => def.has(Trait::AttrSizedOperandSegments),
            None => !record.segments.is_empty(),
        };
        wanted.then(|| record.segments.iter().map(u32::to_string).collect::<Vec<_>>().join(", "))
    }

    /// The value of `resultSegmentSizes`, where the operation has that attribute and does not hold it yet.
    fn result_segment_sizes(&self, op: OpId, props: &NamedAttrs) -> Option<String> {
        let def = self.module.def(op).filter(|def| def.has(Trait::AttrSizedResultSegments))?;
        if props.iter().any(|(name, _)| self.module.interners.name_text(*name) == "resultSegmentSizes") {
            return None;
        }
        let ranges = self.module.result_groups(op, def)?;
        Some(ranges.iter().map(|range| range.len().to_string()).collect::<Vec<_>>().join(", "))
    }

    fn label(&mut self, block: BlockId) {
        let _ = write!(self.out, "^bb{}", self.names.blocks[block.index()]);
    }

    /// `{ … }`. `arguments` says whether the entry block's are to be named in a label; without `terminator`, a last
    /// operation that carries nothing is left out.
    fn region(&mut self, region: RegionId, arguments: bool, elide_terminator: bool) {
        let module = self.module;
        self.out.push('{');
        let blocks = &module.region(region).blocks;
        for (index, &block) in blocks.iter().enumerate() {
            let record = module.block(block);
            let entry = index == 0;
            let label = !entry
                || (arguments && !record.arguments.is_empty())
                || self.names.targets[block.index()]
                || (record.ops.is_empty() && blocks.len() > 1)
                || (arguments && record.ops.is_empty() && self.options.generic);
            if label {
                self.line();
                self.label(block);
                if !record.arguments.is_empty() && (!entry || arguments) {
                    self.enclosed('(', &record.arguments, ')', Self::argument);
                }
                self.out.push(':');
            }
            self.indent += 1;
            let last = record.ops.len().saturating_sub(1);
            for (place, &op) in record.ops.iter().enumerate() {
                if elide_terminator && place == last && blocks.len() == 1 && self.carries_nothing(op) {
                    break;
                }
                self.line();
                self.operation(op);
            }
            self.indent -= 1;
        }
        self.line();
        self.out.push('}');
    }

    fn carries_nothing(&self, op: OpId) -> bool {
        let record = self.module.op(op);
        self.module.kind(op) == OpKind::ScfYield
            && record.operands.is_empty()
            && self.module.interners.attrs_data(record.attrs).is_empty()
    }

    fn argument(&mut self, value: ValueId) {
        self.value(value);
        self.out.push_str(": ");
        self.ty(self.module.value(value).ty);
        self.location_of(self.module.value(value).loc);
    }

    fn text_operation(&mut self, op: OpId, segments: &[TemplateSegment]) {
        let module = self.module;
        let record = module.op(op);
        self.out.push_str(module.op_name(op));
        // A function whose form names the arguments of the entry has no label there.
        let is_labelled = !segments.iter().any(|segment| matches!(segment, TemplateSegment::Argument(_)));
        for segment in segments {
            match *segment {
                TemplateSegment::Argument(index) => {
                    let entry = record.regions.first().and_then(|&region| module.region(region).blocks.first());
                    let arguments = entry.map_or(&[][..], |&entry| &module.block(entry).arguments[..]);
                    if let Some(&value) = arguments.get(index as usize) {
                        self.value(value);
                    }
                }
                TemplateSegment::Text(ref text) => self.out.push_str(text),
                TemplateSegment::Operand(index) => {
                    if let Some(&value) = record.operands.get(index as usize) {
                        self.value(value);
                    }
                }
                TemplateSegment::Type(ty) => self.ty(ty),
                TemplateSegment::Attr(attr) => self.attr(attr),
                TemplateSegment::Region(index) => {
                    if let Some(&region) = record.regions.get(index as usize) {
                        self.region(region, is_labelled, false);
                    }
                }
                TemplateSegment::Successor(index) => {
                    if let Some(&block) = record.successors.get(index as usize) {
                        self.label(block);
                    }
                }
            }
        }
    }
}
