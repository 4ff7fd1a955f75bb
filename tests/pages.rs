//! The pages of `tritonsmith report` in a real browser: on a phone and at a desk, in light and in dark. `scripts/test-pages`
//! says what is looked at.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn tritonsmith(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tritonsmith")).args(arguments).output().expect("the program runs")
}

fn report(from: &Path, out: &Path) -> PathBuf {
    let output = tritonsmith(&["report", &from.display().to_string(), "--out", &out.display().to_string()]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    out.join("report.html")
}

/// Whether the browser finds the pages good, and what it complains about.
fn look(pages: &[PathBuf]) -> (bool, String) {
    let output = Command::new("python3").arg(root().join("scripts/test-pages")).args(pages).output().expect("Python");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.code() {
        Some(code @ (0 | 1)) => (code == 0, said),
        _ => panic!("{said}{}", String::from_utf8_lossy(&output.stderr)),
    }
}

mod browser {
    use super::*;

    #[test]
    #[ignore = "needs wheels and a browser"]
    fn every_page_is_fit_for_a_phone_and_a_desk_in_light_and_in_dark() {
        let place = tempfile::tempdir().expect("a directory");
        let out = |name: &str| place.path().join(name);
        let campaign = out("campaign");
        let arguments =
            ["--triton", "3.6.0", "--seed", "1", "--cases", "4", "--jobs", "1", "--look-closely", "2", "--out"];
        let output = tritonsmith(&[&["fuzz"], &arguments[..], &[&campaign.display().to_string()]].concat());
        assert!(output.status.code().is_some_and(|code| code < 2), "{}", String::from_utf8_lossy(&output.stderr));
        let pages = [
            // A module on both sides with a definition and a use that do not fit; a crash with nothing on the other side; several
            // findings; a campaign with its coverage.
            report(&root().join("corpus/branchy_scale_if_combining"), &out("invalid")),
            report(&root().join("corpus/running_sum_twice"), &out("crash")),
            report(&root().join("corpus/found"), &out("several")),
            report(&campaign, &out("overview")),
        ];
        let overview = std::fs::read_to_string(&pages[3]).expect("a page");
        assert!(overview.contains("kinds of operations were made") && overview.contains("passes changed a module"));
        let (well, said) = look(&pages);
        assert!(well, "{said}");
    }

    #[test]
    #[ignore = "needs a browser"]
    fn a_bad_page_is_noticed() {
        let place = tempfile::tempdir().expect("a directory");
        let page = place.path().join("bad.html");
        let text = "<!doctype html><title>x</title><meta name=viewport content='width=device-width, initial-scale=1'><h1>x</h1>\
                    <p style='color:#aaa;background:#fff'>poor</p><div style='width:900px'>wide</div>\
                    <img src='missing.png'><script>nothing()</script><div class=diff><div class='head before'>Before</div>\
                    <div class='head after'>After</div><mark class=definition style='display:none'>%0</mark></div>";
        std::fs::write(&page, text).expect("a file");
        let (well, said) = look(&[page]);
        assert!(!well);
        for complaint in [
            "phone, light: it is 9",
            "a contrast of 2",
            "dark: it does not follow the colour scheme",
            "it asks for file:",
            "a script failed",
            "nothing is marked",
            "a marked definition is hidden",
            "not beside each other on a desk",
        ] {
            assert!(said.contains(complaint), "`{complaint}` is not among:\n{said}");
        }
    }
}
