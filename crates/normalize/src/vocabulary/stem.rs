//! Stemming.

use rust_stemmers::Algorithm;

use crate::text::chars::{self, script};

/// Reduces words to stems, by script and language (Snowball: Porter 2001; the crate rust-stemmers).
///
/// Recent stems are cached, so that repeated words cost neither computation nor allocation: keep one stemmer per
/// thread. The cache never changes a result.
///
/// ```
/// let mut stemmer = dehusk_normalize::Stemmer::by_script();
/// assert_eq!(stemmer.stem("документами"), "документ");
/// assert_eq!(stemmer.stem("ёлки"), "елк");
/// assert_eq!(stemmer.stem("clustering"), "cluster");
/// assert_eq!(stemmer.stem("ισαισε"), "ισαισε");
/// ```
#[derive(Clone, Debug)]
pub struct Stemmer {
    rules: Rules,
    memory: Vec<Slot>,
    /// Stem computed last; returned on a cache miss.
    last: String,
    folded: String,
}

/// Algorithm by the script of a word.
#[derive(Clone, Copy, Debug)]
struct Rules {
    latin: Option<Algorithm>,
    cyrillic: Option<Algorithm>,
    arabic: Option<Algorithm>,
    tamil: Option<Algorithm>,
}

impl Rules {
    /// English for Latin letters and Russian for Cyrillic ones.
    const BY_SCRIPT: Rules = Rules {
        latin: Some(Algorithm::English),
        cyrillic: Some(Algorithm::Russian),
        arabic: None,
        tamil: None,
    };
}

/// Scripts of words that can be stemmed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Cyrillic,
    Arabic,
    Tamil,
    Other,
}

impl Script {
    /// Script of a letter; `Other` for all other characters.
    fn of(c: char) -> Script {
        match (c, script(c)) {
            (_, chars::Script::Latin) => Script::Latin,
            (_, chars::Script::Cyrillic) => Script::Cyrillic,
            ('\u{621}'..='\u{652}', _) => Script::Arabic,
            ('\u{B82}'..='\u{BCD}', _) => Script::Tamil,
            _ => Script::Other,
        }
    }
}

/// Longest word and longest stem that are cached, in bytes.
const SHORT: usize = 46;
/// Number of cache slots, a power of two. 384 KiB of slots hold the vocabulary of a large document.
const SLOTS: usize = 4096;
/// Longest token that is stemmed, in bytes. Longer tokens are not words and stay as they are.
const LONGEST: usize = 128;

/// The apostrophe that the pass `apostrophes` writes; the stemming rules expect `'`.
const LETTER_APOSTROPHE: char = '\u{2BC}';

/// A cached word and its stem.
#[derive(Clone, Copy, Debug)]
struct Slot {
    word_len: u8,
    stem_len: u8,
    word: [u8; SHORT],
    stem: [u8; SHORT],
}

impl Slot {
    fn word(&self) -> &[u8] {
        &self.word[..usize::from(self.word_len)]
    }

    /// The stem. Never `None`, since only valid UTF-8 is stored.
    fn stem(&self) -> Option<&str> {
        std::str::from_utf8(&self.stem[..usize::from(self.stem_len)]).ok()
    }

    /// Stores a word and its stem, each of at most `SHORT` bytes.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the slices panic on more than `SHORT` bytes, which one byte can count"
    )]
    fn set(&mut self, word: &str, stem: &str) {
        self.word[..word.len()].copy_from_slice(word.as_bytes());
        self.word_len = word.len() as u8;
        self.stem[..stem.len()].copy_from_slice(stem.as_bytes());
        self.stem_len = stem.len() as u8;
    }
}

/// Languages that can be stemmed: ISO 639-1 code and algorithm. Greek is left out although the crate has it: it panics on some words
/// ("ισαισε").
const LANGUAGES: &[(&str, Algorithm)] = &[
    ("ar", Algorithm::Arabic),
    ("da", Algorithm::Danish),
    ("de", Algorithm::German),
    ("en", Algorithm::English),
    ("es", Algorithm::Spanish),
    ("fi", Algorithm::Finnish),
    ("fr", Algorithm::French),
    ("hu", Algorithm::Hungarian),
    ("it", Algorithm::Italian),
    ("nb", Algorithm::Norwegian),
    ("nl", Algorithm::Dutch),
    ("nn", Algorithm::Norwegian),
    ("no", Algorithm::Norwegian),
    ("pt", Algorithm::Portuguese),
    ("ro", Algorithm::Romanian),
    ("ru", Algorithm::Russian),
    ("sv", Algorithm::Swedish),
    ("ta", Algorithm::Tamil),
    ("tr", Algorithm::Turkish),
];

