//! Memory accesses of kernels: axes (an index and its bound), tiles of pointers built from axes and strides, masks, loads
//! and stores.

use super::generator::Generator;
use super::ops::Compare;
use super::settings::CacheHints;
use super::value::{Number, Scalar, Shape, Ty, Val};
use crate::ir::{Attr, AttrId, BodySegment, OpKind};

/// An index along one dimension, and what it must stay below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Axis {
    /// Of rank 1; `i32` or `i64`.
    pub index: Val,
    /// A scalar of the same type.
    pub bound: Val,
}

impl Axis {
    pub fn size(&self) -> u32 {
        self.index.ty.shape.first().copied().unwrap_or(1)
    }
}

/// Pointers over axes.
#[derive(Debug, Clone)]
pub(super) struct Tile {
    pub pointer: Val,
    pub axes: Vec<Axis>,
}

impl Generator<'_, '_> {
    pub fn size(&mut self) -> u32 {
        let sizes = self.config.sizes.clone();
        self.c.pick(&sizes).unwrap_or(16)
    }

    /// A size for one more dimension of a tensor that has `others` elements without it.
    pub fn size_beside(&mut self, others: u64) -> u32 {
        let mut size = self.size();
        while size > 1 && others * u64::from(size) > self.config.most_elements {
            size /= 2;
        }
        size
    }

    /// A shape of this rank within the configuration's number of elements.
    pub fn shape(&mut self, rank: usize) -> Shape {
        let mut shape = Shape::new();
        let mut count = 1u64;
        for _ in 0..rank {
            let size = self.size_beside(count);
            count *= u64::from(size);
            shape.push(size);
        }
        shape
    }

    pub fn float(&mut self) -> Scalar {
        let floats = self.config.floats.clone();
        self.c.pick(&floats).unwrap_or(Scalar::F32)
    }

    /// A float type that arithmetic is done in.
    pub fn arithmetic_float(&mut self) -> Scalar {
        match self.float() {
            Scalar::F8E5M2 => Scalar::F32,
            scalar => scalar,
        }
    }

    /// An element type of data.
    pub fn data(&mut self) -> Scalar {
        if self.c.chance(35) {
            let integers = self.config.integers.clone();
            return self.c.pick(&integers).unwrap_or(Scalar::I32);
        }
        self.float()
    }

    // Axes.

    /// An axis of a size: a visible one, or a new one.
    pub fn axis(&mut self, size: u32) -> Axis {
        let all = self.scopes.iter().rev().flat_map(|scope| scope.axes.iter().rev());
        let there: Vec<Axis> = all.filter(|axis| axis.size() == size).take(6).cloned().collect();
        if !there.is_empty() && self.c.chance(70) {
            return self.c.pick(&there).unwrap_or_else(|| there[0].clone());
        }
        self.new_axis(size)
    }

    /// A new axis: a range, this program's block, that modulo the bound, indices read from memory, the loop's block.
    pub fn new_axis(&mut self, size: u32) -> Axis {
        let range = self.b.range(size);
        let mut bound = self.argument(&Ty::scalar(Scalar::I32));
        let induction = self.scopes.last().and_then(|scope| scope.induction.clone());
        let kind = if self.in_device { 0 } else { self.c.below(10) };
        let mut index = match kind {
            0..3 => range,
            3..6 => {
                let axis = self.c.below(2) as u32;
                let pid = self.b.program_id(axis);
                self.block_of(&pid, &range, size)
            }
            6 => {
                let pid = self.b.program_id(0);
                let block = self.block_of(&pid, &range, size);
                let around = self.b.splat(&bound, &[size]);
                self.b.binary(OpKind::ArithRemsi, &block, &around)
            }
            7 => {
                let base = self.base(Scalar::I32);
                let splat = self.b.splat(&base, &[size]);
                let pointers = self.b.addptr(&splat, &range);
                self.b.load(&pointers, None, None, &[])
            }
            _ => match induction {
                Some(induction) if induction.ty.scalar == Scalar::I32 => self.block_of(&induction, &range, size),
                _ => range,
            },
        };
        if self.c.chance(self.config.wide) {
            index = self.b.convert(&index, Scalar::I64);
            bound = self.b.convert(&bound, Scalar::I64);
        }
        let axis = Axis { index, bound };
        self.scope().axes.push(axis.clone());
        axis
    }

