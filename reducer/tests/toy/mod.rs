//! A toy language for the specifications: straight-line programs of statements that use earlier ones.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::collections::BTreeSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use proptest::prelude::*;
use tritonsmith_reducer::{Site, Step, TestCase};

/// One statement. Its number never changes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Statement {
    pub id: u64,
    pub uses: Vec<u64>,
    /// The more digits, the costlier.
    pub literal: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Program(pub Vec<Statement>);

impl Program {
    /// `n` independent statements.
    pub fn flat(n: u64) -> Program {
        Program((0..n).map(|id| Statement { id, uses: Vec::new(), literal: 0 }).collect())
    }

    pub fn size(&self) -> usize {
        self.0.len()
    }

    pub fn ids(&self) -> BTreeSet<u64> {
        self.0.iter().map(|statement| statement.id).collect()
    }

    pub fn has(&self, id: u64) -> bool {
        self.0.iter().any(|statement| statement.id == id)
    }

    /// The statement and everything that needs it, directly or not.
    fn cone(&self, id: u64) -> BTreeSet<u64> {
        let mut cone = BTreeSet::from([id]);
        for statement in &self.0 {
            if statement.uses.iter().any(|used| cone.contains(used)) {
                cone.insert(statement.id);
            }
        }
        cone
    }
}

impl TestCase for Program {
    type Cost = (usize, usize, u64);

    fn cost(&self) -> Self::Cost {
        let uses = self.0.iter().map(|statement| statement.uses.len()).sum();
        (self.0.len(), uses, self.0.iter().map(|statement| statement.literal).sum())
    }

    fn key(&self) -> u128 {
        let half = |salt: u64| {
            let mut hasher = DefaultHasher::new();
            (salt, self).hash(&mut hasher);
            u128::from(hasher.finish())
        };
        half(1) << 64 | half(2)
    }

    fn valid(&self) -> bool {
        let mut known = BTreeSet::new();
        self.0.iter().all(|statement| {
            let fine = statement.uses.iter().all(|used| known.contains(used));
            known.insert(statement.id);
            fine
        })
    }
}

/// Drops statements with all that need them.
pub struct DropCones;

impl Step<Program> for DropCones {
    fn name(&self) -> &str {
        "drop cones"
    }

    fn sites(&self, program: &Program) -> Vec<Site> {
        program.0.iter().map(|statement| Site::new(statement.id, program.cone(statement.id).len() as u32)).collect()
    }

    fn apply(&self, program: &Program, sites: &[Site]) -> Option<Program> {
        let gone: BTreeSet<u64> = sites.iter().flat_map(|site| program.cone(site.id)).collect();
        Some(Program(program.0.iter().filter(|statement| !gone.contains(&statement.id)).cloned().collect()))
    }
}

/// Drops statements alone; who uses one is left dangling, which the validity check must catch.
pub struct DropCarelessly;

impl Step<Program> for DropCarelessly {
    fn name(&self) -> &str {
        "drop carelessly"
    }

    fn sites(&self, program: &Program) -> Vec<Site> {
        program.0.iter().map(|statement| Site::new(statement.id, 1)).collect()
    }

    fn apply(&self, program: &Program, sites: &[Site]) -> Option<Program> {
        let gone: BTreeSet<u64> = sites.iter().map(|site| site.id).collect();
        Some(Program(program.0.iter().filter(|statement| !gone.contains(&statement.id)).cloned().collect()))
    }
}

/// Removes the first use of a statement.
pub struct Unlink;

impl Step<Program> for Unlink {
    fn name(&self) -> &str {
        "unlink"
    }

    fn sites(&self, program: &Program) -> Vec<Site> {
        program.0.iter().filter(|s| !s.uses.is_empty()).map(|s| Site::new(s.id, 1)).collect()
    }

    fn apply(&self, program: &Program, sites: &[Site]) -> Option<Program> {
        let mut after = program.clone();
        for statement in &mut after.0 {
            if sites.iter().any(|site| site.id == statement.id) && !statement.uses.is_empty() {
                statement.uses.remove(0);
            }
        }
        Some(after)
    }
}

/// Halves literals, one at a time; its sites are mere positions, which shift when statements go.
pub struct Halve;

impl Step<Program> for Halve {
    fn name(&self) -> &str {
        "halve"
    }

    fn sites(&self, program: &Program) -> Vec<Site> {
        let large = program.0.iter().enumerate().filter(|(_, statement)| statement.literal > 0);
        large.map(|(at, statement)| Site::new(at as u64, statement.literal as u32)).collect()
    }

    fn apply(&self, program: &Program, sites: &[Site]) -> Option<Program> {
        let [site] = sites else { return None };
        let mut after = program.clone();
        after.0.get_mut(site.id as usize)?.literal /= 2;
        Some(after)
    }

    fn chunkable(&self) -> bool {
        false
    }
}

pub const STEPS: [&dyn Step<Program>; 4] = [&DropCones, &DropCarelessly, &Unlink, &Halve];

/// Valid programs of up to `most` statements.
pub fn programs(most: usize) -> impl Strategy<Value = Program> {
    let statement = (proptest::collection::vec(any::<proptest::sample::Index>(), 0..3), 0_u64..5);
    proptest::collection::vec(statement, 1..most).prop_map(|statements| {
        let build = |(id, (uses, literal)): (usize, (Vec<proptest::sample::Index>, u64))| {
            let mut uses: Vec<u64> =
                if id == 0 { Vec::new() } else { uses.iter().map(|index| index.index(id) as u64).collect() };
            uses.dedup();
            Statement { id: id as u64, uses, literal }
        };
        Program(statements.into_iter().enumerate().map(build).collect())
    })
}

/// What makes a program interesting: some statements must be there, some literals, and it must not be in a share of
/// all programs that is uninteresting for no reason, as real failures have it.
#[derive(Debug, Clone)]
pub struct Property {
    pub needed: BTreeSet<u64>,
    pub literals: u64,
    /// One program in so many is uninteresting; none for 0.
    pub gaps: u64,
}

impl Property {
    pub fn holds(&self, program: &Program) -> bool {
        let there = self.needed.iter().all(|&id| program.has(id));
        let literals: u64 = program.0.iter().map(|statement| statement.literal).sum();
        there && literals >= self.literals && (self.gaps == 0 || !program.key().is_multiple_of(u128::from(self.gaps)))
    }
}

/// A program with a property that it has.
pub fn interesting(most: usize) -> impl Strategy<Value = (Program, Property)> {
    let needed = proptest::collection::vec(any::<proptest::sample::Index>(), 0..4);
    (programs(most), needed, 0_u64..4, prop_oneof![Just(0_u64), 2_u64..6]).prop_filter_map(
        "the program must be interesting",
        |(program, needed, literals, gaps)| {
            let needed = needed.iter().map(|index| index.index(program.0.len()) as u64).collect();
            let property = Property { needed, literals, gaps };
            property.holds(&program).then_some((program, property))
        },
    )
}
