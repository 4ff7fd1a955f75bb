//! The sequential search: what is tried, and in which order.
//!
//! A [`Search`] is a value. It proposes one candidate at a time and is told the fate of each; nothing else moves it, so
//! a copy that is told what *might* happen foresees what will be asked next. The engine speculates on such copies, and
//! because the search never learns about time, caches or threads, its course is the same for any number of jobs.
//!
//! The course: passes over the list of steps, each step visited until its sites are exhausted ([`crate::chunk`]), leaving
//! out sites that failed alone before. A visit that fails many times in a row is broken off, so that a step with many
//! hopeless sites does not hold up the others; as soon as a later step pays, the pass begins again. When such a pass
//! finds nothing, a pass of the late steps, then one of the steps that may grow the subject;
//! then a sweep in which every site is tried alone, which either finds something or proves 1-minimality; then, if wanted,
//! pairs. Whatever finds something is followed by passes again.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::{FxHashSet, FxHasher};

use crate::chunk::{Memory, Retry, Visit};
use crate::forecast::{Kind, UNLIKELY};
use crate::pairs::PairCursor;
use crate::report::Minimality;
use crate::subject::{Held, Site, Step, Subject};

/// How many failures in a row a visit to a step may have at first before the next step gets its chance.
const PATIENCE: u32 = 12;

/// What kind of pass is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Sites that have not failed alone yet.
    Fresh,
    /// Edits that may make the subject no cheaper.
    Growth,
    /// Every site alone.
    Sweep,
    /// Every pair of sites.
    Pairs,
    /// Nothing is left.
    Done,
}

/// Sites of one step, by its index.
#[derive(Debug, Clone)]
pub(crate) struct Edit {
    pub(crate) step: usize,
    pub(crate) sites: Vec<Site>,
}

/// The next candidate.
#[derive(Debug)]
pub(crate) struct Proposal<S> {
    /// One edit, or two in a pair.
    pub(crate) edits: Vec<Edit>,
    /// What the edits before the last leave, where that is known already.
    pub(crate) prepared: Option<Arc<S>>,
    pub(crate) pass: u32,
    /// How likely it is to be accepted. It guides speculation alone.
    pub(crate) chance: f64,
    kind: Kind,
    /// The number of sites if this is the first candidate of a visit.
    pub(crate) opens: Option<usize>,
}

