//! Layouts, `#ttg.blocked<{sizePerThread = [1, 4], …, order = [1, 0]}>`: dialect attributes whose inside is fields by
//! name. They are read once, when they are parsed; a value that is not understood is kept as its text.

use super::intern::{Attr, BodySegment, Interners};
use super::rewrite::Inside;
use super::{AttrId, Name};

/// What a layout is, by the last word of its name, whatever the dialect is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum LayoutKind {
    /// `blocked`.
    Blocked,
    /// `slice`: its parent with a dimension left out.
    Slice,
    /// `dot_op`: an operand of the product that has the parent layout.
    #[strum(serialize = "dot_op")]
    DotOperand,
    /// `linear`.
    Linear,
    /// `nvidia_mma`.
    NvidiaMma,
    /// `amd_mfma`.
    AmdMfma,
    /// `amd_wmma`.
    AmdWmma,
    /// `shared`, before 3.3: what `swizzled_shared` and `nvmma_shared` are now.
    Shared,
    /// `swizzled_shared`.
    SwizzledShared,
    /// `nvmma_shared`.
    NvmmaShared,
    /// `amd_rotating_shared`.
    #[strum(serialize = "amd_rotating_shared")]
    RotatingShared,
    /// `padded_shared`.
    PaddedShared,
    /// `shared_linear`.
    SharedLinear,
    /// `partitioned_shared`.
    PartitionedShared,
    /// `tensor_memory_encoding`.
    #[strum(serialize = "tensor_memory_encoding")]
    TensorMemory,
    /// `tensor_memory_scales_encoding`.
    #[strum(serialize = "tensor_memory_scales_encoding")]
    TensorMemoryScales,
    /// `auto_encoding`, `coalesced_encoding`: still to be chosen.
    #[strum(serialize = "auto_encoding", serialize = "coalesced_encoding")]
    Auto,
    /// No layout that is known here.
    #[strum(disabled)]
    Other,
}

impl LayoutKind {
    fn of(name: &str) -> Self {
        name.rsplit('.').next().unwrap_or(name).parse().unwrap_or(LayoutKind::Other)
    }

    /// Whether it is the layout of a product on tensor cores.
    pub fn is_mma(self) -> bool {
        matches!(self, LayoutKind::NvidiaMma | LayoutKind::AmdMfma | LayoutKind::AmdWmma)
    }
}

/// The value of a layout's field.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum FieldValue {
    /// `4`.
    Integer(i64),
    /// `true`, `false`.
    Bool(bool),
    /// `[1, 4]`, `[[0, 1], [0, 2]]`.
    List(Vec<FieldValue>),
    /// `{warp = [[0, 1]], block = []}`.
    Fields(Vec<(Name, FieldValue)>),
    /// A layout or another attribute.
    Attr(AttrId),
    /// Anything else, as it was written.
    Text(Vec<BodySegment>),
}

impl FieldValue {
    /// The items of a list.
    pub fn list(&self) -> Option<&[FieldValue]> {
        match self {
            FieldValue::List(items) => Some(items),
            _ => None,
        }
    }

    /// A number that is not negative.
    pub fn number(&self) -> Option<u64> {
        match self {
            FieldValue::Integer(number) => u64::try_from(*number).ok(),
            _ => None,
        }
    }
}

impl From<u64> for FieldValue {
    /// `4`; as text where it does not fit.
    fn from(number: u64) -> Self {
        match i64::try_from(number) {
            Ok(number) => FieldValue::Integer(number),
            Err(_) => FieldValue::Text(vec![BodySegment::Text(number.to_string())]),
        }
    }
}

impl From<&[u64]> for FieldValue {
    fn from(numbers: &[u64]) -> Self {
        FieldValue::List(numbers.iter().map(|&number| number.into()).collect())
    }
}

/// A dialect attribute with fields.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Layout {
    /// Full name, without the hash sign.
    pub name: Name,
    /// What the name means.
    pub kind: LayoutKind,
    /// The list in front of the fields: `[512:+16]` in `#ttg.padded_shared<[512:+16] {order = [1, 0], …}>`.
    pub before: Vec<BodySegment>,
    /// Whether the fields are in braces; those of tensor memory are not.
    pub braces: bool,
    /// The fields in their order.
    pub fields: Vec<(Name, FieldValue)>,
    /// What follows the closing brace: `, alignment = 16`.
    pub after: Vec<BodySegment>,
}