    fn block_of(&mut self, number: &Val, range: &Val, size: u32) -> Val {
        let block = self.b.i32(size.into());
        let start = self.b.mul(number, &block);
        let start = self.b.splat(&start, &[size]);
        self.b.add(&start, range)
    }

    pub fn axes(&mut self, shape: &[u32]) -> Vec<Axis> {
        shape.iter().map(|&size| self.axis(size)).collect()
    }

    // Masks.

    /// The mask `index < bound` as dimension `place` of `rank`: compared before it is expanded, or after.
    pub fn bounded(&mut self, axis: &Axis, place: usize, rank: usize) -> Val {
        if rank == 1 || self.c.chance(50) {
            let bound = self.b.splat(&axis.bound, &[axis.size()]);
            let mask = self.b.compare(Compare::Less, &axis.index, &bound);
            return self.b.along(&mask, place, rank);
        }
        let index = self.b.along(&axis.index, place, rank);
        let bound = self.b.splat(&axis.bound, &index.ty.shape);
        self.b.compare(Compare::Less, &index, &bound)
    }

    /// The conjunction of masks, each broadcast to the shape.
    pub fn all_of(&mut self, masks: &[Val], shape: &[u32]) -> Option<Val> {
        let mut whole: Option<Val> = None;
        for mask in masks {
            let mask = self.b.broadcast(mask, shape);
            whole = Some(match whole {
                Some(other) => self.b.binary(OpKind::ArithAndi, &other, &mask),
                None => mask,
            });
        }
        whole
    }

    /// A mask over some of the axes, or none.
    pub fn mask(&mut self, axes: &[Axis]) -> Option<Val> {
        if !self.c.chance(self.config.masked) {
            return None;
        }
        let shape: Shape = axes.iter().map(Axis::size).collect();
        let mut masks = Vec::new();
        for (place, axis) in axes.iter().enumerate() {
            if self.c.chance(65) || (place + 1 == axes.len() && masks.is_empty()) {
                masks.push(self.bounded(axis, place, axes.len()));
            }
        }
        self.all_of(&masks, &shape)
    }

    /// A tensor of `i1`: the bound of an axis, or a comparison of data.
    pub fn want_mask(&mut self, ty: &Ty, effort: u32) -> Val {
        if effort == 0 || self.c.chance(50) {
            let axes = self.axes(&ty.shape);
            let place = self.c.below(axes.len());
            let Some(axis) = axes.get(place) else { return self.b.constant(ty, Number::One) };
            let mask = self.bounded(axis, place, axes.len());
            return self.b.broadcast(&mask, &ty.shape);
        }
        let scalar = self.arithmetic_float();
        let value = self.want(&ty.of(scalar), effort - 1);
        let limit = self.b.constant(&value.ty, Number::ZERO);
        let how = self.c.one_of(Compare::Greater, &Compare::ALL);
        self.b.compare(how, &value, &limit)
    }

    // Pointers.

    /// The base pointer of a tensor: an argument, possibly with an offset by the program's or the loop's index.
    pub fn base(&mut self, scalar: Scalar) -> Val {
        let argument = self.argument(&Ty::pointer(scalar));
        if !self.c.chance(30) {
            return argument;
        }
        let place = self.integer();
        let offset = match self.c.below(3) {
            0 => {
                let size = self.c.one_of(128, &[256, 1024, 4096]);
                let size = self.b.i32(size);
                self.b.mul(&place, &size)
            }
            1 => {
                let stride = self.argument(&Ty::scalar(Scalar::I32));
                self.b.mul(&place, &stride)
            }
            _ => {
                let wide = self.b.convert(&place, Scalar::I64);
                let stride = self.argument(&Ty::scalar(Scalar::I32));
                let stride = self.b.convert(&stride, Scalar::I64);
                self.b.mul(&wide, &stride)
            }
        };
        self.b.addptr(&argument, &offset)
    }

