//! Progress. Nothing is shown for the first two seconds; then a bar where standard error is a terminal, and a plain line
//! every ten seconds where it is not.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

const QUIET: Duration = Duration::from_secs(2);
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Bytes on disk.
    Bytes,
    /// Things, of a number that is known.
    Count,
    /// Nothing: only the words change.
    Words,
}

/// Shows how far something is; gone when it is dropped.
#[derive(Debug)]
pub struct Meter {
    label: String,
    unit: Unit,
    started: Instant,
    said: Option<Instant>,
    bar: Option<ProgressBar>,
    terminal: bool,
}

impl Meter {
    /// A meter for what `label` says, such as `installing triton 3.6.0`.
    pub fn new(label: &str, unit: Unit) -> Self {
        let terminal = stderr().is_terminal();
        Meter { label: label.to_owned(), unit, started: Instant::now(), said: None, bar: None, terminal }
    }

    /// Where it is now. `total` is left out where it is not known yet.
    pub fn update(&mut self, words: &str, done: u64, total: Option<u64>) {
        if self.started.elapsed() < QUIET {
            return;
        }
        if !self.terminal {
            return self.line(words, done, total);
        }
        let (label, unit) = (&self.label, self.unit);
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(8));
            bar.set_prefix(label.clone());
            bar.set_style(style(unit, total.is_some()));
            bar.enable_steady_tick(Duration::from_millis(250));
            bar
        });
        if bar.length() != total {
            bar.set_style(style(unit, total.is_some()));
            total.map_or_else(|| bar.unset_length(), |total| bar.set_length(total));
        }
        bar.set_position(done);
        bar.set_message(words.to_owned());
    }

    fn line(&mut self, words: &str, done: u64, total: Option<u64>) {
        if self.said.is_some_and(|said| said.elapsed() < BETWEEN_LINES) {
            return;
        }
        self.said = Some(Instant::now());
        let count = match (self.unit, total) {
            (Unit::Words, _) => String::new(),
            (Unit::Bytes, Some(total)) => format!(", {} of about {} MB", done / 1_000_000, total / 1_000_000),
            (Unit::Bytes, None) => format!(", {} MB", done / 1_000_000),
            (Unit::Count, Some(total)) => format!(", {done} of {total}"),
            (Unit::Count, None) => format!(", {done}"),
        };
        let words = if words.is_empty() { String::new() } else { format!(": {words}") };
        super::output::say(&format!("{}{words}{count} ({} s)", self.label, self.started.elapsed().as_secs()));
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn style(unit: Unit, known: bool) -> ProgressStyle {
    let template = match (unit, known) {
        (Unit::Words, _) => "{spinner} {prefix}: {msg} [{elapsed}]",
        (Unit::Bytes, true) => "{spinner} {prefix} [{bar:30}] {bytes} of about {total_bytes}, {msg} [{elapsed}]",
        (Unit::Bytes, false) => "{spinner} {prefix}: {bytes}, {msg} [{elapsed}]",
        (Unit::Count, true) => "{spinner} {prefix} [{bar:30}] {pos} of {len}, {msg} [{elapsed}]",
        (Unit::Count, false) => "{spinner} {prefix}: {pos}, {msg} [{elapsed}]",
    };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}
