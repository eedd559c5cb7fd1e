//! Names of persons, as bylines and structured data write them.

use std::collections::HashSet;

use super::byline_phrases;
use super::clean_text::clean_text;
use super::name_words::{AND, DEGREES, GROUPS, NO_FIRST, NO_NAME, NOBODY, PARTICLES, ROLES};

/// Maximum characters of a text that may be a list of names.
const MAX_LIST: usize = 300;
/// Maximum characters and words of a name.
const MAX_NAME: usize = 60;
const MAX_WORDS: usize = 6;
/// Maximum number of names in a text.
const MAX_NAMES: usize = 30;

/// Returns the clean names of persons in a value of structured data.
pub(super) fn names(text: &str) -> Vec<String> {
    let Some(text) = clean_text(text).filter(|text| text.chars().count() <= MAX_LIST) else {
        return Vec::new();
    };
    let parts = parts(without_byline(&text));
    // The address of an organization: `mill.example, Springfield, Ruritania`.
    if parts.len() > 1 && is_host(parts[0].trim()) {
        return Vec::new();
    }
    let mut out: Vec<String> = parts.into_iter().filter_map(name).collect();
    distinct(&mut out);
    // A company beside persons is the publisher, and a job is that of a person.
    let is_person = |name: &String| !is_company(name) && !is_job(name) && !is_degree(name);
    if out.iter().any(is_person) {
        out.retain(is_person);
    }
    out.truncate(MAX_NAMES);
    out
}

/// Whether a name has the legal form of a company.
pub(super) fn is_company(name: &str) -> bool {
    const FORMS: &[&str] = &[
        "inc", "ltd", "llc", "gmbh", "ag", "corp", "plc", "sarl", "srl", "bv", "oy", "ab", "as", "kg", "e.v",
    ];
    let last = name
        .rsplit(' ')
        .next()
        .unwrap_or_default()
        .trim_matches(['.', ','])
        .to_lowercase();
    name.contains(' ') && FORMS.contains(&last.as_str())
}

/// Whether the last of several words is a job or a part of an organization: `Former Contributor`, `Global Desk`.
pub(super) fn is_job(name: &str) -> bool {
    let Some((_, last)) = name.rsplit_once(' ') else {
        return false;
    };
    let last = last.to_lowercase();
    ROLES.contains(&last.as_str()) || GROUPS.contains(&last.as_str())
}

/// Whether a text is the name of a host.
fn is_host(text: &str) -> bool {
    let is_label =
        |label: &str| !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    text.contains('.')
        && text.split('.').all(is_label)
        && text.rsplit('.').next().is_some_and(|end| end.len() >= 2)
}

/// Returns names from a value that may have the family name first, as in libraries: `Lee, Ann B.`.
pub(super) fn inverted(text: &str) -> Vec<String> {
    match text.split_once(',') {
        Some((family, given))
            if !given.contains(',')
                && family.split_whitespace().count() <= 3
                && given.split_whitespace().count() <= 3 =>
        {
            names(&format!("{} {}", given.trim(), family.trim()))
        }
        _ => names(text),
    }
}

/// Whether a text begins with, or is, a byline phrase such as `By` or `Text von`.
pub(crate) fn has_byline_phrase(text: &str) -> bool {
    byline_phrases::prefix(text.trim_start_matches(|c: char| !c.is_alphanumeric())).is_some()
}

/// Returns the text without byline phrases such as `By` or `Text von`.
pub(crate) fn without_byline(text: &str) -> &str {
    let mut rest = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    // Three rounds suffice: `Published by: By Ann Lee` has the most phrases of all texts seen.
    for _ in 0..3 {
        // `ByAnn Lee`: two elements without a space between them.
        let glued = rest
            .strip_prefix("By")
            .is_some_and(|name| name.starts_with(char::is_uppercase));
        let end = if glued {
            Some(2)
        } else {
            byline_phrases::prefix(rest)
        };
        let Some(end) = end else {
            break;
        };
        let behind = rest[end..].trim_start_matches(|c: char| !c.is_alphanumeric() && c != '"');
        if behind.is_empty() {
            break;
        }
        rest = behind;
    }
    rest
}

