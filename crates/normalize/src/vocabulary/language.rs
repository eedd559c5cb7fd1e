//! Language detection for documents.

use whatlang::Lang;

use super::certainty;
use crate::text::chars::{Script, script};

/// Detected language of a document.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Language {
    /// ISO 639-1 code, such as `ru`; ISO 639-3 if the language has no code in 639-1. `und` if the text is
    /// similar to a language that the detector knows, but neither its letters nor its words confirm it.
    pub code: &'static str,
    /// How much better the language fits than the runner-up, `0.0..=1.0`.
    pub confidence: f64,
    /// Whether the answer is reliable. Answers for short and mixed texts are often wrong; a caller that
    /// stores a language should store `und` for them.
    pub reliable: bool,
}

/// Largest number of bytes of text that are passed to the detector. More makes it slower, but hardly more
/// accurate.
const SAMPLE: usize = 4096;

/// Detects the language of a text by the letters and trigrams of its first 4 KiB (the crate whatlang). `None` if the text has no
/// letters. Allocates; meant to be called once per document.
///
/// The detector takes a language that it does not know for a similar one, and reports it as certain.
/// Therefore letters and frequent words of the text have to confirm an answer; otherwise the code is `und`.
/// Croatian, Serbian in Latin letters, Zulu and Shona are always `und`: Bosnian, Xhosa, Swahili and others
/// cannot be distinguished from them. Kazakh, which the detector does not support either, is found by its
/// letters. `docs/languages.md` in the repository has figures by language and length, and compares detectors.
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
    if !certainty::is_confirmed(found.code, info.script(), sample) {
        found.reliable = false;
    }
    if info.script() == whatlang::Script::Cyrillic {
        let letters = CyrillicLetters::of(sample);
        if letters.foreign * FOREIGN >= letters.all {
            // None of the detector's Cyrillic languages has these letters.
            found.reliable = letters.kazakh > 0 && letters.other == 0;
            if found.reliable {
                found.code = "kk";
            }
        }
    }
    // Only a confident answer that was not confirmed becomes `und`. Other answers are marked as not reliable
    // already.
    if info.is_reliable() && !found.reliable {
        found.code = UNDETERMINED;
    }
    Some(found)
}

/// Code of a language that is not known (ISO 639-2).
const UNDETERMINED: &str = "und";

/// A text uses another alphabet if at least one in this many letters belongs to it. In Kazakh, Tatar, Kyrgyz
/// and Mongolian one letter in 6 to 20 does; in Russian texts, for example about places in those countries,
/// fewer.
const FOREIGN: usize = 40;

/// Counts of the Cyrillic letters of a text.
#[derive(Default)]
struct CyrillicLetters {
    all: usize,
    /// Letters used in no Slavic language.
    foreign: usize,
    /// Letters used in Kazakh only.
    kazakh: usize,
    /// Letters used neither in a Slavic language nor in Kazakh.
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

/// Code of a language: ISO 639-1 if it has one. The detector names Mandarin and Iranian Persian, whose two-letter codes
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
        // Tatar and Bashkir.
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
    fn languages_that_are_taken_for_others_are_undetermined() {
        for text in [
            // Bosnian, Basque, Galician, Albanian, Pashto.
            "Sva ljudska bića rađaju se slobodna i jednaka u dostojanstvu i pravima, ona su obdarena razumom i sviješću i trebaju postupati jedno \
             prema drugome u duhu bratstva, a niko ne smije biti držan u ropstvu.",
            "Gizon-emakume guztiak aske jaiotzen dira, duintasun eta eskubide berberak dituztela; eta ezaguera eta kontzientzia dutenez gero, \
             elkarren artean senide legez jokatu beharra dute beti.",
            "Tódolos seres humanos nacen libres e iguais en dignidade e dereitos e, dotados como están de razón e conciencia, débense comportar \
             fraternalmente uns cos outros, e ninguén será sometido a escravitude nin a servidume; toda persoa ten dereito á vida e á súa liberdade.",
            "Të gjithë njerëzit lindin të lirë dhe të barabartë në dinjitet dhe në të drejta. Ata kanë arsye dhe ndërgjegje dhe duhet të sillen ndaj \
             njëri tjetrit me frymë vëllazërimi.",
            "د بشر ټول افراد آزاد نړۍ ته راځي او د حیثیت او حقوقو له پلوه سره برابر دي. ټول د عقل او وجدان خاوندان دي او یو له بل سره باید د ورورۍ په \
             روحیې سره چلند کړي.",
        ] {
            let found = detect_language(text).unwrap();
            assert!(!found.reliable, "{found:?} {text}");
        }
        let croatian = "Svi ljudi rađaju se slobodni i jednaki u dostojanstvu i pravima. Oni su obdareni razumom i sviješću i trebaju jedni prema \
            drugima postupati u duhu bratstva.";
        check(croatian, "und");
        let bokmal = "Alle mennesker er født frie og med samme menneskeverd og menneskerettigheter. De er utstyrt med fornuft og samvittighet og bør \
            handle mot hverandre i brorskapets ånd, uten forskjell av noen art, for eksempel på grunn av rase, farge, kjønn, språk eller religion.";
        check(bokmal, "nb");
        assert!(crate::StopWords::for_language("nb").is_ok_and(|list| list.contains("ikke")));
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
