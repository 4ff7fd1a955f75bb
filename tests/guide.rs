//! What GUIDE.md shows is what happens: its commands are run in their order, and every line of output that it prints has to
//! come, times apart; the issue that it quotes is the one that is written.

use std::path::Path;
use std::process::Command;

/// A command of the guide and the output that it shows.
fn steps(guide: &str) -> Vec<(&str, Vec<&str>)> {
    let blocks = guide.split("```console\n").skip(1).filter_map(|rest| rest.split("\n```").next());
    blocks
        .filter_map(|block| {
            let mut lines = block.lines();
            Some((lines.next()?.strip_prefix("$ tritonsmith ")?, lines.collect()))
        })
        .collect()
}

/// A line without the seconds that something took.
fn stable(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    for place in 1..words.len() {
        let seconds = words[place].trim_end_matches([')', ':', ',']) == "s";
        if seconds && words[place - 1].trim_start_matches('(').parse::<f64>().is_ok() {
            words[place - 1] = "N";
        }
    }
    words.join(" ")
}

/// An issue without what differs between machines.
fn on_any_machine(line: &str) -> &str {
    line.split_once(" as released on PyPI, with Python ").map_or(line, |(head, _)| head)
}

#[test]
#[ignore = "needs wheels"]
fn the_commands_of_the_guide_do_what_it_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let guide = std::fs::read_to_string(root.join("GUIDE.md")).expect("the guide");
    let place = tempfile::tempdir().expect("a directory");
    std::os::unix::fs::symlink(root.join("corpus"), place.path().join("corpus")).expect("a link");
    let steps = steps(&guide);
    assert_eq!(steps.len(), 3, "three commands from a log to an issue");
    for (command, shown) in steps {
        let output = Command::new(env!("CARGO_BIN_EXE_tritonsmith"))
            .args(command.split(' '))
            .current_dir(place.path())
            .output()
            .expect("the program runs");
        let printed = [output.stdout, output.stderr].concat();
        let printed = String::from_utf8_lossy(&printed).into_owned();
        let lines: Vec<String> = printed.lines().map(stable).collect();
        for line in shown {
            assert!(lines.contains(&stable(line)), "`{command}` does not print\n{line}\nbut\n{printed}");
        }
    }
    let issue = std::fs::read_to_string(place.path().join("branchy/issue.md")).expect("an issue");
    let quoted = guide.split("````markdown\n").nth(1).and_then(|rest| rest.split("\n````").next()).expect("the issue");
    let written: Vec<&str> = issue.trim_end().lines().map(on_any_machine).collect();
    let quoted: Vec<&str> = quoted.lines().map(on_any_machine).collect();
    assert_eq!(quoted.join("\n"), written.join("\n"));
}

#[test]
#[ignore = "needs wheels"]
fn a_log_that_was_pasted_with_all_its_dirt_gives_the_same_module() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let log = std::fs::read_to_string(root.join("corpus/branchy_scale_if_combining/stderr.log")).expect("a log");
    let place = tempfile::tempdir().expect("a directory");
    let dirty: String =
        log.lines().map(|line| format!("\x1b[36m(BenchmarkWorker pid=726)\x1b[0m {line}\r\n")).collect();
    for (name, text) in [("clean", log.as_str()), ("dirty", &format!("it fails:\n```\n{dirty}```\n"))] {
        std::fs::write(place.path().join(name), text).expect("a file");
        let output = Command::new(env!("CARGO_BIN_EXE_tritonsmith"))
            .args(["reduce", name, "--triton", "3.9.0", "--versions", "none"])
            .current_dir(place.path())
            .output()
            .expect("the program runs");
        assert_eq!(output.status.code(), Some(1), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let reduced = |name: &str| std::fs::read_to_string(place.path().join(name).join("reduced.mlir")).expect("a module");
    assert_eq!(reduced("dirty.reduced"), reduced("clean.reduced"));
}

#[test]
fn times_are_no_part_of_a_line() {
    assert_eq!(stable("25 operations became 10 in 1 s: no more"), "25 operations became 10 in N s: no more");
    assert_eq!(stable("3 runs (5.0 s)"), "3 runs N s)");
}
