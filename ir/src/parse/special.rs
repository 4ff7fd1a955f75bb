//! Custom forms that no declarative assembly format can say: functions, loops, branches with regions.

use super::super::intern::{Attr, NamedAttrs, Type};
use super::super::lex::{Parsed, is_suffix};
use super::super::module::Syntax;
use super::super::ods::{OpKind, Trait};
use super::super::{AttrsId, OpId, RegionId, Span, TypeId};
use super::{Argument, Parser};

impl<'a> Parser<'a> {
    /// The rest of an operation whose definition says `hasCustomAssemblyFormat`.
    pub(super) fn special(&mut self, op: OpId) -> Parsed<()> {
        match self.module.kind(op) {
            OpKind::TtFunc | OpKind::FuncFunc => self.function(op),
            OpKind::ScfFor => self.for_loop(op),
            OpKind::ScfIf => self.if_else(op),
            OpKind::ScfWhile => self.while_loop(op),
            OpKind::ArithSelect => self.select(op),
            OpKind::TtgWarpSpecialize => self.warp_specialize(op),
            other => Err(self.at.error(format!("no code reads the assembly format of `{}`", other.name()))),
        }
    }

    /// An attribute list after `attributes`, if it is there.
    fn attributes_keyword(&mut self) -> Parsed<NamedAttrs> {
        let list = if self.at.eat("attributes") { self.dictionary()? } else { AttrsId::EMPTY };
        Ok(self.module.interners.attrs_data(list).clone())
    }

    /// `{…}` if it is next.
    fn dictionary_if_any(&mut self) -> Parsed<AttrsId> {
        if self.at.peek() == b'{' { self.dictionary() } else { Ok(AttrsId::EMPTY) }
    }

    /// `{…}` at the end of an operation, or before its types.
    fn trailing_list(&mut self, op: OpId) -> Parsed<()> {
        if self.at.peek() == b'{' && self.list_is_next() {
            self.module.op_mut(op).attrs = self.dictionary()?;
            self.split_inherent(op);
        }
        Ok(())
    }

    fn push_prop(&mut self, props: &mut NamedAttrs, name: &str, value: Attr) {
        props.push((self.module.name(name), self.module.interners.attr(value)));
    }

    /// `public @name(%a: t {…} loc(…), …) -> (t {…}) attributes {…} { … }`.
    fn function(&mut self, op: OpId) -> Parsed<()> {
        let mut props: NamedAttrs = Vec::new();
        let visibility = ["public", "private", "nested"].into_iter().find(|word| self.at.eat(word));
        let symbol = self.symbol_name()?;
        self.push_prop(&mut props, "sym_name", Attr::String(symbol));
        let (mut arguments, mut inputs, mut argument_attrs) = (Vec::new(), Vec::new(), Vec::new());
        self.expect("(")?;
        self.separated(")", |parser| {
            let named = if parser.at.peek() == b'%' { Some(parser.value_name()?) } else { None };
            if named.is_some() {
                parser.expect(":")?;
            }
            let ty = parser.ty()?;
            inputs.push(ty);
            argument_attrs.push(parser.dictionary_if_any()?);
            let loc = parser.location()?;
            arguments.extend(named.map(|(name, span)| Argument { name, span, ty, loc }));
            Ok(())
        })?;
        let (mut results, mut result_attrs) = (Vec::new(), Vec::new());
        if self.at.eat("->") {
            if self.at.eat("(") {
                self.separated(")", |parser| {
                    results.push(parser.ty()?);
                    result_attrs.push(parser.dictionary_if_any()?);
                    Ok(())
                })?;
            } else {
                results.push(self.ty()?);
            }
        }
        let function_type = self.module.interners.ty(Type::Function { inputs, results });
        self.push_prop(&mut props, "function_type", Attr::Type(function_type));
        if let Some(word) = visibility {
            self.push_prop(&mut props, "sym_visibility", Attr::String(word.to_owned()));
        }
        for (name, lists) in [("arg_attrs", argument_attrs), ("res_attrs", result_attrs)] {
            if let Some(lists) = self.module.interners.lists(&lists) {
                props.push((self.module.name(name), lists));
            }
        }
        let attrs = self.attributes_keyword()?;
        self.set_lists(op, props, attrs);
        self.module.op_mut(op).loc = self.location()?;
        if self.at.peek() == b'{' {
            let region = self.region(op, arguments)?;
            self.module.ensure_block(region);
        } else {
            self.module.new_region(op);
        }
        Ok(())
    }

