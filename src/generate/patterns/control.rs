//! Branches: `scf.if` with results or side effects, one flag tested at several places, and early returns as the front end
//! emits them, `cf.cond_br` to a block that returns.

use crate::generate::Pattern;
use crate::generate::generator::Generator;
use crate::generate::value::{Scalar, Ty, Val};

impl Generator<'_, '_> {
    pub fn branch(&mut self) {
        let condition = self.condition();
        self.branch_on(&condition);
    }

    /// A branch on a condition. Variables that it assigns are its results.
    pub fn branch_on(&mut self, condition: &Val) {
        let mut variables: Vec<Val> = Vec::new();
        for _ in 0..self.c.between(0, 2) {
            let assignable = |ty: &Ty| !ty.pointer && ty.scalar != Scalar::I1 && ty.scalar != Scalar::F8E5M2;
            let variable = match self.choose(assignable) {
                Some(value) => value,
                None => self.fresh_tensor(),
            };
            if variable.ty.scalar != Scalar::F8E5M2 && !variables.contains(&variable) {
                variables.push(variable);
            }
        }
        let types: Vec<Ty> = variables.iter().map(|value| value.ty.clone()).collect();
        let branch = self.b.begin_if(condition, &types);
        let first = self.side(&variables, true);
        if variables.is_empty() && self.c.chance(70) {
            // No `else`.
            self.b.end_if(branch, &first);
            return;
        }
        self.b.otherwise(&branch, &first);
        let changes = self.c.chance(50);
        let second = self.side(&variables, changes);
        for value in self.b.end_if(branch, &second) {
            self.keep(&value);
        }
    }

    /// One side of a branch: statements, then new values of the variables. Without `changes` the variables stay as they
    /// are, as in a branch without `else`.
    fn side(&mut self, variables: &[Val], changes: bool) -> Vec<Val> {
        self.open(None);
        if changes || variables.is_empty() {
            let count = self.c.between(0, 2);
            self.statements(count);
            if variables.is_empty() && count == 0 {
                let value = self.working_tensor();
                self.store(&value);
            }
        }
        let mut values = Vec::new();
        for (place, variable) in variables.iter().enumerate() {
            let assigned = changes && (place == 0 || self.c.chance(70));
            values.push(if assigned { self.next(variable) } else { variable.clone() });
        }
        self.close();
        self.shut();
        values
    }

    /// The statement: one flag, such as a mode of the kernel, tested at several places with other statements between.
    pub fn flag_reuse(&mut self) {
        let flag = self.condition();
        let places = self.c.between(2, 3);
        for place in 0..places {
            self.branch_on(&flag);
            if place + 1 < places && !self.is_full() {
                // A kernel tests its mode before and after its main loop; or anything is between.
                match self.c.below(4) {
                    0 => {}
                    2.. if self.may_draw(Pattern::Loop) => self.draw(Pattern::Loop),
                    _ => self.statements(1),
                }
            }
        }
    }

    /// The statement: an early return under a condition, or two paths that join (what inlining a function with an early
    /// return leaves).
    pub fn exit(&mut self) {
        let condition = self.condition();
        if self.c.chance(25) && self.settings.has_tensor_blocks() {
            return self.diamond(&condition);
        }
        let Some(rest) = self.b.begin_exit(&condition) else { return };
        self.open(None);
        if self.c.chance(60) {
            self.parting_store();
        }
        self.close();
        self.shut();
        self.b.resume(rest, &[]);
    }

    /// What a program stores before an early return.
    fn parting_store(&mut self) {
        if self.c.chance(30) {
            self.statements(1);
        } else {
            let value = if self.c.chance(50) {
                self.working_tensor()
            } else {
                let shape = self.shape(2);
                let scalar = self.data();
                self.b.number(&Ty::tensor(scalar, &shape), 0)
            };
            self.store(&value);
        }
    }

    fn diamond(&mut self, condition: &Val) {
        let variable = self.working_tensor();
        let Some(second) = self.b.begin_diamond(condition) else { return };
        let first_value = self.side(std::slice::from_ref(&variable), true);
        let Some(join) = self.b.diamond_side(second, &first_value) else { return };
        let second_value = self.side(std::slice::from_ref(&variable), true);
        for value in self.b.end_diamond(join, &second_value) {
            self.keep(&value);
        }
    }
}
