//! Custom forms that no declarative assembly format can say: functions, modules, loops, branches with regions, constants.

use super::super::intern::{Attr, NamedAttrs, Type};
use super::super::lex::{Parsed, is_suffix};
use super::super::ods::{Arity, OpKind, Trait};
use super::super::{AttrsId, OpId, Span, TypeId};
use super::{Argument, Parser};

impl<'a> Parser<'a> {
    /// The rest of an operation whose definition says `hasCustomAssemblyFormat`.
    pub(super) fn special(&mut self, op: OpId) -> Parsed<()> {
        match self.module.kind(op) {
            OpKind::BuiltinModule => self.module_form(op),
            OpKind::TtFunc | OpKind::FuncFunc => self.function(op),
            OpKind::ScfFor => self.for_loop(op),
            OpKind::ScfIf => self.if_else(op),
            OpKind::ScfWhile => self.while_loop(op),
            OpKind::ArithConstant => self.constant(op),
            OpKind::ArithSelect => self.select(op),
            OpKind::TtgWarpSpecialize => self.warp_specialize(op),
            other => Err(self.at.error(format!("no code reads the assembly format of `{}`", other.name()))),
        }
    }

    fn set_list(&mut self, op: OpId, list: AttrsId) {
        self.module.op_mut(op).attrs = list;
        self.split_inherent(op);
    }

    /// An attribute list after `attributes`, if it is there.
    fn attributes_keyword(&mut self) -> Parsed<NamedAttrs> {
        if !self.at.eat("attributes") {
            return Ok(Vec::new());
        }
        let list = self.dictionary()?;
        Ok(self.module.interners.attrs_data(list).clone())
    }

    /// `@name attributes {…} { … }`.
    fn module_form(&mut self, op: OpId) -> Parsed<()> {
        let mut props = Vec::new();
        if self.at.peek() == b'@' {
            let symbol = Attr::String(self.symbol_name()?);
            props.push((self.module.name("sym_name"), self.module.interners.attr(symbol)));
        }
        let attrs = self.attributes_keyword()?;
        let (props, attrs) = (self.module.interners.attrs(props), self.module.interners.attrs(attrs));
        self.module.op_mut(op).props = props;
        self.module.op_mut(op).attrs = attrs;
        let region = self.region(op, Vec::new())?;
        self.module.ensure_block(region);
        Ok(())
    }