impl Interners {
    /// What the name of a dialect attribute means.
    pub(super) fn kind_of(&self, name: Name) -> LayoutKind {
        LayoutKind::of(self.name_text(name))
    }

    /// The layout of that name with these fields in braces.
    pub fn new_layout(&mut self, name: &str, fields: Vec<(&str, FieldValue)>) -> AttrId {
        let name = self.name(name);
        let fields = fields.into_iter().map(|(name, value)| (self.name(name), value)).collect();
        let kind = self.kind_of(name);
        self.attr(Attr::Layout(Layout { name, kind, before: Vec::new(), braces: true, fields, after: Vec::new() }))
    }

    /// The attributes that stand directly in a dialect attribute, in their order.
    pub fn attrs_inside(&self, attr: AttrId) -> Vec<AttrId> {
        let mut found = Vec::new();
        if let data @ (Attr::Layout(_) | Attr::Dialect { .. }) = self.attr_data(attr) {
            data.clone().each(&mut |inside| {
                if let Inside::Attr(attr) = inside {
                    found.push(*attr);
                }
            });
        }
        found
    }

    /// A slice of a layout.
    pub fn slice_layout(&mut self, dimension: u64, parent: AttrId) -> AttrId {
        self.new_layout("ttg.slice", vec![("dim", dimension.into()), ("parent", FieldValue::Attr(parent))])
    }

    /// The layout of the left (0) or right (1) factor of a product that has the layout `parent`.
    pub fn dot_operand_layout(&mut self, side: u64, parent: AttrId) -> AttrId {
        self.new_layout("ttg.dot_op", vec![("opIdx", side.into()), ("parent", FieldValue::Attr(parent))])
    }

    /// What a layout is; [`LayoutKind::Other`] for an attribute that is none.
    pub fn layout_kind(&self, layout: AttrId) -> LayoutKind {
        match self.attr_data(layout) {
            Attr::Layout(layout) => layout.kind,
            Attr::Dialect { name, .. } => self.kind_of(*name),
            _ => LayoutKind::Other,
        }
    }

    /// A field of a layout.
    pub fn layout_field(&self, layout: AttrId, name: &str) -> Option<&FieldValue> {
        let Attr::Layout(layout) = self.attr_data(layout) else { return None };
        layout.fields.iter().find(|(field, _)| self.name_text(*field) == name).map(|(_, value)| value)
    }

    /// The same layout with another value for a field that it has, or without it; the layout itself if it has no such
    /// field.
    pub fn with_layout_field(&mut self, layout: AttrId, name: &str, value: Option<FieldValue>) -> AttrId {
        let Attr::Layout(data) = self.attr_data(layout) else { return layout };
        let Some(place) = data.fields.iter().position(|(field, _)| self.name_text(*field) == name) else {
            return layout;
        };
        let mut data = data.clone();
        match value {
            Some(value) => data.fields[place].1 = value,
            None => drop(data.fields.remove(place)),
        }
        self.attr(Attr::Layout(data))
    }

    /// The numbers of a layout's field that is a list of them.
    pub fn layout_numbers(&self, layout: AttrId, name: &str) -> Option<Vec<u64>> {
        self.layout_field(layout, name)?.list()?.iter().map(FieldValue::number).collect()
    }

    /// The same layout with other numbers in such a field.
    pub fn with_layout_numbers(&mut self, layout: AttrId, name: &str, numbers: &[u64]) -> AttrId {
        self.with_layout_field(layout, name, Some(numbers.into()))
    }

