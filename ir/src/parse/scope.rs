//! Names of values while parsing: what is visible, what was, and what is used before it stands.
//!
//! MLIR's rules: a name defined in a region is visible to its end, nested regions included, unless an isolated operation
//! lies between; a use may come before the definition as long as the definition follows within the same isolated region.
//! What MLIR would refuse (a use of a name whose region is closed, or that lies outside an isolated operation) is
//! connected all the same, so that the dominance oracle can say what is wrong with it.

use super::super::{Span, ValueId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The values that one name stands for: `%0:3` has three.
pub(super) type Group = SmallVec<[ValueId; 1]>;

#[derive(Debug, Clone)]
struct Entry {
    group: Group,
    /// Number of isolated regions around the definition.
    isolation: u32,
}

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

#[derive(Debug)]
struct Frame {
    undo: usize,
    isolated: bool,
}

/// All visible names.
#[derive(Debug, Default)]
pub(super) struct Scopes<'a> {
    names: FxHashMap<&'a str, Entry>,
    /// What a definition hid, to be put back when its region ends.
    undo: Vec<(&'a str, Option<Entry>)>,
    frames: Vec<Frame>,
    isolation: u32,
    pending: Vec<FxHashMap<&'a str, SmallVec<[Pending; 1]>>>,
    /// Names of regions that are closed, in order; looked at only for uses that nothing defines.
    closed: Vec<Vec<(&'a str, Group)>>,
}

impl<'a> Scopes<'a> {
    pub fn new() -> Self {
        Scopes { pending: vec![FxHashMap::default()], closed: vec![Vec::new()], ..Scopes::default() }
    }

    /// Enters a region.
    pub fn open(&mut self, isolated: bool) {
        self.frames.push(Frame { undo: self.undo.len(), isolated });
        if isolated {
            self.isolation += 1;
            self.pending.push(FxHashMap::default());
            self.closed.push(Vec::new());
        }
    }

    /// Leaves a region. After an isolated one, the uses for which `connect` is to take a value: a closed name's or, as
    /// the last resort, one from outside; none if there is no such name at all.
    pub fn close(&mut self) -> Vec<(&'a str, Pending, Option<ValueId>)> {
        let Some(frame) = self.frames.pop() else { return Vec::new() };
        for (name, hidden) in self.undo.drain(frame.undo..).rev() {
            let gone = match hidden {
                Some(entry) => self.names.insert(name, entry),
                None => self.names.remove(name),
            };
            if let (Some(entry), Some(closed)) = (gone, self.closed.last_mut()) {
                closed.push((name, entry.group));
            }
        }
        if !frame.isolated {
            return Vec::new();
        }
        self.isolation -= 1;
        let closed = self.closed.pop().unwrap_or_default();
        let pending = self.pending.pop().unwrap_or_default();
        self.settle(pending, &closed)
    }

    /// The uses that are left at the end of the text.
    pub fn finish(&mut self) -> Vec<(&'a str, Pending, Option<ValueId>)> {
        let mut left = Vec::new();
        while !self.frames.is_empty() {
            left.extend(self.close());
        }
        let closed = self.closed.pop().unwrap_or_default();
        let pending = self.pending.pop().unwrap_or_default();
        left.extend(self.settle(pending, &closed));
        left
    }

    fn settle(
        &self,
        pending: FxHashMap<&'a str, SmallVec<[Pending; 1]>>,
        closed: &[(&'a str, Group)],
    ) -> Vec<(&'a str, Pending, Option<ValueId>)> {
        let mut left: Vec<_> = pending
            .into_iter()
            .flat_map(|(name, uses)| uses.into_iter().map(move |use_| (name, use_)))
            .map(|(name, use_)| {
                let pick = |group: &Group| group.get(use_.index as usize).copied();
                let found = closed
                    .iter()
                    .find(|(other, _)| *other == name)
                    .and_then(|(_, group)| pick(group))
                    .or_else(|| self.names.get(name).and_then(|entry| pick(&entry.group)));
                (name, use_, found)
            })
            .collect();
        left.sort_by_key(|(_, use_, _)| use_.value);
        left
    }

    /// The value that a name stands for here, if its definition came before and is visible.
    #[inline]
    pub fn find(&self, name: &str, index: u32) -> Option<ValueId> {
        let entry = self.names.get(name)?;
        (entry.isolation == self.isolation).then(|| entry.group.get(index as usize).copied()).flatten()
    }

    /// A use before the definition, if there was one already.
    pub fn find_pending(&self, name: &str, index: u32) -> Option<ValueId> {
        let uses = self.pending.last()?.get(name)?;
        uses.iter().find(|use_| use_.index == index).map(|use_| use_.value)
    }

    /// Notes a use before the definition.
    pub fn expect(&mut self, name: &'a str, pending: Pending) {
        if let Some(map) = self.pending.last_mut() {
            map.entry(name).or_default().push(pending);
        }
    }

    /// Uses that wait for `name`; they are to get the values that the definition takes.
    pub fn take_pending(&mut self, name: &str) -> SmallVec<[Pending; 1]> {
        match self.pending.last_mut() {
            Some(map) if !map.is_empty() => map.remove(name).unwrap_or_default(),
            _ => SmallVec::new(),
        }
    }

    /// Defines a name; gives what it stood for before if it was visible, which MLIR refuses.
    pub fn define(&mut self, name: &'a str, group: Group) -> Option<Group> {
        let isolation = self.isolation;
        let hidden = self.names.insert(name, Entry { group, isolation });
        let again = hidden.as_ref().filter(|entry| entry.isolation == isolation).map(|entry| entry.group.clone());
        self.undo.push((name, hidden));
        again
    }
}
