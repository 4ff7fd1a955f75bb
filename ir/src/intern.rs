//! Interning: equal types, attributes and names share one id, so that comparing them is comparing integers. Nothing is
//! ever freed alone. Clones of a module share what was interned before they parted; each adds to a part of its own, under
//! the ids that it would have given anyway.

use super::layout::Layout;
use super::{AttrId, AttrsId, Name, TypeId};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

/// Its own part of an interner may be as large as this share of what it shares with others, and is copied with it.
const OWN_SHARE: usize = 8;
/// But it may always have so many items.
const OWN_LEAST: usize = 16;

/// Items in order, and where each is.
#[derive(Debug, Clone)]
struct InternTable<T> {
    items: Vec<T>,
    /// Hash of an item to its indices; nearly always one.
    index: FxHashMap<u64, smallvec::SmallVec<[u32; 1]>>,
}

impl<T> InternTable<T> {
    fn new() -> Self {
        InternTable { items: Vec::new(), index: FxHashMap::default() }
    }

    fn find<Q: PartialEq + ?Sized>(&self, hash: u64, item: &Q) -> Option<usize>
    where
        T: Borrow<Q>,
    {
        let bucket = self.index.get(&hash)?;
        bucket.iter().map(|&index| index as usize).find(|&index| self.items[index].borrow() == item)
    }

    fn push(&mut self, hash: u64, item: T) {
        self.index.entry(hash).or_default().push(self.items.len() as u32);
        self.items.push(item);
    }
}

/// A table that gives equal values the same index.
#[derive(Debug, Clone)]
struct Interner<T> {
    shared: Arc<InternTable<T>>,
    /// What was added since another held the shared part too; its indices go on from there.
    own: InternTable<T>,
}

impl<T: Hash + Eq + Clone> Interner<T> {
    fn new() -> Self {
        Interner { shared: Arc::new(InternTable::new()), own: InternTable::new() }
    }

    /// The index of `item`, which is added if it is new.
    fn intern(&mut self, item: T) -> usize {
        let hash = FxBuildHasher.hash_one(&item);
        self.find_hashed(hash, &item).unwrap_or_else(|| self.push(hash, item))
    }

    /// The same for an item that need not be made where it is there already.
    fn intern_ref<Q: Hash + PartialEq + ?Sized>(&mut self, item: &Q) -> usize
    where
        T: Borrow<Q> + for<'q> From<&'q Q>,
    {
        // `Borrow` demands that both hash alike.
        let hash = FxBuildHasher.hash_one(item);
        self.find_hashed(hash, item).unwrap_or_else(|| self.push(hash, item.into()))
    }

    /// The index of an item that is there already.
    fn find<Q: Hash + PartialEq + ?Sized>(&self, item: &Q) -> Option<usize>
    where
        T: Borrow<Q>,
    {
        self.find_hashed(FxBuildHasher.hash_one(item), item)
    }

    fn find_hashed<Q: PartialEq + ?Sized>(&self, hash: u64, item: &Q) -> Option<usize>
    where
        T: Borrow<Q>,
    {
        let own = || self.own.find(hash, item).map(|index| self.shared.items.len() + index);
        self.shared.find(hash, item).or_else(own)
    }

    fn push(&mut self, hash: u64, item: T) -> usize {
        let index = self.shared.items.len() + self.own.items.len();
        if self.own.items.is_empty()
            && let Some(alone) = Arc::get_mut(&mut self.shared)
        {
            alone.push(hash, item);
            return index;
        }
        self.own.push(hash, item);
        if self.own.items.len() > OWN_LEAST.max(self.shared.items.len() / OWN_SHARE) {
            // Copies the shared part if another holds it still.
            let shared = Arc::make_mut(&mut self.shared);
            for item in std::mem::replace(&mut self.own, InternTable::new()).items {
                shared.push(FxBuildHasher.hash_one(&item), item);
            }
        }
        index
    }

