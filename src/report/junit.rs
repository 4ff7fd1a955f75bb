//! JUnit's XML, in the dialect that the services agree on: `testsuites`, `testsuite`, `testcase`, and in that `failure`,
//! `error` or `skipped`. Times are in seconds. Characters that XML 1.0 does not allow are left out: compilers print them.

use std::fmt::Write;
use std::time::Duration;

/// A test that was run.
#[derive(Debug, Clone)]
pub struct JunitCase {
    /// The suite that it belongs to; tests of one suite follow each other.
    pub suite: String,
    /// Its class, which services group by.
    pub class: String,
    /// Its name.
    pub name: String,
    /// The file that it is from.
    pub file: String,
    /// How long it took.
    pub time: Duration,
    /// What came of it.
    pub result: JunitResult,
}

/// What came of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JunitResult {
    /// It passed.
    Passed,
    /// It does not apply, for this reason.
    Skipped(String),
    /// It failed.
    Failed {
        /// In which way, in a word or two.
        kind: String,
        /// In one line.
        message: String,
        /// In full.
        text: String,
    },
    /// It could not be run, for this reason.
    Error(String),
}

/// The document.
pub fn junit(name: &str, cases: &[JunitCase]) -> String {
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    open(&mut xml, "", "testsuites", name, cases);
    for suite in cases.chunk_by(|a, b| a.suite == b.suite) {
        open(&mut xml, "  ", "testsuite", suite.first().map_or("", |case| &case.suite), suite);
        suite.iter().for_each(|case| test(&mut xml, case));
        xml.push_str("  </testsuite>\n");
    }
    xml.push_str("</testsuites>\n");
    xml
}

fn open(xml: &mut String, indent: &str, tag: &str, name: &str, cases: &[JunitCase]) {
    let count = |wanted: fn(&JunitResult) -> bool| cases.iter().filter(|case| wanted(&case.result)).count();
    let failures = count(|result| matches!(result, JunitResult::Failed { .. }));
    let errors = count(|result| matches!(result, JunitResult::Error(_)));
    let skipped = count(|result| matches!(result, JunitResult::Skipped(_)));
    let time: Duration = cases.iter().map(|case| case.time).sum();
    // The outer element knows no `skipped`.
    let skipped = if tag == "testsuite" { format!(" skipped=\"{skipped}\"") } else { String::new() };
    let _ = writeln!(
        xml,
        "{indent}<{tag} name=\"{}\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\"{skipped} time=\"{:.3}\">",
        escaped(name),
        cases.len(),
        time.as_secs_f64()
    );
}

fn test(xml: &mut String, case: &JunitCase) {
    let _ = write!(
        xml,
        "    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" time=\"{:.3}\"",
        escaped(&case.class),
        escaped(&case.name),
        escaped(&case.file),
        case.time.as_secs_f64()
    );
    let _ = match &case.result {
        JunitResult::Passed => writeln!(xml, "/>"),
        JunitResult::Skipped(why) => writeln!(xml, "><skipped message=\"{}\"/></testcase>", escaped(why)),
        JunitResult::Error(why) => writeln!(xml, "><error message=\"{}\"/></testcase>", escaped(why)),
        JunitResult::Failed { kind, message, text } => writeln!(
            xml,
            ">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>",
            escaped(kind),
            escaped(message),
            escaped(text)
        ),
    };
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // An attribute's line breaks would become blanks.
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(suite: &str, result: JunitResult) -> JunitCase {
        JunitCase {
            suite: suite.into(),
            class: "corpus".into(),
            name: "x".into(),
            file: "corpus/x/case.toml".into(),
            time: Duration::from_millis(1500),
            result,
        }
    }

    #[test]
    fn suites_count_what_is_in_them() {
        let failed =
            JunitResult::Failed { kind: "k".into(), message: "a < \"b\"".into(), text: "c\u{1b}[0m & d\n".into() };
        let cases = [
            case("3.2.0", JunitResult::Passed),
            case("3.2.0", JunitResult::Skipped("not read".into())),
            case("3.6.0", failed),
            case("3.6.0", JunitResult::Error("no python".into())),
        ];
        let xml = junit("replay", &cases);
        assert!(xml.contains("<testsuites name=\"replay\" tests=\"4\" failures=\"1\" errors=\"1\" time=\"6.000\">"));
        assert!(xml.contains("name=\"3.2.0\" tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"1\" time=\"3.000\">"));
        assert!(xml.contains("message=\"a &lt; &quot;b&quot;\">c[0m &amp; d&#10;</failure>"));
        assert_eq!(xml.matches("<testcase").count(), 4);
    }
}
