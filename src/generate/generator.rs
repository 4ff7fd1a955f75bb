//! The generator draws statements over a scope of values and makes sure that every value is used.
//!
//! A scope belongs to a frame of the builder and holds what patterns may use: values, axes (indices with their bounds),
//! tiles of pointers. A pattern gets its operands from [`Generator::want`], which finds a value or makes one, and publishes
//! its results with [`Generator::keep`]. Closing a scope stores its unused values, so that no pass can drop them.

use super::assign_layouts::assign_layouts;
use super::builder::{Builder, Suspended};
use super::choice::Choice;
use super::config::Config;
use super::memory::{Axis, Tile};
use super::settings::{GeneratorSettings, IrLevel};
use super::value::{Number, Scalar, Ty, Val};
use super::{Generated, Pattern};
use crate::ir::OpKind;
use arbitrary::Unstructured;
use std::collections::BTreeMap;
use strum::VariantArray;

/// Arguments that a kernel may have; real ones have up to a few dozen.
const MOST_ARGUMENTS: usize = 24;

#[derive(Debug, Default)]
pub(super) struct ValueScope {
    pub values: Vec<Val>,
    pub axes: Vec<Axis>,
    pub tiles: Vec<Tile>,
    pub induction: Option<Val>,
}

/// A device function that can be called.
#[derive(Debug, Clone)]
pub(super) struct Device {
    pub symbol: String,
    pub inputs: Vec<Ty>,
    pub results: Vec<Ty>,
}

/// A kernel under construction.
pub(super) struct Generator<'a, 'u> {
    pub b: Builder,
    pub c: Choice<'a, 'u>,
    pub config: Config,
    pub settings: &'a GeneratorSettings,
    pub scopes: Vec<ValueScope>,
    /// Arguments of the current function.
    pub arguments: Vec<Val>,
    pub devices: Vec<Device>,
    /// Whether the current function is a device function: it returns values and is kept simple.
    pub in_device: bool,
    patterns: Vec<Pattern>,
}

/// The state of a function whose construction is suspended while another one is built.
pub(super) struct SuspendedFunction {
    body: Suspended,
    scopes: Vec<ValueScope>,
    arguments: Vec<Val>,
    in_device: bool,
}

pub(super) fn kernel(settings: &GeneratorSettings, bytes: &mut Unstructured<'_>) -> Generated {
    let mut choice = Choice::new(bytes);
    let config = Config::draw(&mut choice, settings);
    let mut builder = Builder::new();
    builder.hoist = config.hoist;
    let mut generator = Generator {
        b: builder,
        c: choice,
        config,
        settings,
        scopes: Vec::new(),
        arguments: Vec::new(),
        devices: Vec::new(),
        in_device: false,
        patterns: Vec::new(),
    };
    let suspended = generator.begin_function("kernel", true, false);
    generator.statements(generator.config.statements);
    generator.close();
    if generator.b.is_pristine() {
        // Nothing was drawn: an empty kernel tests nothing.
        let value = generator.b.constant(&Ty::scalar(Scalar::F32), Number::ZERO);
        generator.store(&value);
    }
    generator.end_function(&[], suspended);
    generator.finish()
}

impl Generator<'_, '_> {
    fn finish(self) -> Generated {
        let mut operations = BTreeMap::new();
        // Operands that a pattern did not use after all are dead code; the front end's clean-up leaves none.
        let mut module = self.b.module;
        module.erase_dead();
        let (warps, stages) = (self.config.warps, self.config.stages);
        if self.settings.level == IrLevel::Ttgir {
            let mut choice = self.c;
            assign_layouts(&mut module, &mut choice, self.settings, warps);
        }
        let module = module.compact();
        for op in module.walk() {
            *operations.entry(module.op_name(op).to_owned()).or_insert(0) += 1;
        }
        Generated { module, patterns: self.patterns, operations, warps, stages }
    }

    // Functions and scopes.

