//! Which values control forwards, by the edges of operation definitions: what a loop begins with, its arguments, what it
//! yields and its results, and the same for branches between blocks and of structured control flow.
//!
//! Values at the same place of [`FlowEdge::values`] and [`FlowEdge::into`] have the same type in a valid module.

use super::module::Module;
use super::ods::{ArgumentPart, Edge, EdgeSource, EdgeTarget, OpDef, OpKind, Slot};
use super::{BlockId, OpId, ValueId};
use smallvec::SmallVec;
use std::ops::Range;

/// An edge with the values that are forwarded along it.
#[derive(Debug, Clone, Copy)]
pub struct FlowEdge<'m> {
    /// The edge in the definition.
    pub edge: Edge,
    /// The operation whose operands are forwarded: the one that has the edge, or a terminator in one of its regions.
    pub at: OpId,
    /// What is forwarded.
    pub values: &'m [ValueId],
    /// What receives it.
    pub into: &'m [ValueId],
}

impl Module {
    /// The edges of an operation. One from a region is there once for each of the region's terminators, and one into a
    /// region or block that is missing is left out.
    pub fn flow_edges(&self, op: OpId) -> SmallVec<[FlowEdge<'_>; 6]> {
        let mut found = SmallVec::new();
        let Some(def) = self.def(op) else { return found };
        for &edge in &def.edges {
            let Some(into) = self.edge_target(op, edge.to) else { continue };
            match edge.from {
                EdgeSource::Nothing => found.push(FlowEdge { edge, at: op, values: &[], into }),
                EdgeSource::Operand(index) => {
                    if let Some(values) = self.operand(op, def, index) {
                        found.push(FlowEdge { edge, at: op, values, into });
                    }
                }
                EdgeSource::Region(index) => {
                    for at in self.region_terminators(op, index) {
                        found.push(FlowEdge { edge, at, values: self.forwarded_operands(at), into });
                    }
                }
            }
        }
        if def.kind == OpKind::TtgWarpSpecializePartitions {
            found.extend(self.partition_edges(op));
        }
        found
    }

    fn edge_target(&self, op: OpId, to: EdgeTarget) -> Option<&[ValueId]> {
        match to {
            EdgeTarget::Results => Some(&self.op(op).results),
            EdgeTarget::Successor(index) => {
                self.op(op).successors.get(index).map(|&block| self.block(block).arguments.as_slice())
            }
            EdgeTarget::Region(index, part) => {
                let arguments = self.block(self.entry_of(op, index)?).arguments.as_slice();
                Some(match part {
                    ArgumentPart::All => arguments,
                    ArgumentPart::First => &arguments[..arguments.len().min(1)],
                    ArgumentPart::AllButFirst => arguments.get(1..).unwrap_or_default(),
                })
            }
            EdgeTarget::Parent => None,
        }
    }

    /// What the partitions of a warp-specialised region see: the captures of the operation around them, which from Triton
    /// 3.6 on are their own operands.
    fn partition_edges(&self, op: OpId) -> impl Iterator<Item = FlowEdge<'_>> {
        let own = self.op(op).operands.as_slice();
        let around = self.parent_op(op).map_or(&[][..], |around| self.op(around).operands.as_slice());
        let values = if own.is_empty() { around } else { own };
        let entries = (0..self.op(op).regions.len()).filter_map(move |index| self.entry_of(op, index));
        entries.enumerate().map(move |(index, block)| FlowEdge {
            edge: Edge { from: EdgeSource::Operand(0), to: EdgeTarget::Region(index, ArgumentPart::All) },
            at: op,
            values,
            into: self.block(block).arguments.as_slice(),
        })
    }

    /// The values of an operand by its number in the definition; none if the values do not fit the definition.
    pub fn operand(&self, op: OpId, def: &OpDef, index: usize) -> Option<&[ValueId]> {
        self.op(op).operands.get(self.operand_range(op, def, index)?)
    }

    /// The values of an operand or result by its name in the definition; none where it has no such or no definition.
    pub fn values_named(&self, op: OpId, name: &str) -> &[ValueId] {
        let Some(def) = self.def(op) else { return &[] };
        let found = match def.slot(name) {
            Some(Slot::Operand(index)) => self.operand(op, def, index),
            Some(Slot::Result(0)) if def.results.len() == 1 => Some(self.op(op).results.as_slice()),
            Some(Slot::Result(index)) => {
                self.result_groups(op, def).and_then(|groups| self.op(op).results.get(groups.get(index)?.clone()))
            }
            None => None,
        };
        found.unwrap_or_default()
    }

    /// The entry block of an operation's region.
    pub fn entry_of(&self, op: OpId, region: usize) -> Option<BlockId> {
        self.region(*self.op(op).regions.get(region)?).blocks.first().copied()
    }

    /// The operations that end blocks of a region and leave it.
    pub fn region_terminators(&self, op: OpId, region: usize) -> impl Iterator<Item = OpId> {
        let blocks = self.op(op).regions.get(region).map_or(&[][..], |&region| &self.region(region).blocks);
        let last = blocks.iter().filter_map(|&block| self.terminator(block));
        last.filter(|&last| self.op(last).successors.is_empty())
    }

    /// What a terminator forwards to where control goes behind the region: all operands where its definition says nothing.
    pub fn forwarded_operands(&self, terminator: OpId) -> &[ValueId] {
        let def = self.def(terminator);
        let own = def.and_then(|def| self.operand(terminator, def, def.forwarded()?));
        own.unwrap_or(&self.op(terminator).operands)
    }

    /// The operands that an operation passes to its successor of that number.
    pub fn successor_operands(&self, op: OpId, successor: usize) -> Option<Range<usize>> {
        let def = self.def(op)?;
        let passed = def.edges.iter().find_map(|edge| match (edge.from, edge.to) {
            (EdgeSource::Operand(index), EdgeTarget::Successor(to)) if to == successor => Some(index),
            _ => None,
        })?;
        self.operand_range(op, def, passed)
    }
}
