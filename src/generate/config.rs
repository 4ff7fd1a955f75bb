//! Swarm testing: a configuration (operations, types, shapes, depths) is drawn first, and the module within it. Modules with
//! few features reach states that modules with all features hide (Groce et al., "Swarm Testing", ISSTA 2012).

use super::Pattern;
use super::choice::Choice;
use super::settings::GeneratorSettings;
use super::value::Scalar;
use strum::VariantArray;

#[derive(Debug, Clone)]
pub(super) struct Config {
    pub warps: u32,
    pub stages: u32,
    /// Sizes of dimensions: powers of two.
    pub sizes: Vec<u32>,
    /// Largest number of elements of a tensor.
    pub most_elements: u64,
    /// Element types of data.
    pub floats: Vec<Scalar>,
    pub integers: Vec<Scalar>,
    /// How often each pattern is drawn, in the order of the variants.
    pub weights: Vec<u32>,
    /// Nesting of loops and branches.
    pub depth: usize,
    /// Statements at the top level.
    pub statements: u32,
    pub hoist: bool,
    /// Percentages: arguments with `tt.divisibility`, masked accesses, 64-bit indices, strides that are arguments.
    pub divisible: u32,
    pub masked: u32,
    pub wide: u32,
    pub strided: u32,
}

impl Config {
    pub fn draw(choice: &mut Choice<'_, '_>, settings: &GeneratorSettings) -> Config {
        let warps = choice.one_of(4, &[4, 4, 8, 2, 1]);
        let stages = choice.one_of(2, &[3, 2, 4, 1]);
        let family = choice.below(5);
        let sizes: &[u32] = match family {
            0 => &[32, 64, 128],
            1 => &[64, 128, 256],
            2 => &[16, 32, 64],
            3 => &[1, 2, 16, 32],
            _ => &[16, 64, 256, 1024],
        };
        let mut drawn: Vec<u32> = sizes.iter().copied().filter(|_| choice.chance(75)).collect();
        if drawn.is_empty() {
            drawn.extend(sizes.first());
        }
        let most_elements = choice.one_of(1 << 14, &[1 << 12, 1 << 15]);
        let mut floats = vec![choice.one_of(Scalar::F32, &[Scalar::F16, Scalar::F32, Scalar::BF16])];
        for scalar in [Scalar::F32, Scalar::F16, Scalar::BF16] {
            if choice.chance(35) {
                floats.push(scalar);
            }
        }
        if choice.chance(5) {
            floats.push(Scalar::F64);
        }
        if settings.has_fp8() && choice.chance(8) {
            floats.push(Scalar::F8E5M2);
        }
        let mut integers = vec![Scalar::I32];
        for scalar in [Scalar::I64, Scalar::I8, Scalar::I16] {
            if choice.chance(20) {
                integers.push(scalar);
            }
        }
        let weights = Pattern::VARIANTS
            .iter()
            .map(|&pattern| match pattern.base_weight(settings) {
                // Patterns that the user asked for are never left out.
                weight if !settings.patterns.is_empty() => weight,
                weight => [weight, 0, weight, weight * 4][choice.below(4)],
            })
            .collect();
        Config {
            warps,
            stages,
            sizes: drawn,
            most_elements,
            floats,
            integers,
            weights,
            depth: choice.between(1, 3) as usize,
            statements: choice.between(1, 6),
            hoist: choice.chance(40),
            divisible: choice.one_of(90, &[90, 50, 0]),
            masked: choice.one_of(60, &[90, 30, 0]),
            wide: choice.one_of(0, &[10, 40]),
            strided: choice.one_of(40, &[80, 0]),
        }
    }
}
