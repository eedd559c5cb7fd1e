//! Thresholds of the extractor `sentences`.

use crate::label::methods::sentences::stop_lists::Language;

/// Thresholds of the extractor `sentences`. The defaults are jusText's (Pomikálek 2011).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SentenceRules {
    /// Characters below which a paragraph is short and gets the class of its neighbors; default 70. This and the other lengths are
    /// lower in Chinese and Japanese, where texts have fewer characters.
    pub length_low: u32,
    /// Characters past which a paragraph with many stop words is good whatever its neighbors; default 200.
    pub length_high: u32,
    /// Share of stop words among the words of a paragraph, 0 to 1, from which it may be text; default 0.30. This value suits lists
    /// of frequent words; for the lists of function words used here it is multiplied by a factor of the language, 0.8 in English,
    /// 0.45 in Russian.
    pub stopwords_low: f64,
    /// Share of stop words, 0 to 1, from which it is text; default 0.32, multiplied as above.
    pub stopwords_high: f64,
    /// Largest share of linked characters of a paragraph that may be text, 0 to 1; default 0.2.
    pub max_link_density: f64,
    /// Characters between a heading and the text for which it is kept; default 200.
    pub max_heading_distance: u32,
}

impl Default for SentenceRules {
    fn default() -> Self {
        SentenceRules::PUBLISHED
    }
}

impl SentenceRules {
    /// The published thresholds.
    pub const PUBLISHED: SentenceRules = SentenceRules {
        length_low: 70,
        length_high: 200,
        stopwords_low: 0.30,
        stopwords_high: 0.32,
        max_link_density: 0.2,
        max_heading_distance: 200,
    };

    /// The thresholds for a language.
    pub(crate) fn for_language(self, language: &Language) -> Self {
        let length = |chars: u32| (f64::from(chars) * language.length).round() as u32;
        SentenceRules {
            length_low: length(self.length_low),
            length_high: length(self.length_high),
            stopwords_low: self.stopwords_low * language.share,
            stopwords_high: self.stopwords_high * language.share,
            max_heading_distance: length(self.max_heading_distance),
            ..self
        }
    }
}
