//! Interning: equal types, attributes and names share one id, so that comparing them is comparing integers and a module
//! is cheap to clone. Each module owns its interners; nothing is shared between modules and nothing is ever freed alone.

use super::layout::Layout;
use super::{AttrId, AttrsId, Name, TypeId};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

/// A table that gives equal values the same index.
#[derive(Debug, Clone)]
pub struct Interner<T> {
    items: Vec<Arc<T>>,
    /// Hash of an item to its indices; nearly always one.
    index: FxHashMap<u64, smallvec::SmallVec<[u32; 1]>>,
}

impl<T: Hash + Eq> Interner<T> {
    /// An empty table.
    pub fn new() -> Self {
        Interner { items: Vec::new(), index: FxHashMap::default() }
    }

    /// The index of `item`, which is added if it is new.
    pub fn intern(&mut self, item: T) -> usize {
        let hash = FxBuildHasher.hash_one(&item);
        let bucket = self.index.entry(hash).or_default();
        if let Some(&found) = bucket.iter().find(|&&i| *self.items[i as usize] == item) {
            return found as usize;
        }
        let index = self.items.len();
        bucket.push(index as u32);
        self.items.push(Arc::new(item));
        index
    }

    /// The same for an item that need not be made where it is there already.
    fn intern_ref<Q: Hash + PartialEq + ?Sized>(&mut self, item: &Q) -> usize
    where
        T: Borrow<Q> + for<'q> From<&'q Q>,
    {
        // `Borrow` demands that both hash alike.
        let hash = FxBuildHasher.hash_one(item);
        let bucket = self.index.entry(hash).or_default();
        if let Some(&found) = bucket.iter().find(|&&i| (*self.items[i as usize]).borrow() == item) {
            return found as usize;
        }
        let index = self.items.len();
        bucket.push(index as u32);
        self.items.push(Arc::new(item.into()));
        index
    }

    /// The index of an item that is there already.
    pub fn find(&self, item: &T) -> Option<usize> {
        let bucket = self.index.get(&FxBuildHasher.hash_one(item))?;
        bucket.iter().find(|&&i| *self.items[i as usize] == *item).map(|&i| i as usize)
    }

    /// The item with that index.
    pub fn get(&self, index: usize) -> &T {
        &self.items[index]
    }
}

impl<T: Hash + Eq> Default for Interner<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// A piece of the inside of a dialect type or attribute, `<…>`: text, with the types and attributes that it mentions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Piece {
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
        body: Option<Vec<Piece>>,
    },
    /// Any other builtin type (`vector<…>`, `memref<…>`, `complex<…>`, unranked tensors): the name and what follows.
    Other(Vec<Piece>),
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
        body: Option<Vec<Piece>>,
    },
    /// `loc(…)`: what stands in the parentheses, an alias resolved.
    Location(Vec<Piece>),
    /// Anything else (`affine_map<…>`, `distinct[0]<…>`, …).
    Other(Vec<Piece>),
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

    pub(super) fn names_ref(&self) -> &Interner<Box<str>> {
        &self.names
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
