//! The language of a document.

use whatlang::Lang;

use crate::text::chars::{Script, script};

/// What the text of a document tells of its language.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Language {
    /// ISO 639-1 code, such as `ru`; 639-3 where the language has none in 639-1.
    pub code: &'static str,
    /// How much better the language fits than the next one, `0.0..=1.0`.
    pub confidence: f64,
    /// Whether the detector vouches for its answer; short and mixed texts often give a wrong one.
    pub reliable: bool,
}

/// Bytes of text that the detector sees at most. More makes it slower, but hardly surer.
const SAMPLE: usize = 4096;

/// The language of a text by its letters and trigrams (the crate whatlang), of its first 4 KiB. `None` if the text has no
/// letters. Allocates; meant to be called once per document.
///
/// On the Universal Declaration of Human Rights in 59 languages, 86 % of the answers are right for pieces of 20 characters, 91 % for 50, 92 % from 200 on.
/// Of those that are `reliable` 97, 96 and 95 % are, which 43, 79 and 96 % of the pieces have. What is wrong and reliable is Bosnian (taken for
/// Croatian), Galician and Basque, which the detector does not know. Of Cyrillic languages that it does not know, Kazakh is found by its letters,
/// and the others are never reliable.
#[must_use]
pub fn detect_language(text: &str) -> Option<Language> {
    let mut end = text.len().min(SAMPLE);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let sample = &text[..end];
    let info = whatlang::detect(sample)?;
    let mut found = Language {
        code: code(info.lang()),
        confidence: info.confidence(),
        reliable: info.is_reliable(),
    };
    if info.script() == whatlang::Script::Cyrillic {
        let letters = CyrillicLetters::of(sample);
        if letters.foreign * FOREIGN >= letters.all {
            // None of the languages that the detector chooses from has these letters.
            found.reliable = letters.kazakh > 0 && letters.other == 0;
            if found.reliable {
                found.code = "kk";
            }
        }
    }
    Some(found)
}

/// A text uses another alphabet if at least one letter in this number belongs to it. Kazakh, Tatar, Kyrgyz and Mongolian have one of 6 to 20; Russian texts, as those about
/// their places, fewer.
const FOREIGN: usize = 40;

/// Cyrillic letters of a text.
#[derive(Default)]
struct CyrillicLetters {
    all: usize,
    /// Letters of no Slavic language.
    foreign: usize,
    /// Letters of Kazakh alone.
    kazakh: usize,
    /// Letters of no Slavic language that Kazakh does not have, either.
    other: usize,
}

impl CyrillicLetters {
    fn of(text: &str) -> Self {
        let mut letters = Self::default();
        for c in text.chars().filter(|&c| script(c) == Script::Cyrillic) {
            letters.all += 1;
            match c {
                'ұ' | 'Ұ' => letters.kazakh += 1,
                'ә' | 'Ә' | 'ғ' | 'Ғ' | 'қ' | 'Қ' | 'ң' | 'Ң' | 'ө' | 'Ө' | 'ү' | 'Ү' | 'һ' | 'Һ' =>
                    {}
                '\u{48A}'..='\u{52F}' => letters.other += 1,
                _ => continue,
            }
            letters.foreign += 1;
        }
        letters
    }
}

/// The code of a language: ISO 639-1 where it has one. The detector names Mandarin and Iranian Persian, whose two-letter codes
/// belong to Chinese and Persian as a whole.
fn code(language: Lang) -> &'static str {
    match language {
        Lang::Cmn => "zh",
        Lang::Pes => "fa",
        _ => isolang::Language::from_639_3(language.code())
            .and_then(|known| known.to_639_1())
            .unwrap_or_else(|| language.code()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, wanted: &str) {
        let language = detect_language(text).unwrap();
        assert_eq!(language.code, wanted);
        assert!((0.0..=1.0).contains(&language.confidence));
    }

    #[test]
    fn long_enough_texts_tell_their_language() {
        check(
            "Дубликаты документов находят по общим шинглам, а затем сравнивают точно.",
            "ru",
        );
        check(
            "Near-duplicates are found by the shingles they share, and compared exactly afterwards.",
            "en",
        );
        check(
            "Дублікати документів знаходять за спільними шинглами, а потім порівнюють їх точно між собою.",
            "uk",
        );
        check(
            "Die Dokumente werden verglichen, und was doppelt ist, wird anschließend gelöscht.",
            "de",
        );
        check("去除网页中的导航和广告，只保留正文。", "zh");
        assert_eq!(detect_language(""), None);
        assert_eq!(detect_language("123 — !"), None);
    }

    #[test]
    fn languages_that_the_detector_does_not_know_are_found_by_their_letters_or_in_doubt() {
        check(
            "Құжаттардың көшірмелері ортақ сөз тізбектері бойынша табылады, содан кейін олар бұрынғыдай дәл салыстырылады.",
            "kk",
        );
        // Tatar, Bashkir.
        for text in [
            "Документларның күчермәләре уртак сүз тезмәләре буенча табыла, аннары төгәл чагыштырыла, җавап бирелә.",
            "Документтарҙың күсермәләре уртаҡ һүҙ теҙмәләре буйынса табыла, шунан аныҡ сағыштырыла.",
        ] {
            assert!(
                detect_language(text).is_none_or(|found| !found.reliable),
                "{text}"
            );
        }
        check(
            "Из города Өскемен сообщают, что эти документы были быстро найдены по общим шинглам, которые этого заслуживали.",
            "ru",
        );
    }

    #[test]
    fn the_sample_ends_on_a_character() {
        check(&"я".repeat(SAMPLE), "ru");
        check(&format!("a{}", "я".repeat(SAMPLE)), "ru");
    }

    #[test]
    fn codes_are_short_or_fall_back() {
        let codes = [Lang::Cmn, Lang::Pes, Lang::Nob, Lang::Cym].map(code);
        assert_eq!(codes, ["zh", "fa", "nb", "cy"]);
        assert!(
            Lang::all()
                .iter()
                .all(|&language| (2..=3).contains(&code(language).len()))
        );
    }
}
