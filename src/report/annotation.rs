//! GitHub's workflow commands: a line that the runner shows beside the file that it names.
//!
//! The format is that of GitHub's page "Workflow commands for GitHub Actions": `::error file=…,line=…,title=…::message`.
//! `%`, line breaks, and in properties `:` and `,` too, are written as percent codes.

/// An error at a line of a file, given from the root of the repository.
pub fn annotation(file: &str, line: usize, title: &str, message: &str) -> String {
    format!("::error file={},line={line},title={}::{}", property(file), property(title), data(message))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_part_is_escaped() {
        assert_eq!(
            annotation("corpus/x,y/case.toml", 3, "newly failing: x", "100 %: a\nb, c"),
            "::error file=corpus/x%2Cy/case.toml,line=3,title=newly failing%3A x::100 %25: a%0Ab, c"
        );
    }
}