    /// An index multiplied by the stride of its dimension: an argument, or the constant `row`.
    fn strided(&mut self, index: &Val, row: u64) -> Val {
        let like = index.ty.clone();
        let stride = if self.c.chance(self.config.strided) {
            let stride = self.argument(&Ty::scalar(Scalar::I32));
            let stride = self.b.convert(&stride, like.scalar);
            self.b.splat(&stride, &like.shape)
        } else {
            self.b.number(&like, row as i64)
        };
        self.b.mul(index, &stride)
    }

    /// Pointers at `base` over axes. One dimension is contiguous in memory, usually the last.
    pub fn tile(&mut self, base: &Val, axes: &[Axis]) -> Tile {
        let rank = axes.len();
        let shape: Shape = axes.iter().map(Axis::size).collect();
        let dense = if rank > 1 && self.c.chance(20) { self.c.below(rank) } else { rank.saturating_sub(1) };
        let mut offsets = Vec::new();
        let mut row = 1u64;
        for (place, axis) in axes.iter().enumerate().rev() {
            let mut index = self.b.along(&axis.index, place, rank);
            if place != dense {
                index = self.strided(&index, row.max(2));
            }
            row *= u64::from(axis.size()).max(1);
            offsets.push(index);
        }
        offsets.reverse();
        let pointer = if self.c.chance(60) {
            self.pointers_first(base, &offsets)
        } else {
            self.offsets_first(base, &offsets, &shape)
        };
        Tile { pointer, axes: axes.to_vec() }
    }

    /// `(base + a[:, None]) + b[None, :]`.
    fn pointers_first(&mut self, base: &Val, offsets: &[Val]) -> Val {
        let mut pointer = base.clone();
        for offset in offsets {
            if pointer.ty.is_tensor() {
                let shape = meet(&pointer.ty.shape, &offset.ty.shape);
                pointer = self.b.broadcast(&pointer, &shape);
                let offset = self.b.broadcast(offset, &shape);
                pointer = self.b.addptr(&pointer, &offset);
            } else {
                pointer = self.b.splat(&pointer, &offset.ty.shape);
                pointer = self.b.addptr(&pointer, offset);
            }
        }
        pointer
    }

    /// `base + (a[:, None] + b[None, :])`.
    fn offsets_first(&mut self, base: &Val, offsets: &[Val], shape: &[u32]) -> Val {
        let wide = offsets.iter().any(|offset| offset.ty.scalar == Scalar::I64);
        let mut sum: Option<Val> = None;
        for offset in offsets {
            let offset = if wide { self.b.convert(offset, Scalar::I64) } else { offset.clone() };
            sum = Some(match sum {
                None => offset,
                Some(sum) => {
                    let shape = meet(&sum.ty.shape, &offset.ty.shape);
                    let (sum, offset) = (self.b.broadcast(&sum, &shape), self.b.broadcast(&offset, &shape));
                    self.b.add(&sum, &offset)
                }
            });
        }
        let pointer = self.b.splat(base, shape);
        match sum {
            Some(sum) => self.b.addptr(&pointer, &sum),
            None => pointer,
        }
    }

    // Loads and stores.

