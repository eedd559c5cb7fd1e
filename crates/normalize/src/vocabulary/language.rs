//! The language of a document.

use whatlang::Lang;

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
#[must_use]
pub fn detect_language(text: &str) -> Option<Language> {
    let mut end = text.len().min(SAMPLE);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let info = whatlang::detect(&text[..end])?;
    Some(Language {
        code: code(info.lang()),
        confidence: info.confidence(),
        reliable: info.is_reliable(),
    })
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
