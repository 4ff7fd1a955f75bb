//! The generator as a campaign's source of modules.

use super::{Trial, TrialSource};
use crate::compiler::Target;
use crate::compiler::protocol::Options;
use crate::generate::{self, Generated, GeneratorSettings, IrLevel, Pattern};
use crate::ir::{PrintOptions, print};

/// Modules from the generator, one for each case and target; targets that have the same operations get the same module.
#[derive(Debug, Clone)]
pub struct Smith {
    each: Vec<(Target, GeneratorSettings)>,
}

impl Smith {
    /// A source for these targets and versions (`3.6.0`), drawing from these patterns, or from all if there are none.
    pub fn new(targets: &[Target], versions: &[String], patterns: &[Pattern], level: IrLevel) -> Smith {
        let each = targets.iter().map(|target| {
            let place = (target.kind.as_str(), target.arch.as_str());
            let settings = GeneratorSettings::for_targets([place], versions.iter().map(String::as_str));
            (target.clone(), GeneratorSettings { patterns: patterns.to_vec(), level, ..settings })
        });
        Smith { each: each.collect() }
    }
}

/// The seed of a case: the two numbers through the finaliser of splitmix64, so that neighbours have nothing in common.
pub fn case_seed(seed: u64, case: u64) -> u64 {
    let mut mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(case).wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

impl From<Generated> for Trial {
    fn from(made: Generated) -> Trial {
        Trial {
            module: print(&made.module, &PrintOptions::default()),
            options: Options::from([
                ("num_warps".to_owned(), made.warps.into()),
                ("num_stages".to_owned(), made.stages.into()),
            ]),
            operations: made.operations,
        }
    }
}

impl TrialSource for Smith {
    fn trial(&self, seed: u64, case: u64, target: &Target) -> Trial {
        let settings = self.each.iter().find(|(other, _)| other == target).map(|(_, settings)| settings);
        let settings = settings.expect("a campaign asks for the targets that it has");
        Trial::from(generate::from_seed(settings, case_seed(seed, case)))
    }
}
