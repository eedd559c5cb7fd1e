//! Decisions: the candidate that becomes the value of a field, if any.

use std::collections::BTreeSet;

use super::address_words::AddressWords;
use super::candidate::{Candidate, Candidates, Field, RECEIVED, TEMPLATE};
use super::clean_text::key;
use super::date::{day_number, day_of};
use super::person;
use super::title::is_whole_part;

/// Minimum confidence of a value: a wrong date or name is worse than none.
const LEAST: f32 = 0.5;
/// Increase of the confidence for each further source that gives the same value: dates agree by chance more
/// often than names.
const AGREES: f32 = 0.03;
/// Like `AGREES`, for names.
const NAMES_AGREE: f32 = 0.05;

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

/// Takes the candidate at an index, unless it is less confident than `LEAST`.
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

/// Decrease of the confidence of a date without a day.
const NO_DAY: f32 = 0.2;

/// Returns the day of a candidate, or its month or year if it has no day.
fn day(candidate: &Candidate) -> &str {
    candidate.values.first().map_or("", |value| day_of(value))
}

/// Chooses a date: the day with the highest confidence, which agreeing sources increase, and the time of
/// the surest candidate of that day that has a time.
pub(super) fn date(candidates: &mut Candidates, field: Field) -> Decision {
    let mut ranked: Option<(f32, usize)> = None;
    for (at, candidate) in candidates.of(field) {
        // Sources that read attributes of one element repeat each other. The text that the element shows is
        // independent of them.
        let mut places = BTreeSet::new();
        let same = candidates.of(field).filter(|(_, other)| {
            day(other) == day(candidate)
                && other.source != RECEIVED
                && (other.place.is_none() || other.source == DATE_LINE || places.insert(other.place))
        });
        let sources: BTreeSet<&str> = same.map(|(_, other)| other.source).collect();
        let agreeing = AGREES * (sources.len().max(1) as f32 - 1.0);
        let whole = if day_number(day(candidate)).is_some() {
            0.0
        } else {
            NO_DAY
        };
        let score = candidate.confidence + agreeing - whole;
        if ranked.is_none_or(|(known, _)| score > known) {
            ranked = Some((score, at));
        }
    }
    // First the day, then its surest form, then the parts that this form lacks. Only `shown` may change the day.
    let at = ranked
        .filter(|(score, _)| *score >= LEAST)
        .map(|(_, at)| shown(candidates, field, at))
        .map(|at| stated_of_day(candidates, field, at))
        .map(|at| most_exact(candidates, field, at));
    Decision {
        values: at.map(|at| candidates.choose(at)).unwrap_or_default(),
    }
}

/// Lowers the confidence of dates after the day on which the page was fetched, such as those of events: a
/// page is not published later.
pub(super) fn doubt_later(candidates: &mut Candidates, captured: &str) {
    const LATER: f32 = 0.4;
    let Some(captured) = day_number(captured) else {
        return;
    };
    // The next day has begun in other time zones.
    let is_later = |value: &str| day_number(value).is_some_and(|day| day > captured.saturating_add(1));
    for field in [Field::Date, Field::Modified] {
        candidates.doubt(field, LATER, is_later);
    }
}

/// Index of the date to take: a visible date one day from the stated date at `at`, which is often in
/// another time zone. Returns `at` if there is no such line, or if a line shows the stated day.
fn shown(candidates: &Candidates, field: Field, at: usize) -> usize {
    const SEEN: f32 = 0.75;
    let Some(stated) = candidates
        .get(at)
        .filter(|candidate| candidate.source != DATE_LINE)
    else {
        return at;
    };
    let Some(day) = stated.values.first().and_then(|day| day_number(day)) else {
        return at;
    };
    let near = |candidate: &Candidate| {
        let other = candidate.values.first().and_then(|day| day_number(day));
        candidate.source == DATE_LINE
            && candidate.confidence >= SEEN
            && other.is_some_and(|other| other.abs_diff(day) == 1)
    };
    // A line that shows the stated day settles it, whatever other lines show.
    let agreed = candidates
        .of(field)
        .any(|(_, candidate)| candidate.source == DATE_LINE && self::day(candidate) == self::day(stated));
    let other = candidates
        .of(field)
        .find(|(_, candidate)| near(candidate))
        .filter(|_| !agreed);
    other.map_or(at, |(at, _)| at)
}

/// Index of the surest stated date that has the day of the visible date at `at` and says more than it; else
/// `at`. Lines often show the time of the last change.
fn stated_of_day(candidates: &Candidates, field: Field, at: usize) -> usize {
    const STATED: f32 = 0.75;
    let Some(line) = candidates
        .get(at)
        .filter(|candidate| candidate.source == DATE_LINE)
    else {
        return at;
    };
    let of_day = candidates.surest(field, |candidate| {
        candidate.source != DATE_LINE
            && candidate.confidence >= STATED
            && day(candidate) == day(line)
            && candidate.values.first().map(String::len) > line.values.first().map(String::len)
    });
    of_day.unwrap_or(at)
}

