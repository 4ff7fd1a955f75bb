//! `journal.jsonl`: one line for each committed case, appended before anything else is done with it. A process that is
//! killed leaves at most one torn line, which is cut off when the campaign goes on.

use super::trial::TrialResult;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JournalLine {
    /// The first line: which campaign this is.
    Campaign {
        /// See [`super::CampaignSettings::identity`].
        identity: String,
    },
    /// A case is done.
    Case(CaseLine),
}

/// What came of a case.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct CaseLine {
    /// Its number.
    pub case: u64,
    /// Milliseconds that the campaign has run, over all its processes.
    pub elapsed_ms: u64,
    /// Runs that ended well.
    pub ok: u32,
    /// All other runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other: Vec<TrialResult>,
    /// Where it was looked at closely: the passes that ran, and whether each changed the module.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub passes: BTreeMap<String, bool>,
}

/// A journal that is open for appending.
#[derive(Debug)]
pub struct CampaignJournal {
    file: File,
}

impl CampaignJournal {
    /// Opens or begins the journal of a campaign. Gives the cases that were committed before, in order, without gaps, and how
    /// many lines were cut off because there is something else among them.
    ///
    /// # Errors
    /// The file cannot be used, or belongs to another campaign.
    pub fn open(path: &Path, identity: &str) -> io::Result<(CampaignJournal, Vec<CaseLine>, usize)> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        let mut cases: Vec<CaseLine> = Vec::new();
        let mut good = 0;
        for line in text.split_inclusive('\n') {
            let Some(Ok(entry)) = line.ends_with('\n').then(|| serde_json::from_str(line)) else { break };
            match entry {
                JournalLine::Campaign { identity: other } if other != identity => {
                    let message = format!("this directory belongs to another campaign ({other}); give another --out");
                    return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
                }
                JournalLine::Campaign { .. } => {}
                JournalLine::Case(case) if case.case == cases.len() as u64 => cases.push(case),
                JournalLine::Case(_) => break,
            }
            good += line.len();
        }
        let lost = text.get(good..).unwrap_or_default().matches('\n').count();
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        file.set_len(good as u64)?;
        let mut journal = CampaignJournal { file };
        if good == 0 {
            journal.append(&JournalLine::Campaign { identity: identity.to_owned() })?;
        }
        Ok((journal, cases, lost))
    }

    /// Appends a line with one write, so that it is there as a whole or not.
    ///
    /// # Errors
    /// The disk is full, or gone.
    pub fn append(&mut self, line: &JournalLine) -> io::Result<()> {
        let mut text = serde_json::to_string(line).map_err(io::Error::other)?;
        text.push('\n');
        self.file.write_all(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(number: u64) -> JournalLine {
        JournalLine::Case(CaseLine { case: number, ok: 3, ..CaseLine::default() })
    }

    #[test]
    fn a_torn_line_is_cut_off_and_the_rest_goes_on() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal.jsonl");
        let (mut journal, before, _) = CampaignJournal::open(&path, "a").unwrap();
        assert!(before.is_empty());
        for number in 0..3 {
            journal.append(&case(number)).unwrap();
        }
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 7]).unwrap();
        let (mut journal, before, lost) = CampaignJournal::open(&path, "a").unwrap();
        assert_eq!((before.len(), lost), (2, 0));
        journal.append(&case(2)).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn lines_behind_a_broken_one_are_counted() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal.jsonl");
        let (mut journal, ..) = CampaignJournal::open(&path, "a").unwrap();
        (0..3).for_each(|number| journal.append(&case(number)).unwrap());
        let text = std::fs::read_to_string(&path).unwrap().replacen("\"case\":1", "\"case\":x", 1);
        std::fs::write(&path, text).unwrap();
        let (_, before, lost) = CampaignJournal::open(&path, "a").unwrap();
        assert_eq!((before.len(), lost), (1, 2));
    }

    #[test]
    fn another_campaign_does_not_go_on_here() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal.jsonl");
        CampaignJournal::open(&path, "a").unwrap();
        assert!(CampaignJournal::open(&path, "b").unwrap_err().to_string().contains("another campaign"));
    }
}
