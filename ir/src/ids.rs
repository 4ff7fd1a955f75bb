//! The small integers that name everything in a [`Module`](super::Module). An id means something only together with the
//! module that gave it; ids of deleted operations and values stay unused.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index into an arena.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            fn from(index: usize) -> Self {
                // An input is at most 4 GiB (checked by the parser), so no arena outgrows the id.
                $name(index as u32)
            }
        }
    };
}

id!(
    /// An interned identifier: an operation's, an attribute's or a value's name.
    Name
);
id!(
    /// An interned type.
    TypeId
);
id!(
    /// An interned attribute.
    AttrId
);
id!(
    /// An interned list of named attributes.
    AttrsId
);
id!(
    /// An operation.
    OpId
);
id!(
    /// A block.
    BlockId
);
id!(
    /// A region.
    RegionId
);
id!(
    /// A value: an operation's result or a block's argument.
    ValueId
);

/// A range of bytes in the text that a module was parsed from; empty for what an edit made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Whether it points at no text.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}