/// Whether a part of a text distinguishes persons of one name: `Jr.`, `III`.
fn is_generation(part: &str) -> bool {
    let part = part.trim().trim_end_matches('.').to_lowercase();
    matches!(
        part.as_str(),
        "jr" | "sr" | "ii" | "iii" | "iv" | "júnior" | "hijo"
    )
}

/// Splits a text between names.
fn parts(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    for part in text.split([';', '|', '•', '·', '\n', '、', '，', '／']) {
        let mut start = 0;
        for piece in part.split(',') {
            let end = start + piece.len();
            match pieces.last_mut() {
                // `Ann Lee, Jr.` is one name.
                Some(known) if start > 0 && is_generation(piece) => {
                    // The last piece ends at the comma before this one, so that one range of `part` holds both.
                    let known: &mut &str = known;
                    *known = &part[start - 1 - known.len()..end];
                }
                _ => pieces.push(piece),
            }
            start = end + 1;
        }
    }
    let mut parts = Vec::new();
    for piece in pieces.into_iter().flat_map(|piece| between_slashes(piece.trim())) {
        let mut rest = piece;
        while let Some((at, word)) = AND.iter().filter_map(|word| Some((rest.find(word)?, word))).min() {
            parts.push(&rest[..at]);
            rest = &rest[at + word.len()..];
        }
        parts.push(rest.strip_prefix("and ").unwrap_or(rest));
    }
    parts
}

/// Splits a text at its slash if the name of a person stands before it: `Ann Lee/Mill News`.
fn between_slashes(text: &str) -> impl Iterator<Item = &str> {
    let first = text
        .split_once('/')
        .filter(|(before, after)| reads_as_name(before.trim()) && !after.trim().is_empty());
    let (first, rest) = first.map_or((text, None), |(first, rest)| (first.trim(), Some(rest.trim())));
    std::iter::once(first).chain(rest)
}

/// Returns the end of the first part of a text in parentheses if another word of the name follows: `Ann (Annie) Lee`.
fn end_of_inner_name(part: &str) -> Option<usize> {
    const MAX_INNER: usize = 30;
    let start = part.find('(')?;
    let end = start + part[start..].find(')')? + 1;
    let inner = &part[start + 1..end - 1];
    let is_name = |text: &str| {
        let first = text.split_whitespace().next().unwrap_or_default();
        first.starts_with(char::is_uppercase) && text.chars().all(|c| c.is_alphabetic() || " .'-".contains(c))
    };
    let fits = !part[..start].trim().is_empty()
        && inner.chars().count() <= MAX_INNER
        && is_name(inner)
        && is_name(part[end..].trim());
    fits.then_some(end)
}

