//! Campaigns as they are run: killed and taken up again, with one job or several, past known bugs, over single passes. The
//! built-in model is the compiler where nothing depends on which it is.

#[expect(dead_code, reason = "each file of tests uses a part of it")]
mod cli;

use cli::{Place, Ran};
use rand::{RngExt, SeedableRng};
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// A model with three faults.
const MODEL: &[&str] =
    &["fuzz", "--triton", "model", "--fault", "reuse-from-child,update-at-reduction,keep-later", "--seed", "3"];

/// What a campaign leaves that may not depend on when it was stopped: modules, cases and counts of each bucket.
fn findings(out: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for bucket in std::fs::read_dir(out).expect("a directory") {
        let bucket = bucket.expect("an entry").path();
        for name in ["input.mlir", "reduced.mlir", "case.toml", "bucket.json", "log.txt"] {
            if let Ok(text) = std::fs::read_to_string(bucket.join(name)) {
                found.insert(format!("{}/{name}", bucket.file_name().expect("a name").to_string_lossy()), text);
            }
        }
    }
    found
}

fn run(place: &Place, base: &[&str], rest: &[&str]) -> Ran {
    place.run(&[base, rest].concat())
}

/// Runs it once undisturbed and once killed ten times; both must leave the same.
fn survives_ten_kills(place: &Place, base: &[&str], cases: &str, longest: u64) {
    let whole = run(place, base, &["--cases", cases, "--out", "alone"]);
    assert_eq!(whole.code, Some(1), "{}", whole.stderr);
    let expected = findings(&place.path("work/alone"));
    assert!(expected.len() > 5, "{expected:?}");

    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(11);
    let killed = [base, &["--cases", cases, "--out", "killed"]].concat();
    for _ in 0..10 {
        let mut child = place.command(&killed).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(random.random_range(20..longest)));
        child.kill().expect("it is killed");
        child.wait().expect("it ends");
    }
    let last = place.run(&killed);
    assert_eq!(last.code, Some(1), "{}", last.stderr);
    assert_eq!(findings(&place.path("work/killed")), expected);
    let left: Vec<_> = place.left_in("work/killed");
    assert!(left.iter().all(|path| !path.to_string_lossy().contains("/.writing-")), "{left:?}");
    assert_eq!(last.stdout.lines().next(), whole.stdout.lines().next(), "the same counts");
}

#[test]
fn a_campaign_killed_ten_times_ends_as_one_left_alone() {
    survives_ten_kills(&Place::new(), MODEL, "60", 700);
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let place = Place::new();
    for jobs in ["1", "3"] {
        let ran = run(&place, MODEL, &["--cases", "60", "--jobs", jobs, "--out", jobs]);
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    }
    assert_eq!(findings(&place.path("work/1")), findings(&place.path("work/3")));
}

#[test]
fn a_campaign_goes_on_past_known_bugs() {
    let place = Place::new();
    let first = run(&place, MODEL, &["--cases", "60", "--out", "first", "--format", "json"]);
    let objects = first.objects();
    let signature = &objects.iter().find(|object| object["event"] == "found").expect("a bug")["bucket"]["signature"];
    let word = |name: &str| signature[name].as_str().unwrap_or_default().to_owned();
    let list = format!("[[mute]]\nreason = \"planted\"\npass = {:?}\nmessage = {:?}\n", word("pass"), word("message"));
    let file = place.file("known.toml", list);
    let second = run(&place, MODEL, &["--cases", "60", "--out", "second", "--format", "json", "--mute", &file]);
    let found = |ran: &Ran| -> Vec<(String, String)> {
        let objects = ran.objects().into_iter().filter(|object| object["event"] == "found");
        let words = |object: serde_json::Value| {
            let signature = &object["bucket"]["signature"];
            (signature["pass"].to_string(), signature["message"].to_string())
        };
        objects.map(words).collect()
    };
    let mut others = found(&first);
    let muted = others[0].clone();
    others.retain(|other| *other != muted);
    assert_eq!(found(&second), others, "{}", second.stderr);
    let done = second.objects().pop().expect("the last line");
    assert!(done["muted"].as_u64().is_some_and(|count| count > 0), "{done}");
}

