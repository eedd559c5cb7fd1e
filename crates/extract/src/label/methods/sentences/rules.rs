//! Thresholds of the extractor `sentences`.

use crate::label::methods::sentences::stop_lists::Language;

/// Thresholds of the extractor `sentences`. The defaults are jusText's (Pomikálek 2011).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SentenceRules {
    /// Number of characters below which a paragraph is short and gets the class of its neighbors. Default: 70. This and the other lengths
    /// are reduced for Chinese and Japanese, whose texts have fewer characters.
    pub length_low: u32,
    /// Number of characters above which a paragraph with many stop words is good regardless of its neighbors. Default: 200.
    pub length_high: u32,
    /// Share of stop words among the words of a paragraph, 0 to 1, at or above which it may be text. Default: 0.30.
    /// This value suits lists of frequent words. For the lists of function words used here it is multiplied by a
    /// factor of the language: 0.8 for English, 0.45 for Russian.
    pub stopwords_low: f64,
    /// Share of stop words, 0 to 1, at or above which a paragraph is text. Default: 0.32, multiplied by the same factor.
    pub stopwords_high: f64,
    /// Maximum share of linked characters of a paragraph that may be text, 0 to 1. Default: 0.2.
    pub max_link_density: f64,
    /// Maximum number of characters between a heading and the text for the heading to be kept. Default: 200.
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

    /// Returns the thresholds for a language.
    pub(crate) fn for_language(self, language: &Language) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "thresholds of some hundred characters, rounded"
        )]
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