/// Returns a name without role, address, numbers and other words around it; `None` if no name is left.
fn name(part: &str) -> Option<String> {
    let part = without_byline(part.trim());
    let start = end_of_inner_name(part).unwrap_or(0);
    let end = part[start..]
        .find(['(', '[', '<', '{', '@', '*', '…', '>', '|', '"'])
        .map_or(part.len(), |at| start + at);
    // The word before `@` belongs to an e-mail address.
    let end = match part[..end].rfind(char::is_whitespace) {
        _ if !part[end..].starts_with('@') || part[..end].ends_with(char::is_whitespace) => end,
        Some(space) => space,
        None => 0,
    };
    let mut words: Vec<&str> = Vec::new();
    for word in part[..end].split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        if bare.is_empty() {
            // A dash separates the name from the text after it.
            if words.is_empty() { continue } else { break }
        }
        // A number or a role ends the name: `Ann Lee 14.6k`, `Ann Lee Senior Writer`.
        let number = bare.starts_with(|c: char| c.is_ascii_digit());
        let role = ROLES.contains(&bare.to_lowercase().as_str()) || is_degree(bare);
        if number && !words.is_empty() || role && words.len() > 1 {
            break;
        }
        words.push(word);
        if word.ends_with([':', '!', '?']) {
            break;
        }
    }
    let text = words.join(" ");
    let text =
        text.trim_matches(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '\u{300}'..='\u{36F}')));
    // Initials and titles keep their dot: only a long last word loses it.
    let text = match text.strip_suffix('.') {
        Some(bare)
            if bare
                .rsplit([' ', '.'])
                .next()
                .is_some_and(|last| last.chars().count() > 3) =>
        {
            bare
        }
        _ => text,
    };
    let lower = text.to_lowercase();
    // The editors as a whole are a writer.
    let editors = [
        "redaktion",
        "redazione",
        "redacción",
        "rédaction",
        "редакция",
        "редакція",
        "redakcja",
        "redactie",
    ];
    let role = !words.is_empty()
        && !editors.contains(&lower.as_str())
        && words
            .iter()
            .all(|word| ROLES.contains(&word.to_lowercase().as_str()));
    let domain = !text.contains(' ') && text.contains('.') && lower == text;
    // A name is short, has letters, and is not an address, a link, a label or a placeholder.
    let fits = text.chars().count() <= MAX_NAME
        && words.len() <= MAX_WORDS
        && text.chars().filter(|c| c.is_alphabetic()).count() >= 2
        && !domain
        && !role
        && !text.contains("://")
        && !lower.starts_with("www.")
        && !lower.starts_with("http")
        && !names_link(text)
        && byline_phrases::prefix(text) != Some(text.len())
        && !ends_in_byline(text)
        && !NOBODY.contains(&lower.as_str())
        // Entries of a menu: `My Groups`, `Your account`.
        && !["my ", "your ", "our ", "мой ", "мои ", "моя ", "mein ", "meine ", "mes ", "mis "].iter().any(|own| lower.starts_with(own));
    fits.then(|| text.to_owned())
}

/// Whether the last of several words introduces a writer: `Column by` is a label, not a name.
fn ends_in_byline(text: &str) -> bool {
    let last = text.rsplit_once(' ').map_or("", |(_, last)| last);
    ["by", "von", "par", "por", "przez", "автор"].contains(&last.to_lowercase().as_str())
}

/// Whether a word is an academic degree.
fn is_degree(word: &str) -> bool {
    word.len() <= 8
        && word
            .chars()
            .all(|c| c.is_ascii_uppercase() || c == '.' || c == ',')
        && {
            let letters: String = word.chars().filter(char::is_ascii_uppercase).collect();
            DEGREES.contains(&letters.as_str())
        }
}

/// Whether a text names a link or an account rather than a person.
fn names_link(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split_whitespace();
    let first = words.clone().next().unwrap_or_default();
    words.clone().count() > 1 && NO_FIRST.contains(&first) || words.any(|word| NO_NAME.contains(&word))
}

/// Whether a text reads as the name of a person: two to five words that begin with a capital letter, except
/// particles, or a short text in a script without case.
pub(super) fn reads_as_name(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let cased = text.chars().any(|c| c.is_uppercase() || c.is_lowercase());
    if !cased {
        return (2..=12).contains(&text.chars().count()) && words.len() <= 4;
    }
    let capital = |word: &str| {
        word.chars()
            .find(|c| c.is_alphabetic())
            .is_some_and(char::is_uppercase)
    };
    (2..=5).contains(&words.len())
        && capital(words[0])
        && words.iter().all(|word| capital(word) || PARTICLES.contains(word))
        && !text.contains([':', ';', '?', '!', '"', '/', '&', '#', '%', '='])
        && !text.chars().any(|c| c.is_ascii_digit())
}