    /// `%a = %init, …)` behind the opening parenthesis: names for block arguments, operands for the operation.
    fn assignments(&mut self, op: OpId) -> Parsed<Vec<(&'a str, Span)>> {
        let mut names = Vec::new();
        self.separated(")", |parser| {
            names.push(parser.value_name()?);
            parser.expect("=")?;
            parser.used_operand(op)
        })?;
        Ok(names)
    }

    /// The arguments of a loop's body, one for each of the operands from `first` on, which have these types.
    fn carried(
        &mut self,
        op: OpId,
        first: usize,
        names: Vec<(&'a str, Span)>,
        types: &[TypeId],
    ) -> Parsed<Vec<Argument<'a>>> {
        if names.len() != types.len() {
            return Err(self.at.error(format!("{} carried values, but {} types", names.len(), types.len())));
        }
        self.spell_all(op, first, types);
        Ok(names.into_iter().zip(types).map(|((name, span), &ty)| Argument { name, span, ty, loc: None }).collect())
    }

    /// Compares the types that the text spells for operands from `first` on with those of the values.
    fn spell_all(&mut self, op: OpId, first: usize, types: &[TypeId]) {
        for (index, &ty) in types.iter().enumerate() {
            self.spell(op, first + index, ty);
        }
    }

    /// `unsigned? %i = %lower to %upper step %step iter_args(%a = %x) -> (t) : t { … } {…}`.
    fn for_loop(&mut self, op: OpId) -> Parsed<()> {
        let mut props = Vec::new();
        if self.at.eat("unsigned") {
            self.push_prop(&mut props, "unsignedCmp", Attr::Unit);
        }
        let (name, span) = self.value_name()?;
        for keyword in ["=", "to", "step"] {
            self.expect(keyword)?;
            self.used_operand(op)?;
        }
        let (mut names, mut types) = (Vec::new(), Vec::new());
        if self.at.eat("iter_args") {
            self.expect("(")?;
            names = self.assignments(op)?;
            self.expect("->")?;
            types = self.result_types()?;
        }
        let ty = if self.at.eat(":") { self.ty()? } else { self.module.interners.ty(Type::Index) };
        self.spell_all(op, 0, &[ty; 3]);
        let mut arguments = vec![Argument { name, span, ty, loc: None }];
        arguments.extend(self.carried(op, 3, names, &types)?);
        let region = self.region(op, arguments)?;
        self.module.ensure_terminator(region, OpKind::ScfYield);
        self.set_lists(op, props, Vec::new());
        self.trailing_list(op)?;
        self.module.push_results(op, &types);
        Ok(())
    }

    /// `%condition -> (t) { … } else { … } {…}`.
    fn if_else(&mut self, op: OpId) -> Parsed<()> {
        self.used_operand(op)?;
        let bool_type = self.module.interners.integer("i1");
        self.spell(op, 0, bool_type);
        let types = if self.at.eat("->") { self.result_types()? } else { Vec::new() };
        for is_then in [true, false] {
            if is_then || self.at.eat("else") {
                let region = self.region(op, Vec::new())?;
                self.module.ensure_terminator(region, OpKind::ScfYield);
            } else {
                self.module.new_region(op);
            }
        }
        self.trailing_list(op)?;
        self.module.push_results(op, &types);
        Ok(())
    }

