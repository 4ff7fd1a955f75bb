//! Custom forms that no declarative assembly format can say: functions, modules, loops, branches with regions, constants.

use super::super::intern::{Attr, Type};
use super::super::ods::OpKind;
use super::super::{AttrsId, OpId, RegionId, ValueId};
use super::Printer;
use std::fmt::Write;

impl Printer<'_> {
    /// An operation whose definition says `hasCustomAssemblyFormat`. False if its custom form cannot say it.
    pub(super) fn special(&mut self, op: OpId) -> bool {
        match self.module.kind(op) {
            OpKind::BuiltinModule => self.module_form(op),
            OpKind::TtFunc | OpKind::FuncFunc => self.function(op),
            OpKind::ScfFor => self.for_loop(op),
            OpKind::ScfIf => self.if_else(op),
            OpKind::ScfWhile => self.while_loop(op),
            OpKind::ArithConstant => self.constant(op),
            OpKind::ArithSelect => self.select(op),
            OpKind::TtgWarpSpecialize => self.warp_specialize(op),
            _ => false,
        }
    }

    fn list(&mut self, op: OpId, before: &str) {
        let attrs = self.module.op(op).attrs;
        if attrs != AttrsId::EMPTY {
            self.out.push_str(before);
            self.dictionary(attrs);
        }
    }

    fn text_attribute(&self, op: OpId, name: &str) -> Option<&str> {
        match self.module.interners.attr_data(self.module.attribute(op, name)?) {
            Attr::String(text) => Some(text),
            _ => None,
        }
    }

    fn module_form(&mut self, op: OpId) -> bool {
        let &[region] = self.module.op(op).regions.as_slice() else { return false };
        if let Some(symbol) = self.text_attribute(op, "sym_name") {
            let symbol = format!(" {}", at(symbol));
            self.out.push_str(&symbol);
        }
        self.list(op, " attributes ");
        self.out.push(' ');
        self.region(region, true, false);
        true
    }

    fn function(&mut self, op: OpId) -> bool {
        let module = self.module;
        let &[region] = module.op(op).regions.as_slice() else { return false };
        if self.has_unlabelled_gap(region) {
            return false;
        }
        let Some(symbol) = self.text_attribute(op, "sym_name").map(str::to_owned) else { return false };
        let Some(Attr::Type(ty)) = module.attribute(op, "function_type").map(|a| module.interners.attr_data(a)) else {
            return false;
        };
        let Type::Function { inputs, results } = module.interners.type_data(*ty) else { return false };
        let lists = |name: &str| -> Vec<AttrsId> {
            match module.attribute(op, name).map(|a| module.interners.attr_data(a)) {
                Some(Attr::Array(items)) => items
                    .iter()
                    .map(|&item| match module.interners.attr_data(item) {
                        Attr::Dict(list) => *list,
                        _ => AttrsId::EMPTY,
                    })
                    .collect(),
                _ => Vec::new(),
            }
        };
        if let Some(visibility) = self.text_attribute(op, "sym_visibility") {
            if !matches!(visibility, "public" | "private" | "nested") {
                return false;
            }
            let visibility = format!(" {visibility}");
            self.out.push_str(&visibility);
        }
        let _ = write!(self.out, " {}(", at(&symbol));
        let entry = module.region(region).blocks.first();
        let arguments = entry.map_or(&[][..], |&block| &module.block(block).arguments[..]);
        if entry.is_some() && arguments.len() != inputs.len() {
            return false;
        }
        let argument_attrs = lists("arg_attrs");
        for (index, &ty) in inputs.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            if let Some(&argument) = arguments.get(index) {
                self.value(argument);
                self.out.push_str(": ");
            }
            self.ty(ty);
            self.list_if_any(argument_attrs.get(index));
            self.location_of(arguments.get(index).and_then(|&a| module.value(a).loc));
        }
        self.out.push(')');
        let result_attrs = lists("res_attrs");
        if !results.is_empty() {
            self.out.push_str(" -> ");
            let bare = results.len() == 1 && result_attrs.iter().all(|&list| list == AttrsId::EMPTY);
            if bare {
                self.results(results);
            } else {
                self.out.push('(');
                for (index, &ty) in results.iter().enumerate() {
                    if index > 0 {
                        self.out.push_str(", ");
                    }
                    self.ty(ty);
                    self.list_if_any(result_attrs.get(index));
                }
                self.out.push(')');
            }
        }
        self.list(op, " attributes ");
        if entry.is_some() {
            self.out.push(' ');
            self.region(region, false, false);
        }
        true
    }

    /// Whether the entry block of a region has no operation and another block follows. Where the arguments of the entry are
    /// part of the operation's form it has no label, so the custom form cannot say that.
    fn has_unlabelled_gap(&self, region: RegionId) -> bool {
        let blocks = &self.module.region(region).blocks;
        blocks.len() > 1 && self.module.block(blocks[0]).ops.is_empty()
    }

    fn list_if_any(&mut self, list: Option<&AttrsId>) {
        if let Some(&list) = list.filter(|&&list| list != AttrsId::EMPTY) {
            self.out.push(' ');
            self.dictionary(list);
        }
    }

    fn assignments(&mut self, names: &[ValueId], operands: &[ValueId]) {
        let pairs: Vec<_> = names.iter().copied().zip(operands.iter().copied()).collect();
        self.out.push('(');
        self.separated(&pairs, |printer, (name, operand)| {
            printer.value(name);
            printer.out.push_str(" = ");
            printer.value(operand);
        });
        self.out.push(')');
    }

    fn for_loop(&mut self, op: OpId) -> bool {
        let module = self.module;
        let record = module.op(op);
        let &[region] = record.regions.as_slice() else { return false };
        let Some(&body) = module.region(region).blocks.first() else { return false };
        let arguments = &module.block(body).arguments;
        if record.operands.len() < 3
            || arguments.len() + 2 != record.operands.len()
            || module.region(region).blocks.len() != 1
            || module.terminator(body).is_none()
        {
            return false;
        }
        if module.attribute(op, "unsignedCmp").is_some() {
            self.out.push_str(" unsigned");
        }
        for (before, value) in [" ", " = ", " to ", " step "].into_iter().zip([
            arguments[0],
            record.operands[0],
            record.operands[1],
            record.operands[2],
        ]) {
            self.out.push_str(before);
            self.value(value);
        }
        let types = self.types_of(&record.results);
        if !types.is_empty() {
            self.out.push_str(" iter_args");
            self.assignments(&arguments[1..], &record.operands[3..]);
            self.out.push_str(" -> ");
            self.type_list(&types);
        }
        let bound = module.value(arguments[0]).ty;
        if !matches!(module.interners.type_data(bound), Type::Index) {
            self.out.push_str(" : ");
            self.ty(bound);
        }
        self.out.push(' ');
        self.region(region, false, types.is_empty());
        self.list(op, " ");
        true
    }

    fn if_else(&mut self, op: OpId) -> bool {
        let module = self.module;
        let record = module.op(op);
        let (&[then, otherwise], &[condition]) = (record.regions.as_slice(), record.operands.as_slice()) else {
            return false;
        };
        // The custom form cannot say that there is no block, and adds a terminator where it sees none.
        let unfinished =
            |region: RegionId| module.region(region).blocks.iter().any(|&block| module.terminator(block).is_none());
        if module.region(then).blocks.is_empty() || unfinished(then) || unfinished(otherwise) {
            return false;
        }
        self.out.push(' ');
        self.value(condition);
        let types = self.types_of(&record.results);
        if !types.is_empty() {
            self.out.push_str(" -> ");
            self.type_list(&types);
        }
        self.out.push(' ');
        self.region(then, true, types.is_empty());
        if !module.region(otherwise).blocks.is_empty() {
            self.out.push_str(" else ");
            self.region(otherwise, true, types.is_empty());
        }
        self.list(op, " ");
        true
    }

    fn while_loop(&mut self, op: OpId) -> bool {
        let module = self.module;
        let record = module.op(op);
        let &[before, after] = record.regions.as_slice() else { return false };
        let Some(&entry) = module.region(before).blocks.first() else { return false };
        let arguments = &module.block(entry).arguments;
        if arguments.len() != record.operands.len()
            || module.region(after).blocks.is_empty()
            || self.has_unlabelled_gap(before)
        {
            return false;
        }
        if !arguments.is_empty() {
            self.out.push(' ');
            self.assignments(arguments, &record.operands);
        }
        self.out.push_str(" : ");
        let (inputs, results) = (self.types_of(&record.operands), self.types_of(&record.results));
        self.type_list(&inputs);
        self.out.push_str(" -> ");
        self.results(&results);
        self.out.push(' ');
        self.region(before, false, false);
        self.out.push_str(" do ");
        self.region(after, true, false);
        self.list(op, " attributes ");
        true
    }

    fn constant(&mut self, op: OpId) -> bool {
        let Some(value) = self.module.attribute(op, "value") else { return false };
        self.list(op, " ");
        self.out.push(' ');
        match self.module.interners.attr_data(value) {
            Attr::Integer(digits, ty) if self.module.interners.is_bool(*ty) => {
                self.out.push_str(if digits.trim_start_matches('-') == "0" { "false" } else { "true" });
            }
            _ => self.attr(value),
        }
        true
    }

    fn select(&mut self, op: OpId) -> bool {
        let record = self.module.op(op);
        let &[condition, first, _] = record.operands.as_slice() else { return false };
        self.out.push(' ');
        self.separated(&record.operands, Self::value);
        self.list(op, " ");
        self.out.push_str(" : ");
        let condition = self.module.value(condition).ty;
        if !self.module.interners.is_bool(condition) {
            self.ty(condition);
            self.out.push_str(", ");
        }
        self.ty(self.module.value(first).ty);
        true
    }

    fn warp_specialize(&mut self, op: OpId) -> bool {
        let module = self.module;
        let record = module.op(op);
        let &[default, holder] = record.regions.as_slice() else { return false };
        let holder = module.region(holder).blocks.first().and_then(|&block| module.block(block).ops.first().copied());
        let (Some(holder), Some(warps)) = (holder, module.attribute(op, "partitionNumWarps")) else { return false };
        let Attr::DenseArray(_, warps) = module.interners.attr_data(warps) else { return false };
        self.out.push('(');
        self.separated(&record.operands, Self::value);
        self.out.push(')');
        self.list(op, " attributes ");
        self.line();
        self.out.push_str("default ");
        self.region(default, true, false);
        let partitions = &module.op(holder).regions;
        if partitions.len() != warps.len() || partitions.iter().any(|&region| self.has_unlabelled_gap(region)) {
            return false;
        }
        for (index, (&region, warps)) in partitions.iter().zip(warps).enumerate() {
            self.line();
            let _ = write!(self.out, "partition{index}(");
            if let Some(&entry) = module.region(region).blocks.first() {
                self.separated(&module.block(entry).arguments, Self::argument);
            }
            let _ = write!(self.out, ") num_warps({warps}) ");
            self.region(region, false, false);
        }
        self.out.push_str(" : ");
        let (inputs, results) = (self.types_of(&record.operands), self.types_of(&record.results));
        self.type_list(&inputs);
        self.out.push_str(" -> ");
        self.results(&results);
        true
    }
}

/// A symbol's name behind its sigil, in quotes where MLIR wants them.
fn at(name: &str) -> String {
    let is_bare = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_$.".contains(c));
    if is_bare || name.contains("::") { format!("@{name}") } else { format!("@\"{name}\"") }
}
