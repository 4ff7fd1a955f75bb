//! Accepted edits as data: the trace of how the result was made from the first test case.

use std::fmt;

/// One accepted edit: a step, the sites it was applied at, and the key of what came out.
///
/// Its text form is one line, `<key in hexadecimal> <site>,<site>,… <step name>`:
///
/// ```
/// use tritonsmith_reducer::AcceptedEdit;
/// let edit = AcceptedEdit { step: "drop operations".to_owned(), sites: vec![3, 14], key: 0xc0ffee };
/// assert_eq!(edit.to_string(), "00000000000000000000000000c0ffee 3,14 drop operations");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AcceptedEdit {
    /// The name of the step.
    pub step: String,
    /// The identifiers of the sites, in the order in which they were applied.
    pub sites: Vec<u64>,
    /// The key of the test case afterwards.
    pub key: u128,
}

impl fmt::Display for AcceptedEdit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sites: Vec<String> = self.sites.iter().map(u64::to_string).collect();
        write!(f, "{:032x} {} {}", self.key, sites.join(","), self.step)
    }
}
