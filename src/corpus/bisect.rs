//! The releases that are bad: the first one, and the first one that is good again.
//!
//! Between a release that is good and one that is bad, halving finds the border with few questions, as long as there is
//! only one. So it begins with a release that is known to be bad, asks the oldest and the newest, and halves on both sides.
//! As soon as an answer does not fit (a release that cannot be tested or fails in another way in between, a good one
//! between bad ones), or where no bad release is known, every release is asked. Between two bad ones everything is taken
//! for bad and told as such; asking all settles it.

/// What a release does with a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VersionVerdict {
    /// The failure is not there.
    Good,
    /// The failure is there.
    Bad,
    /// Another failure is there: neither good nor bad.
    Other,
    /// The module cannot be tested there.
    Untestable,
}

impl VersionVerdict {
    /// Whether it says something about the failure.
    fn tells(&self) -> bool {
        matches!(self, VersionVerdict::Good | VersionVerdict::Bad)
    }
}

/// Neighbouring releases with the same answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch {
    /// What they do.
    pub answer: VersionVerdict,
    /// The oldest, by position.
    pub first: usize,
    /// The newest, by position.
    pub last: usize,
    /// How many of them were not asked, being between two that were.
    pub assumed: usize,
}

/// What is known of all releases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct History {
    /// Each release's answer, where it was asked.
    pub answers: Vec<Option<VersionVerdict>>,
    /// The same in stretches, oldest first.
    pub stretches: Vec<Stretch>,
}

/// Finds out which of `count` releases, oldest first, are bad. `bad` is one that is known to be; `all` asks every release.
///
/// # Errors
/// Whatever `ask` fails with.
pub fn history<E>(
    count: usize,
    bad: Option<usize>,
    all: bool,
    ask: &mut dyn FnMut(usize) -> Result<VersionVerdict, E>,
) -> Result<History, E> {
    let mut asked = Asked { answers: vec![None; count], ask };
    let mut settled = false;
    if let (Some(bad), false) = (bad.filter(|&bad| bad < count), all) {
        settled = asked.of(bad)? == VersionVerdict::Bad
            && asked.border(bad, &|step| bad.checked_sub(step))?
            && asked.border(bad, &|step| Some(bad + step).filter(|&at| at < count))?;
    }
    if !settled {
        for release in 0..count {
            asked.of(release)?;
        }
    }
    let stretches = stretches(&asked.answers);
    Ok(History { answers: asked.answers, stretches })
}

struct Asked<'a, E> {
    answers: Vec<Option<VersionVerdict>>,
    ask: &'a mut dyn FnMut(usize) -> Result<VersionVerdict, E>,
}

impl<E> Asked<'_, E> {
    fn of(&mut self, release: usize) -> Result<VersionVerdict, E> {
        if let Some(Some(known)) = self.answers.get(release) {
            return Ok(known.clone());
        }
        let answer = (self.ask)(release)?;
        if let Some(place) = self.answers.get_mut(release) {
            *place = Some(answer.clone());
        }
        Ok(answer)
    }

    /// Finds where it becomes good on one side of a bad release: `at` gives the release so many steps away. False where an
    /// answer does not fit.
    fn border(&mut self, bad: usize, at: &dyn Fn(usize) -> Option<usize>) -> Result<bool, E> {
        let mut end = 0;
        while at(end + 1).is_some() {
            end += 1;
        }
        // At the far end, releases that cannot be tested are passed by.
        while let Some(release) = at(end).filter(|_| end > 0)
            && !self.of(release)?.tells()
        {
            end -= 1;
        }
        let Some(far) = at(end).filter(|&far| far != bad) else { return Ok(true) };
        if self.of(far)? == VersionVerdict::Bad {
            return Ok(true);
        }
        let (mut near, mut far) = (0, end);
        while near + 1 < far {
            let middle = near + (far - near) / 2;
            let Some(release) = at(middle) else { return Ok(false) };
            match self.of(release)? {
                VersionVerdict::Bad => near = middle,
                VersionVerdict::Good => far = middle,
                VersionVerdict::Other | VersionVerdict::Untestable => return Ok(false),
            }
        }
        Ok(true)
    }
}

/// Neighbours with the same answer together; what was not asked belongs to the stretch that it is in the middle of.
fn stretches(answers: &[Option<VersionVerdict>]) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    for (release, answer) in answers.iter().enumerate() {
        let Some(answer) = answer else { continue };
        match stretches.last_mut() {
            Some(last) if last.answer == *answer => {
                last.assumed += release - last.last - 1;
                last.last = release;
            }
            _ => stretches.push(Stretch { answer: answer.clone(), first: release, last: release, assumed: 0 }),
        }
    }
    stretches
}

