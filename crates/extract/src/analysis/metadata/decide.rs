//! Decisions: the candidate that becomes the value of a field, if any.

use std::collections::BTreeSet;

use super::candidate::{Candidate, Candidates, Field};
use super::clean_text::key;
use super::date::day_number;

/// Minimum confidence of a value: a wrong date or name is worse than none.
const LEAST: f32 = 0.5;
/// Increase of the confidence for each further source that gives the same value.
const AGREES: f32 = 0.03;

/// The value of a field: several for authors, tags and categories. Empty if no candidate is confident enough.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Decision {
    pub(super) values: Vec<String>,
}

impl Decision {
    pub(super) fn one(self) -> Option<String> {
        self.values.into_iter().next()
    }
}

fn take(candidates: &mut Candidates, at: Option<usize>) -> Decision {
    let sure = |candidates: &Candidates, at: usize| {
        candidates
            .get(at)
            .is_some_and(|candidate| candidate.confidence >= LEAST)
    };
    match at {
        Some(at) if sure(candidates, at) => Decision {
            values: candidates.choose(at),
        },
        _ => Decision::default(),
    }
}

/// Chooses the candidate of the highest confidence.
pub(super) fn best(candidates: &mut Candidates, field: Field) -> Decision {
    let at = candidates.best(field);
    take(candidates, at)
}

/// Chooses the day of the highest confidence. Sources that agree increase it.
pub(super) fn date(candidates: &mut Candidates, field: Field) -> Decision {
    let mut ranked: Option<(f32, usize)> = None;
    for (at, candidate) in candidates.of(field) {
        let same = candidates
            .of(field)
            .filter(|(_, other)| other.values == candidate.values);
        let sources: BTreeSet<&str> = same.map(|(_, other)| other.source).collect();
        let score = candidate.confidence + AGREES * (sources.len() as f32 - 1.0);
        if ranked.is_none_or(|(known, _)| score > known) {
            ranked = Some((score, at));
        }
    }
    let at = ranked
        .filter(|(score, _)| *score >= LEAST)
        .map(|(_, at)| shown(candidates, field, at));
    Decision {
        values: at.map(|at| candidates.choose(at)).unwrap_or_default(),
    }
}

/// Returns the number of the date to take: that of a visible line if it is one day from the stated date at `at`, which is often
/// in another time zone.
fn shown(candidates: &Candidates, field: Field, at: usize) -> usize {
    const SEEN: f32 = 0.75;
    let Some(stated) = candidates
        .get(at)
        .filter(|candidate| candidate.source != "date-line")
    else {
        return at;
    };
    let Some(day) = stated.values.first().and_then(|day| day_number(day)) else {
        return at;
    };
    let near = |candidate: &Candidate| {
        let other = candidate.values.first().and_then(|day| day_number(day));
        candidate.source == "date-line"
            && candidate.confidence >= SEEN
            && other.is_some_and(|other| other.abs_diff(day) == 1)
    };
    let agreed = candidates
        .of(field)
        .any(|(_, candidate)| candidate.source == "date-line" && candidate.values == stated.values);
    let other = candidates
        .of(field)
        .find(|(_, candidate)| near(candidate))
        .filter(|_| !agreed);
    other.map_or(at, |(at, _)| at)
}

