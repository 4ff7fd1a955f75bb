//! Accepted edits as data, so that a run can be taken up again after a kill.
//!
//! The engine does no I/O: it hands each [`Decision`] to the observer, which may append it to a file as one line, and
//! takes them back through [`crate::Options::resume`].

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::error::Error;
use crate::subject::{Held, Site, Step, Subject};

/// One accepted edit: a step, the sites it was applied at, and the key of what came out.
///
/// Its text form is one line, `<key in hexadecimal> <site>,<site>,… <step name>`:
///
/// ```
/// use tritonsmith_reducer::Decision;
/// let line = "00000000000000000000000000c0ffee 3,14 drop operations";
/// let decision: Decision = line.parse()?;
/// assert_eq!((decision.step.as_str(), decision.sites.as_slice()), ("drop operations", &[3, 14][..]));
/// assert_eq!(decision.to_string(), line);
/// # Ok::<(), tritonsmith_reducer::BadDecision>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Decision {
    /// The name of the step.
    pub step: String,
    /// The identifiers of the sites, in the order in which they were applied.
    pub sites: Vec<u64>,
    /// The key of the subject afterwards.
    pub key: u128,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x} ", self.key)?;
        for (index, site) in self.sites.iter().enumerate() {
            write!(f, "{}{site}", if index == 0 { "" } else { "," })?;
        }
        write!(f, " {}", self.step)
    }
}

/// A line that is not a decision.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a decision of a reduction: `{0}`")]
pub struct BadDecision(pub String);

impl FromStr for Decision {
    type Err = BadDecision;

    fn from_str(line: &str) -> Result<Decision, BadDecision> {
        let bad = || BadDecision(line.to_owned());
        let mut parts = line.splitn(3, ' ');
        let (Some(key), Some(sites), Some(step)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(bad());
        };
        let key = u128::from_str_radix(key, 16).map_err(|_| bad())?;
        let sites = sites.split(',').map(|site| site.parse().map_err(|_| bad())).collect::<Result<_, _>>()?;
        Ok(Decision { step: step.to_owned(), sites, key })
    }
}

/// Applies `decisions` one after the other. Nothing is asked; each result is checked against the recorded key.
pub(crate) fn replay<S: Subject>(
    mut held: Arc<Held<S>>,
    steps: &[&dyn Step<S>],
    decisions: &[Decision],
) -> Result<Arc<Held<S>>, Error> {
    for (index, decision) in decisions.iter().enumerate() {
        let fail = |why: &'static str| Error::Resume { decision: index, why };
        let step = steps.iter().find(|step| step.name() == decision.step).ok_or_else(|| fail("no such step"))?;
        let listed = step.sites(&held.subject);
        let sites = decision
            .sites
            .iter()
            .map(|&id| listed.iter().copied().find(|site| site.id == id))
            .collect::<Option<Vec<Site>>>()
            .ok_or_else(|| fail("no such site"))?;
        let after = step.apply(&held.subject, &sites).ok_or_else(|| fail("the edit does not apply"))?;
        held = Arc::new(Held::new(after));
        if held.key != decision.key {
            return Err(fail("the edit leads elsewhere than it did"));
        }
    }
    Ok(held)
}
