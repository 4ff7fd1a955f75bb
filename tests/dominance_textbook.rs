//! The dominance oracle against the textbook: A dominates B if every path from the entry to B goes through A. The fast
//! answer (dominator trees, one walk) and the slow one (remove A, see whether B is still reached) must be the same.

use proptest::prelude::*;
use tritonsmith::checks::Tree;
use tritonsmith::ir::{Module, parse};
use tritonsmith::oracle::dominance::{Dominance, check};
use tritonsmith::oracle::judge;

fn read(text: &str) -> Module {
    parse(text).unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

/// A function whose block `i` branches to the blocks in `edges[i]`.
fn graph(edges: &[Vec<usize>]) -> String {
    let mut text = String::from("\"test.func\"() ({\n");
    for (block, targets) in edges.iter().enumerate() {
        let targets: Vec<String> = targets.iter().map(|target| format!("^b{target}")).collect();
        let targets = if targets.is_empty() { String::new() } else { format!("[{}]", targets.join(", ")) };
        text += &format!("^b{block}:\n  \"test.br\"(){targets} : () -> ()\n");
    }
    text + "}) : () -> ()\n"
}

/// Whether a path leads from block 0 to `to` without touching `without`.
fn leads_to(edges: &[Vec<usize>], to: usize, without: Option<usize>) -> bool {
    let mut seen = vec![false; edges.len()];
    let mut stack = vec![0];
    while let Some(block) = stack.pop() {
        if Some(block) != without && !std::mem::replace(&mut seen[block], true) {
            stack.extend(&edges[block]);
        }
    }
    seen[to]
}

fn any_graph() -> impl Strategy<Value = Vec<Vec<usize>>> {
    (2usize..24).prop_flat_map(|blocks| prop::collection::vec(prop::collection::vec(0..blocks, 0..4), blocks))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_block_dominates_another_if_every_path_goes_through_it(edges in any_graph()) {
        let module = read(&graph(&edges));
        let dominance = Dominance::new(&module);
        let function = module.walk().into_iter().find(|&op| module.op_name(op) == "test.func").unwrap();
        let blocks = &module.region(module.op(function).regions[0]).blocks;
        for (b, &second) in blocks.iter().enumerate() {
            prop_assert_eq!(dominance.dominators().is_reachable(second), leads_to(&edges, b, None));
            for (a, &first) in blocks.iter().enumerate() {
                let textbook = a == b || !leads_to(&edges, b, Some(a));
                prop_assert_eq!(dominance.dominators().dominates(first, second), textbook, "^b{} and ^b{}", a, b);
            }
        }
    }

    #[test]
    fn a_use_is_right_if_the_textbook_says_so(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let tree = Tree::new(&bytes);
        let text = tree.text();
        let module = read(&text);
        prop_assert_eq!(check(&module).len(), tree.violations(), "{}\n{}", judge(&module), text);
        prop_assert_eq!(judge(&module).structure, vec![], "{}", text);
    }

    #[test]
    fn asking_use_by_use_gives_what_one_walk_gives(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let module = read(&Tree::new(&bytes).text());
        let dominance = Dominance::new(&module);
        let single = module.walk().into_iter().flat_map(|op| {
            let operands = module.op(op).operands.iter();
            operands.filter_map(|&value| dominance.judge(&module, value, op)).collect::<Vec<_>>()
        });
        let walked: Vec<_> = check(&module).into_iter().map(|violation| violation.kind).collect();
        prop_assert_eq!(single.collect::<Vec<_>>(), walked);
    }
}

#[test]
fn about_half_of_the_random_trees_are_valid() {
    let mut state = 1u64;
    let mut bytes = [0u8; 600];
    let valid = (0..400).filter(|_| {
        for byte in &mut bytes {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            *byte = (state >> 56) as u8;
        }
        Tree::new(&bytes).violations() == 0
    });
    let valid = valid.count();
    assert!((100..300).contains(&valid), "{valid} of 400");
}