/// Returns the beginning of a line as far as it may be names: before words of a place, a time or an employer.
pub(super) fn before_place(text: &str) -> &str {
    const PLACES: &[&str] = &[
        " in ", " at ", " on ", " from ", " am ", " aus ", " bei ", " à ", " en ", " em ", " el ", " le ",
        " il ", " na ", " w ", " в ", " на ", " из ",
    ];
    let end = PLACES.iter().filter_map(|place| text.find(place)).min();
    let before = end.map_or(text, |end| &text[..end]);
    // Only words after a name begin a place: `Notes in Rivers` stays whole.
    match reads_as_name(before.trim()) {
        true => before,
        false => text,
    }
}

/// Removes duplicate names, regardless of case.
pub(super) fn distinct(names: &mut Vec<String>) {
    let mut known = HashSet::new();
    names.retain(|name| known.insert(name.to_lowercase()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_clean() {
        for (text, want) in [
            ("By Ann Lee", &["Ann Lee"][..]),
            ("Von Ann Lee und Bob Mill", &["Ann Lee", "Bob Mill"]),
            ("Ann Lee, Senior Writer", &["Ann Lee"]),
            ("Ann Lee Senior Autos Reporter", &["Ann Lee"]),
            ("jl 14.6k2020 gold badges83 silver badges", &["jl"]),
            (
                "Ann Lee, Bob Mill, and Cy Rook",
                &["Ann Lee", "Bob Mill", "Cy Rook"],
            ),
            ("Ann Lee <ann at mill.example>", &["Ann Lee"]),
            ("Leigh A. Cole", &["Leigh A. Cole"]),
            ("John Smith Jr.", &["John Smith Jr."]),
            (
                "Ann Lee, John Smith, Jr., Cy Rook, III",
                &["Ann Lee", "John Smith, Jr.", "Cy Rook, III"],
            ),
            ("Jr., Ann Lee", &["Jr.", "Ann Lee"]),
            ("Ann Lee | alee@mill.example", &["Ann Lee"]),
            ("Ann Lee alee@mill.example", &["Ann Lee"]),
            ("Ann Lee @annlee", &["Ann Lee"]),
            ("Ann Lee, MA", &["Ann Lee"]),
            ("Jack Ma", &["Jack Ma"]),
            ("Ann Lee Stand", &["Ann Lee"]),
            ("Ann Lee, Former Contributor", &["Ann Lee"]),
            ("Ann Lee, Image: Mill Pictures", &["Ann Lee"]),
            ("The Mill Team", &["The Mill Team"]),
            ("mill.example, Springfield, Ruritania", &[]),
            ("Last Updated", &[]),
            ("Publicado el", &[]),
            ("My Groups", &[]),
            ("Автор: Анна Ли", &["Анна Ли"]),
            ("作者：李安", &["李安"]),
            ("admin", &[]),
            ("page.head.extra.author", &[]),
            ("https://mill.example/ann", &[]),
            ("Ann Lee | Bob Mill", &["Ann Lee", "Bob Mill"]),
            ("", &[]),
        ] {
            assert_eq!(names(text), want, "{text}");
        }
        assert_eq!(inverted("Lee, Ann B."), ["Ann B. Lee"]);
        assert_eq!(inverted("Ann Lee, Bob Mill, Cy Rook").len(), 3);
    }

    #[test]
    fn places_end_names() {
        for (text, want) in [
            ("Ann Lee in Rivers on", "Ann Lee"),
            ("Ann Lee en Territorio", "Ann Lee"),
            ("Ann Lee", "Ann Lee"),
            ("Notes in Rivers", "Notes in Rivers"),
        ] {
            assert_eq!(before_place(text), want, "{text}");
        }
    }

    #[test]
    fn what_reads_as_a_name() {
        for text in [
            "Ann Lee",
            "Ludwig van der Rohe",
            "李安",
            "Leigh A. Cole",
            "ANN LEE",
        ] {
            assert!(reads_as_name(text), "{text}");
        }
        for text in [
            "the mill",
            "Ann",
            "The river rose overnight",
            "Read more: Mills",
            "5 Mills",
            "",
        ] {
            assert!(!reads_as_name(text), "{text}");
        }
    }
}