impl History {
    /// The sentence that people want: from where to where it is bad, and where it is good.
    pub fn sentence(&self, names: &[String]) -> String {
        let name = |release: usize| names.get(release).map_or("?", String::as_str);
        let (oldest, newest) = (0, names.len().saturating_sub(1));
        let mut parts = Vec::new();
        for (place, stretch) in self.stretches.iter().enumerate() {
            let again = self.stretches.iter().take(place).any(|earlier| earlier.answer == stretch.answer);
            let word = match stretch.answer {
                VersionVerdict::Good => "good",
                VersionVerdict::Bad => "bad",
                VersionVerdict::Other => "fails otherwise",
                VersionVerdict::Untestable => "untestable",
            };
            let again = if again { " again" } else { "" };
            let (first, last) = (name(stretch.first), name(stretch.last));
            let range = match (stretch.first == oldest, stretch.last == newest) {
                (true, true) => format!("in all of them, {first} to {last}"),
                (true, false) => format!("up to {last}"),
                (false, true) if first == last => format!("in {last}, the newest"),
                (false, true) => format!("from {first} to {last}, the newest"),
                (false, false) if first == last => format!("in {first}"),
                (false, false) => format!("from {first} to {last}"),
            };
            parts.push(format!("{word}{again} {range}"));
        }
        let assumed: usize = self.stretches.iter().map(|stretch| stretch.assumed).sum();
        let note = match assumed {
            0 => String::new(),
            1 => " (one release between two equal ones was not tried)".to_owned(),
            _ => format!(" ({assumed} releases between equal ones were not tried)"),
        };
        format!("{}{note}", parts.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn ask(text: &str, bad: Option<usize>, all: bool) -> (History, usize) {
        let answers: Vec<VersionVerdict> = text
            .chars()
            .map(|c| match c {
                'g' => VersionVerdict::Good,
                'B' => VersionVerdict::Bad,
                'o' => VersionVerdict::Other,
                _ => VersionVerdict::Untestable,
            })
            .collect();
        let mut asked = 0;
        let mut ask = |release: usize| -> Result<VersionVerdict, Infallible> {
            asked += 1;
            Ok(answers[release].clone())
        };
        let Ok(history) = history(answers.len(), bad, all, &mut ask);
        (history, asked)
    }

    fn shown(history: &History) -> String {
        let letter = |stretch: &Stretch| match stretch.answer {
            VersionVerdict::Good => 'g',
            VersionVerdict::Bad => 'B',
            VersionVerdict::Other => 'o',
            VersionVerdict::Untestable => '-',
        };
        history
            .stretches
            .iter()
            .flat_map(|stretch| std::iter::repeat_n(letter(stretch), stretch.last - stretch.first + 1))
            .collect()
    }

    #[test]
    fn borders_are_found_by_halving() {
        for text in ["gggBBBBBBgggg", "BBBBBBBBBBBBg", "gBgggggggggg", "ggggggggggggB", "BBBB", "B", "gBBBBBBBBBBBBBB"]
        {
            for bad in text.char_indices().filter(|(_, c)| *c == 'B').map(|(at, _)| at) {
                let (history, asked) = ask(text, Some(bad), false);
                assert_eq!(shown(&history).len(), text.len(), "{text}");
                assert_eq!(shown(&history), text);
                assert!(asked <= 9, "{asked} questions for {text}");
            }
        }
    }

    #[test]
    fn everything_is_asked_where_an_answer_does_not_fit() {
        for (text, bad) in [("ggg-BBgggg", 5), ("gBoBBgggg", 4), ("g--BBBgo-g", 3), ("gggg", 2)] {
            let (history, asked) = ask(text, Some(bad), false);
            assert_eq!(shown(&history), text);
            assert_eq!(asked, text.len(), "{text}");
        }
    }

    #[test]
    fn everything_is_asked_where_nothing_is_known() {
        let (history, asked) = ask("gBgBBgo", None, false);
        assert_eq!((shown(&history).as_str(), asked), ("gBgBBgo", 7));
    }

    #[test]
    fn what_cannot_be_tested_at_an_end_is_passed_by() {
        let (history, asked) = ask("--gggggBBBBBg", Some(8), false);
        assert_eq!(shown(&history), "--gggggBBBBBg");
        assert!(asked < 13);
    }

    #[test]
    fn a_gap_between_bad_ends_shows_when_all_are_asked() {
        assert_eq!(ask("BgB", Some(2), false).0.stretches.len(), 1);
        assert_eq!(ask("BgB", Some(2), true).0.stretches.len(), 3);
    }

    #[test]
    fn the_sentence_names_the_borders() {
        let names: Vec<String> = ["3.2.0", "3.3.0", "3.4.0", "3.7.0"].map(str::to_owned).to_vec();
        let say = |text| ask(text, None, true).0.sentence(&names);
        assert_eq!(say("gBBg"), "good up to 3.2.0; bad from 3.3.0 to 3.4.0; good again in 3.7.0, the newest");
        assert_eq!(say("BBBB"), "bad in all of them, 3.2.0 to 3.7.0");
    }
}