#[test]
#[ignore = "needs wheels"]
fn modules_with_layouts_go_through_single_passes() {
    let place = Place::new();
    let base = ["fuzz", "--triton", "3.6.0", "--level", "ttgir", "--seed", "5", "--cases", "40", "--look-closely", "2"];
    let unnamed = run(&place, &base, &["--out", "unnamed"]);
    unnamed.assert_failed("--pass");
    let passes = "tritongpu-remove-layout-conversions;tritongpu-coalesce;triton-loop-aware-cse";
    let ran = run(&place, &base, &["--pass", passes, "--reduce-queries", "0", "--out", "single", "--format", "json"]);
    assert!(matches!(ran.code, Some(0 | 1)), "{}", ran.stderr);
    let done = ran.objects().pop().expect("the last line");
    assert_eq!(done["cases"], 40);
    assert!(done["accepted"].as_f64().is_some_and(|share| share > 0.97), "{done}");
    let seen: Vec<&str> = done["passes"].as_object().expect("passes").keys().map(String::as_str).collect();
    assert_eq!(seen, ["triton-loop-aware-cse", "tritongpu-coalesce", "tritongpu-remove-layout-conversions"]);
}

mod exhaustive {
    use super::*;

    #[test]
    #[ignore = "takes minutes"]
    fn a_campaign_of_a_real_wheel_killed_ten_times_ends_as_one_left_alone() {
        let base = ["fuzz", "--triton", "3.6.0", "--target", "cuda:87", "--seed", "1", "--reduce-queries", "150"];
        survives_ten_kills(&Place::new(), &base, "200", 15_000);
    }

    /// What lies behind the first stage of this fork needs the tools of its chip.
    #[test]
    #[ignore = "installs triton-ascend 3.2.0"]
    fn a_vendors_fork_runs_the_stage_that_it_has() {
        let place = Place::new();
        let base = ["fuzz", "--triton", "ascend:3.2.0", "--target", "npu:Ascend910B3", "--cases", "20", "--out", "npu"];
        let ran = run(&place, &base, &["--format", "json"]);
        assert!(matches!(ran.code, Some(0 | 1)), "{}", ran.stderr);
        assert!(ran.stderr.contains("only the stage ttir is run"), "{}", ran.stderr);
        assert_eq!(ran.objects().pop().expect("the last line")["cases"], 20);

        let module = cli::corpus("running_softmax_carry/input.mlir");
        let add = ["corpus", "add", &module, "--name", "carry", "--target", "npu:Ascend910B3", "--out", "cases"];
        let added = run(&place, &add, &["--triton", "ascend:3.2.0"]);
        assert!(added.stderr.contains("ascend:3.2.0: ok"), "{added:?}");
        let replayed = place.run(&["replay", "cases", "--triton", "ascend:3.2.0"]);
        assert_eq!(replayed.code, Some(0), "{replayed:?}");
        assert!(replayed.stderr.contains("1 as expected"), "{replayed:?}");
    }
}

#[test]
fn a_finding_of_the_model_is_reported_reduced_bisected_and_replayed_from_its_directory_alone() {
    let place = Place::new();
    let ran = run(&place, MODEL, &["--cases", "20", "--out", "found"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let bucket = place.left_in("work/found").into_iter().find(|path| path.ends_with("case.toml")).expect("a case");
    let bucket = bucket.parent().and_then(Path::to_str).expect("a directory");
    let case = std::fs::read_to_string(format!("{bucket}/case.toml")).expect("a case");
    assert!(case.contains("triton = \"model:keep-later+reuse-from-child+update-at-reduction\""), "{case}");
    for (arguments, code) in [
        (vec!["replay", bucket], 0),
        (vec!["report", bucket, "--out", "report"], 0),
        (vec!["reduce", bucket, "--out", "again"], 1),
        (vec!["bisect", bucket, "--no-releases"], 1),
    ] {
        let ran = place.run(&arguments);
        assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:?}");
    }
    let issue = std::fs::read_to_string(place.path("work/report/issue.md")).expect("an issue");
    assert!(issue.contains("the built-in model `model:keep-later"), "{issue}");
    place
        .run(&["run", &format!("{bucket}/reduced.mlir"), "--triton", "model:no-such-fault"])
        .assert_failed("no-such-fault");
}

/// The names of the files in a directory.
fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).expect("a directory").flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn buckets(out: &Path) -> Vec<String> {
    names(out).into_iter().filter(|name| out.join(name).join("bucket.json").is_file()).collect()
}