/// Languages in Cyrillic script without a stemmer. The Russian rules would cut their words wrongly.
const OTHER_CYRILLIC: &[&str] = &["be", "bg", "kk", "ky", "mk", "mn", "sr", "tg", "tt", "uk"];

impl Stemmer {
    /// Creates a stemmer that treats words in Cyrillic letters as Russian and words in Latin letters as English.
    #[must_use]
    pub fn by_script() -> Self {
        Self::new(Rules::BY_SCRIPT)
    }

    /// Creates the stemmer for a document in the language with this ISO 639-1 code.
    ///
    /// Words in the script of the language are stemmed by its rules, or left alone if it has no stemmer.
    /// Cyrillic words in a text of another script are stemmed as Russian, Latin words in a text of a Cyrillic
    /// script as English, and other words are left alone.
    #[must_use]
    pub fn for_language(code: &str) -> Self {
        let known = LANGUAGES.iter().find(|(known, _)| *known == code);
        let algorithm = known.map(|&(_, algorithm)| algorithm);
        let by_script = Rules::BY_SCRIPT;
        Self::new(match algorithm {
            Some(Algorithm::Russian) => by_script,
            Some(Algorithm::Arabic) => Rules {
                arabic: algorithm,
                latin: None,
                ..by_script
            },
            Some(Algorithm::Tamil) => Rules {
                tamil: algorithm,
                latin: None,
                ..by_script
            },
            None if OTHER_CYRILLIC.contains(&code) => Rules {
                cyrillic: None,
                ..by_script
            },
            // A language in Latin letters, or one that is not listed: `None` leaves Latin words alone.
            latin => Rules { latin, ..by_script },
        })
    }

    /// Codes of all languages that can be stemmed, in alphabetical order.
    pub fn languages() -> impl Iterator<Item = &'static str> {
        LANGUAGES.iter().map(|&(code, _)| code)
    }

    fn new(rules: Rules) -> Self {
        let slot = Slot {
            word_len: 0,
            stem_len: 0,
            word: [0; SHORT],
            stem: [0; SHORT],
        };
        Self {
            rules,
            memory: vec![slot; SLOTS],
            last: String::new(),
            folded: String::new(),
        }
    }

    /// Stem of a lower-case token.
    ///
    /// ё is read as е, and U+02BC, the apostrophe of the profile `near`, as `'`. Tokens with digits, with
    /// letters of other scripts or of two scripts, and tokens above 128 bytes are returned as they are.
    pub fn stem<'a>(&'a mut self, token: &'a str) -> &'a str {
        let algorithm = match word_script(token) {
            Script::Latin => self.rules.latin,
            Script::Cyrillic => self.rules.cyrillic,
            Script::Arabic => self.rules.arabic,
            Script::Tamil => self.rules.tamil,
            Script::Other => None,
        };
        let Some(algorithm) = algorithm else {
            return token;
        };
        // Each word has one slot, and the word stored last stays there. The index is below `SLOTS`, the
        // length of `memory`.
        let index = (token.len() <= SHORT).then(|| slot_of(token.as_bytes()));
        if let Some(index) = index
            && self.memory[index].word() == token.as_bytes()
        {
            return self.memory[index].stem().unwrap_or(token);
        }
        let word = if token.contains(['ё', LETTER_APOSTROPHE]) {
            self.folded.clear();
            self.folded.extend(token.chars().map(|c| match c {
                'ё' => 'е',
                LETTER_APOSTROPHE => '\'',
                c => c,
            }));
            &self.folded
        } else {
            token
        };
        let stem = rust_stemmers::Stemmer::create(algorithm).stem(word);
        // An empty stem would make different words equal.
        let stem = if stem.is_empty() { word } else { &stem };
        if let Some(index) = index
            && stem.len() <= SHORT
        {
            self.memory[index].set(token, stem);
        }
        self.last.clear();
        self.last.push_str(stem);
        &self.last
    }
}

/// Script of a token that is a word: letters of one script, in Latin with apostrophes between them. `Other` for all other tokens.
fn word_script(token: &str) -> Script {
    if token.len() > LONGEST {
        return Script::Other;
    }
    let mut chars = token.chars();
    let first = chars.next().map_or(Script::Other, Script::of);
    let fits =
        |c: char| Script::of(c) == first || matches!(c, '\'' | LETTER_APOSTROPHE) && first == Script::Latin;
    if chars.all(fits) && !token.ends_with(['\'', LETTER_APOSTROPHE]) {
        first
    } else {
        Script::Other
    }
}

