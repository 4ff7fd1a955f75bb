//! Names of values while parsing: what is visible, what was, and what is used before it stands.
//!
//! MLIR's rules: a name defined in a region is visible to its end, nested regions included; a use may come before the
//! definition. A use of a name whose region is closed, which MLIR refuses, is connected all the same, so that the dominance
//! oracle can say what is wrong with it. So is one that lies outside an isolated operation: those open no scope of their own
//! for names.

use super::super::{Span, ValueId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The values that one name stands for: `%0:3` has three.
pub(super) type ValueGroup = SmallVec<[ValueId; 1]>;

/// A use of a name that is not (yet) defined.
#[derive(Debug, Clone)]
pub(super) struct Pending {
    /// Which result of the name, `%0#1`.
    pub index: u32,
    /// The value that stands for it until the definition comes.
    pub value: ValueId,
    /// Where it is used first.
    pub span: Span,
}

/// All visible names.
#[derive(Debug, Default)]
pub(super) struct Scopes<'a> {
    names: FxHashMap<&'a str, ValueGroup>,
    /// What a definition hid, to be put back when its region ends.
    undo: Vec<(&'a str, Option<ValueGroup>)>,
    /// The length of `undo` at the beginning of each open region.
    frames: Vec<usize>,
    pending: FxHashMap<&'a str, SmallVec<[Pending; 1]>>,
    /// Names of regions that are closed, in order; looked at only for uses that nothing defines.
    closed: Vec<(&'a str, ValueGroup)>,
}

impl<'a> Scopes<'a> {
    /// Enters a region.
    pub fn open(&mut self) {
        self.frames.push(self.undo.len());
    }

    /// Leaves a region.
    pub fn close(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        for (name, hidden) in self.undo.drain(frame..).rev() {
            let gone = match hidden {
                Some(group) => self.names.insert(name, group),
                None => self.names.remove(name),
            };
            self.closed.extend(gone.map(|group| (name, group)));
        }
    }

    /// The uses that are left at the end of the text, in order, each with the value that it gets: a closed name's, or none
    /// if there is no such name at all.
    pub fn finish(&mut self) -> Vec<(Pending, Option<ValueId>)> {
        while !self.frames.is_empty() {
            self.close();
        }
        let mut left = Vec::new();
        for (name, uses) in std::mem::take(&mut self.pending) {
            let closed = self.closed.iter().find(|(other, _)| *other == name).map(|(_, group)| group);
            for use_ in uses {
                let pick = |group: &ValueGroup| group.get(use_.index as usize).copied();
                let found = closed.and_then(pick).or_else(|| self.names.get(name).and_then(pick));
                left.push((use_, found));
            }
        }
        left.sort_by_key(|(use_, _)| use_.value);
        left
    }

    /// The value that a name stands for here, if its definition came before and is visible, or what stands for it since a
    /// use before its definition.
    #[inline]
    pub fn find(&self, name: &str, index: u32) -> Option<ValueId> {
        let defined = self.names.get(name).and_then(|group| group.get(index as usize).copied());
        defined.or_else(|| self.pending.get(name)?.iter().find(|use_| use_.index == index).map(|use_| use_.value))
    }

    /// Notes a use before the definition.
    pub fn expect(&mut self, name: &'a str, pending: Pending) {
        self.pending.entry(name).or_default().push(pending);
    }

    /// Uses that wait for `name`; they are to get the values that the definition takes.
    pub fn take_pending(&mut self, name: &str) -> SmallVec<[Pending; 1]> {
        if self.pending.is_empty() { SmallVec::new() } else { self.pending.remove(name).unwrap_or_default() }
    }

    /// Defines a name; gives what it stood for before if it was visible, which MLIR refuses.
    pub fn define(&mut self, name: &'a str, group: ValueGroup) -> Option<ValueGroup> {
        let hidden = self.names.insert(name, group);
        self.undo.push((name, hidden.clone()));
        hidden
    }
}
