//! Whether a text confirms the language that the detector found.
//!
//! A trigram detector returns the nearest of the languages that it knows. It reports Basque as Indonesian
//! with the same confidence as Indonesian itself, since no known language is nearer. Function words and
//! letters correct this: a text of 200 characters nearly always has some function words of its own language,
//! and seldom those of another.

use unicode_normalization::UnicodeNormalization;
use whatlang::Script;

use super::stop_words::StopWords;

/// Function words of languages in Latin letters without a bundled list of stop words.
const WORDS: &[(&str, &str)] = &[
    (
        "af",
        "as aan die dat deur en het hy in is met nie om op sy te van vir wat word",
    ),
    ("ak", "a de ho mu na ne ni no nti se sɛ wo wɔ"),
    (
        "az",
        "bir bu da daha də edir görə hər ilə isə ki kimi olan olaraq olub onun qədər sonra və çox üçün ən",
    ),
    (
        "ca",
        "a al amb de del dels el els en es i la les no o per que s un una és",
    ),
    ("cy", "ac ei eu gan gyda mae oedd sydd wedi y yn yr"),
    (
        "eo",
        "al de en estas estis kaj ke kun la li ne pri por sed sin tio ĝi",
    ),
    (
        "et",
        "aga ei et ja ka kes kui mida mis ning nii oli olid oma on see seda selle siis ta või",
    ),
    (
        "jv",
        "iki iku ing kang karo kanggo lan marang saka sing uga utawa",
    ),
    (
        "la",
        "ab ac ad atque aut cum de ea eius enim esse est et etiam ex hoc id in nec non per quae quam quem qui quo quod sed si sunt ut",
    ),
    (
        "lt",
        "apie ar arba bei bet buvo dėl iki ir iš jau jo jos kad kaip kurie kuris ne nuo o per po prie savo su tai taip už yra į",
    ),
    (
        "lv",
        "ar arī bet bija gan ir ka kas ko lai nav no pa par pie pēc tas tā un uz vai",
    ),
    (
        "sk",
        "a aj ako ale bol je ktoré ktorý na od po pre pri sa so som sú to v z za že",
    ),
    (
        "sl",
        "ali bi bil bo da do in iz je ki ko kot na ne ni od pa po pri s se so ter tudi v z za",
    ),
    ("tk", "bilen bir bolan bu bölüp edip hem her we üçin"),
    ("tl", "ang ito mga nang ng ni sa sila"),
    ("uz", "bilan bir bu esa ham har uchun uning va"),
];

/// Languages that are never confirmed for texts in Latin letters: neighbors that the detector does not know
/// have the same words. It takes Bosnian for Croatian and Serbian, Xhosa and other languages of southern
/// Africa for Zulu, Swahili and Ganda for Shona.
const NEVER: &[&str] = &["hr", "sn", "sr", "zu"];

/// Words of languages that the detector does not know, by the code of the language that it takes them for.
/// The words are rare in that language.
const NEIGHBORS: &[(&str, &str)] = &[
    // Faroese.
    ("da", "av eru hava teir tær tí á í"),
    // Luxembourgish.
    ("de", "ass dat dës fir huet mat op vun"),
    // Galician.
    (
        "es",
        "ao aos coa do dunha na nas non nunha ou persoa pola polo súa súas ten unha",
    ),
    // Malay.
    (
        "id",
        "bahawa beliau berkenaan boleh hendaklah ialah kerana mahupun sahaja selepas wang",
    ),
    // Luxembourgish.
    ("nl", "ass dës fir huet mat vun"),
    // Galician.
    (
        "pt",
        "calquera coa coas dereito dunha máis non nunha persoa polo polos súa súas ten unha unhas",
    ),
];

/// Words of a language that has a neighbor in [`NEIGHBORS`]. A text of the language has more of these words
/// than of its neighbor's.
const PROOF: &[(&str, &str)] = &[(
    "id",
    "anda bahwa bisa hanya harus karena ketika polisi saat sangat setelah uang",
)];

/// Minimum number of function words per 100 words, for the lists in [`WORDS`] and the languages in
/// [`SPARSE`].
const LEAST: usize = 4;
/// Languages with a bundled list for which [`LEAST`] applies: they use endings instead of function words, or,
/// like Vietnamese, write each syllable as a word.
const SPARSE: &[&str] = &["be", "bg", "fi", "kk", "ru", "tr", "uk", "vi"];
/// Minimum number of words of a bundled list of stop words per 100 words, for all other languages.
const MIN_LISTED: usize = 12;
/// Number of a neighbor's words per 100 words at or above which the text may be in the neighbor's language.
const MIN_NEIGHBOR: usize = 3;
/// A language is rejected if at least one in this many letters is foreign to it.
const FOREIGN: usize = 40;