    pub fn begin_function(&mut self, symbol: &str, public: bool, noinline: bool) -> SuspendedFunction {
        SuspendedFunction {
            body: self.b.begin_function(symbol, public, noinline),
            scopes: std::mem::replace(&mut self.scopes, vec![ValueScope::default()]),
            arguments: std::mem::take(&mut self.arguments),
            in_device: std::mem::replace(&mut self.in_device, !public),
        }
    }

    pub fn end_function(&mut self, returned: &[Val], suspended: SuspendedFunction) {
        self.b.end_function(returned, suspended.body);
        self.scopes = suspended.scopes;
        self.arguments = suspended.arguments;
        self.in_device = suspended.in_device;
    }

    pub fn open(&mut self, induction: Option<Val>) {
        self.scopes.push(ValueScope { induction, ..ValueScope::default() });
    }

    /// Leaves a scope, after [`Generator::close`] where it may have unused values.
    pub fn shut(&mut self) {
        self.scopes.pop();
    }

    pub fn scope(&mut self) -> &mut ValueScope {
        if self.scopes.is_empty() {
            self.scopes.push(ValueScope::default());
        }
        let last = self.scopes.len() - 1;
        &mut self.scopes[last]
    }

    /// Makes a value visible to other patterns.
    pub fn keep(&mut self, value: &Val) {
        let values = &mut self.scope().values;
        if !values.contains(value) {
            values.push(value.clone());
        }
    }

    /// Up to a dozen visible values that satisfy a condition, newest first.
    pub fn visible(&self, wanted: impl Fn(&Ty) -> bool) -> Vec<Val> {
        let all = self.scopes.iter().rev().flat_map(|scope| scope.values.iter().rev());
        all.filter(|value| wanted(&value.ty)).take(12).cloned().collect()
    }

    /// One of the visible values, preferably an unused one.
    pub fn choose(&mut self, wanted: impl Fn(&Ty) -> bool) -> Option<Val> {
        let all = self.visible(wanted);
        let unused: Vec<Val> = all.iter().filter(|value| self.b.uses(value) == 0).cloned().collect();
        if !unused.is_empty() && self.c.chance(60) {
            return self.c.pick(&unused);
        }
        self.c.pick(&all)
    }

    /// Whether the bytes or the operations of the settings are used up.
    pub fn is_full(&self) -> bool {
        self.c.is_over() || self.b.op_count() >= self.settings.operations
    }

    // Statements.

    pub fn statements(&mut self, count: u32) {
        for _ in 0..count {
            if self.is_full() {
                return;
            }
            self.statement();
        }
    }

    fn statement(&mut self) {
        let deep = self.scopes.len() > self.config.depth;
        let top = self.b.at_top();
        let device = self.in_device;
        let weights: Vec<u32> = Pattern::VARIANTS
            .iter()
            .zip(&self.config.weights)
            .map(|(pattern, &weight)| match pattern {
                Pattern::Loop | Pattern::While | Pattern::Branch | Pattern::SoftmaxCarry if deep => 0,
                Pattern::Flag | Pattern::MaskReuse | Pattern::Matmul if deep => 0,
                Pattern::Exit if !top || device => 0,
                Pattern::Call | Pattern::MaskReuse if device => 0,
                _ => weight,
            })
            .collect();
        let pattern = self.c.weighted(&weights).and_then(|index| Pattern::VARIANTS.get(index).copied());
        self.draw(pattern.unwrap_or(Pattern::Elementwise));
    }

    /// Whether the settings allow a pattern.
    pub fn may_draw(&self, pattern: Pattern) -> bool {
        self.settings.patterns.is_empty() || self.settings.patterns.contains(&pattern)
    }