#[test]
fn a_campaign_and_reduce_store_the_same_of_the_same_module() {
    let place = Place::new();
    let cases = ["--cases", "20", "--out"];
    assert_eq!(run(&place, MODEL, &[&cases[..], &["found"]].concat()).code, Some(1));
    let unreduced = run(&place, MODEL, &[&cases[..], &["unreduced", "--reduce-questions", "0"]].concat());
    assert!(!unreduced.stderr.contains("not reduced"), "nothing was asked for: {}", unreduced.stderr);
    let found = buckets(&place.path("work/found"));
    assert!(found.len() > 1 && found == buckets(&place.path("work/unreduced")), "{found:?}");
    for name in found {
        // Each is the other's input, where the one has been reduced by the campaign.
        let (own, from) = (place.path(&format!("work/found/{name}")), format!("unreduced/{name}"));
        assert_eq!(place.run(&["replay", &from]).code, Some(0), "{name} replays before it is reduced");
        let ran = place.run(&["reduce", &from, "--out", &name, "--max-questions", "1000"]);
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        let other = place.path(&format!("work/{name}"));
        let stored = |directory: &Path| -> Vec<String> {
            names(directory)
                .into_iter()
                .filter(|file| !["bucket.json", "journal.txt", "slipped"].contains(&file.as_str()))
                .collect()
        };
        assert_eq!(stored(&own), stored(&other));
        for file in ["input.mlir", "log.txt", "reduced.mlir", "case.toml"] {
            let read = |directory: &Path| {
                let text = std::fs::read_to_string(directory.join(file)).expect("a file");
                text.lines()
                    .filter(|line| !line.starts_with("origin = "))
                    .map(|line| format!("{line}\n"))
                    .collect::<String>()
            };
            assert_eq!(read(&own), read(&other), "{name}/{file}");
        }
    }
}

#[test]
fn a_bucket_that_cannot_be_read_is_named_and_the_campaign_goes_on() {
    let place = Place::new();
    let arguments = ["--out", "found", "--format", "json"];
    assert_eq!(run(&place, MODEL, &[&arguments[..], &["--cases", "20"]].concat()).code, Some(1));
    let found = place.path("work/found");
    let all = buckets(&found);
    let (torn, lost) = (all.first().expect("a bucket"), all.get(1).expect("another"));
    std::fs::write(found.join(torn).join("case.toml"), "origin = \"x").expect("a file");
    std::fs::remove_dir_all(found.join(lost)).expect("a directory");
    let ran = run(&place, MODEL, &[&arguments[..], &["--cases", "25"]].concat());
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    for name in [torn, lost] {
        assert!(ran.stderr.contains(&format!("warning: {name} is not reduced: ")), "{}", ran.stderr);
    }
    assert_eq!(ran.objects().pop().expect("the last line")["cases"], 25);

    // What only a report reads is named there.
    std::fs::write(found.join(torn).join("bucket.json"), "{").expect("a file");
    std::fs::write(found.join("operations.json"), "{").expect("a file");
    let reported = place.run(&["report", "found", "--out", "pages"]);
    for part in [&format!("the counts of {torn} cannot be read"), "operations.json cannot be read"] {
        assert!(reported.stderr.contains(part), "{}", reported.stderr);
    }
}

#[test]
fn what_is_not_reduced_when_the_time_is_over_is_told_and_reduced_by_the_next_start() {
    let place = Place::new();
    let left = |ran: &Ran| -> Vec<String> {
        let told = ran.objects().into_iter().filter(|object| object["event"] == "unreduced");
        let names = told.flat_map(|object| object["buckets"].as_array().expect("a list").clone());
        names.map(|name| name.as_str().expect("a name").to_owned()).collect()
    };
    // How long it takes until there is something to reduce depends on the machine.
    let stopped = ["1s", "4s", "16s", "64s"].into_iter().find_map(|time| {
        let arguments = ["--time", time, "--jobs", "2", "--out", "found", "--format", "json"];
        let ran = run(&place, MODEL, &arguments);
        Some((left(&ran), ran, arguments)).filter(|(left, ..)| !left.is_empty())
    });
    let (left, first, arguments) = stopped.expect("the time is over in the middle of a reduction");
    assert!(first.stderr.contains("start it again to reduce what is left"), "{}", first.stderr);
    let found = place.path("work/found");
    let unreduced = || -> Vec<String> {
        let reads = |name: &String| std::fs::read_to_string(found.join(name).join("case.toml")).expect("a case");
        buckets(&found).into_iter().filter(|name| reads(name).contains("module = \"input.mlir\"")).collect()
    };
    assert_eq!(unreduced().len(), left.len());
    let second = run(&place, MODEL, &arguments);
    let still = unreduced();
    assert!(left.iter().all(|name| !still.contains(name)), "{still:?}: {}", second.stderr);

    // Ctrl-C leaves what it finds in the same way.
    let mut child =
        place.command(&[MODEL, &["--out", "stopped"]].concat()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines().map(|line| line.expect("text"));
    assert!(lines.any(|line| line.starts_with("found in case")));
    let pid = Pid::from_raw(child.id().cast_signed()).expect("a process");
    kill_process(pid, Signal::INT).expect("it is there");
    assert!(lines.any(|line| line.contains("not reduced yet; start it again")));
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}
