//! Joins lines that a terminal or an editor wrapped.
//!
//! A wrong join is worse than none, so joins need evidence from MLIR's syntax: an incomplete line of MLIR, followed by one
//! that cannot begin a line. The evidence as a whole shows how the text was wrapped:
//!
//! - **at a width**: most breaks are at the same number of columns. Then every line of exactly that width continues in the
//!   next one, unless it is complete and the next one begins like a line of its own. Blanks that a copy lost at the end of
//!   a line are restored. Logs around the module are joined by the same width.
//! - **at blanks**: the breaks differ, but each is where the next word would not have fitted. The blank is restored.
//! - one or two breaks only: just those are joined.
//!
//! A log prefix may have been written before the wrapping (then only the first fragment of a line has it) or after it (then
//! every fragment has it); the width is measured with or without the prefix accordingly.

use std::collections::BTreeMap;

use super::syntax::{Balance, beginning, continues_operation, starts_line, starts_log, starts_mlir};
use super::text::LogLine;
use crate::compiler::diagnostic::{is_caret_line, is_mlir_diagnostic};

/// No terminal is narrower.
const NARROWEST: usize = 40;
/// Most blanks in a row inside a line of MLIR, which can get lost at the end of a fragment.
const LOST_BLANKS: usize = 3;

/// How the lines were broken.
enum Breaks {
    /// At this many columns, counted with the prefix or without it.
    Width(usize, Measure),
    /// Between words, at most at this many columns.
    Words(usize),
    /// After these lines only.
    Places(Vec<usize>),
}

/// Which prefixes count in the width of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Measure {
    /// None: every fragment got its prefix after the wrapping.
    Text,
    /// The innermost prefix, which a continuation lacks.
    Inner,
    /// All prefixes, none of which a continuation has.
    All,
}

impl Measure {
    fn width(self, line: &LogLine<'_>) -> usize {
        let prefix = match self {
            Measure::Text => 0,
            Measure::Inner => line.prefix.unwrap_or(0),
            Measure::All => line.prefix.unwrap_or(0) + line.outer,
        };
        prefix as usize + columns(&line.text)
    }

    fn may_continue(self, next: &LogLine<'_>) -> bool {
        self == Measure::Text || next.prefix.is_none()
    }
}

fn columns(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

/// Joins wrapped lines; notes what it did.
pub(super) fn join_wrapped<'t>(lines: Vec<LogLine<'t>>, notes: &mut Vec<String>) -> Vec<LogLine<'t>> {
    let Some(breaks) = evidence(&lines) else { return lines };
    let mut joined: Vec<LogLine<'t>> = Vec::with_capacity(lines.len());
    // Of the line that is being joined: its brackets, and the width of its last fragment.
    let mut balance: Option<Balance> = None;
    let mut width = 0;
    let mut joins = 0usize;
    let mut iterator = lines.into_iter().enumerate().peekable();
    while let Some((index, line)) = iterator.next() {
        let measure = if let Breaks::Width(_, measure) = breaks { measure } else { Measure::Text };
        let next_width = measure.width(&line);
        let after = iterator.peek().map(|(_, line)| line);
        let filler = joined.last().and_then(|held| filler(&breaks, index, held, width, &mut balance, &line, after));
        match (filler, joined.last_mut()) {
            (Some(blanks), Some(held)) => {
                let text = held.text.to_mut();
                text.extend(std::iter::repeat_n(' ', blanks));
                text.push_str(&line.text);
                if let Some(balance) = &mut balance {
                    balance.feed(&" ".repeat(blanks));
                    balance.feed(&line.text);
                }
                joins += 1;
            }
            _ => {
                balance = None;
                joined.push(line);
            }
        }
        width = next_width;
    }
    if joins > 0 {
        let how = match breaks {
            Breaks::Width(width, _) => format!("at {width} columns"),
            Breaks::Words(_) => "between words".to_owned(),
            Breaks::Places(_) => "in a few places".to_owned(),
        };
        notes.push(format!("Lines had been wrapped {how}: {joins} line breaks were removed."));
    }
    joined
}

/// Whether `next` continues `held`, and how many blanks belong between them.
fn filler(
    breaks: &Breaks,
    index: usize,
    held: &LogLine<'_>,
    width: usize,
    balance: &mut Option<Balance>,
    next: &LogLine<'_>,
    after: Option<&LogLine<'_>>,
) -> Option<usize> {
    match breaks {
        Breaks::Width(full, measure) => {
            let lost = full.checked_sub(width).filter(|lost| *lost <= LOST_BLANKS)?;
            if !measure.may_continue(next) || held.text.trim().is_empty() {
                return None;
            }
            let fresh = starts_line(&next.text) || is_quoted(after);
            let mut incomplete =
                || starts_mlir(&held.text) && balance.get_or_insert_with(|| Balance::of(&held.text)).incomplete();
            let goes_on = match lost {
                0 => !fresh || incomplete(),
                _ => {
                    incomplete()
                        || (!fresh
                            && (unfinished_log(held)
                                || continues_sentence(held, next)
                                || continues_operation(&next.text)))
                }
            };
            goes_on.then_some(lost)
        }
        Breaks::Words(full) => {
            let indent = next.text.len() - next.text.trim_start().len();
            let word = next.text.split_whitespace().next().map_or(0, columns);
            let fits = width > *full || width + 1 + word <= *full;
            let ours = starts_mlir(&held.text) || unfinished_log(held);
            let in_string = begins_pipeline(&held.text)
                && balance.get_or_insert_with(|| Balance::of(&held.text)).in_string()
                && !starts_log(&next.text);
            if in_string {
                return Some(usize::from(!held.text.ends_with(' ') && indent == 0));
            }
            if !ours || fits || indent > 1 || starts_line(&next.text) || is_quoted(after) {
                return None;
            }
            Some(usize::from(!held.text.ends_with(' ') && indent == 0))
        }
        Breaks::Places(places) => places.binary_search(&(index.checked_sub(1)?)).is_ok().then_some(0),
    }
}