    pub fn draw(&mut self, pattern: Pattern) {
        self.patterns.push(pattern);
        match pattern {
            Pattern::Elementwise => self.elementwise(),
            Pattern::Loop => self.counted_loop(),
            Pattern::While => self.while_loop(),
            Pattern::Branch => self.branch(),
            Pattern::Flag => self.flag_reuse(),
            Pattern::Exit => self.exit(),
            Pattern::MaskReuse => self.mask_reuse(),
            Pattern::SoftmaxCarry => self.softmax_carry(),
            Pattern::Matmul => self.matmul(),
            Pattern::Reduction => self.reduction(),
            Pattern::Scan => self.scan(),
            Pattern::Shape => self.shape_change(),
            Pattern::Gather => self.gather(),
            Pattern::Atomic => self.atomic(),
            Pattern::Call => self.call(),
            Pattern::Descriptor => self.descriptor(),
        }
    }

    // Values on demand.

    /// An argument of the kernel: an existing one, or a new one.
    pub fn argument(&mut self, ty: &Ty) -> Val {
        let there: Vec<Val> = self.arguments.iter().filter(|value| value.ty == *ty).cloned().collect();
        if self.in_device && there.is_empty() {
            // A device function takes what it is called with.
            return self.b.constant(ty, Number::One);
        }
        let full = self.arguments.len() >= MOST_ARGUMENTS || self.in_device;
        if !there.is_empty() && (full || self.c.chance(55)) {
            return self.c.pick(&there).unwrap_or_else(|| there[0].clone());
        }
        let divisible = (ty.pointer || ty.is_integer()) && self.c.chance(self.config.divisible);
        match self.b.argument(ty, divisible) {
            Some(value) => {
                self.arguments.push(value.clone());
                value
            }
            None => self.b.constant(ty, Number::ZERO),
        }
    }

    /// An `i32`: an argument, a position in the grid or in a loop, a small constant.
    pub fn integer(&mut self) -> Val {
        let inductions: Vec<Val> = self.scopes.iter().filter_map(|scope| scope.induction.clone()).collect();
        if let Some(value) = inductions.last()
            && self.c.chance(30)
        {
            return value.clone();
        }
        match self.c.below(8) {
            0..3 => self.argument(&Ty::scalar(Scalar::I32)),
            3 | 4 => {
                let axis = self.c.below(3) as u32;
                self.b.program_id(axis)
            }
            5 => {
                let axis = self.c.below(2) as u32;
                self.b.num_programs(axis)
            }
            6 => match self.choose(|ty| *ty == Ty::scalar(Scalar::I32)) {
                Some(value) => value,
                None => self.argument(&Ty::scalar(Scalar::I32)),
            },
            _ => {
                let number = self.c.one_of(1, &[2, 3, 8, 16, 64]);
                self.b.i32(number)
            }
        }
    }

    /// A value of a type: a visible one, or a new one. `effort` bounds the depth of the new expression.
    pub fn want(&mut self, ty: &Ty, effort: u32) -> Val {
        if self.c.chance(75)
            && let Some(value) = self.choose(|other| other == ty)
        {
            return value;
        }
        if ty.is_mask() {
            return if ty.is_tensor() { self.want_mask(ty, effort) } else { self.condition() };
        }
        if !ty.is_tensor() {
            return self.want_scalar(ty, effort);
        }
        if effort == 0 || self.is_full() {
            let number = self.c.one_of(Number::One, &[Number::Two, Number::ZERO, Number::Half]);
            return self.b.constant(ty, number);
        }
        match self.c.below(8) {
            0..3 => self.load(ty),
            3 if ty.scalar != Scalar::F8E5M2 => {
                let scalar = self.want(&Ty::scalar(ty.scalar), effort - 1);
                self.b.splat(&scalar, &ty.shape)
            }
            4 if ty.rank() > 1 => self.want_broadcast(ty, effort - 1),
            5 => match self.choose(|other| other.shape == ty.shape && !other.pointer && other.scalar != ty.scalar) {
                Some(other) => self.b.convert(&other, ty.scalar),
                None => self.load(ty),
            },
            6 => {
                let base = self.want(ty, effort - 1);
                self.grow(&base)
            }
            _ => {
                let number = self.c.one_of(Number::One, &[Number::Half, Number::Two, Number::ZERO]);
                self.b.constant(ty, number)
            }
        }
    }