    /// A cache modifier or an eviction policy of `tl.load` or `tl.store`; never both, which PTX forbids.
    fn hints(&mut self, store: bool) -> Vec<(&'static str, AttrId)> {
        let modifier = self.c.chance(6);
        if !modifier && !self.c.chance(6) {
            return Vec::new();
        }
        let (number, word) = match (modifier, store) {
            (false, _) => self.c.one_of((2, "evict_first"), &[(3, "evict_last")]),
            (true, true) => self.c.one_of((4, "wb"), &[(5, "cs")]),
            (true, false) => self.c.one_of((2, "ca"), &[(3, "cg")]),
        };
        match self.settings.cache_hints() {
            CacheHints::None => Vec::new(),
            CacheHints::Words => vec![(if modifier { "cache" } else { "evict" }, self.b.int_attr(number, "i32"))],
            CacheHints::Policy => {
                let (cache, evict) = if modifier { (word, "evict_normal") } else { ("none", word) };
                let text = format!("cache_modifier = {cache}, eviction_policy = {evict}");
                let name = self.b.module.name("tt.cache_policy");
                let policy = Attr::Dialect { name, body: Some(vec![BodySegment::Text(text)]) };
                vec![("cachePolicy", self.b.module.interners.attr(policy))]
            }
        }
    }

    /// The value of masked elements.
    fn other(&mut self, ty: &Ty) -> Option<Val> {
        let number = match self.c.below(5) {
            0 => return None,
            1 if ty.is_float() && ty.scalar != Scalar::F8E5M2 => Number::NegativeInfinity,
            2 => Number::One,
            _ => Number::ZERO,
        };
        Some(self.b.constant(ty, number))
    }

    /// Loads a new value of a type from somewhere.
    pub fn load(&mut self, ty: &Ty) -> Val {
        if self.in_device {
            // A device function has no pointers to load from.
            let there = self.visible(|other| other == ty);
            return self.c.pick(&there).unwrap_or_else(|| self.b.constant(ty, Number::Two));
        }
        if !ty.is_tensor() {
            let base = self.base(ty.scalar);
            return self.b.load(&base, None, None, &[]);
        }
        let all = self.scopes.iter().rev().flat_map(|scope| scope.tiles.iter());
        let fits = |tile: &&Tile| tile.pointer.ty.scalar == ty.scalar && tile.pointer.ty.shape == ty.shape;
        let tiles: Vec<Tile> = all.filter(fits).take(4).cloned().collect();
        if self.c.chance(50)
            && let Some(tile) = self.c.pick(&tiles)
        {
            return self.load_tile(&tile);
        }
        let axes = self.axes(&ty.shape);
        let base = self.base(ty.scalar);
        let tile = self.tile(&base, &axes);
        self.load_tile(&tile)
    }

    pub fn load_tile(&mut self, tile: &Tile) -> Val {
        let mask = self.mask(&tile.axes);
        let ty = tile.pointer.ty.of(tile.pointer.ty.scalar);
        let other = mask.as_ref().and_then(|_| self.other(&ty));
        let hints = self.hints(false);
        self.b.load(&tile.pointer, mask.as_ref(), other.as_ref(), &hints)
    }

    /// Stores a value somewhere. An `i1` is stored as a byte, as the front end does.
    pub fn store(&mut self, value: &Val) {
        let mut value = value.clone();
        if value.ty.scalar == Scalar::I1 {
            value = self.b.convert(&value, Scalar::I8);
        } else if value.ty.scalar == Scalar::F32 && value.ty.is_tensor() && self.c.chance(25) {
            let to = self.float();
            value = self.b.convert(&value, to);
        }
        let base = self.base(value.ty.scalar);
        if !value.ty.is_tensor() {
            return self.b.store(&base, &value, None, &[]);
        }
        let axes = self.axes(&value.ty.shape);
        let tile = self.tile(&base, &axes);
        let mask = self.mask(&axes);
        let hints = self.hints(true);
        self.b.store(&tile.pointer, &value, mask.as_ref(), &hints);
    }
}

/// The shape that two shapes of equal rank broadcast to.
pub(super) fn meet(a: &[u32], b: &[u32]) -> Shape {
    a.iter().zip(b).map(|(&a, &b)| a.max(b)).collect()
}
