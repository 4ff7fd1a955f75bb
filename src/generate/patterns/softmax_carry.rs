//! Softmax carry: a loop over blocks of columns that carries a running maximum, a running sum and an accumulator, as
//! attention and online normalisation do. Each part is optional. The old values are rescaled before the new ones are added,
//! after, or not at all; the loop may read the carried values; the results are used several times, and by a second loop.

use super::matmul::Formats;
use crate::generate::combine::Combiner;
use crate::generate::generator::Generator;
use crate::generate::memory::Axis;
use crate::generate::ops::Compare;
use crate::generate::value::{Number, Scalar, Ty, Val};
use crate::ir::OpKind;

/// The parts of the loop.
struct SoftmaxPlan {
    maximum: bool,
    sum: bool,
    /// Columns of the accumulator; 0 for none.
    width: u32,
    base_two: bool,
    /// Element types of the product that gives the scores; without it they are loaded.
    product: Option<Formats>,
    /// What the sum combines with, where there is no maximum to rescale by.
    combiner: Combiner,
}

struct Carried {
    maximum: Option<Val>,
    sum: Option<Val>,
    accumulator: Option<Val>,
}

/// The factor that rescales old values, computed at its first use.
struct Rescale {
    old_maximum: Val,
    new_maximum: Val,
    factor: Option<Val>,
}

impl Generator<'_, '_> {
    pub fn softmax_carry(&mut self) {
        let plan = self.softmax_plan();
        let (m, n) = if plan.product.is_some() || plan.width > 0 {
            (self.dot_size(16), self.dot_size(16))
        } else {
            let shape = self.shape(2);
            (shape[0], shape[1])
        };
        let rows = self.axis(m);
        let results = self.softmax_loop(&plan, &rows, n, None);
        let parts = [&results.maximum, &results.sum, &results.accumulator];
        for value in parts.into_iter().flatten() {
            self.keep(value);
        }
        self.after_softmax(&results);
        if self.c.chance(20) && !self.is_full() {
            // A second loop over the same rows that starts from, or reads, the results of the first.
            let again = self.softmax_loop(&plan, &rows, n, Some(&results));
            for value in [again.maximum, again.sum, again.accumulator].into_iter().flatten() {
                self.keep(&value);
            }
        }
    }

    fn softmax_plan(&mut self) -> SoftmaxPlan {
        let maximum = self.c.chance(60);
        let sum = !maximum || self.c.chance(85);
        let width = if maximum && self.c.chance(40) { self.dot_size(16) } else { 0 };
        let product = (width > 0 && self.c.chance(60)).then(|| {
            let mut formats = self.dot_formats();
            if formats.operand.bits() == 8 {
                formats.operand = Scalar::F16;
            }
            Formats { accumulator: Scalar::F32, ..formats }
        });
        SoftmaxPlan {
            maximum,
            sum,
            width,
            base_two: self.c.chance(50),
            product,
            combiner: self.c.one_of(Combiner::Sum, &[Combiner::Sum, Combiner::Max, Combiner::Min]),
        }
    }

    fn softmax_loop(&mut self, plan: &SoftmaxPlan, rows: &Axis, n: u32, before: Option<&Carried>) -> Carried {
        let (m, row) = (rows.size(), Ty::tensor(Scalar::F32, &[rows.size()]));
        let query = plan.product.map(|formats| {
            let shape = [m, self.dot_size(16)];
            self.operand(&shape, formats.operand)
        });
        let mut inits = Vec::new();
        let mut start = |generator: &mut Self, wanted: bool, ty: &Ty, number: Number, earlier: Option<&Option<Val>>| {
            if wanted {
                let earlier = earlier.and_then(Clone::clone).filter(|_| generator.c.chance(50));
                inits.push(earlier.unwrap_or_else(|| generator.b.constant(ty, number)));
            }
        };
        start(self, plan.maximum, &row, Number::NegativeInfinity, before.map(|before| &before.maximum));
        let first = if plan.maximum { Number::ZERO } else { plan.combiner.start() };
        start(self, plan.sum, &row, first, before.map(|before| &before.sum));
        let wide = Ty::tensor(Scalar::F32, &[m, plan.width]);
        start(self, plan.width > 0, &wide, Number::ZERO, before.map(|before| &before.accumulator));
        let bounds = self.softmax_bounds(n);
        let around = self.b.begin_for(bounds.each_ref(), &inits);
        self.open(Some(around.induction.clone()));
        let mut values = around.carried.iter().cloned();
        let carried = Carried { maximum: values.next().filter(|_| plan.maximum), sum: None, accumulator: None };
        let mut values = around.carried.iter().skip(usize::from(plan.maximum)).cloned();
        let carried = Carried { sum: if plan.sum { values.next() } else { None }, ..carried };
        let carried = Carried { accumulator: if plan.width > 0 { values.next() } else { None }, ..carried };
        let scores = self.scores(plan, rows, n, query.as_ref());
        let next = self.softmax_iteration(plan, &carried, &scores);
        if self.c.chance(15) {
            self.statements(1);
        }
        self.close();
        self.shut();
        let yields: Vec<Val> = [next.maximum, next.sum, next.accumulator].into_iter().flatten().collect();
        let attrs = self.loop_attrs();
        let mut results = self.b.end_loop(around, &yields, &attrs).into_iter();
        Carried {
            maximum: if plan.maximum { results.next() } else { None },
            sum: if plan.sum { results.next() } else { None },
            accumulator: if plan.width > 0 { results.next() } else { None },
        }
    }

