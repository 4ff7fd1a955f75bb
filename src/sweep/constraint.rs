//! The tuned values that the failing configurations have in common.
//!
//! The answer is a cover of cubes, as in two-level logic minimisation. A cube has values for some of the parameters, and
//! every configuration with these values fails; other parameters do not matter. The cubes cover exactly the failing
//! configurations, so a tuner that skips them loses nothing that works. Each cube starts as a failing configuration that is
//! not covered yet, drops every parameter that it does not need, and then adds every value that also fails. Parameters for
//! which most values occur in failing configurations come first, as they are the least likely to matter.

use super::space::Configuration;
use serde_json::Value;

/// Values that imply a failure.
#[derive(Debug, Clone, PartialEq)]
pub struct Cube {
    /// The parameters that matter and their failing values, in the space's order.
    pub values: Vec<(String, Vec<Value>)>,
    /// Number of configurations with these values.
    pub count: usize,
}

/// A cube over indices: for each parameter its values, or `None` for all.
type Sides = Vec<Option<Vec<usize>>>;

/// The cubes of the failing configurations, largest first.
pub fn cubes(parameters: &[String], configurations: &[&Configuration], fails: &[bool]) -> Vec<Cube> {
    let find = |configuration: &Configuration, name: &String| {
        configuration.iter().find(|(known, _)| known == name).map_or(Value::Null, |(_, value)| value.clone())
    };
    let mut domains: Vec<Vec<Value>> = vec![Vec::new(); parameters.len()];
    let mut points: Vec<(Vec<usize>, bool)> = Vec::with_capacity(configurations.len());
    for (configuration, fails) in configurations.iter().zip(fails) {
        let mut point = Vec::with_capacity(parameters.len());
        for (name, domain) in parameters.iter().zip(&mut domains) {
            let value = find(configuration, name);
            point.push(domain.iter().position(|known| *known == value).unwrap_or_else(|| {
                domain.push(value);
                domain.len() - 1
            }));
        }
        points.push((point, *fails));
    }
    let order = order(&points, &domains);
    let mut found: Vec<Sides> = Vec::new();
    for (point, _) in points.iter().filter(|(_, fails)| *fails) {
        if !found.iter().any(|sides| covers(sides, point)) {
            found.push(grow(point, &points, &domains, &order));
        }
    }
    drop_superfluous(&mut found, &points);
    let mut cubes: Vec<Cube> = found.iter().map(|sides| cube(sides, parameters, &domains, &points)).collect();
    cubes.sort_by_key(|cube| std::cmp::Reverse(cube.count));
    cubes
}

fn covers(sides: &Sides, point: &[usize]) -> bool {
    sides.iter().zip(point).all(|(side, value)| side.as_ref().is_none_or(|values| values.contains(value)))
}

fn is_pure(sides: &Sides, points: &[(Vec<usize>, bool)]) -> bool {
    points.iter().all(|(point, fails)| *fails || !covers(sides, point))
}

/// The parameters, least likely to matter first.
fn order(points: &[(Vec<usize>, bool)], domains: &[Vec<Value>]) -> Vec<usize> {
    let mut order: Vec<(usize, usize)> = (0..domains.len())
        .map(|parameter| {
            let failing = points.iter().filter(|(_, fails)| *fails);
            let mut seen: Vec<usize> = failing.filter_map(|(point, _)| point.get(parameter).copied()).collect();
            seen.sort_unstable();
            seen.dedup();
            (seen.len() * 1000 / domains.get(parameter).map_or(1, Vec::len).max(1), parameter)
        })
        .collect();
    order.sort_by_key(|(share, parameter)| (std::cmp::Reverse(*share), *parameter));
    order.into_iter().map(|(_, parameter)| parameter).collect()
}

