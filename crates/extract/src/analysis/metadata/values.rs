//! Values of fields at a place of the page that is known to have them: names in a byline, the day in a line with a date.

use dehusk_html::tree::{AttrName, Dom, NodeId, Tag};

use super::candidate::Field;
use super::clean_text::{clean_text, key};
use super::date::{self, Reading};
use super::sources::text::{left_over, says_changed, without_date, writers};
use super::surroundings::{link, short_attr};
use super::{names, person};

/// Fields whose values have a common place on the pages of a site.
pub(crate) const PLACED: [Field; 4] = [Field::Title, Field::Authors, Field::Date, Field::Modified];

/// Maximum characters of a text that holds a value with words around it.
const MAX_LINE: usize = 160;
/// Maximum characters of a title.
const MAX_TITLE: usize = 300;
/// Maximum letters of a line beside its date.
const MAX_LEFT: usize = 80;
/// Maximum characters of a pseudonym, which only the mark of its element distinguishes from other words.
const MAX_ALIAS: usize = 30;
/// Maximum words of a pseudonym.
const MAX_ALIAS_WORDS: usize = 3;
/// Maximum number of dates of a line.
const MAX_DATES: usize = 3;

/// Returns the values of a field in the text of an element or in one of its attributes; empty if it has
/// none. `is_marked`: whether the names of the element mark a writer.
pub(crate) fn values_in(field: Field, text: &str, is_marked: bool, reading: Reading<'_>) -> Vec<String> {
    match field {
        Field::Title => {
            let title = clean_text(text).filter(|title| title.chars().count() <= MAX_TITLE);
            title
                .filter(|title| key(title).chars().count() >= 3)
                .into_iter()
                .collect()
        }
        Field::Authors => authors_in(text, is_marked, reading),
        Field::Date | Field::Modified => date_in(field, text, reading).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Returns the values of a field in a text that a rule of the site selects. A person wrote the rule, so a
/// text without a usual name is itself the name.
#[cfg(feature = "rules")]
pub(crate) fn values_by_rule(field: Field, text: &str, reading: Reading<'_>) -> Vec<String> {
    match field {
        Field::Title => vec![text.to_owned()],
        Field::Authors => {
            let names = authors_in(text, true, reading);
            if names.is_empty() {
                vec![text.to_owned()]
            } else {
                names
            }
        }
        _ => date::stamp(text, reading)
            .or_else(|| date_in(field, text, reading))
            .into_iter()
            .collect(),
    }
}

/// Writers in a text. A pseudonym counts if the element is marked, or after a byline phrase.
fn authors_in(text: &str, is_marked: bool, reading: Reading<'_>) -> Vec<String> {
    let Some(text) = clean_text(text).filter(|text| text.chars().count() <= MAX_LINE) else {
        return Vec::new();
    };
    let plain = without_date(&text, reading);
    let found = writers(person::without_byline(plain));
    if !found.is_empty() || !(is_marked || person::has_byline_phrase(plain)) {
        return found;
    }
    let mut alias = person::names(plain);
    alias.retain(|name| {
        name.chars().count() <= MAX_ALIAS && name.split_whitespace().count() <= MAX_ALIAS_WORDS
    });
    alias.truncate(1);
    alias
}

/// Returns the first date of a line that the words before it assign to the field: publication or change.
fn date_in(field: Field, text: &str, reading: Reading<'_>) -> Option<String> {
    if !text.chars().any(date::is_digit) {
        return None;
    }
    let text = clean_text(text).filter(|text| text.chars().count() <= MAX_LINE)?;
    // Machine-readable forms, as attributes have them.
    if let Some(stamp) = date::stamp(&text, reading).filter(|stamp| date::day_number(stamp).is_some())
        && text.starts_with(|c: char| c.is_ascii_digit())
    {
        return Some(stamp);
    }
    // A line may hold the dates of publication and of a change. Words before each date distinguish them.
    let (mut from, mut first) = (0, None);
    for _ in 0..MAX_DATES {
        let Some(found) = date::find(&text[from..], reading) else {
            break;
        };
        let (start, end) = (from + found.range.start, from + found.range.end);
        if left_over(&text, start..end) > MAX_LEFT {
            break;
        }
        let is_change = says_changed(&text[from..start]);
        let value = date::with_time(&text[from..], found);
        if is_change == (field == Field::Modified) {
            return Some(value);
        }
        first.get_or_insert((value, is_change));
        from = end;
    }
    // At a place of changes, a date without words is that of a change, too.
    first
        .filter(|(_, is_change)| field == Field::Modified && !is_change)
        .map(|(value, _)| value)
}

/// Whether an element may hold the title: a heading, or an element with a word for titles in its names.
pub(crate) fn may_be_title(dom: &Dom<'_>, element: NodeId) -> bool {
    matches!(dom.html_tag(element), Some(Tag::H1 | Tag::H2 | Tag::H3))
        || [AttrName::CLASS, AttrName::ID, AttrName::ITEMPROP]
            .iter()
            .any(|&attr| {
                short_attr(dom, element, attr).is_some_and(|value| {
                    let value = value.to_ascii_lowercase();
                    ["title", "headline", "titre", "titel", "titulo"]
                        .iter()
                        .any(|word| value.contains(word))
                })
            })
}

/// Whether the names of an element or of its parent mark a writer, or either is a link to a writer.
pub(crate) fn is_marked_writer(dom: &Dom<'_>, element: NodeId) -> bool {
    let near = std::iter::once(element).chain(dom.parent(element));
    let mut found = 0;
    for at in near {
        for attr in [AttrName::CLASS, AttrName::ID, AttrName::ITEMPROP] {
            if let Some(value) = short_attr(dom, at, attr) {
                found |= names::of(&value);
            }
        }
        if dom.html_tag(at) == Some(Tag::A) {
            found |= link(dom, at);
        }
    }
    found & (names::AUTHOR | names::AUTHOR_LINK) != 0
}

/// Key by which values of a field are compared: the day of a date, the letters and digits of a name.
pub(crate) fn value_key(field: Field, values: &[String]) -> String {
    let one = |value: &String| match field {
        Field::Date | Field::Modified => date::day_of(value).to_owned(),
        _ => key(value),
    };
    let mut keys: Vec<String> = values.iter().map(one).filter(|key| !key.is_empty()).collect();
    keys.sort_unstable();
    keys.join(" ")
}