impl<S> Proposal<S> {
    /// Stands for the edits, whatever they are applied to.
    pub(crate) fn edits(&self) -> u64 {
        let mut hasher = FxHasher::default();
        for edit in &self.edits {
            edit.step.hash(&mut hasher);
            edit.sites.hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// What became of a candidate.
#[derive(Debug)]
pub(crate) enum Fate<S: Subject> {
    /// Not worth a question: it did not apply, was not cheap enough, or not valid.
    Refused,
    /// Not interesting.
    Failed,
    /// Interesting.
    Accepted(Arc<Held<S>>),
}

/// A new best subject and the way from the one before.
#[derive(Debug)]
pub(crate) struct Improved<S: Subject> {
    pub(crate) held: Arc<Held<S>>,
    pub(crate) edits: Vec<(Edit, u128)>,
}

/// Where to go back to when an edit that made the subject no cheaper did not pay.
#[derive(Debug)]
struct Excursion<S: Subject> {
    base: Arc<Held<S>>,
    memory: Vec<Arc<Memory>>,
    position: usize,
    visit: Option<Visit>,
    improved: bool,
}

/// The state of the search.
#[derive(Debug)]
pub(crate) struct Search<S: Subject> {
    held: Arc<Held<S>>,
    /// The order of the steps, as indices.
    order: Arc<[usize]>,
    memory: Vec<Arc<Memory>>,
    phase: Phase,
    /// Whether a fresh pass is one of the late steps.
    late: bool,
    pass: u32,
    position: usize,
    visit: Option<Visit>,
    opens: Option<usize>,
    improved: bool,
    /// Failures in a row after which a fresh visit is broken off.
    patience: u32,
    /// Whether a visit of this pass was broken off.
    broken_off: bool,
    excursion: Option<Arc<Excursion<S>>>,
    /// The edits since an excursion began.
    way: Vec<(Edit, u128)>,
    /// Candidates that an excursion may still try.
    left: u32,
    /// Keys of subjects that were held; an excursion must not lead back to one.
    been: Arc<FxHashSet<u128>>,
    pairs: Option<PairCursor<S>>,
    minimality: Minimality,
    rules: Rules,
}

/// The options that the search looks at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) follow_up: u32,
    pub(crate) pairs: bool,
    /// Lists of sites are turned round.
    pub(crate) reversed: bool,
}

// Derived `Clone` would ask for `S: Clone`; only pointers are copied.
impl<S: Subject> Clone for Search<S> {
    fn clone(&self) -> Self {
        Search {
            held: Arc::clone(&self.held),
            order: Arc::clone(&self.order),
            memory: self.memory.clone(),
            phase: self.phase,
            late: self.late,
            pass: self.pass,
            position: self.position,
            visit: self.visit.clone(),
            opens: self.opens,
            improved: self.improved,
            patience: self.patience,
            broken_off: self.broken_off,
            excursion: self.excursion.clone(),
            way: self.way.clone(),
            left: self.left,
            been: Arc::clone(&self.been),
            pairs: self.pairs.clone(),
            minimality: self.minimality,
            rules: self.rules,
        }
    }
}

impl<S: Subject> Search<S> {
    pub(crate) fn new(held: Arc<Held<S>>, order: Vec<usize>, rules: Rules) -> Search<S> {
        let been = std::iter::once(held.key).collect();
        let memory = order.iter().map(|_| Arc::new(Memory::new())).collect();
        Search {
            held,
            order: order.into(),
            memory,
            phase: Phase::Fresh,
            late: false,
            pass: 1,
            position: 0,
            visit: None,
            opens: None,
            improved: false,
            patience: PATIENCE,
            broken_off: false,
            excursion: None,
            way: Vec::new(),
            left: 0,
            been: Arc::new(been),
            pairs: None,
            minimality: Minimality::Unproven,
            rules,
        }
    }

    /// The subject that the next candidate is made from.
    pub(crate) fn held(&self) -> &Arc<Held<S>> {
        &self.held
    }

    /// What is proven once the search is done.
    pub(crate) fn minimality(&self) -> Minimality {
        self.minimality
    }

    /// Whether a candidate of this cost and key is worth a question.
    pub(crate) fn worthwhile(&self, cost: &S::Cost, key: impl FnOnce() -> u128) -> bool {
        if *cost < self.held.cost {
            return true;
        }
        self.phase == Phase::Growth && !self.been.contains(&key())
    }

    /// The next candidate, or `None` when nothing is left to try.
    pub(crate) fn propose(&mut self, steps: &[&dyn Step<S>]) -> Option<Proposal<S>> {
        loop {
            if self.phase == Phase::Done {
                return None;
            }
            if self.phase == Phase::Pairs {
                let held = &self.held;
                let cursor = self.pairs.get_or_insert_with(|| PairCursor::new(&held.subject, steps));
                if let Some((edits, prepared)) = cursor.next(&held.subject, steps) {
                    return Some(self.proposal(edits, Some(prepared), Kind::Suspect, UNLIKELY));
                }
                self.minimality = Minimality::Pairs;
                self.phase = Phase::Done;
                continue;
            }
            let Some(&step) = self.order.get(self.position) else {
                self.turn(steps);
                continue;
            };
            let Some(visit) = &self.visit else {
                self.open(step, steps);
                continue;
            };
            let odds = &self.memory[step].odds;
            match visit.next(odds) {
                Some(_) if self.phase == Phase::Fresh && visit.failures() >= self.patience => {
                    self.broken_off = true;
                    self.close();
                }
                Some(chunk) => {
                    let memory = &self.memory[step];
                    let kind = match chunk.kind {
                        _ if self.phase == Phase::Growth => Kind::Suspect,
                        Kind::Shared if chunk.sites.iter().any(|site| memory.failed_alone(site.id)) => Kind::Suspect,
                        kind => kind,
                    };
                    let chance = memory.forecast.chance(kind, chunk.sites.len(), steps[step].promise());
                    return Some(self.proposal(vec![Edit { step, sites: chunk.sites }], None, kind, chance));
                }
                None => self.close(),
            }
        }
    }

    /// Leaves a step. If it paid and an earlier one was broken off, the pass begins again: the subject has changed, and
    /// earlier steps take away more.
    fn close(&mut self) {
        let paid = self.visit.take().is_some_and(|visit| visit.paid());
        if self.phase == Phase::Fresh && self.broken_off && paid {
            self.begin(Phase::Fresh);
        } else {
            self.position += 1;
        }
    }

    fn proposal(&mut self, edits: Vec<Edit>, prepared: Option<Arc<S>>, kind: Kind, chance: f64) -> Proposal<S> {
        Proposal { edits, prepared, pass: self.pass, kind, chance, opens: self.opens.take() }
    }

    fn retry(&self) -> Retry {
        if self.phase == Phase::Fresh { Retry::Skip } else { Retry::Alone }
    }

    fn open(&mut self, step: usize, steps: &[&dyn Step<S>]) {
        let growth = self.phase == Phase::Growth;
        let fresh = self.phase == Phase::Fresh;
        if growth && !steps[step].allow_growth() || fresh && steps[step].late() != self.late {
            self.position += 1;
            return;
        }
        let sites = steps[step].sites(&self.held.subject);
        let alone = growth || !steps[step].chunkable();
        let visit = Visit::new(sites, &self.memory[step], self.retry(), alone, self.rules.reversed);
        self.opens = Some(visit.len());
        self.visit = Some(visit);
    }

    /// The end of a pass: which one is next.
    fn turn(&mut self, steps: &[&dyn Step<S>]) {
        let next = match (self.phase, self.improved, self.excursion.is_some()) {
            (_, true, _) => Phase::Fresh,
            (Phase::Fresh, false, _) if self.broken_off => {
                self.patience = self.patience.saturating_mul(4);
                return self.begin_again();
            }
            (Phase::Fresh, false, false) if !self.late && steps.iter().any(|step| step.late()) => {
                self.patience = PATIENCE;
                self.late = true;
                return self.begin_again();
            }
            (Phase::Fresh, false, false) => Phase::Growth,
            (Phase::Fresh, false, true) | (Phase::Growth, false, _) => Phase::Sweep,
            (_, false, true) => return self.take_back(),
            (_, false, false) => {
                self.minimality = Minimality::Single;
                if self.rules.pairs { Phase::Pairs } else { Phase::Done }
            }
        };
        self.begin(next);
    }

    fn begin(&mut self, phase: Phase) {
        self.phase = phase;
        self.late = false;
        self.patience = PATIENCE;
        self.begin_again();
    }

    fn begin_again(&mut self) {
        self.pass += 1;
        self.position = 0;
        self.visit = None;
        self.improved = false;
        self.broken_off = false;
        self.pairs = None;
    }

    /// Moves on, given what became of `proposal`, which must be the last one made.
    pub(crate) fn settle(
        &mut self,
        proposal: &Proposal<S>,
        fate: Fate<S>,
        steps: &[&dyn Step<S>],
    ) -> Option<Improved<S>> {
        match fate {
            Fate::Refused => {
                self.note_failure(proposal, false);
                None
            }
            Fate::Failed => {
                self.note_outcome(proposal, false);
                self.note_failure(proposal, self.phase != Phase::Growth);
                self.spend();
                None
            }
            Fate::Accepted(held) => {
                self.note_outcome(proposal, true);
                self.accept(proposal, held, steps)
            }
        }
    }

    fn note_outcome(&mut self, proposal: &Proposal<S>, accepted: bool) {
        if let [edit] = proposal.edits.as_slice() {
            Arc::make_mut(&mut self.memory[edit.step]).forecast.learn(proposal.kind, accepted);
        }
    }

    fn note_failure(&mut self, proposal: &Proposal<S>, judged: bool) {
        if let ([edit], Some(visit)) = (proposal.edits.as_slice(), &mut self.visit) {
            let memory = &mut self.memory[edit.step];
            visit.failed(&edit.sites, Arc::make_mut(memory), judged);
        }
    }

    fn accept(&mut self, proposal: &Proposal<S>, held: Arc<Held<S>>, steps: &[&dyn Step<S>]) -> Option<Improved<S>> {
        Arc::make_mut(&mut self.been).insert(held.key);
        let last = proposal.edits.len().saturating_sub(1);
        // Only the last edit of a pair leads to a subject that was looked at; the key of the first stands for nothing.
        let mut edits: Vec<(Edit, u128)> = Vec::with_capacity(proposal.edits.len());
        for (index, edit) in proposal.edits.iter().enumerate() {
            let key = if index == last { held.key } else { proposal.prepared.as_ref().map_or(0, |s| s.key()) };
            edits.push((edit.clone(), key));
        }
        if held.cost >= self.held.cost {
            self.depart(proposal, held, edits);
            return None;
        }
        self.held = Arc::clone(&held);
        let Some(excursion) = &self.excursion else {
            self.move_on(proposal, steps);
            return Some(Improved { held, edits });
        };
        let paid = held.cost < excursion.base.cost;
        self.way.append(&mut edits);
        if paid {
            self.excursion = None;
            self.begin(Phase::Fresh);
            return Some(Improved { held, edits: std::mem::take(&mut self.way) });
        }
        self.move_on(proposal, steps);
        self.spend();
        None
    }

    /// Goes on with the visit, on the subject that was just accepted.
    fn move_on(&mut self, proposal: &Proposal<S>, steps: &[&dyn Step<S>]) {
        self.improved = true;
        if self.phase == Phase::Pairs {
            return self.begin(Phase::Fresh);
        }
        let retry = self.retry();
        if let (Some(edit), Some(visit)) = (proposal.edits.last(), &mut self.visit) {
            let memory = &mut self.memory[edit.step];
            visit.went(&edit.sites, Arc::make_mut(memory));
            visit.refresh(steps[edit.step].sites(&self.held.subject), memory, retry, self.rules.reversed);
        }
    }

    /// Holds a subject that is no cheaper, for a while.
    fn depart(&mut self, proposal: &Proposal<S>, held: Arc<Held<S>>, edits: Vec<(Edit, u128)>) {
        // When it is taken back, this site is done with.
        self.note_failure(proposal, false);
        let base = std::mem::replace(&mut self.held, held);
        self.excursion = Some(Arc::new(Excursion {
            base,
            memory: self.memory.clone(),
            position: self.position,
            visit: self.visit.take(),
            improved: self.improved,
        }));
        self.way = edits;
        self.left = self.rules.follow_up;
        self.begin(Phase::Fresh);
        if self.left == 0 {
            self.take_back();
        }
    }

    /// Counts a candidate against the allowance of an excursion.
    fn spend(&mut self) {
        if self.excursion.is_some() {
            self.left = self.left.saturating_sub(1);
            if self.left == 0 {
                self.take_back();
            }
        }
    }

    /// Ends an excursion where it began.
    fn take_back(&mut self) {
        let Some(excursion) = self.excursion.take() else { return };
        self.begin(Phase::Growth);
        self.way.clear();
        self.held = Arc::clone(&excursion.base);
        self.memory.clone_from(&excursion.memory);
        self.position = excursion.position;
        self.visit.clone_from(&excursion.visit);
        self.improved = excursion.improved;
    }
}
