//! The search space of an autotuner, from JSON.
//!
//! | text | space |
//! | --- | --- |
//! | `[{"BLOCK_M": 64, "num_warps": 4}, …]` | these configurations; `triton.Config`'s own form with `kwargs` inside as well |
//! | `{"BLOCK_M": [64, 128], "num_warps": [4, 8]}` | every combination, the last name changing fastest |
//! | `{"1": {"BLOCK_M": 64}, "16": {…}}` | these configurations, as in the files of tuned configurations that serving engines keep |
//! | `{"configs": one of the above, "signature": …, …}` | the same with what else the kernel needs: see [`Space`] |
//!
//! Names keep their order in the file.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// More combinations than this are a mistake in the ranges.
const MOST: usize = 1_000_000;

/// One configuration: tuned names and their values, in order.
pub type Configuration = Vec<(String, Value)>;

/// The types of a kernel's arguments, as the user gives them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum Types {
    /// By position, as in `*bf16:16, *bf16:16, i32`: the arguments that are neither constants nor tuned, in order.
    Listed(Vec<String>),
    /// By name.
    Named(BTreeMap<String, String>),
}

/// The configurations of a tuner, and what the same file says about the kernel.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Space {
    /// The configurations, in order.
    pub configurations: Vec<Configuration>,
    /// `"signature"`: the types of the arguments.
    pub signature: Option<Types>,
    /// `"constants"`: values of arguments that are not tuned.
    pub constants: BTreeMap<String, Value>,
    /// `"names"`: the kernel's name of a tuned parameter; `null` if it does not have it.
    pub names: BTreeMap<String, Option<String>>,
    /// `"options"`: options of the backend for all configurations.
    pub options: BTreeMap<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpaceError {
    #[error("it is no JSON: {0}")]
    Json(String),
    #[error("{0}; give a list of configurations, or ranges such as {{\"BLOCK_M\": [64, 128], \"num_warps\": [4, 8]}}")]
    Shape(String),
    #[error("it has no configuration")]
    Empty,
    #[error("its ranges make more than {MOST} configurations")]
    TooMany,
}

/// JSON that keeps the order of names.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum OrderedJson {
    Object(IndexMap<String, OrderedJson>),
    List(Vec<OrderedJson>),
    Leaf(Value),
}

impl OrderedJson {
    fn into_value(self) -> Value {
        match self {
            OrderedJson::Object(items) => {
                Value::Object(items.into_iter().map(|(name, node)| (name, node.into_value())).collect())
            }
            OrderedJson::List(items) => Value::Array(items.into_iter().map(OrderedJson::into_value).collect()),
            OrderedJson::Leaf(value) => value,
        }
    }

    /// A field of the file with a fixed type.
    fn read<T: serde::de::DeserializeOwned>(self, name: &str, what: &str) -> Result<T, SpaceError> {
        serde_json::from_value(self.into_value()).map_err(|_| SpaceError::Shape(format!("`{name}` is no {what}")))
    }
}

impl Space {
    /// Reads a space.
    ///
    /// # Errors
    /// See [`SpaceError`].
    pub fn read(text: &str) -> Result<Space, SpaceError> {
        let node: OrderedJson = serde_json::from_str(text).map_err(|error| SpaceError::Json(error.to_string()))?;
        let mut space = Space::default();
        let configs = match node {
            OrderedJson::Object(items) if items.contains_key("configs") => space.settings(items)?,
            node => node,
        };
        space.configurations = configurations(configs)?;
        if space.configurations.is_empty() { Err(SpaceError::Empty) } else { Ok(space) }
    }

    pub fn of(configurations: Vec<Configuration>) -> Space {
        Space { configurations, ..Space::default() }
    }

    /// Reads the other fields beside `configs`, and returns `configs`.
    fn settings(&mut self, items: IndexMap<String, OrderedJson>) -> Result<OrderedJson, SpaceError> {
        let mut configs = OrderedJson::List(Vec::new());
        for (name, node) in items {
            match (name.as_str(), node) {
                ("configs", node) => configs = node,
                ("signature", OrderedJson::Leaf(Value::String(text))) => self.signature = Some(Types::parse(&text)),
                ("signature", node @ OrderedJson::List(_)) => {
                    self.signature = Some(Types::Listed(node.read(&name, "list of types")?));
                }
                ("signature", node) => self.signature = Some(Types::Named(node.read(&name, "signature")?)),
                ("constants" | "constexprs", node) => self.constants = node.read(&name, "object of values")?,
                ("names", node) => self.names = node.read(&name, "object of names")?,
                ("options", node) => self.options = node.read(&name, "object of options")?,
                _ => {
                    return Err(SpaceError::Shape(format!(
                        "`{name}` is not known beside `configs`; there are signature, constants, names and options"
                    )));
                }
            }
        }
        Ok(configs)
    }

