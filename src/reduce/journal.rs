//! What a reduction has learned, kept on disk, so that a kill costs at most the queries in flight.
//!
//! The search is deterministic: from the same module and the same answers it takes the same course. So it is the answers
//! that are kept, one line each, and a resumed reduction begins at the beginning and does not ask what it finds there. It
//! comes out with the same module and the same counts as one that was never disturbed. The edits that were kept are
//! written too, for people: read from top to bottom they say how the module became small.
//!
//! ```text
//! tritonsmith journal 2
//! module 1f0c…             the module that is reduced, by its identity
//! test 9a7e…               the interestingness test, by its identity
//! 5bd1… no 14              an answer: the candidate's key, what was answered, milliseconds
//! 77a0… yes 12
//! + 77a0… 3,14 drop what is unused
//! ```
//!
//! A journal of another module or test is begun anew. A last line without an end is what a kill left of it and does
//! not count.

use super::candidate::Candidate;
use crate::atomic;
use crate::identity::Identity;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tritonsmith_reducer::{AcceptedEdit, Answer, InterestingnessTest, Query, TestCase};

const TITLE: &str = "tritonsmith journal 2";
/// Answers that a journal holds at most: 12 MB of text, a little more in memory.
const MOST: usize = 1 << 18;
/// A line that is longer was not written here.
const LONGEST: u64 = 1 << 20;

/// A journal that cannot be kept.
#[derive(Debug, thiserror::Error)]
#[error("the journal {path} cannot be kept: {source}", path = path.display())]
pub struct JournalError {
    /// Its file.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// What was answered, as a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Yes,
    No,
    Invalid,
    Late,
    /// A slipped bug. It is tested again, since the journal does not have what was seen.
    Other,
}

impl Word {
    const ALL: [Word; 5] = [Word::Yes, Word::No, Word::Invalid, Word::Late, Word::Other];

    fn of<A>(answer: &Answer<A>) -> Option<Word> {
        Some(match answer {
            Answer::Interesting => Word::Yes,
            Answer::Uninteresting => Word::No,
            Answer::Invalid => Word::Invalid,
            Answer::TimedOut => Word::Late,
            Answer::SlippedBug(_) => Word::Other,
            Answer::Cancelled | Answer::Failed(_) => return None,
        })
    }

    fn text(self) -> &'static str {
        match self {
            Word::Yes => "yes",
            Word::No => "no",
            Word::Invalid => "invalid",
            Word::Late => "late",
            Word::Other => "other",
        }
    }

    fn parse(text: &str) -> Option<Word> {
        Word::ALL.into_iter().find(|word| word.text() == text)
    }
}

/// An open journal.
#[derive(Debug)]
pub struct ReductionJournal {
    path: PathBuf,
    contents: Mutex<Contents>,
    found: usize,
    slowest: Duration,
}

#[derive(Debug)]
struct Contents {
    file: File,
    /// What is known already, per key in the order in which it was answered.
    known: FxHashMap<u128, VecDeque<Word>>,
    /// Answers in the file.
    held: usize,
}

impl ReductionJournal {
    /// Opens the journal at `path` for this module and test, or begins it. What it holds of an earlier run over the
    /// same is known from then on.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn open(path: &Path, module: &Candidate, test: &str) -> Result<ReductionJournal, JournalError> {
        let failed = |source| JournalError { path: path.to_owned(), source };
        let head = format!("{TITLE}\nmodule {}\ntest {}\n", Identity(module.key()), Identity::of([test]));
        let Earlier { lines, answers } = read(path, &head).map_err(failed)?;
        // Written anew, so that what a kill left of a last line is gone, and renamed, so that another kill loses nothing.
        let place = path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(place).map_err(failed)?;
        atomic::clear(place);
        let file = atomic::write(path, (head + &lines).as_bytes()).map_err(failed)?;
        let slowest = answers.iter().map(|answer| answer.time).max().unwrap_or_default();
        let found = answers.len();
        let mut known: FxHashMap<u128, VecDeque<Word>> = FxHashMap::default();
        for answer in answers {
            known.entry(answer.key).or_default().push_back(answer.word);
        }
        let contents = Mutex::new(Contents { file, known, held: found });
        Ok(ReductionJournal { path: path.to_owned(), contents, found, slowest })
    }

    /// How many answers an earlier run has left.
    pub fn found(&self) -> usize {
        self.found
    }

    /// The time of the slowest of them. Answers that are not waited for say nothing about how long one may take.
    pub fn slowest(&self) -> Duration {
        self.slowest
    }

    /// Writes edits that were kept; where the search has begun again, those from its start.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn kept(&self, edits: &[AcceptedEdit], again: bool) -> Result<(), JournalError> {
        let head = if again { "+ from the start again\n" } else { "" };
        let lines: String = edits.iter().map(|decision| format!("+ {decision}\n")).collect();
        self.write(&format!("{head}{lines}"))
    }

    fn write(&self, lines: &str) -> Result<(), JournalError> {
        let mut contents = self.contents.lock().unwrap_or_else(PoisonError::into_inner);
        // One write, so that lines of several threads do not mix.
        contents.file.write_all(lines.as_bytes()).map_err(|source| JournalError { path: self.path.clone(), source })
    }

    /// The next answer that is known about a candidate.
    fn recall(&self, key: u128) -> Option<Word> {
        let mut contents = self.contents.lock().unwrap_or_else(PoisonError::into_inner);
        let words = contents.known.get_mut(&key)?;
        let word = words.pop_front();
        if words.is_empty() {
            contents.known.remove(&key);
        }
        word
    }

    fn record(&self, key: u128, word: Word, time: Duration) -> Result<(), JournalError> {
        {
            let mut contents = self.contents.lock().unwrap_or_else(PoisonError::into_inner);
            if contents.held >= MOST {
                return Ok(());
            }
            contents.held += 1;
        }
        self.write(&format!("{key:032x} {} {}\n", word.text(), time.as_millis()))
    }
}

