//! tritonsmith beside other reducers: the same modules, the same test, the same computer, one after the other.
//!
//! For every case the real wheel is started once and answers on a socket; each tool gets a test script that sends its
//! candidate there and exits with 0 where the module still fails the same way. So queries, and those about text that
//! Triton does not even parse, are counted outside of the tools, alike for all.
//!
//!     scripts/bench-peers                       # installs what can be installed, then runs everything
//!     cargo bench --bench peers -- --limit 60   # so many seconds a tool and case; 300 if nothing is said
//!     cargo bench --bench peers -- --case twice --tool shrinkray --level pass
//!
//! `TRITONSMITH_PEERS` is the directory that the peers' commands are in; what is not there is told and left out. A tool that
//! is not done in time is stopped, and its smallest candidate counts.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot be set up has no result")]

mod reduction;
mod tools;

use reduction::{Level, Reduction, Tally};
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tools::Tool;

/// A case: its place under `corpus/`, the version that fails, and for a bare module its target. What is under `corpus/found/`
/// was reduced by tritonsmith already and leaves the others nothing to show.
const CASES: [(&str, &str, &str); 4] = [
    ("running_sum_twice", "3.6.0", ""),
    ("grouped_gemm_mask_reuse", "3.6.0", ""),
    ("branchy_scale_if_combining", "3.9.0", ""),
    ("bench/flash_attention_twice.mlir", "3.6.0", "cuda:80"),
];

/// What is to be run; everything if nothing is said.
#[derive(Debug)]
struct Wanted {
    limit: Duration,
    cases: Vec<String>,
    tools: Vec<String>,
    levels: Vec<String>,
}

impl Wanted {
    fn of(arguments: &[String]) -> Wanted {
        let all = |flag: &str| -> Vec<String> {
            let pairs = arguments.windows(2).filter(|pair| pair[0] == flag);
            pairs.map(|pair| pair[1].clone()).collect()
        };
        let limit = all("--limit").last().map_or(300, |limit| limit.parse().expect("--limit takes seconds"));
        Wanted { limit: Duration::from_secs(limit), cases: all("--case"), tools: all("--tool"), levels: all("--level") }
    }
}

fn is_wanted(wanted: &[String], name: &str) -> bool {
    wanted.is_empty() || wanted.iter().any(|wanted| name.contains(wanted.as_str()))
}

/// The other side of the socket, for a test script: exits with what the answer says.
fn ask(socket: &str, file: &str, inverted: bool) -> ExitCode {
    let answer = || -> std::io::Result<bool> {
        let mut stream = UnixStream::connect(socket)?;
        stream.write_all(&std::fs::read(file)?)?;
        stream.shutdown(std::net::Shutdown::Write)?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer == "yes")
    };
    let interesting = answer().unwrap_or(false);
    ExitCode::from(u8::from(interesting == inverted))
}

/// Runs one tool on one reduction and prints its row.
fn measure(tool: &Tool, reduction: &Reduction, place: &Path, limit: Duration) {
    std::fs::create_dir_all(place).expect("a directory");
    let socket = place.join("test");
    let listening = reduction.listen(&socket);
    let start = Instant::now();
    let run = tool.run(place, &socket, reduction, limit);
    let seconds = start.elapsed().as_secs_f64();
    let tally: Tally = listening.stop();
    let left = match run.left.as_ref().filter(|text| reduction.shows(text)) {
        Some(text) => text.clone(),
        None => tally.smallest.clone().unwrap_or_else(|| reduction.text.clone()),
    };
    let operations = reduction.operations(&left).map_or("?".to_owned(), |operations| operations.to_string());
    let share = 100.0 * tally.invalid as f64 / tally.queries.max(1) as f64;
    println!(
        "| {} | {operations} | {} | {} | {} | {share:.0} % | {seconds:.1}{} |",
        tool.name,
        left.len(),
        tally.queries,
        tally.last_smaller,
        if run.ended { "" } else { ", stopped" },
    );
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["ask", socket, file] => return ask(socket, file, false),
        ["ask-inverted", socket, file] => return ask(socket, file, true),
        _ => {}
    }
    let wanted = Wanted::of(&arguments);
    let peers = std::env::var_os("TRITONSMITH_PEERS").map(PathBuf::from);
    let (tools, missing) = tools::found(peers.as_deref());
    for name in missing {
        println!("{name} is not installed; scripts/bench-peers says why.");
    }
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("peers");
    let _ = std::fs::remove_dir_all(&scratch);
    for (case, version, target) in CASES.iter().filter(|(case, ..)| is_wanted(&wanted.cases, case)) {
        for level in [Level::Pass, Level::Whole].into_iter().filter(|level| is_wanted(&wanted.levels, level.word())) {
            let reduction = Reduction::prepare(case, version, target, level);
            let before = reduction.operations(&reduction.text).expect("the input parses");
            println!(
                "\n{case}, triton {version}, {}: {before} operations, {} bytes\n",
                level.title(),
                reduction.text.len()
            );
            println!("| reducer | operations | bytes | queries | to its smallest | not MLIR | seconds |");
            println!("| --- | --- | --- | --- | --- | --- | --- |");
            for tool in tools.iter().filter(|tool| is_wanted(&wanted.tools, tool.name)) {
                let place = scratch.join(format!("{}-{}-{}", case.replace('/', "-"), level.word(), tool.name));
                measure(tool, &reduction, &place, wanted.limit);
            }
        }
    }
    ExitCode::SUCCESS
}