    /// The tuned names, in the order in which they first come.
    pub fn parameters(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (name, _) in self.configurations.iter().flatten() {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }
}

impl Types {
    /// Types with commas between them, or `name=type` with commas between them.
    pub fn parse(text: &str) -> Types {
        let parts: Vec<&str> = text.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
        let named: Option<BTreeMap<String, String>> = parts
            .iter()
            .map(|part| part.split_once('=').map(|(name, kind)| (name.trim().to_owned(), kind.trim().to_owned())))
            .collect();
        match named {
            Some(named) if !named.is_empty() => Types::Named(named),
            _ => Types::Listed(parts.into_iter().map(str::to_owned).collect()),
        }
    }
}

fn configurations(node: OrderedJson) -> Result<Vec<Configuration>, SpaceError> {
    match node {
        OrderedJson::List(items) => items.into_iter().map(configuration).collect(),
        OrderedJson::Object(items) if items.values().any(|node| matches!(node, OrderedJson::Object(_))) => {
            // Beside the configurations, such a file says which version it was made with.
            let found = items.into_values().filter(|node| matches!(node, OrderedJson::Object(_)));
            found.map(configuration).collect()
        }
        OrderedJson::Object(ranges) => product(ranges),
        OrderedJson::Leaf(_) => Err(SpaceError::Shape("it is neither a list nor an object".to_owned())),
    }
}

fn configuration(node: OrderedJson) -> Result<Configuration, SpaceError> {
    let OrderedJson::Object(items) = node else {
        return Err(SpaceError::Shape("a configuration is no object".to_owned()));
    };
    let mut flat = Vec::new();
    for (name, node) in items {
        match node {
            OrderedJson::Object(inner) if name == "kwargs" => flat.extend(configuration(OrderedJson::Object(inner))?),
            OrderedJson::Leaf(value) => flat.push((name, value)),
            _ => return Err(SpaceError::Shape(format!("the value of `{name}` in a configuration is no single value"))),
        }
    }
    Ok(flat)
}

fn product(ranges: IndexMap<String, OrderedJson>) -> Result<Vec<Configuration>, SpaceError> {
    let mut all: Vec<Configuration> = vec![Vec::new()];
    for (name, node) in ranges {
        let values = match node {
            OrderedJson::List(values) => values.into_iter().map(OrderedJson::into_value).collect(),
            node => vec![node.into_value()],
        };
        if all.len().saturating_mul(values.len()) > MOST {
            return Err(SpaceError::TooMany);
        }
        all = all
            .iter()
            .flat_map(|start| {
                values.iter().map(|value| {
                    let mut longer = start.clone();
                    longer.push((name.clone(), value.clone()));
                    longer
                })
            })
            .collect();
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let space = Space::read(text).expect("a space");
        let show = |configuration: &Configuration| {
            configuration.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
        };
        space.configurations.iter().map(show).collect()
    }

    #[test]
    fn ranges_are_multiplied_and_names_keep_their_order() {
        assert_eq!(
            shown(r#"{"Z": [1, 2], "A": [true, "x"], "num_warps": 4}"#),
            ["Z=1 A=true num_warps=4", "Z=1 A=\"x\" num_warps=4", "Z=2 A=true num_warps=4", "Z=2 A=\"x\" num_warps=4"]
        );
    }

    #[test]
    fn lists_and_files_of_tuned_configurations_are_read() {
        assert_eq!(shown(r#"[{"B": 1}, {"kwargs": {"B": 2}, "num_warps": 8}]"#), ["B=1", "B=2 num_warps=8"]);
        assert_eq!(shown(r#"{"triton_version": "3.4.0", "1": {"B": 1}, "16": {"B": 2}}"#), ["B=1", "B=2"]);
    }

    #[test]
    fn what_the_kernel_needs_stands_beside_the_configurations() {
        let text = r#"{"configs": {"B": [1]}, "signature": "*fp16:16, i32", "constants": {"K": 8},
                       "names": {"B": "BM", "G": null}, "options": {"num_ctas": 1}}"#;
        let space = Space::read(text).expect("a space");
        assert_eq!(space.signature, Some(Types::Listed(vec!["*fp16:16".into(), "i32".into()])));
        assert_eq!(space.names, BTreeMap::from([("B".into(), Some("BM".into())), ("G".into(), None)]));
        assert_eq!((space.constants.len(), space.options.len(), space.configurations.len()), (1, 1, 1));
        let named = Types::Named(BTreeMap::from([("x".into(), "*fp16:16".into()), ("n".into(), "i32".into())]));
        assert_eq!(Types::parse("x=*fp16:16, n=i32"), named);
    }

    #[test]
    fn what_is_no_space_is_refused() {
        for text in ["", "3", "[]", "[3]", r#"[{"B": [1]}]"#, r#"{"B": []}"#, r#"{"configs": [], "x": 1}"#] {
            assert!(Space::read(text).is_err(), "{text}");
        }
        let many =
            format!("{{{}}}", ["a", "b", "c"].map(|name| format!("\"{name}\": [{}0]", "1,".repeat(120))).join(","));
        assert_eq!(Space::read(&many), Err(SpaceError::TooMany));
    }
}
