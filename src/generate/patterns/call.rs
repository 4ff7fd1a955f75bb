//! Calls of device functions that are not inlined: of scalars and tensors, with several results or none, with an early
//! return.

use crate::generate::generator::{Device, Generator};
use crate::generate::ops::Compare;
use crate::generate::value::{Scalar, Ty, Val};
use crate::ir::OpKind;

impl Generator<'_, '_> {
    /// The statement: a call of an existing or of a new function.
    pub fn call(&mut self) {
        let there = self.devices.clone();
        let device = match self.c.pick(&there).filter(|_| self.c.chance(50)) {
            Some(device) => device,
            None if self.devices.len() >= 3 || self.in_device => return self.elementwise(),
            None => self.device(),
        };
        let arguments: Vec<Val> =
            device.inputs.iter().map(|ty| if ty.pointer { self.base(ty.scalar) } else { self.want(ty, 2) }).collect();
        let callee = self.b.module.interners.attr(crate::ir::Attr::Symbol(device.symbol.clone()));
        let op = self.b.op(OpKind::TtCall, &[&arguments], &device.results, &[("callee", callee)]);
        for result in self.b.results(op, &device.results) {
            self.keep(&result);
        }
    }

    /// A new device function: two or three inputs, an expression or two.
    fn device(&mut self) -> Device {
        let mut inputs = Vec::new();
        for _ in 0..self.c.between(1, 3) {
            let ty = match self.c.below(3) {
                _ if !self.settings.has_tensor_calls() => {
                    Ty::scalar(self.c.one_of(Scalar::F32, &[Scalar::I32, Scalar::F32]))
                }
                0 => Ty::scalar(self.c.one_of(Scalar::F32, &[Scalar::I32])),
                _ => {
                    let wanted =
                        |ty: &Ty| ty.is_tensor() && !ty.pointer && !matches!(ty.scalar, Scalar::I1 | Scalar::F8E5M2);
                    match self.choose(wanted) {
                        Some(value) => value.ty,
                        None => {
                            let shape = self.shape(1);
                            Ty::tensor(Scalar::F32, &shape)
                        }
                    }
                }
            };
            inputs.push(ty);
        }
        let stores = self.c.chance(20);
        if stores {
            inputs.insert(0, Ty::pointer(Scalar::F32));
        }
        let mangled: Vec<String> = inputs.iter().map(mangle).collect();
        let symbol = format!("device_{}__{}__", self.devices.len(), mangled.join("_"));
        // The front end does not inline a function with an early return, and does not mark it `noinline`.
        let early = !stores && self.c.chance(30);
        let suspended = self.begin_function(&symbol, false, !early);
        let parameters: Vec<Val> = inputs.iter().filter_map(|ty| self.b.argument(ty, false)).collect();
        self.arguments.clone_from(&parameters);
        let returned = self.device_body(&parameters, stores, early);
        self.end_function(&returned, suspended);
        let device = Device { symbol, inputs, results: returned.iter().map(|value| value.ty.clone()).collect() };
        self.devices.push(device.clone());
        device
    }

    fn device_body(&mut self, parameters: &[Val], stores: bool, early: bool) -> Vec<Val> {
        let operands: Vec<Val> = parameters.iter().filter(|value| !value.ty.pointer).cloned().collect();
        for value in &operands {
            self.keep(value);
        }
        let Some(first) = operands.first().cloned() else { return Vec::new() };
        if stores {
            if let Some(pointer) = parameters.first() {
                let mut value = self.b.convert(&first, Scalar::F32);
                while value.ty.is_tensor() {
                    value = self.reduce_over(&value, 0);
                }
                self.b.store(pointer, &value, None, &[]);
            }
            self.close_device();
            return Vec::new();
        }
        let mut results = vec![self.combined(&operands, &first)];
        if early {
            let flag = self.device_flag(&operands);
            if let Some(rest) = self.b.begin_exit(&flag) {
                self.open(None);
                let value = self.grow(&first);
                self.close_device();
                self.shut();
                self.b.resume(rest, &[value]);
            }
            return results;
        }
        if self.c.chance(40) {
            let more = self.grow(&first);
            results.push(more);
        }
        self.close_device();
        results
    }

    /// Combines all parameters into one value, so that none is unused.
    fn combined(&mut self, operands: &[Val], first: &Val) -> Val {
        let mut value = self.grow(first);
        for other in operands.iter().skip(1) {
            let other = if other.ty.is_tensor() && other.ty.shape != first.ty.shape {
                continue;
            } else {
                self.b.convert(other, first.ty.scalar)
            };
            let other = if other.ty.is_tensor() { other } else { self.b.splat(&other, &first.ty.shape) };
            if other.ty == value.ty {
                value = self.b.add(&value, &other);
            }
        }
        value
    }

    fn device_flag(&mut self, operands: &[Val]) -> Val {
        let scalar = operands.iter().find(|value| !value.ty.is_tensor()).cloned();
        let scalar = scalar.unwrap_or_else(|| self.b.program_id(0));
        let limit = self.b.number(&scalar.ty, 1);
        self.b.compare(Compare::Equal, &scalar, &limit)
    }

    /// Unused values of a device function stay unused: it has no pointer to store them to.
    fn close_device(&mut self) {
        self.scope().values.clear();
    }
}

/// A type in Triton's mangled names.
fn mangle(ty: &Ty) -> String {
    let word = ty.scalar.mangled();
    if ty.pointer {
        return format!("P{word}");
    }
    if !ty.is_tensor() {
        return word.to_owned();
    }
    let sizes: Vec<String> = ty.shape.iter().map(u32::to_string).collect();
    format!("{word}S{}S", sizes.join("_"))
}