struct Recorded {
    key: u128,
    word: Word,
    time: Duration,
}

#[derive(Default)]
struct Earlier {
    /// The lines with answers, as they stand.
    lines: String,
    answers: Vec<Recorded>,
}

/// What an earlier run has left, if it is of the same module and test. The edits are left out: they will be made
/// again.
fn read(path: &Path, head: &str) -> io::Result<Earlier> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Earlier::default()),
        Err(error) => return Err(error),
    };
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    let mut next = |line: &mut Vec<u8>| -> io::Result<Option<String>> {
        line.clear();
        io::Read::take(&mut reader, LONGEST).read_until(b'\n', line)?;
        let whole = line.ends_with(b"\n");
        Ok(whole.then(|| String::from_utf8_lossy(line).into_owned()))
    };
    for expected in head.split_inclusive('\n') {
        if next(&mut line)?.as_deref() != Some(expected) {
            return Ok(Earlier::default());
        }
    }
    let mut earlier = Earlier::default();
    while let Some(text) = next(&mut line)? {
        if let Some(answer) = parse(text.trim_end()).filter(|answer| answer.word != Word::Other) {
            earlier.lines.push_str(&text);
            earlier.answers.push(answer);
        }
        if earlier.answers.len() >= MOST {
            break;
        }
    }
    Ok(earlier)
}

fn parse(line: &str) -> Option<Recorded> {
    let mut parts = line.split(' ');
    let key = u128::from_str_radix(parts.next().filter(|key| key.len() == 32)?, 16).ok()?;
    let word = Word::parse(parts.next()?)?;
    let time = Duration::from_millis(parts.next()?.parse().ok()?);
    parts.next().is_none().then_some(Recorded { key, word, time })
}

/// A test that does not run again where a journal knows the answer, and writes down the others.
#[derive(Debug)]
pub struct Remembering<'a, P> {
    /// The test that runs.
    pub test: &'a P,
    /// Where it is written; nowhere for `None`.
    pub journal: Option<&'a ReductionJournal>,
}

impl<P: InterestingnessTest<Candidate>> InterestingnessTest<Candidate> for Remembering<'_, P> {
    type SlippedBug = P::SlippedBug;

    fn answer(&self, query: &Query<'_, Candidate>) -> Answer<P::SlippedBug> {
        let Some(journal) = self.journal else { return self.test.answer(query) };
        let key = query.case.key();
        match journal.recall(key) {
            Some(Word::Yes) => return Answer::Interesting,
            Some(Word::No) => return Answer::Uninteresting,
            Some(Word::Invalid) => return Answer::Invalid,
            Some(Word::Late) => return Answer::TimedOut,
            Some(Word::Other) | None => {}
        }
        let start = Instant::now();
        let answer = self.test.answer(query);
        let Some(word) = Word::of(&answer) else { return answer };
        match journal.record(key, word, start.elapsed()) {
            Ok(()) => answer,
            Err(error) => Answer::Failed(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir;
    use std::sync::atomic::{AtomicU32, Ordering};

    struct Counting(AtomicU32);

    impl InterestingnessTest<Candidate> for Counting {
        type SlippedBug = ();

        fn answer(&self, query: &Query<'_, Candidate>) -> Answer<()> {
            self.0.fetch_add(1, Ordering::Relaxed);
            match query.case.text().contains("tt.func") {
                true => Answer::Interesting,
                false => Answer::Uninteresting,
            }
        }
    }

    fn candidate(text: &str) -> Candidate {
        Candidate::new(ir::parse(text).unwrap())
    }

    fn ask(journal: &ReductionJournal, asked: &Counting, module: &Candidate) -> Answer<()> {
        let query = Query::standalone(module, Duration::from_secs(1));
        Remembering { test: asked, journal: Some(journal) }.answer(&query)
    }

    #[test]
    fn what_a_journal_knows_is_not_tested_again() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("journal.txt");
        let module = candidate("module { tt.func @f() { tt.return } }");
        let empty = candidate("module { }");
        let asked = Counting(AtomicU32::new(0));
        let journal = ReductionJournal::open(&path, &module, "t").unwrap();
        assert_eq!(ask(&journal, &asked, &module), Answer::Interesting);
        assert_eq!(ask(&journal, &asked, &empty), Answer::Uninteresting);
        drop(journal);
        // A kill in the middle of a line.
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("00ab");
        std::fs::write(&path, text).unwrap();

        let journal = ReductionJournal::open(&path, &module, "t").unwrap();
        assert_eq!(journal.found(), 2);
        assert_eq!(ask(&journal, &asked, &empty), Answer::Uninteresting);
        assert_eq!(ask(&journal, &asked, &module), Answer::Interesting);
        assert_eq!(asked.0.load(Ordering::Relaxed), 2);
        // An answer counts for one query: a failure that reproduces sometimes is tested several times.
        assert_eq!(ask(&journal, &asked, &module), Answer::Interesting);
        assert_eq!(asked.0.load(Ordering::Relaxed), 3);
    }

    #[test]
    fn a_journal_of_something_else_is_begun_anew() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("journal.txt");
        let module = candidate("module { tt.func @f() { tt.return } }");
        let asked = Counting(AtomicU32::new(0));
        ask(&ReductionJournal::open(&path, &module, "t").unwrap(), &asked, &module);
        assert_eq!(ReductionJournal::open(&path, &module, "another").unwrap().found(), 0);
        std::fs::write(&path, b"\xff\xfe not a journal").unwrap();
        assert_eq!(ReductionJournal::open(&path, &module, "t").unwrap().found(), 0);
    }
}