fn grow(start: &[usize], points: &[(Vec<usize>, bool)], domains: &[Vec<Value>], order: &[usize]) -> Sides {
    let mut sides: Sides = start.iter().map(|value| Some(vec![*value])).collect();
    for parameter in order {
        let mut without = sides.clone();
        if let Some(side) = without.get_mut(*parameter) {
            *side = None;
        }
        if is_pure(&without, points) {
            sides = without;
        }
    }
    for parameter in order {
        for value in 0..domains.get(*parameter).map_or(0, Vec::len) {
            let mut wider = sides.clone();
            let Some(Some(values)) = wider.get_mut(*parameter) else { continue };
            if !values.contains(&value) {
                values.push(value);
                values.sort_unstable();
                if is_pure(&wider, points) {
                    sides = wider;
                }
            }
        }
    }
    sides
}

/// Removes cubes that the others cover, smallest first.
fn drop_superfluous(found: &mut Vec<Sides>, points: &[(Vec<usize>, bool)]) {
    let size = |sides: &Sides| points.iter().filter(|(point, _)| covers(sides, point)).count();
    found.sort_by_key(|sides| std::cmp::Reverse(size(sides)));
    let mut at = found.len();
    while at > 0 {
        at -= 1;
        let others: Vec<&Sides> =
            found.iter().enumerate().filter(|(place, _)| *place != at).map(|(_, it)| it).collect();
        let covered = |point: &Vec<usize>| others.iter().any(|sides| covers(sides, point));
        if points.iter().filter(|(_, fails)| *fails).all(|(point, _)| covered(point)) {
            found.remove(at);
        }
    }
}

fn cube(sides: &Sides, parameters: &[String], domains: &[Vec<Value>], points: &[(Vec<usize>, bool)]) -> Cube {
    let named = sides.iter().zip(parameters).zip(domains).filter_map(|((side, name), domain)| {
        let values = side.as_ref()?.iter().filter_map(|value| domain.get(*value).cloned()).collect();
        Some((name.clone(), values))
    });
    Cube { values: named.collect(), count: points.iter().filter(|(point, _)| covers(sides, point)).count() }
}

impl std::fmt::Display for Cube {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.values.is_empty() {
            return f.write_str("every configuration");
        }
        for (place, (name, values)) in self.values.iter().enumerate() {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            write!(f, "{}{name}={}", if place > 0 { " " } else { "" }, values.join("|"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::Space;

    fn cubes_of(space: &str, fails: impl Fn(&dyn Fn(&str) -> i64) -> bool) -> Vec<String> {
        let space = Space::read(space).expect("a space");
        let all: Vec<&Configuration> = space.configurations.iter().collect();
        let failing: Vec<bool> = all
            .iter()
            .map(|configuration| {
                fails(&|name| {
                    configuration.iter().find(|(known, _)| known == name).and_then(|(_, value)| value.as_i64()).unwrap()
                })
            })
            .collect();
        cubes(&space.parameters(), &all, &failing).iter().map(|cube| format!("{cube}: {}", cube.count)).collect()
    }

    const SPACE: &str = r#"{"M": [16, 64, 256], "N": [32, 64], "num_warps": [4, 8]}"#;

    #[test]
    fn only_the_values_that_matter_are_named() {
        assert_eq!(cubes_of(SPACE, |value| value("M") == 256 && value("num_warps") == 4), ["M=256 num_warps=4: 2"]);
        assert_eq!(cubes_of(SPACE, |value| value("M") >= 64), ["M=64|256: 8"]);
        assert_eq!(cubes_of(SPACE, |_| true), ["every configuration: 12"]);
        assert_eq!(cubes_of(SPACE, |_| false), [] as [&str; 0]);
    }

    #[test]
    fn several_reasons_are_several_cubes() {
        let either = |value: &dyn Fn(&str) -> i64| value("M") == 256 || (value("N") == 32 && value("num_warps") == 8);
        assert_eq!(cubes_of(SPACE, either), ["M=256: 4", "N=32 num_warps=8: 3"]);
    }
}