/// Slot of a word: FNV-1a (Fowler, Noll, Vo), folded to the number of slots. Words are short, and no result depends on this hash.
#[expect(
    clippy::cast_possible_truncation,
    reason = "only the low bits of the hash choose a slot"
)]
fn slot_of(word: &[u8]) -> usize {
    let hash = word.iter().fold(0xCBF2_9CE4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    (hash ^ hash >> 32) as usize & (SLOTS - 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tests::example;

    #[test]
    fn worked_example_snowball_stems() {
        let example = example("snowball_stems");
        let mut stemmer = Stemmer::by_script();
        for language in ["russian", "english"] {
            let words = example["input"][language].as_array().unwrap();
            let stems = example["expected"][language].as_array().unwrap();
            for (word, stem) in words.iter().zip(stems) {
                assert_eq!(stemmer.stem(word.as_str().unwrap()), stem.as_str().unwrap());
                // The second call is answered by the cache.
                assert_eq!(stemmer.stem(word.as_str().unwrap()), stem.as_str().unwrap());
            }
        }
    }

    #[test]
    fn what_cannot_be_stemmed_is_left_alone() {
        let mut stemmer = Stemmer::by_script();
        for token in [
            "",
            "ισαισε",
            "東京",
            "7",
            "iphone7",
            "миx",
            "it's'",
            "'",
            "café\u{301}s",
            "ไทย",
        ] {
            assert_eq!(stemmer.stem(token), token);
        }
        let long = "ы".repeat(100);
        assert_eq!(stemmer.stem(&long), long);
        assert_eq!(Stemmer::for_language("uk").stem("документами"), "документами");
        assert_eq!(Stemmer::for_language("pl").stem("documents"), "documents");
        assert_eq!(Stemmer::for_language("el").stem("ισαισε"), "ισαισε");
    }

    #[test]
    fn languages_have_their_own_stems() {
        assert_eq!(Stemmer::for_language("de").stem("häuser"), "haus");
        assert_eq!(Stemmer::for_language("de").stem("документами"), "документ");
        assert_eq!(Stemmer::for_language("ru").stem("clusters"), "cluster");
        assert_eq!(Stemmer::for_language("ar").stem("المدرسه"), "مدرسه");
        assert_eq!(Stemmer::for_language("ar").stem("clusters"), "clusters");
        assert_eq!(Stemmer::for_language("fa").stem("المدرسه"), "المدرسه");
        assert_eq!(Stemmer::for_language("ta").stem("வீடுகள்"), "வீடு");
        assert_eq!(Stemmer::for_language("tr").stem("evlerimizden"), "ev");
        assert_eq!(Stemmer::by_script().stem("cat's"), "cat");
        assert_eq!(Stemmer::by_script().stem("cat\u{2BC}s"), "cat");
        assert!(Stemmer::languages().is_sorted());
    }

    #[test]
    fn words_longer_than_memory_are_stemmed_each_time() {
        let word = "превысокомногорассмотрительствующими";
        assert!(word.len() > SHORT);
        let mut stemmer = Stemmer::by_script();
        let stem = stemmer.stem(word).to_owned();
        assert_ne!(stem, word);
        assert_eq!(stemmer.stem(word), stem);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn any_token_has_a_stem_that_memory_does_not_change(
            tokens in prop::collection::vec("[a-zа-яё']{0,12}|[\\u{621}-\\u{64A}]{1,12}|[\\u{B85}-\\u{B8A}\\u{B95}\\u{BA8}-\\u{BAA}\\u{BAE}-\\u{BB9}\\u{BBE}-\\u{BC2}\\u{BCD}]{1,12}|\\PC{0,6}|[aeiouslyingd]{1,14}", 1..20),
            language in prop::sample::select(LANGUAGES.iter().map(|&(code, _)| code).collect::<Vec<_>>()),
        ) {
            let mut warm = Stemmer::for_language(language);
            for token in tokens.iter().chain(&tokens) {
                let stem = warm.stem(token).to_owned();
                let mut cold = Stemmer::for_language(language);
                prop_assert_eq!(cold.stem(token), &stem);
                prop_assert_eq!(stem.is_empty(), token.is_empty());
            }
        }
    }
}
