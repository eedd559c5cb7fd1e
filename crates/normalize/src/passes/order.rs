//! In which order passes can run.

use super::pass::Pass;
use crate::error::ProfileError;

/// Refuses an order in which a pass cannot do its work, or undoes that of another.
pub(crate) fn check(passes: &[&'static dyn Pass]) -> Result<(), ProfileError> {
    let place = |name: &str| passes.iter().position(|pass| pass.name() == name);
    for &(earlier, later, reason) in ORDER {
        if let (Some(first), Some(second)) = (place(earlier), place(later))
            && first > second
        {
            return Err(ProfileError::order(earlier, later, reason));
        }
    }
    Ok(())
}

/// Pairs of passes of which the first cannot do its work, or undoes work, after the second.
const ORDER: &[(&str, &str, &str)] = &[
    (
        "decode",
        "references",
        "a reference may stand for a character that must stay, such as a line feed",
    ),
    (
        "decode",
        "nfkc",
        "control characters that were windows-1252 letters must be letters when text is composed",
    ),
    (
        "decode",
        "white-space",
        "control characters leave spaces that nothing would collapse",
    ),
    (
        "references",
        "invisible",
        "a reference may stand for an invisible character",
    ),
    (
        "references",
        "nfkc",
        "a reference may stand for a character that composes with its neighbors",
    ),
    (
        "references",
        "lower-case",
        "the names of references tell case apart (&Auml; and &auml;)",
    ),
    (
        "references",
        "punctuation",
        "without & and ; no reference is left to resolve",
    ),
    (
        "references",
        "white-space",
        "a reference may stand for white space that nothing would collapse",
    ),
    ("numero", "nfkc", "NFKC turns № into the letters No"),
    (
        "numero",
        "white-space",
        "№ leaves a space that nothing would collapse",
    ),
    (
        "invisible",
        "nfkc",
        "invisible characters keep letters and marks from composing",
    ),
    (
        "invisible",
        "stress",
        "invisible characters keep letters and stress marks apart",
    ),
    (
        "invisible",
        "confusables",
        "invisible characters cut words in two",
    ),
    (
        "invisible",
        "white-space",
        "spaces on both sides of a deleted character would both stay",
    ),
    (
        "nfkc",
        "stress",
        "only after composition is the accent of é told from a stress mark",
    ),
    (
        "nfkc",
        "confusables",
        "full-width and styled letters have no twins before NFKC",
    ),
    (
        "nfkc",
        "lower-case",
        "NFKC brings capital letters out of styled forms",
    ),
    (
        "nfkc",
        "numbers",
        "NFKC brings digits out of full-width and superscript forms",
    ),
    (
        "nfkc",
        "punctuation",
        "NFKC takes letters out of symbols such as ™ and punctuation out of …",
    ),
    (
        "nfkc",
        "white-space",
        "NFKC turns no-break spaces and others into spaces that nothing would collapse",
    ),
    (
        "stress",
        "confusables",
        "a stressed letter would compose into one without twin",
    ),
    ("stress", "lower-case", "a stress mark hides the two dots of ё"),
    (
        "hyphenation",
        "confusables",
        "a word broken over lines would be judged in two halves",
    ),
    (
        "hyphenation",
        "punctuation",
        "without hyphens no broken word is found",
    ),
    (
        "hyphenation",
        "white-space",
        "without line ends no broken word is found",
    ),
    (
        "confusables",
        "lower-case",
        "some letters have the same shape only as capitals (В and B)",
    ),
    (
        "pseudographics",
        "white-space",
        "frames leave spaces that nothing would collapse",
    ),
    (
        "numbers",
        "punctuation",
        "points and colons inside a number hold it together",
    ),
    (
        "numbers",
        "white-space",
        "dropped numbers leave spaces that nothing would collapse",
    ),
    (
        "punctuation",
        "white-space",
        "punctuation leaves spaces that nothing would collapse",
    ),
    (
        "hyphenation",
        "no-spaces",
        "without line ends no broken word is found",
    ),
    (
        "confusables",
        "no-spaces",
        "words that have run together cannot be judged one by one",
    ),
    (
        "numbers",
        "no-spaces",
        "a number touches its neighbors once the spaces are gone",
    ),
    (
        "lower-case",
        "no-spaces",
        "the end of a word decides between σ and ς",
    ),
    (
        "stress",
        "no-spaces",
        "a mark that stands apart would join a letter and hide its stress mark",
    ),
    (
        "nfkc",
        "no-spaces",
        "no-break spaces are told from others before NFKC",
    ),
    (
        "invisible",
        "no-spaces",
        "invisible characters keep letters and marks apart",
    ),
    ("decode", "no-spaces", "control characters leave spaces"),
    ("references", "no-spaces", "a reference may stand for white space"),
    ("numero", "no-spaces", "№ leaves a space"),
    ("pseudographics", "no-spaces", "frames leave spaces"),
    ("punctuation", "no-spaces", "punctuation leaves spaces"),
    (
        "white-space",
        "no-spaces",
        "without spaces there is nothing to collapse",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes;

    #[test]
    fn rules_of_order_name_passes_and_agree_with_the_table() {
        let place = |name: &str| passes::ALL.iter().position(|pass| pass.name() == name).unwrap();
        for (earlier, later, reason) in ORDER {
            assert!(place(earlier) < place(later), "{earlier} {later}");
            assert!(!reason.is_empty());
        }
    }
}
