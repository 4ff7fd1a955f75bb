//! The same module in the words of another version.
//!
//! Triton renamed some things without changing what they mean, so a module that one version prints is a syntax error in
//! another. What is known here is which words were exchanged for which, not which version speaks which: a version that
//! does not read a text is offered the text in other words, and takes what it reads.
//!
//! | older | newer | since |
//! | --- | --- | --- |
//! | `triton_gpu.`, `triton_nvidia_gpu.` (operations, types, layouts, module attributes) | `ttg.`, `ttng.` | 3.3.0 |
//! | `!tt.memdesc` | `!ttg.memdesc` | 3.3.0 |
//! | `#triton_gpu.shared` without its `hasLeadingOffset = false` | `#ttg.swizzled_shared` | 3.3.0 |
//! | `amdgpu.` | `amdg.` | 3.6.0 |
//! | `!tt.tensordesc<tensor<64x64xf16>>` | `!tt.tensordesc<64x64xf16>` | 3.8.0 |
//!
//! Where more than words changed (a layout with other parameters, an operation that is not there) no rewording is read,
//! and the module is untestable in that version.

use crate::ir::{self, Attr, FieldValue, Interners, Module, NamePlace, PrintOptions, Substitution, Type};

/// One exchange of words.
#[derive(Debug, Clone, Copy)]
struct Rewording {
    /// What it does, for people.
    what: &'static str,
    /// Text of which some must be there for it to make sense.
    signs: &'static [&'static str],
    names: Option<fn(NamePlace, &str) -> Option<String>>,
    types: Option<fn(&Type) -> Option<Type>>,
    attrs: Option<fn(&Interners, &Attr) -> Option<Attr>>,
}

/// Exchanges in pairs, there and back. At most one of a pair is tried.
const REWORDINGS: [[Rewording; 2]; 3] = [
    [
        Rewording {
            what: "`triton_gpu` as `ttg`",
            signs: &["triton_gpu.", "triton_nvidia_gpu.", "!tt.memdesc"],
            names: Some(newer_dialect),
            types: None,
            attrs: Some(newer_shared),
        },
        Rewording {
            what: "`ttg` as `triton_gpu`",
            signs: &["ttg.", "ttng."],
            names: Some(older_dialect),
            types: None,
            attrs: None,
        },
    ],
    [
        Rewording {
            what: "`amdgpu` as `amdg`",
            signs: &["amdgpu."],
            names: Some(|_, name| prefix(name, "amdgpu.", "amdg.")),
            types: None,
            attrs: None,
        },
        Rewording {
            what: "`amdg` as `amdgpu`",
            signs: &["amdg."],
            names: Some(|_, name| prefix(name, "amdg.", "amdgpu.")),
            types: None,
            attrs: None,
        },
    ],
    [
        Rewording {
            what: "descriptors without `tensor`",
            signs: &["tensordesc<tensor<"],
            names: None,
            types: Some(newer_descriptor),
            attrs: None,
        },
        Rewording {
            what: "descriptors with `tensor`",
            signs: &["tensordesc<"],
            names: None,
            types: Some(older_descriptor),
            attrs: None,
        },
    ],
];

/// A module in other words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reworded {
    /// The text.
    pub text: String,
    /// What was changed, for people.
    pub what: String,
}

/// A module's text in all the words that it can be put into, the likelier first: each set of exchanges that makes a
/// difference, in custom form and then, since forms changed too, in generic form. The text as it stands is not among
/// them. A text that is no module has none.
pub fn rewordings(text: &str) -> Vec<Reworded> {
    let Ok(module) = ir::parse(text) else { return Vec::new() };
    let fits = |rewording: &&Rewording| rewording.signs.iter().any(|sign| text.contains(sign));
    let possible: Vec<Rewording> = REWORDINGS.iter().filter_map(|pair| pair.iter().find(fits)).copied().collect();
    let mut sets: Vec<Vec<Rewording>> = (0..1usize << possible.len())
        .map(|set| {
            possible.iter().enumerate().filter(|(place, _)| set >> place & 1 == 1).map(|(_, one)| *one).collect()
        })
        .collect();
    sets.sort_by_key(Vec::len);
    let custom = sets.iter().filter(|set| !set.is_empty()).map(|set| reworded(&module, set, false));
    let generic = sets.iter().map(|set| reworded(&module, set, true));
    custom.chain(generic).collect()
}

/// A module's text in the newest words that are known here; none where it is in them, or is no module.
pub fn newest(text: &str) -> Option<Reworded> {
    let fits = |rewording: &&Rewording| rewording.signs.iter().any(|sign| text.contains(sign));
    let older: Vec<Rewording> = REWORDINGS.iter().filter_map(|[newer, _]| Some(newer).filter(fits)).copied().collect();
    if older.is_empty() {
        return None;
    }
    Some(reworded(&ir::parse(text).ok()?, &older, false))
}

