//! A compile of one version in the passes of another.

use super::{Action, FIRST, PlanError, SECOND, Segment, same_passes};
use crate::compiler::protocol::Passes;
use crate::compiler::{NestedPass, PassName};

/// A compile of another version in the passes of this one.
pub(super) struct Like {
    pub segments: Vec<Segment>,
    /// What they are, in words.
    pub ran: String,
    /// The pass that this version lacks, so that not failing says nothing.
    pub left_out: Option<String>,
}

impl Like {
    /// For a version that does not have the passes to the letter. Versions differ in the options of a pass, so the same pass
    /// is looked for by name. A list of passes over a module with layouts is a query about its last pass: a version that
    /// does not have that cannot be asked. A module without layouts is one that a front end made, and what the version
    /// makes of that in its own way is asked instead.
    pub fn of(
        passes: &Passes,
        layouts: bool,
        stage: impl Fn(&str) -> Result<Segment, PlanError>,
        all: impl Fn() -> Result<Vec<Segment>, PlanError>,
    ) -> Result<Like, PlanError> {
        let texts = match passes {
            Passes::Stage { stage: name, from, to } => return Like::of_stage(name, *from, *to, layouts, stage),
            Passes::All => return Ok(Like { segments: all()?, ran: "all stages".to_owned(), left_out: None }),
            Passes::Texts { texts } => texts,
        };
        let wanted: Vec<NestedPass> = texts.iter().flat_map(|text| NestedPass::named(text)).collect();
        let segments = all()?;
        let own: Vec<(usize, &NestedPass)> = segments
            .iter()
            .enumerate()
            .flat_map(|(at, segment)| segment.steps.iter().flat_map(Action::passes).map(move |pass| (at, pass)))
            .collect();
        // Of several runs of a pass, the one with the same options.
        let find = |wanted: &NestedPass| {
            let same = own.iter().find(|(_, own)| *own == wanted);
            let named = || PassName(wanted.name()).find_in(own.iter().map(|(_, own)| own.name())).first().copied();
            same.or_else(|| own.get(named()?))
        };
        let found: Vec<NestedPass> = wanted.iter().filter_map(find).map(|(_, own)| (*own).clone()).collect();
        let count = same_passes(found.len());
        let Some(missing) = wanted.iter().find(|wanted| find(wanted).is_none()).map(NestedPass::name) else {
            return Ok(Like { segments: vec![Segment::of_passes(&found)], ran: count, left_out: None });
        };
        let place = |pass: Option<&NestedPass>| pass.and_then(find).map(|(at, _)| *at);
        match (layouts, place(wanted.last())) {
            // What was all of a pipeline is so here, from the stage on in which that began.
            (false, _) if wanted.len() > 1 => {
                let segments = segments.iter().skip(place(wanted.first()).unwrap_or(0)).cloned().collect();
                let ran = format!("`{missing}` is not there; the whole pipeline");
                Ok(Like { segments, ran, left_out: None })
            }
            (_, None) => Err(PlanError::MissingPass { name: wanted.last().map_or("", NestedPass::name).to_owned() }),
            (_, Some(_)) => Ok(Like {
                segments: vec![Segment::of_passes(&found)],
                ran: format!("{count}, `{missing}` is not there"),
                left_out: Some(format!("it has no pass `{missing}`")),
            }),
        }
    }

    /// A stage, or a part of it.
    fn of_stage(
        name: &str,
        from: usize,
        to: Option<usize>,
        layouts: bool,
        stage: impl Fn(&str) -> Result<Segment, PlanError>,
    ) -> Result<Like, PlanError> {
        let whole = (from, to) == (0, None);
        let mut segment = match stage(name) {
            // A fork that goes another way after its first stage is tried with that.
            Err(error) if whole && !layouts && name != FIRST => {
                let Some(why) = error.lacks_stage() else { return Err(error) };
                let ran = format!("the stage `{FIRST}` alone: {why}");
                return Ok(Like { segments: vec![stage(FIRST)?], ran, left_out: None });
            }
            other => other?,
        };
        let ran = if !whole {
            segment.restrict(from, to);
            "a part of the pipeline"
        } else if layouts && name == SECOND && segment.restrict_to_layouts() {
            "all that follows the conversion to layouts"
        } else {
            "the whole pipeline"
        };
        Ok(Like { segments: vec![segment], ran: ran.to_owned(), left_out: None })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::segment;
    use super::*;

    #[test]
    fn another_versions_passes_are_found_by_name_or_it_is_not_asked() {
        let all = || Ok(vec![segment(&["first"]), segment(&["convert-triton-to-tritongpu", "a{x=1}", "a{x=2}", "b"])]);
        let like = |texts: &[&str], layouts| {
            Like::of(&Passes::texts(texts), layouts, |_| Ok(segment(&[])), all).map(|like| {
                let steps = like.segments.iter().flat_map(|segment| &segment.steps).map(ToString::to_string);
                let left_out = like.left_out.unwrap_or_default();
                format!("{}: {}; {left_out}", steps.collect::<Vec<_>>().join(" "), like.ran)
            })
        };
        assert_eq!(like(&["a{x=2}"], true).unwrap(), "a{x=2}: the same pass; ");
        assert_eq!(like(&["b{y=1},a"], true).unwrap(), "b a{x=1}: the same 2 passes; ");
        let partly = "b: the same pass, `c` is not there; it has no pass `c`";
        assert_eq!(like(&["c", "b"], true).unwrap(), partly);
        assert_eq!(like(&["a", "c"], true).unwrap_err().to_string(), "it has no pass `c`");
        assert_eq!(like(&["c"], false).unwrap_err().to_string(), "it has no pass `c`");
        assert!(like(&["a", "c"], false).unwrap().ends_with("b: `c` is not there; the whole pipeline; "));
    }
}