    fn softmax_bounds(&mut self, n: u32) -> [Val; 3] {
        if self.c.chance(50) {
            return self.bounds();
        }
        let (zero, step) = (self.b.i32(0), self.b.i32(n.into()));
        let end = if self.c.chance(40) {
            // Up to the diagonal.
            let pid = self.b.program_id(0);
            let start = self.b.mul(&pid, &step);
            self.b.add(&start, &step)
        } else {
            self.argument(&Ty::scalar(Scalar::I32))
        };
        [zero, end, step]
    }

    /// The scores of one iteration in `f32`: loaded or a product, possibly masked with minus infinity.
    fn scores(&mut self, plan: &SoftmaxPlan, rows: &Axis, n: u32, query: Option<&Val>) -> Val {
        let columns = self.new_axis(n);
        let shape = [rows.size(), n];
        let ty = Ty::tensor(Scalar::F32, &shape);
        let mut scores = match (query, plan.product) {
            (Some(query), Some(formats)) => {
                let key = self.operand(&[query.ty.shape[1], n], formats.operand);
                let zero = self.b.number(&ty, 0);
                self.dot(query, &key, &zero)
            }
            _ => {
                let scalar = self.float();
                let base = self.base(scalar);
                let tile = self.tile(&base, &[rows.clone(), columns.clone()]);
                let loaded = self.load_tile(&tile);
                self.b.convert(&loaded, Scalar::F32)
            }
        };
        if self.c.chance(40) {
            let scale = self.argument(&Ty::scalar(Scalar::F32));
            let log = self.b.constant(&Ty::scalar(Scalar::F32), Number::Log2E);
            let scale = if plan.base_two { self.b.mul(&scale, &log) } else { scale };
            let scale = self.b.splat(&scale, &shape);
            scores = self.b.mul(&scores, &scale);
        }
        if self.c.chance(40) {
            let mask = if self.c.chance(40) && rows.index.ty.scalar == columns.index.ty.scalar {
                let row = self.b.along(&rows.index, 0, 2);
                let row = self.b.broadcast(&row, &shape);
                let column = self.b.along(&columns.index, 1, 2);
                let column = self.b.broadcast(&column, &shape);
                self.b.compare(Compare::GreaterEqual, &row, &column)
            } else {
                let mask = self.bounded(&columns, 1, 2);
                self.b.broadcast(&mask, &shape)
            };
            let low = self.b.constant(&ty, Number::NegativeInfinity);
            scores = self.b.select(&mask, &scores, &low);
        }
        scores
    }

    fn exponential(&mut self, plan: &SoftmaxPlan, value: &Val) -> Val {
        self.b.unary(if plan.base_two { OpKind::MathExp2 } else { OpKind::MathExp }, value)
    }

