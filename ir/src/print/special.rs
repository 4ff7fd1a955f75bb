//! Custom forms that no declarative assembly format can say: functions, loops, branches with regions.

use super::super::intern::{Attr, Type};
use super::super::ods::OpKind;
use super::super::{AttrsId, OpId, RegionId, TypeId, ValueId};
use super::Printer;
use std::fmt::Write;

impl Printer<'_> {
    /// An operation whose definition says `hasCustomAssemblyFormat`. None if its custom form cannot say it.
    pub(super) fn special(&mut self, op: OpId) -> Option<()> {
        match self.module.kind(op) {
            OpKind::TtFunc | OpKind::FuncFunc => self.function(op),
            OpKind::ScfFor => self.for_loop(op),
            OpKind::ScfIf => self.if_else(op),
            OpKind::ScfWhile => self.while_loop(op),
            OpKind::ArithSelect => self.select(op),
            OpKind::TtgWarpSpecialize => self.warp_specialize(op),
            _ => None,
        }
    }

    /// An attribute list that is not empty, behind that text.
    fn list(&mut self, before: &str, list: AttrsId) {
        if list != AttrsId::EMPTY {
            self.out.push_str(before);
            self.dictionary(list);
        }
    }

    fn function(&mut self, op: OpId) -> Option<()> {
        let module = self.module;
        let &[region] = module.op(op).regions.as_slice() else { return None };
        self.is_labelled(region)?;
        let symbol = module.string(op, "sym_name")?;
        let (inputs, results) = module.function_signature(op)?;
        if let Some(visibility) = module.string(op, "sym_visibility") {
            if !matches!(visibility, "public" | "private" | "nested") {
                return None;
            }
            let _ = write!(self.out, " {visibility}");
        }
        let _ = write!(self.out, " {}(", at(symbol));
        let entry = module.region(region).blocks.first();
        let arguments = entry.map_or(&[][..], |&block| &module.block(block).arguments[..]);
        if entry.is_some() && arguments.len() != inputs.len() {
            return None;
        }
        let argument_attrs = module.attr_lists(op, "arg_attrs");
        let parts: Vec<_> = (0..inputs.len()).collect();
        self.separated(&parts, |printer, index| {
            let argument = arguments.get(index).copied();
            if let Some(argument) = argument {
                printer.value(argument);
                printer.out.push_str(": ");
            }
            printer.ty(inputs[index]);
            printer.list(" ", argument_attrs.get(index).copied().unwrap_or(AttrsId::EMPTY));
            printer.location_of(argument.and_then(|argument| module.value(argument).loc));
        });
        self.out.push(')');
        let mut result_attrs = module.attr_lists(op, "res_attrs");
        result_attrs.resize(results.len(), AttrsId::EMPTY);
        if !results.is_empty() {
            self.out.push_str(" -> ");
            if results.len() == 1 && result_attrs[0] == AttrsId::EMPTY {
                self.results(results);
            } else {
                let parts: Vec<_> = results.iter().copied().zip(result_attrs).collect();
                self.enclosed('(', &parts, ')', |printer, (ty, list)| {
                    printer.ty(ty);
                    printer.list(" ", list);
                });
            }
        }
        self.list(" attributes ", module.op(op).attrs);
        if entry.is_some() {
            self.out.push(' ');
            self.region(region, false, false);
        }
        Some(())
    }

    /// None if the entry block of a region has no operation and another block follows. Where the arguments of the entry are
    /// part of the operation's form it has no label, so the custom form cannot say that.
    fn is_labelled(&self, region: RegionId) -> Option<()> {
        let blocks = &self.module.region(region).blocks;
        (blocks.len() < 2 || !self.module.block(blocks[0]).ops.is_empty()).then_some(())
    }

    fn assignments(&mut self, names: &[ValueId], operands: &[ValueId]) {
        let pairs: Vec<_> = names.iter().copied().zip(operands.iter().copied()).collect();
        self.enclosed('(', &pairs, ')', |printer, (name, operand)| {
            printer.value(name);
            printer.out.push_str(" = ");
            printer.value(operand);
        });
    }

    /// ` -> (t, t)`, if there are any.
    fn carried_types(&mut self, types: &[TypeId]) {
        if !types.is_empty() {
            self.out.push_str(" -> ");
            self.type_list(types);
        }
    }

    fn for_loop(&mut self, op: OpId) -> Option<()> {
        let module = self.module;
        let record = module.op(op);
        let &[region] = record.regions.as_slice() else { return None };
        let &[body] = module.region(region).blocks.as_slice() else { return None };
        let (&induction, carried) = module.block(body).arguments.split_first()?;
        let (&[lower, upper, step], inits) = record.operands.split_first_chunk()?;
        module.terminator(body)?;
        if carried.len() != inits.len() {
            return None;
        }
        if module.attribute(op, "unsignedCmp").is_some() {
            self.out.push_str(" unsigned");
        }
        for (before, value) in [(" ", induction), (" = ", lower), (" to ", upper), (" step ", step)] {
            self.out.push_str(before);
            self.value(value);
        }
        let types = self.types_of(&record.results);
        if !types.is_empty() {
            self.out.push_str(" iter_args");
            self.assignments(carried, inits);
        }
        self.carried_types(&types);
        let bound = module.value(induction).ty;
        if !matches!(module.interners.type_data(bound), Type::Index) {
            self.out.push_str(" : ");
            self.ty(bound);
        }
        self.out.push(' ');
        self.region(region, false, types.is_empty());
        self.list(" ", record.attrs);
        Some(())
    }

    fn if_else(&mut self, op: OpId) -> Option<()> {
        let module = self.module;
        let record = module.op(op);
        let (&[then, otherwise], &[condition]) = (record.regions.as_slice(), record.operands.as_slice()) else {
            return None;
        };
        // The custom form cannot say that there is no block, and adds a terminator where it sees none.
        let unfinished =
            |region: RegionId| module.region(region).blocks.iter().any(|&block| module.terminator(block).is_none());
        if module.region(then).blocks.is_empty() || unfinished(then) || unfinished(otherwise) {
            return None;
        }
        self.out.push(' ');
        self.value(condition);
        let types = self.types_of(&record.results);
        self.carried_types(&types);
        for (before, region) in [(" ", then), (" else ", otherwise)] {
            if !module.region(region).blocks.is_empty() {
                self.out.push_str(before);
                self.region(region, true, types.is_empty());
            }
        }
        self.list(" ", record.attrs);
        Some(())
    }

    fn while_loop(&mut self, op: OpId) -> Option<()> {
        let module = self.module;
        let record = module.op(op);
        let &[before, after] = record.regions.as_slice() else { return None };
        let arguments = &module.block(*module.region(before).blocks.first()?).arguments;
        self.is_labelled(before)?;
        if arguments.len() != record.operands.len() || module.region(after).blocks.is_empty() {
            return None;
        }
        if !arguments.is_empty() {
            self.out.push(' ');
            self.assignments(arguments, &record.operands);
        }
        self.signature(op);
        self.out.push(' ');
        self.region(before, false, false);
        self.out.push_str(" do ");
        self.region(after, true, false);
        self.list(" attributes ", record.attrs);
        Some(())
    }

    fn select(&mut self, op: OpId) -> Option<()> {
        let record = self.module.op(op);
        let &[condition, first, _] = record.operands.as_slice() else { return None };
        self.out.push(' ');
        self.separated(&record.operands, Self::value);
        self.list(" ", record.attrs);
        self.out.push_str(" : ");
        let condition = self.module.value(condition).ty;
        if !self.module.interners.is_bool(condition) {
            self.ty(condition);
            self.out.push_str(", ");
        }
        self.ty(self.module.value(first).ty);
        Some(())
    }

    fn warp_specialize(&mut self, op: OpId) -> Option<()> {
        let module = self.module;
        let record = module.op(op);
        let &[default, holder] = record.regions.as_slice() else { return None };
        let &holder = module.block(*module.region(holder).blocks.first()?).ops.first()?;
        let partitions = &module.op(holder).regions;
        let warps = module.attribute(op, "partitionNumWarps")?;
        let Attr::DenseArray(_, warps) = module.interners.attr_data(warps) else { return None };
        self.enclosed('(', &record.operands, ')', Self::value);
        self.list(" attributes ", record.attrs);
        self.line();
        self.out.push_str("default ");
        self.region(default, true, false);
        if partitions.len() != warps.len() {
            return None;
        }
        for (index, (&region, warps)) in partitions.iter().zip(warps).enumerate() {
            self.is_labelled(region)?;
            self.line();
            let _ = write!(self.out, "partition{index}");
            let arguments =
                module.region(region).blocks.first().map_or(&[][..], |&entry| &module.block(entry).arguments);
            self.enclosed('(', arguments, ')', Self::argument);
            let _ = write!(self.out, " num_warps({warps}) ");
            self.region(region, false, false);
        }
        self.signature(op);
        Some(())
    }
}

/// A symbol's name behind its sigil, in quotes where MLIR wants them.
pub(super) fn at(name: &str) -> String {
    let is_bare = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_$.".contains(c));
    if is_bare || name.contains("::") { format!("@{name}") } else { format!("@\"{name}\"") }
}
