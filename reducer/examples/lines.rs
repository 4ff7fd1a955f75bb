//! Reduces a text file line by line for as long as a shell command accepts it.
//!
//!     cargo run --example lines -- server.log 'grep -q "connection reset"'
//!
//! The command gets the path of a candidate as its last argument and accepts it by exit code 0. The smallest text goes to
//! standard output.

use std::error::Error;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::{Command, Stdio};

use tritonsmith_reducer::{Answer, InterestingnessTest, Query, SearchOptions, Site, Step, TestCase, reduce};

/// Lines with their numbers in the file, which never change.
#[derive(Debug, Clone, Hash)]
struct Text(Vec<(u64, String)>);

impl Text {
    fn content(&self) -> String {
        self.0.iter().map(|(_, line)| format!("{line}\n")).collect()
    }
}

impl TestCase for Text {
    type Cost = usize;

    fn cost(&self) -> usize {
        self.0.len()
    }

    fn key(&self) -> u128 {
        let half = |salt: u64| {
            let mut hasher = DefaultHasher::new();
            (salt, self).hash(&mut hasher);
            u128::from(hasher.finish())
        };
        half(1) << 64 | half(2)
    }
}

struct DropLines;

impl Step<Text> for DropLines {
    fn name(&self) -> &str {
        "drop lines"
    }

    fn sites(&self, text: &Text) -> Vec<Site> {
        text.0.iter().map(|(number, _)| Site::new(*number, 1)).collect()
    }

    fn apply(&self, text: &Text, sites: &[Site]) -> Option<Text> {
        let dropped = |number: u64| sites.iter().any(|site| site.id == number);
        Some(Text(text.0.iter().filter(|(number, _)| !dropped(*number)).cloned().collect()))
    }
}

/// Runs the command on each candidate.
struct Shell {
    command: String,
    directory: tempfile::TempDir,
}

impl InterestingnessTest<Text> for Shell {
    type SlippedBug = ();

    fn answer(&self, query: &Query<'_, Text>) -> Answer<()> {
        let path = self.directory.path().join(format!("candidate-{}.txt", query.worker));
        let run = || {
            std::fs::write(&path, query.case.content())?;
            let mut shell = Command::new("sh");
            shell.arg("-c").arg(format!("{} \"$1\"", self.command)).arg("sh").arg(&path);
            shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()
        };
        match run() {
            Ok(status) if status.success() => Answer::Interesting,
            Ok(_) => Answer::Uninteresting,
            Err(error) => Answer::Failed(error.to_string()),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(path), Some(command)) = (arguments.next(), arguments.next()) else {
        return Err("usage: lines FILE COMMAND".into());
    };
    let text = Text((0..).zip(std::fs::read_to_string(path)?.lines().map(str::to_owned)).collect());
    let test = Shell { command, directory: tempfile::tempdir()? };
    let report = reduce(text, &[&DropLines], &test, &SearchOptions { jobs: 2, ..SearchOptions::default() }, &mut ())?;
    eprintln!("{} lines became {} after {} queries", report.first_cost, report.cost, report.queries);
    print!("{}", report.best.content());
    Ok(())
}