    /// `(%a = %x, …) : (t) -> t { … } do { ^bb0(%b: t): … } attributes {…}`.
    fn while_loop(&mut self, op: OpId) -> Parsed<()> {
        let names = if self.at.eat("(") { self.assignments(op)? } else { Vec::new() };
        self.expect(":")?;
        let inputs = self.type_list_in_parentheses()?;
        self.expect("->")?;
        let results = self.result_types()?;
        let arguments = self.carried(op, 0, names, &inputs)?;
        self.region(op, arguments)?;
        self.expect("do")?;
        self.region(op, Vec::new())?;
        let attrs = self.attributes_keyword()?;
        self.set_lists(op, Vec::new(), attrs);
        self.module.push_results(op, &results);
        Ok(())
    }

    /// `%c, %a, %b {…} : (condition type,)? type`.
    fn select(&mut self, op: OpId) -> Parsed<()> {
        for index in 0..3 {
            if index > 0 {
                self.expect(",")?;
            }
            self.used_operand(op)?;
        }
        self.trailing_list(op)?;
        self.expect(":")?;
        let first = self.ty()?;
        let (condition, ty) =
            if self.at.eat(",") { (first, self.ty()?) } else { (self.module.interners.integer("i1"), first) };
        self.spell_all(op, 0, &[condition, ty, ty]);
        self.module.push_results(op, &[ty]);
        Ok(())
    }

    /// `(%a, …) attributes {…} default { … } partition0(%b: t) num_warps(4) { … } : (t) -> t`. The partitions are the
    /// regions of a second operation inside, `warp_specialize.partitions`, as MLIR holds them; their number of warps is
    /// the attribute `partitionNumWarps`.
    fn warp_specialize(&mut self, op: OpId) -> Parsed<()> {
        self.expect("(")?;
        self.separated(")", |parser| parser.used_operand(op))?;
        let attrs = self.attributes_keyword()?;
        self.expect("default")?;
        self.region(op, Vec::new())?;
        let holder_region = self.module.new_region(op);
        let holder_block = self.module.new_block(holder_region);
        let name = self.module.op_name(op).to_owned() + ".partitions";
        let name = self.module.name(&name);
        let holder = self.module.new_op(name);
        self.module.insert(holder, holder_block, 0);
        let mut warps = Vec::new();
        while self.at.peek() == b'p' {
            self.at.run(is_suffix);
            self.expect("(")?;
            let arguments = self.block_arguments()?;
            self.expect("num_warps")?;
            self.expect("(")?;
            warps.push(self.at.word().to_owned());
            self.expect(")")?;
            self.region(holder, arguments)?;
        }
        self.expect(":")?;
        let inputs = self.type_list_in_parentheses()?;
        self.expect("->")?;
        let results = self.result_types()?;
        self.spell_all(op, 0, &inputs);
        let mut props = Vec::new();
        let element = self.module.name("i32");
        self.push_prop(&mut props, "partitionNumWarps", Attr::DenseArray(element, warps));
        self.set_lists(op, props, attrs);
        self.module.push_results(op, &results);
        Ok(())
    }
}

impl super::Module {
    /// A block for a region that the text leaves empty but the operation must have.
    pub(super) fn ensure_block(&mut self, region: RegionId) {
        if self.region(region).blocks.is_empty() {
            self.new_block(region);
        }
    }

    /// The terminator that the custom form leaves out where it carries nothing.
    fn ensure_terminator(&mut self, region: RegionId, kind: OpKind) {
        self.ensure_block(region);
        let Some(&block) = self.region(region).blocks.last() else { return };
        let last = self.block(block).ops.last().copied();
        if last.is_some_and(|op| self.has(op, Trait::Terminator)) {
            return;
        }
        let name = self.name(kind.name());
        let op = self.new_op(name);
        self.op_mut(op).syntax = Syntax::Custom(0);
        self.insert(op, block, usize::MAX);
    }
}
