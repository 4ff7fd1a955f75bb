//! Campaigns as they are run: killed and taken up again, with one job or several, past known bugs, over single passes. The
//! built-in model is the compiler where nothing depends on which it is.

#[expect(dead_code, reason = "each file of tests uses a part of it")]
mod cli;

use cli::{Place, Ran};
use rand::{RngExt, SeedableRng};
use std::collections::BTreeMap;
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
    let ran = run(&place, &base, &["--pass", passes, "--reduce-questions", "0", "--out", "single", "--format", "json"]);
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
        let base = ["fuzz", "--triton", "3.6.0", "--target", "cuda:87", "--seed", "1", "--reduce-questions", "150"];
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