    /// The item with that index.
    fn get(&self, index: usize) -> &T {
        match index.checked_sub(self.shared.items.len()) {
            None => &self.shared.items[index],
            Some(index) => &self.own.items[index],
        }
    }
}

impl<T: Hash + Eq + Clone> Default for Interner<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// A segment of the inside of a dialect type or attribute, `<…>`: text, with the types and attributes that it mentions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum BodySegment {
    /// Text that is kept as it stands.
    Text(String),
    /// A nested attribute (a layout's parent, a descriptor's layout).
    Attr(AttrId),
    /// A nested type.
    Type(TypeId),
}

/// A type, in the terms of MLIR's builtin dialect and Triton's.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// Not known: the operation's form does not say and no row does.
    Unknown,
    /// `i32`, `si8`, `ui8`; the text as written.
    Integer(Name),
    /// `f32`, `bf16`, `f8E5M2`, …
    Float(Name),
    /// `index`.
    Index,
    /// `none`.
    None,
    /// `tensor<…>` with known rank; a dynamic dimension is `None`.
    Tensor {
        /// Sizes, outermost first.
        shape: Vec<Option<u64>>,
        /// Element type.
        element: TypeId,
        /// The layout, above TTGIR none.
        encoding: Option<AttrId>,
    },
    /// `!tt.ptr<pointee>`, `!tt.ptr<pointee, space>`.
    Pointer {
        /// What it points to.
        pointee: TypeId,
        /// Address space; 1 is not written.
        space: u32,
    },
    /// `!ttg.memdesc<block, space, mutable, allocation>`: a buffer, or a view of one.
    MemDesc {
        /// Full name: `ttg.memdesc`, before 3.3 `tt.memdesc`.
        name: Name,
        /// Shape, element and layout, as a tensor type.
        block: TypeId,
        /// Which memory it is in.
        space: Option<AttrId>,
        /// Whether it may be written to.
        mutable: bool,
        /// The shape of the buffer that it is a view of, where that is written.
        allocation: Option<Vec<u64>>,
    },
    /// `!tt.tensordesc<block>`: a tensor in global memory with its bounds.
    TensorDesc {
        /// Full name.
        name: Name,
        /// Shape, element and layout, as a tensor type.
        block: TypeId,
        /// Whether it is written without `tensor<…>`, as since 3.8.
        bare: bool,
    },
    /// `(inputs) -> results`.
    Function {
        /// Argument types.
        inputs: Vec<TypeId>,
        /// Result types.
        results: Vec<TypeId>,
    },
    /// `tuple<…>`.
    Tuple(Vec<TypeId>),
    /// `!name<body>`, or `!name`, for any other type of a dialect.
    Dialect {
        /// Without the exclamation mark.
        name: Name,
        /// What stands between the angle brackets, if they are there.
        body: Option<Vec<BodySegment>>,
    },
    /// Any other builtin type (`vector<…>`, `memref<…>`, `complex<…>`, unranked tensors): the name and what follows.
    Other(Vec<BodySegment>),
}

/// An attribute.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Attr {
    /// Present without a value.
    Unit,
    /// `true`, `false`.
    Bool(bool),
    /// `1 : i32`; the digits as written, for values of any width.
    Integer(String, TypeId),
    /// `1.0 : f32` or `0x7F800000 : f32`; the digits as written.
    Float(String, TypeId),
    /// `"…"`, with its escapes as written.
    String(String),
    /// A type as an attribute.
    Type(TypeId),
    /// `[…]`.
    Array(Vec<AttrId>),
    /// `{…}`.
    Dict(AttrsId),
    /// `@a::@b`.
    Symbol(String),
    /// `array<i32: 1, 2>`: element type and elements.
    DenseArray(Name, Vec<String>),
    /// `dense<body> : type`, `dense_resource<…> : type`, `sparse<…>`: keyword, text inside, type.
    Dense(Name, String, TypeId),
    /// `#name<{field = value, …}>`.
    Layout(Layout),
    /// `#name<body>`, or `#name`, where there are no fields.
    Dialect {
        /// Without the hash sign.
        name: Name,
        /// What stands between the angle brackets, if they are there.
        body: Option<Vec<BodySegment>>,
    },
    /// `loc(…)`: what stands in the parentheses, an alias resolved.
    Location(Vec<BodySegment>),
    /// Anything else (`affine_map<…>`, `distinct[0]<…>`, …).
    Other(Vec<BodySegment>),
}