    /// The layout that another is derived from, as a slice from its parent.
    pub fn parent_layout(&self, layout: AttrId) -> Option<AttrId> {
        match self.layout_field(layout, "parent")? {
            FieldValue::Attr(parent) => Some(*parent),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Module, PrintOptions, parse, print};

    /// A module that uses a layout, and the layout.
    fn layout(text: &str) -> (Module, AttrId) {
        let module = parse(&format!("\"test.op\"() {{layout = {text}}} : () -> ()")).expect("a layout");
        let op = module.walk()[1];
        let layout = module.attribute(op, "layout").expect("it has one");
        (module, layout)
    }

    fn printed(text: &str) -> String {
        let options = PrintOptions { aliases: false, ..PrintOptions::default() };
        let text = print(&layout(text).0, &options);
        let (_, rest) = text.split_once("layout = ").expect("it is printed");
        rest.split_once("} : ()").expect("the list ends").0.to_owned()
    }

    #[test]
    fn fields_are_read_and_set_by_name() {
        let text = "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], order = [1, 0]}>";
        let (mut module, blocked) = layout(text);
        let interners = &mut module.interners;
        assert_eq!(interners.layout_kind(blocked), LayoutKind::Blocked);
        assert_eq!(interners.layout_numbers(blocked, "threadsPerWarp"), Some(vec![2, 16]));
        assert_eq!(interners.layout_field(blocked, "PerThread"), None);
        let fields = |numbers: &[u64]| {
            vec![("sizePerThread", [1, 4][..].into()), ("threadsPerWarp", numbers.into()), ("order", [1, 0][..].into())]
        };
        let one = interners.with_layout_numbers(blocked, "threadsPerWarp", &[1, 1]);
        assert_eq!(one, interners.new_layout("ttg.blocked", fields(&[1, 1])));
        assert_eq!(interners.with_layout_numbers(one, "threadsPerWarp", &[2, 16]), blocked);
        let fewer = interners.with_layout_field(blocked, "order", None);
        assert_eq!(interners.layout_field(fewer, "order"), None);
        assert_eq!(interners.layout_numbers(fewer, "sizePerThread"), Some(vec![1, 4]));
    }

    #[test]
    fn bases_of_linear_layouts_are_lists_of_lists() {
        let (module, linear) = layout("#ttg.linear<{register = [], lane = [[0, 1], [0, 2]], warp = [[1, 0]]}>");
        let field = |name| module.interners.layout_field(linear, name).and_then(FieldValue::list);
        assert_eq!(field("lane"), Some(&[[0, 1][..].into(), [0, 2][..].into()][..]));
        assert_eq!(field("register"), Some(&[][..]));
    }

    #[test]
    fn every_kind_of_layout_is_printed_as_it_was_written() {
        for text in [
            "#ttg.slice<{dim = 1, parent = #ttg.blocked<{sizePerThread = [1, 1], CGALayout = [[0, 1]]}>}>",
            "#ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 3, instrShape = [16, 8]}>, kWidth = 2}>",
            "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>",
            "#ttg.padded_shared<[512:+16, 32:+2] {order = [1, 0], shape = [16, 32]}>",
            "#ttg.shared_linear<{offset = [[0, 1]], block = []}, alignment = 16>",
            "#ttg.amd_wmma<{version = 3, ctaLayout = {warp = [[0, 1], [1, 0]]}, instrShape = [16, 16, 32]}>",
            "#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>",
            "#ttng.tensor_memory_scales_encoding<>",
            "#gluon.auto_encoding",
            "#test.odd<{a = 007, b = \"x, }\", c = f(1, 2), d = [1, x : i32], e = !test.t<3>}>",
            "#test.odd<{a = [1]{2}, b = [1, ]}>",
            "#test.odd<{a == 1}>",
            "#test.odd<{a, b = }>",
        ] {
            assert_eq!(printed(text), text);
        }
        // White space says nothing.
        assert_eq!(printed("#ttg.slice<{dim=1 ,\n  parent =  #ttg.x }>"), "#ttg.slice<{dim = 1, parent = #ttg.x}>");
    }

    #[test]
    fn values_that_are_not_understood_are_read_in_reasonable_time() {
        let (open, close) = ("#t.a<{x = ".repeat(60), " y}>".repeat(60));
        assert_eq!(printed(&format!("{open}1{close}")), format!("{open}1{close}"));
        let lists = format!("#t.a<{{x = {}{}}}>", "[".repeat(500), "]".repeat(500));
        assert_eq!(printed(&lists), lists);
    }
}