/// Index of the candidate that completes the date at `at` with its day, time or zone; `at` if there is
/// none. Candidates of other dates do not count, nor do unsure candidates.
fn most_exact(candidates: &Candidates, field: Field, at: usize) -> usize {
    let mut at = at;
    // Each round adds one of the five parts of a date.
    for _ in 0..5 {
        let Some(known) = candidates.get(at).and_then(|candidate| candidate.values.first()) else {
            break;
        };
        let says_more = |candidate: &Candidate| {
            let value = candidate.values.first().map_or("", String::as_str);
            candidate.confidence >= LEAST && value.len() > known.len() && value.starts_with(known.as_str())
        };
        match candidates.surest(field, says_more) {
            Some(more) => at = more,
            None => break,
        }
    }
    at
}

/// Name of the source of visible dates.
pub(super) const DATE_LINE: &str = "date-line";

/// Name of the source of visible writers, and the mark of several lines with them.
pub(super) const BYLINE: &str = "byline";
pub(super) const SEVERAL_LINES: &str = "lines that follow each other";

/// Confidence above which a writer of one word is ranked lower: other sources may have the whole name.
const SURE: f32 = 0.75;
/// Minimum confidence of a candidate that names further writers.
const LARGER: f32 = 0.8;

/// Minimum confidence of a person. Accounts are doubted if the page names such a person.
const NAMED: f32 = 0.7;

/// Factor for the confidence of a writer that is the site, its publisher or another organization.
const SITE: f32 = 0.65;
/// Factor for the confidence of a writer that is an account.
const ACCOUNT: f32 = 0.9;

/// Names of the site of a page.
pub(super) struct SiteNames<'n> {
    pub(super) site: Option<&'n str>,
    pub(super) publisher: Option<&'n str>,
    pub(super) address: &'n AddressWords,
}

/// Chooses the writers. Persons are preferred to the site or publisher, and a candidate with further
/// writers to one that has only some of them.
pub(super) fn authors(candidates: &mut Candidates, of_site: &SiteNames<'_>) -> Decision {
    let names: Vec<String> = [of_site.site, of_site.publisher]
        .into_iter()
        .flatten()
        .map(key)
        .collect();
    // A host may be called after the person who writes on it: a name in a byline is that of the person.
    let is_site = |candidate: &Candidate| {
        let in_head = candidate.source != BYLINE;
        candidate.values.iter().all(|value| {
            let name = key(value);
            names.contains(&name) || in_head && of_site.address.is_host(&name) || person::is_company(value)
        })
    };
    let has_person = candidates.of(Field::Authors).any(|(_, candidate)| {
        candidate.confidence >= NAMED && candidate.values.iter().all(|name| person::reads_as_name(name))
    });
    let score = |candidate: &Candidate| {
        let same = candidates
            .of(Field::Authors)
            .filter(|(_, other)| other.values == candidate.values);
        let sources: BTreeSet<&str> = same.map(|(_, other)| other.source).collect();
        // One word in a script with spaces is the name of an account rather than of a person, if another
        // source names one.
        let is_account = |value: &String| !value.contains(' ') && value.is_ascii();
        let all_accounts = || candidate.values.iter().all(is_account);
        // The site comes first: its name may be one word, too.
        let kind = match () {
            () if is_site(candidate) => SITE,
            () if all_accounts() && (candidate.confidence > SURE || has_person) => ACCOUNT,
            () => 1.0,
        };
        candidate.confidence * kind + NAMES_AGREE * (sources.len() as f32 - 1.0)
    };
    let ranked = candidates
        .of(Field::Authors)
        .map(|(at, candidate)| (score(candidate), at));
    // The first of equal scores.
    let best = ranked.fold(None, |best: Option<(f32, usize)>, next| match best {
        Some(known) if known.0 >= next.0 => best,
        _ => Some(next),
    });
    // The factors rank the site below persons, but a page that names only its site is by its site.
    let sure = |at: usize| {
        candidates
            .get(at)
            .is_some_and(|candidate| candidate.confidence >= LEAST)
    };
    let Some((_, at)) = best.filter(|(score, at)| *score >= LEAST || sure(*at)) else {
        return Decision::default();
    };
    // Names are compared by their letters: sources differ in case and punctuation.
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
        keys.len() > chosen.len()
            && chosen.iter().all(|name| keys.contains(name))
            && candidate.values.iter().all(|name| person::reads_as_name(name))
    };
    // The line below a writer may name a reviewer.
    let is_larger = |candidate: &Candidate| {
        candidate.confidence >= LARGER && candidate.told != SEVERAL_LINES && holds_all(candidate)
    };
    let larger = candidates
        .of(Field::Authors)
        .find(|(_, candidate)| is_larger(candidate));
    let at = larger.map_or(at, |(at, _)| at);
    let mut values = candidates.choose(at);
    // Beside persons, the site does not count as a writer.
    if !values.iter().all(|value| names.contains(&key(value))) {
        values.retain(|value| !names.contains(&key(value)));
    }
    Decision { values }
}