fn reworded(module: &Module, set: &[Rewording], generic: bool) -> Reworded {
    let mut module = module.clone();
    let mut what: Vec<&str> = Vec::new();
    for rewording in set {
        let mut substitution = Substitution::new();
        if let Some(names) = rewording.names {
            substitution = substitution.names(names);
        }
        if let Some(types) = rewording.types {
            substitution = substitution.types(types);
        }
        if let Some(attrs) = rewording.attrs {
            substitution = substitution.attrs(attrs);
        }
        substitution.apply(&mut module);
        what.push(rewording.what);
    }
    if generic {
        what.push("the generic form");
    }
    let text = ir::print(&module, &PrintOptions { generic, ..PrintOptions::default() });
    Reworded { text, what: what.join(", ") }
}

fn prefix(name: &str, from: &str, to: &str) -> Option<String> {
    name.strip_prefix(from).map(|rest| format!("{to}{rest}"))
}

fn newer_dialect(place: NamePlace, name: &str) -> Option<String> {
    match (place, name) {
        (NamePlace::Type, "tt.memdesc") => Some("ttg.memdesc".to_owned()),
        (NamePlace::Attribute, "triton_gpu.shared") => Some("ttg.swizzled_shared".to_owned()),
        _ => prefix(name, "triton_gpu.", "ttg.").or_else(|| prefix(name, "triton_nvidia_gpu.", "ttng.")),
    }
}

fn older_dialect(place: NamePlace, name: &str) -> Option<String> {
    match (place, name) {
        (NamePlace::Type, "ttg.memdesc") => Some("tt.memdesc".to_owned()),
        (NamePlace::Attribute, "ttg.swizzled_shared") => Some("triton_gpu.shared".to_owned()),
        _ => prefix(name, "ttg.", "triton_gpu.").or_else(|| prefix(name, "ttng.", "triton_nvidia_gpu.")),
    }
}

/// Swizzled memory has no leading offset any more: what had one is another layout now, and stays as it is.
fn newer_shared(interners: &Interners, attr: &Attr) -> Option<Attr> {
    let Attr::Layout(layout) = attr else { return None };
    if interners.name_text(layout.name) != "ttg.swizzled_shared" {
        return None;
    }
    let mut layout = layout.clone();
    let gone = |name| interners.name_text(name) == "hasLeadingOffset";
    layout.fields.retain(|(name, value)| !(gone(*name) && *value == FieldValue::Bool(false)));
    Some(Attr::Layout(layout))
}

fn newer_descriptor(ty: &Type) -> Option<Type> {
    match *ty {
        Type::TensorDesc { name, block, bare: false } => Some(Type::TensorDesc { name, block, bare: true }),
        _ => None,
    }
}

fn older_descriptor(ty: &Type) -> Option<Type> {
    match *ty {
        Type::TensorDesc { name, block, bare: true } => Some(Type::TensorDesc { name, block, bare: false }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEW: &str = "#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = \
                       [0]}>\n#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>\n\
                       #smem = #ttg.shared_memory\nmodule attributes {\"ttg.num-warps\" = 4 : i32, ttg.shared = 64 : i32} \
                       {\n  tt.func @f(%arg0: tensor<64xf32, #blocked>) {\n    %0 = ttg.local_alloc %arg0 : \
                       (tensor<64xf32, #blocked>) -> !ttg.memdesc<64xf32, #shared, #smem>\n    tt.return\n  }\n}\n";

    #[test]
    fn names_change_where_they_are_names_and_change_back() {
        let older = rewordings(NEW).into_iter().next().unwrap();
        for part in [
            "#blocked = #triton_gpu.blocked<",
            "#shared = #triton_gpu.shared<{vec",
            "\"triton_gpu.num-warps\" = 4",
            "triton_gpu.shared = 64",
            "triton_gpu.local_alloc",
            "!tt.memdesc<64xf32, #shared, #smem>",
        ] {
            assert!(older.text.contains(part), "{part} in\n{}", older.text);
        }
        assert_eq!(older.what, "`ttg` as `triton_gpu`");
        let old = older.text.replace("order = [0]}>\n#smem", "order = [0], hasLeadingOffset = false}>\n#smem");
        let again = rewordings(&old).into_iter().next().unwrap();
        let plain = ir::print(&ir::parse(NEW).unwrap(), &PrintOptions::default());
        assert_eq!(again.text, plain);
        assert_eq!(newest(&old).map(|newest| newest.text), Some(plain));
        assert_eq!(newest(NEW), None);
    }

    #[test]
    fn descriptors_lose_and_gain_their_tensor() {
        let old = "module {\n  tt.func @f(%arg0: !tt.tensordesc<tensor<64x32xf16>>) {\n    tt.return\n  }\n}\n";
        let new = old.replace("tensordesc<tensor<64x32xf16>>", "tensordesc<64x32xf16>");
        assert_eq!(rewordings(old)[0].text, new);
        assert_eq!(rewordings(&new)[0].text, old);
    }

    #[test]
    fn a_text_without_such_words_has_its_generic_form_only() {
        let text = "module {\n  tt.func @f() {\n    tt.return\n  }\n}\n";
        let found = rewordings(text);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].what, "the generic form");
        assert!(rewordings("no module {").is_empty());
    }
}