    /// `public @name(%a: t {…} loc(…), …) -> (t {…}) attributes {…} { … }`.
    fn function(&mut self, op: OpId) -> Parsed<()> {
        let mut props: NamedAttrs = Vec::new();
        let visibility = ["public", "private", "nested"].into_iter().find(|word| self.at.eat(word));
        let symbol = Attr::String(self.symbol_name()?);
        props.push((self.module.name("sym_name"), self.module.interners.attr(symbol)));
        let (mut arguments, mut inputs, mut argument_attrs) = (Vec::new(), Vec::new(), Vec::new());
        self.expect("(")?;
        if !self.at.eat(")") {
            loop {
                let named = if self.at.peek() == b'%' { Some(self.value_name()?) } else { None };
                if named.is_some() {
                    self.expect(":")?;
                }
                let ty = self.ty()?;
                inputs.push(ty);
                argument_attrs.push(if self.at.peek() == b'{' { self.dictionary()? } else { AttrsId::EMPTY });
                let loc = self.location()?;
                if let Some((name, span)) = named {
                    arguments.push(Argument { name, span, ty, loc });
                }
                if !self.at.eat(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        let (mut results, mut result_attrs) = (Vec::new(), Vec::new());
        if self.at.eat("->") {
            if self.at.eat("(") {
                while !self.at.eat(")") {
                    results.push(self.ty()?);
                    result_attrs.push(if self.at.peek() == b'{' { self.dictionary()? } else { AttrsId::EMPTY });
                    if !self.at.eat(",") && !self.at.sees(")") {
                        return Err(self.at.error("expected `,` or `)` in the list of results"));
                    }
                }
            } else {
                results.push(self.ty()?);
            }
        }
        let interners = &mut self.module.interners;
        let function_type = interners.ty(Type::Function { inputs, results });
        let function_type = interners.attr(Attr::Type(function_type));
        props.push((self.module.name("function_type"), function_type));
        if let Some(word) = visibility {
            let word = self.module.interners.attr(Attr::String(word.to_owned()));
            props.push((self.module.name("sym_visibility"), word));
        }
        for (name, lists) in [("arg_attrs", argument_attrs), ("res_attrs", result_attrs)] {
            if lists.iter().any(|&list| list != AttrsId::EMPTY) {
                let lists = lists.into_iter().map(|list| self.module.interners.attr(Attr::Dict(list))).collect();
                let lists = self.module.interners.attr(Attr::Array(lists));
                props.push((self.module.name(name), lists));
            }
        }
        let attrs = self.attributes_keyword()?;
        let (props, attrs) = (self.module.interners.attrs(props), self.module.interners.attrs(attrs));
        self.module.op_mut(op).props = props;
        self.module.op_mut(op).attrs = attrs;
        self.module.op_mut(op).loc = self.location()?;
        if self.at.peek() == b'{' {
            let region = self.region(op, arguments)?;
            self.module.ensure_block(region);
        } else {
            self.module.new_region(op);
        }
        Ok(())
    }

    /// `%a = %init, …)` after `(`: names for block arguments, operands for the operation.
    fn assignments(&mut self, op: OpId) -> Parsed<Vec<(&'a str, Span)>> {
        let mut names = Vec::new();
        if self.at.eat(")") {
            return Ok(names);
        }
        loop {
            names.push(self.value_name()?);
            self.expect("=")?;
            let operand = self.operand()?;
            self.push_operand(op, operand);
            if !self.at.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(names)
    }

    fn arguments(&self, names: Vec<(&'a str, Span)>, types: &[TypeId]) -> Vec<Argument<'a>> {
        names.into_iter().zip(types).map(|((name, span), &ty)| Argument { name, span, ty, loc: None }).collect()
    }

    /// `unsigned? %i = %lower to %upper step %step iter_args(%a = %x) -> (t) : t { … } {…}`.
    fn for_loop(&mut self, op: OpId) -> Parsed<()> {
        let mut props = Vec::new();
        if self.at.eat("unsigned") {
            props.push((self.module.name("unsignedCmp"), self.module.interners.attr(Attr::Unit)));
        }
        let (induction, span) = self.value_name()?;
        self.expect("=")?;
        for keyword in [Some("to"), Some("step"), None] {
            let operand = self.operand()?;
            self.push_operand(op, operand);
            if let Some(keyword) = keyword {
                self.expect(keyword)?;
            }
        }
        let (mut names, mut types) = (Vec::new(), Vec::new());
        if self.at.eat("iter_args") {
            self.expect("(")?;
            names = self.assignments(op)?;
            self.expect("->")?;
            types = self.result_types()?;
            if names.len() != types.len() {
                return Err(self.at.error(format!("{} carried values, but {} types", names.len(), types.len())));
            }
        }
        let bound = if self.at.eat(":") { self.ty()? } else { self.module.interners.ty(Type::Index) };
        for index in 0..3 {
            self.spell(op, index, bound);
        }
        for (index, &ty) in types.iter().enumerate() {
            self.spell(op, 3 + index, ty);
        }
        let mut arguments = vec![Argument { name: induction, span, ty: bound, loc: None }];
        arguments.extend(self.arguments(names, &types));
        let region = self.region(op, arguments)?;
        self.module.ensure_terminator(region, OpKind::ScfYield);
        let props = self.module.interners.attrs(props);
        self.module.op_mut(op).props = props;
        self.trailing_list(op)?;
        self.push_results(op, &types);
        Ok(())
    }

    /// `{…}` at the end of an operation.
    fn trailing_list(&mut self, op: OpId) -> Parsed<()> {
        if self.at.peek() == b'{' && self.list_is_next() {
            let list = self.dictionary()?;
            if self.module.op(op).props == AttrsId::EMPTY {
                self.set_list(op, list);
            } else {
                self.module.op_mut(op).attrs = list;
            }
        }
        Ok(())
    }

    /// `%condition -> (t) { … } else { … } {…}`.
    fn if_else(&mut self, op: OpId) -> Parsed<()> {
        let operand = self.operand()?;
        self.push_operand(op, operand);
        let bool_type = self.module.interners.integer("i1");
        self.spell(op, 0, bool_type);
        let types = if self.at.eat("->") { self.result_types()? } else { Vec::new() };
        let then = self.region(op, Vec::new())?;
        self.module.ensure_terminator(then, OpKind::ScfYield);
        if self.at.eat("else") {
            let otherwise = self.region(op, Vec::new())?;
            self.module.ensure_terminator(otherwise, OpKind::ScfYield);
        } else {
            self.module.new_region(op);
        }
        self.trailing_list(op)?;
        self.push_results(op, &types);
        Ok(())
    }

    /// `(%a = %x, …) : (t) -> t { … } do { ^bb0(%b: t): … } attributes {…}`.
    fn while_loop(&mut self, op: OpId) -> Parsed<()> {
        let names = if self.at.eat("(") { self.assignments(op)? } else { Vec::new() };
        self.expect(":")?;
        let inputs = self.type_list_in_parentheses()?;
        self.expect("->")?;
        let results = self.result_types()?;
        if names.len() != inputs.len() {
            return Err(self.at.error(format!("{} carried values, but {} types", names.len(), inputs.len())));
        }
        for (index, &ty) in inputs.iter().enumerate() {
            self.spell(op, index, ty);
        }
        let arguments = self.arguments(names, &inputs);
        self.region(op, arguments)?;
        self.expect("do")?;
        self.region(op, Vec::new())?;
        let attrs = self.attributes_keyword()?;
        let attrs = self.module.interners.attrs(attrs);
        self.module.op_mut(op).attrs = attrs;
        self.push_results(op, &results);
        Ok(())
    }

    /// `{…} value`.
    fn constant(&mut self, op: OpId) -> Parsed<()> {
        if self.at.peek() == b'{' && self.list_is_next() {
            let list = self.dictionary()?;
            self.module.op_mut(op).attrs = list;
        }
        let value = self.attr()?;
        let ty = match *self.module.interners.attr_data(value) {
            Attr::Integer(_, ty) | Attr::Float(_, ty) | Attr::Dense(_, _, ty) => ty,
            Attr::Bool(_) => self.module.interners.integer("i1"),
            _ if self.at.eat(":") => self.ty()?,
            _ => TypeId::UNKNOWN,
        };
        let props = vec![(self.module.name("value"), value)];
        let props = self.module.interners.attrs(props);
        self.module.op_mut(op).props = props;
        self.push_results(op, &[ty]);
        Ok(())
    }

    /// `%c, %a, %b {…} : (condition type,)? type`.
    fn select(&mut self, op: OpId) -> Parsed<()> {
        for index in 0..3 {
            if index > 0 {
                self.expect(",")?;
            }
            let operand = self.operand()?;
            self.push_operand(op, operand);
        }
        if self.at.peek() == b'{' {
            let list = self.dictionary()?;
            self.set_list(op, list);
        }
        self.expect(":")?;
        let first = self.ty()?;
        let (condition, ty) =
            if self.at.eat(",") { (first, self.ty()?) } else { (self.module.interners.integer("i1"), first) };
        for (index, ty) in [condition, ty, ty].into_iter().enumerate() {
            self.spell(op, index, ty);
        }
        self.push_results(op, &[ty]);
        Ok(())
    }

    /// `(%a, …) attributes {…} default { … } partition0(%b: t) num_warps(4) { … } : (t) -> t`. The partitions are the
    /// regions of a second operation inside, `warp_specialize.partitions`, as MLIR holds them; their number of warps is
    /// the attribute `partitionNumWarps`.
    fn warp_specialize(&mut self, op: OpId) -> Parsed<()> {
        let mut captures = smallvec::SmallVec::new();
        self.expect("(")?;
        self.operand_group(Arity::Variadic, &mut captures)?;
        self.expect(")")?;
        let attrs = self.attributes_keyword()?;
        let attrs = self.module.interners.attrs(attrs);
        self.expect("default")?;
        self.region(op, Vec::new())?;
        let holder_region = self.module.new_region(op);
        let holder_block = self.module.new_block(holder_region);
        let partitions = self.module.op_name(op).to_owned() + ".partitions";
        let name = self.module.name(&partitions);
        let holder = self.module.new_op(name);
        self.module.op_mut(holder).parent = Some(holder_block);
        self.module.block_mut(holder_block).ops.push(holder);
        let mut warps = Vec::new();
        while self.at.peek() == b'p' {
            self.at.run(is_suffix);
            self.expect("(")?;
            let mut arguments = Vec::new();
            while !self.at.eat(")") {
                let (name, span) = self.value_name()?;
                self.expect(":")?;
                let ty = self.ty()?;
                let loc = self.location()?;
                arguments.push(Argument { name, span, ty, loc });
                if !self.at.eat(",") && !self.at.sees(")") {
                    return Err(self.at.error("expected `,` or `)` in the list of a partition's arguments"));
                }
            }
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
        for (operand, ty) in captures.into_iter().zip(inputs) {
            self.push_operand(op, operand);
            let index = self.module.op(op).operands.len() - 1;
            self.spell(op, index, ty);
        }
        let element = self.module.interners.name("i32");
        let warps = self.module.interners.attr(Attr::DenseArray(element, warps));
        let props = vec![(self.module.name("partitionNumWarps"), warps)];
        let props = self.module.interners.attrs(props);
        self.module.op_mut(op).props = props;
        self.module.op_mut(op).attrs = attrs;
        self.push_results(op, &results);
        Ok(())
    }
}

impl super::Module {
    /// A block for a region that the text leaves empty but the operation must have.
    pub(super) fn ensure_block(&mut self, region: super::RegionId) {
        if self.region(region).blocks.is_empty() {
            self.new_block(region);
        }
    }

    /// The terminator that the custom form leaves out where it carries nothing.
    pub(super) fn ensure_terminator(&mut self, region: super::RegionId, kind: OpKind) {
        self.ensure_block(region);
        let Some(&block) = self.region(region).blocks.last() else { return };
        let last = self.block(block).ops.last().copied();
        if last.is_some_and(|op| self.has(op, Trait::Terminator)) {
            return;
        }
        let name = self.name(kind.name());
        let op = self.new_op(name);
        self.op_mut(op).parent = Some(block);
        self.op_mut(op).syntax = super::Syntax::Custom(0);
        self.block_mut(block).ops.push(op);
    }
}
