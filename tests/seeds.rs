//! The seed modules of `corpus/seeds` and the inputs of the shipped cases, read and printed without any Triton: every
//! operation is read by its row, every type is known, and what is printed reads as the same module.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tritonsmith::ir::{Module, PrintOptions, Syntax, TypeId, parse, print};

fn modules() -> Vec<(PathBuf, String)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut paths: Vec<PathBuf> = [corpus.clone(), corpus.join("seeds")]
        .iter()
        .flat_map(|directory| directory.read_dir().expect("the corpus is part of the source"))
        .map(|entry| entry.expect("a directory can be listed").path())
        .map(|path| if path.is_dir() { path.join("input.mlir") } else { path })
        .filter(|path| path.extension().is_some_and(|extension| extension == "mlir") && path.exists())
        .collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).expect("a seed is UTF-8"))).collect()
}

fn parsed(path: &Path, text: &str) -> Module {
    parse(text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_operation_is_read_by_its_row_and_every_type_is_known() {
    let mut names = BTreeSet::new();
    for (path, text) in modules() {
        let module = parsed(&path, &text);
        for op in module.walk() {
            let name = module.op_name(op);
            assert!(module.def(op).is_some(), "{}: `{name}` has no definition", path.display());
            let record = module.op(op);
            assert!(!matches!(record.syntax, Syntax::Text(_)), "{}: no form of `{name}` fits", path.display());
            for &result in &record.results {
                assert_ne!(module.value(result).ty, TypeId::UNKNOWN, "{}: a result of `{name}`", path.display());
            }
            names.insert(name.to_owned());
        }
        assert!(module.type_notes().is_empty(), "{}: a type is not that of the value used", path.display());
    }
    assert!(names.len() >= 100, "the seeds are to cover the language widely, and hold {} operations", names.len());
}

#[test]
fn what_is_printed_reads_as_the_same_module() {
    for (path, text) in modules() {
        let module = parsed(&path, &text);
        let custom = print(&module, &PrintOptions::default());
        let generic = print(&module, &PrintOptions::generic());
        let again = parsed(&path, &custom);
        assert_eq!(custom, print(&again, &PrintOptions::default()), "{}: custom form", path.display());
        assert_eq!(generic, print(&again, &PrintOptions::generic()), "{}: generic form", path.display());
        let from_generic = parsed(&path, &generic);
        assert_eq!(generic, print(&from_generic, &PrintOptions::generic()), "{}: generic form", path.display());
    }
}