/// Whether a line of the log is incomplete: the note that names the failing pass, or an assertion.
fn unfinished_log(held: &LogLine<'_>) -> bool {
    let text = beginning(&held.text);
    let note = text.contains("failed while executing") || (text.contains("note: Pipeline") && is_mlir_diagnostic(text));
    let place = [".cpp:", ".h:"].iter().any(|ending| {
        let after = text.split_once(ending).map_or("", |(_, after)| after);
        let after = after.trim_start_matches(|c: char| c.is_ascii_digit());
        after == ":" || after.starts_with(": ")
    });
    (note && !text.contains("]:")) || ((place || text.contains("Assertion `")) && !text.contains("' failed"))
}

/// Whether a diagnostic may continue in the middle of its sentence.
fn continues_sentence(held: &LogLine<'_>, next: &LogLine<'_>) -> bool {
    next.text.starts_with(|c: char| c.is_ascii_lowercase() || matches!(c, '`' | '\'' | '('))
        && is_mlir_diagnostic(beginning(&held.text))
}

/// Whether a line is quoted source text: a line of carets follows and points at it.
fn is_quoted(after: Option<&LogLine<'_>>) -> bool {
    after.is_some_and(|after| is_caret_line(&after.text))
}

/// Looks for incomplete lines, and for what their widths have in common.
fn evidence(lines: &[LogLine<'_>]) -> Option<Breaks> {
    let mut places: Vec<usize> = Vec::new();
    let mut widths = [Measure::Text, Measure::Inner, Measure::All].map(|measure| (measure, BTreeMap::new()));
    let (mut unprefixed, mut widest, mut cuts) = (0usize, 0usize, 0usize);
    let mut balance: Option<Balance> = None;
    let mut broken: Option<(usize, usize)> = None;
    for (index, pair) in lines.windows(2).enumerate() {
        let [line, next] = pair else { continue };
        if Measure::All.width(line) < NARROWEST && line.text.trim() != "pipeline:" {
            balance = None;
            continue;
        }
        // A quoted pipeline may break anywhere; elsewhere an indented line may be how somebody formats operations.
        let in_string = balance.as_ref().is_some_and(Balance::in_string) || begins_pipeline(&line.text);
        let indent = next.text.len() - next.text.trim_start().len();
        if if in_string { starts_log(&next.text) } else { indent > 1 || starts_line(&next.text) } {
            balance = None;
            continue;
        }
        let state = match &mut balance {
            Some(state) => state,
            None if starts_mlir(&line.text) => balance.insert(Balance::default()),
            None => continue,
        };
        state.feed(&line.text);
        let incomplete = state.incomplete();
        if incomplete || continues_operation(&next.text) {
            widest = widest.max(Measure::Text.width(line));
        }
        // A later fragment of a wrapped line may look complete; it is as wide as the fragments before it.
        let width = Measure::All.width(line);
        let later = broken.is_some_and(|(place, before)| place + 1 == index && width + LOST_BLANKS >= before);
        if !incomplete && !later {
            balance = None;
            continue;
        }
        broken = Some((index, width));
        places.push(index);
        for (measure, widths) in &mut widths {
            *widths.entry(measure.width(line)).or_default() += 1;
        }
        cuts += usize::from(cuts_word(&line.text, &next.text));
        unprefixed += usize::from(line.prefix.is_some() && next.prefix.is_none());
    }
    // Of two measures with the same result the one without the outer prefixes is meant.
    let peak = |widths: &BTreeMap<usize, usize>| {
        widths.iter().max_by_key(|(width, count)| (**count, **width)).map(|(width, count)| (*width, *count))
    };
    let considered = widths.iter().take(if unprefixed == 0 { 1 } else { widths.len() });
    let best = considered.rev().filter_map(|(measure, widths)| Some((*measure, peak(widths)?)));
    let (measure, (width, count)) = best.max_by_key(|(_, (_, count))| *count)?;
    // Breaks at a width cut words, and vary only where blanks at the end of a fragment were lost.
    let lost: usize = widths
        .iter()
        .find(|(other, _)| *other == measure)
        .map_or(0, |(_, widths)| widths.range(width.saturating_sub(LOST_BLANKS)..width).map(|(_, count)| count).sum());
    let all = places.len();
    let steady = count * 10 >= all * 7 || (count + lost) * 20 >= all * 19;
    if count >= 2 && steady && cuts * 5 >= all {
        return Some(Breaks::Width(width, measure));
    }
    if places.len() >= 3 { Some(Breaks::Words(widest)) } else { Some(Breaks::Places(places)) }
}

/// Whether the break between two fragments cannot have been at a blank between words.
fn cuts_word(text: &str, next: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let (before, after) = (text.chars().next_back().unwrap_or(' '), next.chars().next().unwrap_or(' '));
    before == ' '
        || after == ' '
        || (word(before) && word(after))
        || matches!(before, '(' | '<' | '[' | '%' | '!' | '@' | '#' | '.' | '-' | '/')
        || matches!(after, ')' | '>' | ']' | ',' | '.' | '/')
        || (after == ':' && !next.starts_with(": "))
}

fn begins_pipeline(text: &str) -> bool {
    text.trim_start().starts_with("pipeline:")
}