    /// One iteration: new carried values from old ones and scores.
    fn softmax_iteration(&mut self, plan: &SoftmaxPlan, old: &Carried, scores: &Val) -> Carried {
        let mut next = Carried { maximum: None, sum: None, accumulator: None };
        let mut weights = scores.clone();
        let mut rescale: Option<Rescale> = None;
        if let Some(maximum) = &old.maximum {
            let here = self.reduce_with(scores, 1, Combiner::Max);
            let mut new = self.b.max(maximum, &here);
            if self.c.chance(25) {
                // A row of minus infinities would give NaN.
                let low = self.b.constant(&new.ty, Number::NegativeInfinity);
                let some = self.b.compare(Compare::Greater, &new, &low);
                let zero = self.b.number(&new.ty, 0);
                new = self.b.select(&some, &new, &zero);
            }
            let spread = self.spread(&new, 1, &scores.ty.shape);
            weights = self.b.sub(scores, &spread);
            weights = self.exponential(plan, &weights);
            rescale = Some(Rescale { old_maximum: maximum.clone(), new_maximum: new.clone(), factor: None });
            next.maximum = Some(new);
        } else if self.c.chance(30) {
            weights = self.grow(&weights);
        }
        if let Some(sum) = &old.sum {
            if self.c.chance(20) {
                // The loop reads the carried value.
                self.keep(sum);
                self.store(sum);
            }
            next.sum = Some(self.next_sum(plan, sum, &weights, rescale.as_mut()));
        }
        if let Some(accumulator) = &old.accumulator {
            next.accumulator = Some(self.next_accumulator(plan, accumulator, &weights, rescale.as_mut()));
        }
        let unused = [&next.maximum, &next.sum, &next.accumulator].into_iter().flatten().next().cloned();
        if old.sum.is_none() && old.accumulator.is_none() {
            // Only a maximum: the weights must be used too.
            self.keep(&weights);
        }
        if let Some(value) = unused
            && self.c.chance(10)
        {
            self.store(&value);
        }
        next
    }

    fn factor(&mut self, plan: &SoftmaxPlan, rescale: &mut Rescale) -> Val {
        if let Some(factor) = &rescale.factor {
            return factor.clone();
        }
        let difference = self.b.sub(&rescale.old_maximum, &rescale.new_maximum);
        let factor = self.exponential(plan, &difference);
        rescale.factor.insert(factor).clone()
    }

    fn next_sum(&mut self, plan: &SoftmaxPlan, sum: &Val, weights: &Val, rescale: Option<&mut Rescale>) -> Val {
        let Some(rescale) = rescale else {
            let here = self.reduce_with(weights, 1, plan.combiner);
            return plan.combiner.apply(&mut self.b, sum, &here);
        };
        match self.c.below(4) {
            0 => {
                let here = self.reduce_with(weights, 1, Combiner::Sum);
                let factor = self.factor(plan, rescale);
                let scaled = self.b.mul(sum, &factor);
                self.b.add(&scaled, &here)
            }
            1 | 2 => {
                let factor = self.factor(plan, rescale);
                let scaled = self.b.mul(sum, &factor);
                let here = self.reduce_with(weights, 1, Combiner::Sum);
                self.b.add(&scaled, &here)
            }
            _ => {
                let here = self.reduce_with(weights, 1, Combiner::Sum);
                let whole = self.b.add(sum, &here);
                let factor = self.factor(plan, rescale);
                self.b.mul(&whole, &factor)
            }
        }
    }

    fn next_accumulator(&mut self, plan: &SoftmaxPlan, old: &Val, weights: &Val, rescale: Option<&mut Rescale>) -> Val {
        let scaled = match rescale {
            Some(rescale) => {
                let factor = self.factor(plan, rescale);
                let spread = self.spread(&factor, 1, &old.ty.shape);
                self.b.mul(old, &spread)
            }
            None => old.clone(),
        };
        let operand = plan.product.map_or(Scalar::F16, |formats| formats.operand);
        let weights = self.b.convert(weights, operand);
        let values = self.operand(&[weights.ty.shape[1], plan.width], operand);
        if self.c.chance(25) {
            let zero = self.b.number(&old.ty, 0);
            let product = self.dot(&weights, &values, &zero);
            return self.b.add(&scaled, &product);
        }
        self.dot(&weights, &values, &scaled)
    }

    /// Uses the results: the accumulator divided by the sum, the logarithm of the sum, squares.
    fn after_softmax(&mut self, results: &Carried) {
        if let (Some(accumulator), Some(sum)) = (&results.accumulator, &results.sum)
            && self.c.chance(80)
        {
            let spread = self.spread(sum, 1, &accumulator.ty.shape);
            let value = self.b.binary(OpKind::ArithDivf, accumulator, &spread);
            self.keep(&value);
        }
        let Some(row) = results.sum.as_ref().or(results.maximum.as_ref()) else { return };
        for _ in 0..self.c.between(0, 2) {
            let value = match (self.c.below(4), &results.maximum) {
                (0, Some(maximum)) => {
                    let log = self.b.unary(OpKind::MathLog2, row);
                    self.b.add(maximum, &log)
                }
                (1, _) => {
                    let one = self.b.number(&row.ty, 1);
                    self.b.binary(OpKind::ArithDivf, &one, row)
                }
                (2, _) => self.b.mul(row, row),
                _ => self.grow(row),
            };
            self.keep(&value);
        }
    }
}