    fn want_scalar(&mut self, ty: &Ty, effort: u32) -> Val {
        if ty.is_integer() {
            let value = self.integer();
            return self.b.convert(&value, ty.scalar);
        }
        match self.c.below(5) {
            0 if ty.scalar.is_wide_float() => self.argument(ty),
            1 => {
                let number = self.integer();
                self.b.convert(&number, ty.scalar)
            }
            2 if ty.scalar == Scalar::F32 => self.argument(ty),
            3 if effort > 0 => {
                match self.choose(|other| other.rank() == 1 && other.scalar == ty.scalar && other.is_float()) {
                    Some(tensor) => {
                        let row = self.reduce_over(&tensor, 0);
                        self.b.convert(&row, ty.scalar)
                    }
                    None => self.load(ty),
                }
            }
            _ => self.load(ty),
        }
    }

    fn want_broadcast(&mut self, ty: &Ty, effort: u32) -> Val {
        let axis = self.c.below(ty.rank());
        let mut shape = ty.shape.clone();
        shape.remove(axis);
        let low = self.want(&ty.shaped(&shape), effort);
        let expanded = self.b.expand_dims(&low, axis);
        self.b.broadcast(&expanded, &ty.shape)
    }

    /// An `i1` to branch on.
    pub fn condition(&mut self) -> Val {
        if self.c.chance(60)
            && let Some(value) = self.choose(|ty| *ty == Ty::scalar(Scalar::I1))
        {
            return value;
        }
        let how = self.c.one_of(super::ops::Compare::Greater, &super::ops::Compare::ALL);
        let value = match self.c.below(6) {
            0 | 1 => {
                let (mode, number) = (self.argument(&Ty::scalar(Scalar::I32)), self.c.below(4));
                let number = self.b.i32(number as i64);
                self.b.compare(how, &mode, &number)
            }
            2 => {
                let (size, pid) = (self.size(), self.b.program_id(0));
                let size = self.b.i32(size.into());
                let start = self.b.mul(&pid, &size);
                let bound = self.argument(&Ty::scalar(Scalar::I32));
                self.b.compare(how, &start, &bound)
            }
            3 => {
                let number = self.integer();
                let two = self.b.i32(2);
                let rest = self.b.binary(OpKind::ArithRemsi, &number, &two);
                let zero = self.b.i32(0);
                self.b.compare(super::ops::Compare::Equal, &rest, &zero)
            }
            4 => {
                let loaded = self.load(&Ty::scalar(Scalar::I32));
                let number = self.c.one_of(-1, &[0, 1]);
                let number = self.b.i32(number);
                self.b.compare(how, &loaded, &number)
            }
            _ => {
                let a = self.want(&Ty::scalar(Scalar::F32), 1);
                let limit = self.b.constant(&Ty::scalar(Scalar::F32), Number::Half);
                self.b.compare(how, &a, &limit)
            }
        };
        self.keep(&value);
        value
    }

    // The end of a scope.

    /// Uses the unused values of the innermost scope: combines those of one type and stores the rest.
    pub fn close(&mut self) {
        let values = std::mem::take(&mut self.scope().values);
        let mut left: Vec<Val> = Vec::new();
        for value in values.iter().filter(|value| !value.ty.pointer) {
            if self.b.uses(value) > 0 {
                continue;
            }
            match left.iter_mut().find(|other| other.ty == value.ty) {
                Some(other) if self.c.chance(70) => {
                    *other = if value.ty.is_mask() {
                        self.b.binary(OpKind::ArithAndi, other, value)
                    } else if value.ty.scalar == Scalar::F8E5M2 {
                        let [a, b] = [&*other, value].map(|side| self.b.convert(side, Scalar::F32));
                        self.b.add(&a, &b)
                    } else {
                        self.b.add(other, value)
                    };
                }
                _ => left.push(value.clone()),
            }
        }
        for value in left {
            self.store(&value);
        }
        self.scope().values = values;
    }
}
