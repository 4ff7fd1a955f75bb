//! Every module in `corpus/invalid` gets the errors that are written in it, beside the lines that deserve them, and no
//! others. `tritonsmith replay corpus/invalid --update` writes what is reported into the files.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use tritonsmith::compiler::wheel::install;
use tritonsmith::compiler::worker::{Worker, WorkerLimits};
use tritonsmith::corpus::inline;
use tritonsmith::ir;
use tritonsmith::oracle::{self, dominance, structure};

fn modules() -> Vec<(PathBuf, String)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus/invalid");
    let read = |path: PathBuf| (path.clone(), fs::read_to_string(path).expect("a module"));
    inline::find(&root).expect("the directory").into_iter().map(read).collect()
}

#[test]
fn every_module_gets_the_errors_that_are_written_in_it() {
    let mut wrong = Vec::new();
    for (path, text) in modules() {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if inline::written(&text).is_empty() {
            wrong.push(format!("{name}: no error is written in it"));
        }
        wrong.extend(inline::differences(&text).iter().map(|difference| format!("{name}: {difference}")));
    }
    assert!(
        wrong.is_empty(),
        "{}\n`tritonsmith replay corpus/invalid --update` writes what is reported",
        wrong.join("\n")
    );
}

/// All kinds, in a form that does not compile without a new one.
fn kinds() -> (Vec<dominance::DominanceViolationKind>, Vec<structure::StructureViolationKind>) {
    use dominance::DominanceViolationKind as D;
    use structure::StructureViolationKind as S;
    let next_dominance = |kind| match kind {
        D::BeforeDefinition => Some(D::ChildRegion),
        D::ChildRegion => Some(D::SiblingRegion),
        D::SiblingRegion => Some(D::ParentRegion),
        D::ParentRegion => Some(D::OwnRegion),
        D::OwnRegion => Some(D::OtherBlock),
        D::OtherBlock => Some(D::Isolated),
        D::Isolated => Some(D::NeverDefined),
        D::NeverDefined => Some(D::DefinedTwice),
        D::DefinedTwice => None,
    };
    let next_structure = |kind| match kind {
        S::NoTerminator => Some(S::MisplacedTerminator),
        S::MisplacedTerminator => Some(S::ForeignSuccessor),
        S::ForeignSuccessor => Some(S::BranchToEntry),
        S::BranchToEntry => Some(S::EmptyRegion),
        S::EmptyRegion => Some(S::SeveralBlocks),
        S::SeveralBlocks => Some(S::ValueCount),
        S::ValueCount => Some(S::ValueType),
        S::ValueType => Some(S::TypeRelation),
        S::TypeRelation => Some(S::SpelledType),
        S::SpelledType => Some(S::WrongParent),
        S::WrongParent => Some(S::WrongTerminator),
        S::WrongTerminator => Some(S::UnknownSymbol),
        S::UnknownSymbol => Some(S::DuplicateSymbol),
        S::DuplicateSymbol => None,
    };
    (
        std::iter::successors(Some(D::BeforeDefinition), |kind| next_dominance(*kind)).collect(),
        std::iter::successors(Some(S::NoTerminator), |kind| next_structure(*kind)).collect(),
    )
}

#[test]
fn every_kind_of_violation_has_a_module() {
    let (mut seen_dominance, mut seen_structure) = (BTreeSet::new(), BTreeSet::new());
    for (_, text) in modules() {
        let Ok(module) = ir::parse(&text) else { continue };
        let report = oracle::judge(&module);
        seen_dominance.extend(report.dominance.iter().map(|violation| violation.kind));
        seen_structure.extend(report.structure.iter().map(|violation| violation.kind));
    }
    // Text cannot name a block of another region: that is an error of the parser, here as in MLIR.
    seen_structure.insert(structure::StructureViolationKind::ForeignSuccessor);
    let (all_dominance, all_structure) = kinds();
    assert_eq!(seen_dominance, all_dominance.into_iter().collect());
    assert_eq!(seen_structure, all_structure.into_iter().collect());
}

#[test]
#[ignore = "needs wheels"]
fn triton_refuses_every_module_too() {
    let spec = "3.6.0".parse().expect("a version");
    let installation = install(&spec, &AtomicBool::new(false), &mut |_| {}).expect("the wheel installs");
    let mut worker = Worker::start(&installation, WorkerLimits::default()).expect("a worker");
    let (paths, texts): (Vec<PathBuf>, Vec<String>) = modules().into_iter().unzip();
    let verified = worker.verify(&texts).expect("answers");
    for (path, verified) in paths.iter().zip(&verified) {
        assert!(!verified.valid, "{} is accepted", path.display());
        assert!(!verified.stderr.contains("custom op"), "{}: {}", path.display(), verified.stderr);
    }
}