/// Whether letters and function words of `text` confirm the language `code`, which is written in `script`.
pub(super) fn is_confirmed(code: &str, script: Script, text: &str) -> bool {
    match script {
        Script::Latin => is_confirmed_by_words(code, text),
        // Macedonian and Serbian have no list; their letters identify them.
        Script::Cyrillic => StopWords::for_language(code).is_err() || is_confirmed_by_words(code, text),
        Script::Arabic => {
            let letters = text.chars().filter(|c| c.is_alphabetic());
            let foreign = text.chars().filter(|&c| is_foreign_arabic(c)).count();
            foreign * FOREIGN < letters.count()
        }
        _ => true,
    }
}

/// Letters of Pashto, Kurdish, Uyghur and Sindhi that Arabic, Persian and Urdu lack.
fn is_foreign_arabic(c: char) -> bool {
    matches!(
        c,
        'ټ' | 'ځ'
            | 'څ'
            | 'ډ'
            | 'ړ'
            | 'ږ'
            | 'ښ'
            | 'ګ'
            | 'ڼ'
            | 'ۍ'
            | 'ې'
            | 'ڕ'
            | 'ڵ'
            | 'ۆ'
            | 'ێ'
            | 'ە'
            | 'ۇ'
            | 'ۈ'
            | 'ۋ'
            | 'ڭ'
            | 'ٻ'
            | 'ڀ'
            | 'ٺ'
            | 'ٿ'
            | 'ڄ'
            | 'ڃ'
            | 'ڇ'
            | 'ڌ'
            | 'ڏ'
            | 'ڊ'
            | 'ڙ'
            | 'ڦ'
            | 'ڪ'
            | 'ڱ'
            | 'ڳ'
    )
}

/// Whether the function words of `text` confirm the language. Rejects a language without a list.
fn is_confirmed_by_words(code: &str, text: &str) -> bool {
    if NEVER.contains(&code) {
        return false;
    }
    // A language has a list here or a bundled one, never both.
    let find =
        |lists: &[(&str, &'static str)]| lists.iter().find(|(known, _)| *known == code).map(|list| list.1);
    let (own, listed) = (find(WORDS), StopWords::for_language(code).ok());
    let (neighbor, proof) = (find(NEIGHBORS).unwrap_or_default(), find(PROOF));
    let is_one_of = |list: &str, word: &str| list.split(' ').any(|known| known == word);
    let (mut words, mut function, mut neighboring, mut proven) = (0, 0, 0, 0);
    // The lists are composed: é must be one character to be found.
    let composed: String = text.nfc().collect();
    for word in composed
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty())
    {
        let word = word.to_lowercase();
        words += 1;
        let is_function = match own {
            Some(list) => is_one_of(list, &word),
            None => listed.as_ref().is_some_and(|list| list.contains(&word)),
        };
        function += usize::from(is_function);
        neighboring += usize::from(is_one_of(neighbor, &word));
        proven += usize::from(proof.is_some_and(|proof| is_one_of(proof, &word)));
    }
    let least = match own.is_some() || SPARSE.contains(&code) {
        true => LEAST,
        false => MIN_LISTED,
    };
    // `function > 0` also rejects a text without words, for which the products below are 0.
    function > 0
        && 100 * function >= least * words
        && 100 * neighboring < MIN_NEIGHBOR * words
        && (proof.is_none() || proven > neighboring)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_hold_each_language_and_word_once() {
        for list in [WORDS, NEIGHBORS, PROOF] {
            assert!(list.is_sorted_by(|a, b| a.0 < b.0));
            for (code, words) in list {
                let mut sorted: Vec<&str> = words.split(' ').collect();
                let count = sorted.len();
                sorted.sort_unstable();
                sorted.dedup();
                assert_eq!(sorted.len(), count, "{code}");
                assert!(!NEVER.contains(code));
                assert!(
                    sorted.iter().all(|word| word.chars().all(char::is_lowercase)),
                    "{code}"
                );
            }
        }
        assert!(
            WORDS
                .iter()
                .all(|(code, _)| StopWords::for_language(code).is_err())
        );
    }
}