/// Attributes by name, in the order in which they stand.
pub type NamedAttrs = Vec<(Name, AttrId)>;

/// All interners of a module.
#[derive(Debug, Clone, Default)]
pub struct Interners {
    names: Interner<Box<str>>,
    types: Interner<Type>,
    attrs: Interner<Attr>,
    lists: Interner<NamedAttrs>,
}

impl Interners {
    /// Interners with the fixed ids in place: [`TypeId`] 0 is the unknown type, [`AttrsId`] 0 the empty list.
    pub fn new() -> Self {
        let mut interners = Interners::default();
        interners.types.intern(Type::Unknown);
        interners.lists.intern(Vec::new());
        interners
    }

    /// The id of an identifier.
    pub fn name(&mut self, text: &str) -> Name {
        Name::from(self.names.intern_ref(text))
    }

    /// The id of a name that was seen before.
    pub fn find_name(&self, text: &str) -> Option<Name> {
        self.names.find(text).map(Name::from)
    }

    /// The text of an identifier.
    pub fn name_text(&self, name: Name) -> &str {
        self.names.get(name.index())
    }

    /// The id of a type.
    pub fn ty(&mut self, ty: Type) -> TypeId {
        TypeId::from(self.types.intern(ty))
    }

    /// A type by its id.
    pub fn type_data(&self, ty: TypeId) -> &Type {
        self.types.get(ty.index())
    }

    /// The id of an attribute.
    pub fn attr(&mut self, attr: Attr) -> AttrId {
        AttrId::from(self.attrs.intern(attr))
    }

    /// An attribute by its id.
    pub fn attr_data(&self, attr: AttrId) -> &Attr {
        self.attrs.get(attr.index())
    }

    /// The id of a list of named attributes.
    pub fn attrs(&mut self, list: NamedAttrs) -> AttrsId {
        AttrsId::from(self.lists.intern(list))
    }

    /// A list of named attributes by its id.
    pub fn attrs_data(&self, attrs: AttrsId) -> &NamedAttrs {
        self.lists.get(attrs.index())
    }
}

impl TypeId {
    /// The type that nobody knows.
    pub const UNKNOWN: TypeId = TypeId(0);
}

impl AttrsId {
    /// The empty list.
    pub const EMPTY: AttrsId = AttrsId(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ids that these names get, and the interners with them.
    fn interned(mut interners: Interners, names: std::ops::Range<u32>) -> (Interners, Vec<Name>) {
        let ids = names.map(|number| interners.name(&format!("n{number}"))).collect();
        (interners, ids)
    }

    #[test]
    fn ids_are_the_same_whether_shared_or_not() {
        // So many that the own part joins the shared one on the way, more than once.
        let (_, alone) = interned(Interners::new(), 0..400);
        let (first, mut ids) = interned(Interners::new(), 0..50);
        let mut held = vec![first.clone()];
        let mut last = first;
        for start in (50..400).step_by(10) {
            let (next, more) = interned(last.clone(), start..start + 10);
            ids.extend(more);
            held.push(std::mem::replace(&mut last, next));
        }
        assert_eq!(ids, alone);
        assert_eq!(interned(last.clone(), 0..400).1, alone);
        for (number, &id) in alone.iter().enumerate() {
            assert_eq!(last.name_text(id), format!("n{number}"));
            assert_eq!(last.find_name(&format!("n{number}")), Some(id));
        }
        // What was added to a copy is not in what it was copied from.
        assert_eq!(held[0].find_name("n50"), None);
        assert_eq!(interned(held[0].clone(), 300..301).1, [alone[50]]);
    }
}