/// Chooses the writers. Persons are preferred to the site or publisher, and a line that names further writers to one that names
/// only some of them.
pub(super) fn authors(candidates: &mut Candidates, site: Option<&str>, publisher: Option<&str>) -> Decision {
    let names: Vec<String> = [site, publisher].into_iter().flatten().map(key).collect();
    let is_site = |candidate: &Candidate| candidate.values.iter().all(|value| names.contains(&key(value)));
    let score = |candidate: &Candidate| {
        let same = candidates
            .of(Field::Authors)
            .filter(|(_, other)| other.values == candidate.values);
        let sources: BTreeSet<&str> = same.map(|(_, other)| other.source).collect();
        candidate.confidence * if is_site(candidate) { 0.8 } else { 1.0 }
            + AGREES * (sources.len() as f32 - 1.0)
    };
    let ranked = candidates
        .of(Field::Authors)
        .map(|(at, candidate)| (score(candidate), at));
    // The first of equal scores.
    let best = ranked.fold(None, |best: Option<(f32, usize)>, next| match best {
        Some(known) if known.0 >= next.0 => best,
        _ => Some(next),
    });
    let Some((_, at)) = best.filter(|(score, _)| *score >= LEAST) else {
        return Decision::default();
    };
    let chosen = candidates
        .get(at)
        .map(|candidate| {
            candidate
                .values
                .iter()
                .map(|value| key(value))
                .collect::<Vec<_>>()
        })
        .unwrap_or_default();
    let holds_all = |candidate: &Candidate| {
        let keys: Vec<String> = candidate.values.iter().map(|value| key(value)).collect();
        keys.len() > chosen.len() && chosen.iter().all(|name| keys.contains(name))
    };
    let larger = candidates
        .of(Field::Authors)
        .find(|(_, candidate)| candidate.confidence >= 0.85 && holds_all(candidate));
    let at = larger.map_or(at, |(at, _)| at);
    Decision {
        values: candidates.choose(at),
    }
}

/// Minimum share of the stated title that a headline in it must have. Shorter headlines name a section or the site.
const LEAST_PART: f32 = 0.3;
/// Minimum share of the words of the shorter text that a headline and a different title must have in common to have the same
/// meaning.
const SAME_WORDS: f32 = 0.4;

/// Chooses the title: the headline shown on the page if it matches the title of the head, else the title of the head.
pub(super) fn title(candidates: &mut Candidates, site: Option<&str>) -> Decision {
    let find = |source: &str| {
        candidates
            .of(Field::Title)
            .find(|(_, candidate)| candidate.source == source)
    };
    let at = match (find(HEADLINE), find(HEAD)) {
        (Some((shown, heading)), Some((stated, head))) => {
            let text = |candidate: &Candidate| candidate.values.first().cloned().unwrap_or_default();
            match is_title(&text(heading), &text(head), heading.told == STATED, site) {
                true => Some(shown),
                false => Some(stated),
            }
        }
        (shown, stated) => shown.or(stated).map(|(at, _)| at),
    };
    let at = at.or_else(|| candidates.best(Field::Title));
    take(candidates, at)
}

/// Names of the sources of titles.
pub(super) const HEADLINE: &str = "heading";
pub(super) const HEAD: &str = "head";
/// The mark of a headline that is a part of the title in the head.
pub(super) const STATED: &str = "heading that the head states";

/// Whether a headline is the title, rather than the one that the head states.
fn is_title(heading: &str, head: &str, is_stated: bool, site: Option<&str>) -> bool {
    let (shown, stated) = (key(heading), key(head));
    let chars = |text: &str| text.chars().count() as f32;
    if shown.is_empty() || stated.is_empty() {
        return stated.is_empty();
    }
    if shown.contains(&stated) {
        // The words before the title in the headline are a section: `Interview: The mill`.
        return chars(&stated) * 2.0 < chars(&shown) || shown == stated;
    }
    if stated.contains(&shown) {
        return site.is_none_or(|site| key(site) != shown) && chars(&shown) >= LEAST_PART * chars(&stated);
    }
    if is_stated && chars(&shown) >= chars(&stated) {
        // Both are parts of one title, and the other part names the site.
        return true;
    }
    let words = |text: &str| {
        text.split_whitespace()
            .map(key)
            .filter(|word| !word.is_empty())
            .collect::<BTreeSet<String>>()
    };
    let (shown, stated) = (words(heading), words(head));
    let common = shown.intersection(&stated).count() as f32;
    common >= SAME_WORDS * shown.len().min(stated.len()) as f32
}