/// Minimum share of the stated title that a headline in it must have. Shorter headlines name a section or the site.
const MIN_PART: f32 = 0.3;
/// Like `MIN_PART`, for an `h1` that is a whole part of the title.
const MIN_PART_OF_H1: f32 = 0.2;
/// Minimum difference of two shares of the words of the address: of a headline, and of an unrelated title.
const BY_ADDRESS: f32 = 0.34;
/// Minimum share of `<title>` that a headline in it must have to be preferred to a title in other words.
const AGREEING: f32 = 0.4;
/// Minimum share of the words of the shorter text that a headline and a different title must have in common
/// to have the same meaning.
const SAME_WORDS: f32 = 0.4;

/// Facts by which headline and title are compared.
pub(super) struct TitleFacts<'t> {
    /// Name of the site.
    pub(super) site: Option<&'t str>,
    /// Text of the heading that the page names as the name of its site.
    pub(super) site_heading: Option<&'t str>,
    /// Text of `<title>`.
    pub(super) element: Option<&'t str>,
    /// The title that the head states, before words after a bar were removed.
    pub(super) stated: Option<&'t str>,
    /// Whether the headline is an `h1`.
    pub(super) is_top: bool,
    /// Words of the address.
    pub(super) address: &'t AddressWords,
}

/// Chooses the title: the headline shown on the page if it matches the title of the head, else the title of the head.
pub(super) fn title(candidates: &mut Candidates, facts: &TitleFacts<'_>) -> Decision {
    let find = |source: &str| {
        candidates
            .of(Field::Title)
            .find(|(_, candidate)| candidate.source == source)
    };
    // A template knows the place of the title. That helps if no heading agrees with the head. Front pages
    // have the headline of an article at this place, so that the head must contain it.
    let is_told = |candidate: &Candidate| {
        let text = key(candidate.values.first().map_or("", String::as_str));
        [facts.element, facts.stated]
            .into_iter()
            .flatten()
            .any(|title| !text.is_empty() && key(title).contains(&text))
    };
    let heading = find(HEADLINE);
    let placed = find(TEMPLATE)
        .filter(|(_, placed)| is_told(placed) && heading.is_none_or(|(_, heading)| !is_told(heading)));
    let at = match (placed.or(heading), find(HEAD)) {
        (Some((shown, heading)), Some((stated, head))) => {
            let text = |candidate: &Candidate| candidate.values.first().cloned().unwrap_or_default();
            match is_title(
                &text(heading),
                &text(head),
                heading.told == STATED || heading.source == TEMPLATE,
                facts,
            ) {
                true => Some(shown),
                false => Some(stated),
            }
        }
        (shown, stated) => shown.or(stated).map(|(at, _)| at),
    };
    let at = at.or_else(|| candidates.best(Field::Title));
    take(candidates, at)
}

/// Marks before words that a title shares with other pages.
const BARS: [char; 2] = ['|', '｜'];

/// Names of the sources of titles.
pub(super) const HEADLINE: &str = "heading";
pub(super) const HEAD: &str = "head";
/// The mark of a headline that is a part of the title in the head.
pub(super) const STATED: &str = "heading that the head states";

/// Whether the headline `heading` is a better title than `head`, the title that the head states.
fn is_title(heading: &str, head: &str, is_stated: bool, facts: &TitleFacts<'_>) -> bool {
    let (shown, stated) = (key(heading), key(head));
    let chars = |text: &str| text.chars().count() as f32;
    if shown.is_empty() || stated.is_empty() {
        return stated.is_empty();
    }
    // A head with the name of the site alone says nothing of the page.
    if facts.site_heading.is_some_and(|site| key(site) == stated) {
        return true;
    }
    let is_in = |title: Option<&str>| title.is_some_and(|title| key(title).contains(&shown));
    if shown.contains(&stated) {
        // The head cuts long titles at their end. The words before the title in the headline are a section:
        // `Interview: The mill`.
        let is_longer = shown.starts_with(&stated) && !heading.contains(BARS);
        return chars(&stated) * 2.0 < chars(&shown) || shown == stated || is_in(facts.stated) || is_longer;
    }
    if stated.contains(&shown) {
        // A line below the first level may be any words of the title, such as the kind of a product: only a
        // whole part of it is a headline.
        let is_part = is_whole_part(head, heading);
        let least = match facts.is_top && is_part {
            true => MIN_PART_OF_H1,
            false => MIN_PART,
        };
        return facts.site.is_none_or(|site| key(site) != shown)
            && chars(&shown) >= least * chars(&stated)
            && (facts.is_top || is_part);
    }
    // Systems make the address of the title: the text that has more of its words is the title.
    let shares = facts.address.share_in(heading).zip(facts.address.share_in(head));
    if let Some((shown, stated)) = shares.filter(|(shown, stated)| (shown - stated).abs() >= BY_ADDRESS) {
        return shown > stated;
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
    // JSON-LD may describe the page in other words than `<title>` and headline, which agree.
    let element = facts.element.map_or(0.0, |element| chars(&key(element)));
    let agree = is_stated && is_in(facts.element) && chars(&key(heading)) >= AGREEING * element;
    agree || common >= SAME_WORDS * shown.len().min(stated.len()) as f32
}
