//! Required order of passes.

use super::pass::Pass;
use crate::error::ProfileError;

/// Fails if a pass cannot do its work in this order, or undoes the work of another.
pub(crate) fn check(passes: &[&'static dyn Pass]) -> Result<(), ProfileError> {
    let place = |name: &str| passes.iter().position(|pass| pass.name() == name);
    for (earlier, later, reason) in rules() {
        if let (Some(first), Some(second)) = (place(earlier), place(later))
            && first > second
        {
            return Err(ProfileError::order(earlier, later, reason));
        }
    }
    Ok(())
}

/// Pairs of passes with a required order, and the reason: in the other order, the first pass could not do its work, or would undo other work.
const ORDER: &str = "\
decode before references: a reference may stand for a character that must stay, such as a line feed
decode before nfkc: control characters that were windows-1252 letters must be letters when text is composed
decode before white-space: control characters leave spaces that nothing would collapse
references before invisible: a reference may stand for an invisible character
references before nfkc: a reference may stand for a character that composes with its neighbors
references before lower-case: the names of references tell case apart (&Auml; and &auml;)
references before punctuation: without & and ; no reference is left to resolve
references before white-space: a reference may stand for white space that nothing would collapse
decode before nfc: control characters that were windows-1252 letters must be letters when text is composed
references before nfc: a reference may stand for a character that composes with its neighbors
invisible before nfc: invisible characters keep letters and marks from composing
nfc before stress: only after composition is the accent of é told from a stress mark
nfkc before marks: NFKC takes styled letters and their marks apart
nfc before marks: only composed letters tell which marks are apart
invisible before marks: invisible characters keep letters and marks apart
marks before stress: a vowel sign may stand between a letter and its accent
marks before hyphenation: a letter with a sign at the end of a line ends no word
marks before arabic: a vowel sign may stand between an alef and its hamza
nfkc before arabic: NFKC takes joined forms of letters apart
nfkc before persian-urdu: NFKC takes joined forms of letters apart
invisible before indic: a joiner between consonants tells nothing
nfkc before indic: letters and their nukta are taken apart or composed before
nfkc before han-variants: NFKC brings characters out of compatibility forms and radicals
nfkc before ligatures: NFKC brings letters out of styled forms
accents before ligatures: a mark may stand on the letter
nfkc before thai-lao: NFKC takes sara am apart
case-fold before thai-lao: a mark that composes with its letter brings those around it together
accents before thai-lao: an accent that goes brings the marks around it together
nfkc before digits: NFKC brings digits out of full-width and circled forms
arabic before stress: a tatweel may stand between a letter and its accent
arabic before hyphenation: a tatweel at the end of a line ends no word
hyphenation before persian-urdu: letters of a broken word are next to each other then
hyphenation before indic: letters of a broken word are next to each other then
hyphenation before thai-lao: letters of a broken word are next to each other then
hyphenation before acronyms: a broken word is no single letter
hyphenation before inner-hyphens: the hyphen of a broken word goes with its line end
hyphenation before middle-dot: a broken word is whole then
hyphenation before apostrophes: a broken word is whole then
nfkc before apostrophes: NFKC brings apostrophes out of full-width forms and ŉ
nfkc before middle-dot: NFKC brings the dot out of ŀ
references before apostrophes: a reference may stand for an apostrophe
invisible before apostrophes: invisible characters keep apostrophe and letter apart
apostrophes before confusables: words with an apostrophe would be judged in halves
middle-dot before confusables: words with a middle dot would be judged in halves
acronyms before confusables: letters of an acronym would be judged one by one
inner-hyphens before confusables: words with a hyphen would be judged in halves
apostrophes before numbers: a modifier letter would hold a number
apostrophes before punctuation: without apostrophes words are cut
middle-dot before punctuation: without the dot words are cut
acronyms before punctuation: without full stops no acronym is found
inner-hyphens before punctuation: without hyphens words are cut
number-groups before numbers: a number in groups of spaces would be several
number-groups before punctuation: without separators no group is found
number-groups before white-space: no-break spaces are separators, too
digits before number-groups: groups of other digits would stay apart
accents before confusables: letters with accents have no twins
german before accents: accents tell umlauts from other vowels
scandinavian before accents: accents tell ä and ö from other vowels
confusables before case-fold: some letters have the same shape only as capitals (В and B)
references before case-fold: the names of references tell case apart (&Auml; and &auml;)
nfkc before case-fold: NFKC brings capital letters out of styled forms
stress before case-fold: a stress mark hides the two dots of ё
confusables before serbian: Latin twins in Cyrillic words would be left between the letters
numero before nfkc: NFKC turns № into the letters No
numero before white-space: № leaves a space that nothing would collapse
invisible before nfkc: invisible characters keep letters and marks from composing
invisible before stress: invisible characters keep letters and stress marks apart
invisible before confusables: invisible characters cut words in two
invisible before white-space: spaces on both sides of a deleted character would both stay
nfkc before stress: only after composition is the accent of é told from a stress mark
nfkc before confusables: full-width and styled letters have no twins before NFKC
nfkc before lower-case: NFKC brings capital letters out of styled forms
nfkc before numbers: NFKC brings digits out of full-width and superscript forms
nfkc before punctuation: NFKC takes letters out of symbols such as ™ and punctuation out of …
nfkc before white-space: NFKC turns no-break spaces and others into spaces that nothing would collapse
stress before confusables: a stressed letter would compose into one without twin
stress before lower-case: a stress mark hides the two dots of ё
hyphenation before confusables: a word broken over lines would be judged in two halves
hyphenation before punctuation: without hyphens no broken word is found
hyphenation before white-space: without line ends no broken word is found
confusables before lower-case: some letters have the same shape only as capitals (В and B)
pseudographics before white-space: frames leave spaces that nothing would collapse
numbers before punctuation: points and colons inside a number hold it together
numbers before white-space: dropped numbers leave spaces that nothing would collapse
punctuation before white-space: punctuation leaves spaces that nothing would collapse
hyphenation before no-spaces: without line ends no broken word is found
confusables before no-spaces: words that have run together cannot be judged one by one
numbers before no-spaces: a number touches its neighbors once the spaces are gone
lower-case before no-spaces: the end of a word decides between σ and ς
stress before no-spaces: a mark that stands apart would join a letter and hide its stress mark
nfkc before no-spaces: no-break spaces are told from others before NFKC
invisible before no-spaces: invisible characters keep letters and marks apart
decode before no-spaces: control characters leave spaces
references before no-spaces: a reference may stand for white space
numero before no-spaces: № leaves a space
pseudographics before no-spaces: frames leave spaces
punctuation before no-spaces: punctuation leaves spaces
white-space before no-spaces: without spaces there is nothing to collapse
";

/// Names of the two passes, and the reason, for each line of [`ORDER`].
fn rules() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    ORDER.lines().filter_map(|line| {
        let (names, reason) = line.split_once(": ")?;
        let (earlier, later) = names.split_once(" before ")?;
        Some((earlier, later, reason))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes;

    #[test]
    fn rules_of_order_name_passes_and_agree_with_the_table() {
        let place = |name: &str| passes::ALL.iter().position(|pass| pass.name() == name).unwrap();
        assert_eq!(rules().count(), ORDER.lines().count(), "every line is a rule");
        for (earlier, later, reason) in rules() {
            assert!(place(earlier) < place(later), "{earlier} {later}");
            assert!(!reason.is_empty());
        }
    }
}
