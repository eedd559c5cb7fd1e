//! Figures of the report, gathered page by page in input order.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::record::Document;
use crate::write::report::run::data::{
    Count, KEPT_SHARE_BINS, MAX_NAMES, MAX_TO_CHECK, PageRow, ReportData, WarningRow,
};

/// The facts about a page that the figures use.
#[derive(Serialize, Deserialize)]
pub(crate) struct PageFacts {
    method: String,
    language: Option<String>,
    charset: String,
    confidence: f64,
    kept_chars: u64,
    all_chars: u64,
    has_text: bool,
    warnings: Vec<(String, String)>,
}

impl PageFacts {
    /// The facts of a document.
    pub(crate) fn of(document: &Document) -> PageFacts {
        PageFacts {
            method: document.method.to_owned(),
            language: document.language.clone(),
            charset: document.charset.to_owned(),
            confidence: document.confidence,
            kept_chars: document.kept_chars as u64,
            all_chars: document.all_chars as u64,
            has_text: !document.text.trim().is_empty(),
            warnings: document
                .warnings
                .iter()
                .map(|w| (w.code.to_owned(), w.message.clone()))
                .collect(),
        }
    }

    /// Codes of the warnings.
    pub(crate) fn warning_codes(&self) -> impl Iterator<Item = &str> {
        self.warnings.iter().map(|(code, _)| code.as_str())
    }
}

/// Figures of the pages observed so far.
#[derive(Default)]
pub(crate) struct Stats {
    kept_share: [u64; KEPT_SHARE_BINS],
    /// The first pages without text, with their document numbers.
    empty: Vec<(u32, PageRow)>,
    /// The least confident pages with text, in ascending order of confidence.
    least_confident: Vec<(u32, PageRow)>,
    warnings: BTreeMap<String, WarningRow>,
    methods: BTreeMap<String, u64>,
    languages: BTreeMap<String, u64>,
    charsets: BTreeMap<String, u64>,
}

impl Stats {
    /// Adds the next page.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the fraction is dropped: a bin begins at a whole number"
    )]
    pub(crate) fn observe(&mut self, document: u32, id: &str, page: PageFacts) {
        if page.all_chars > 0 {
            let share = page.kept_chars as f64 / page.all_chars as f64;
            // A share of 1 belongs to the last bin.
            self.kept_share[((share * KEPT_SHARE_BINS as f64) as usize).min(KEPT_SHARE_BINS - 1)] += 1;
        }
        *self.methods.entry(page.method.clone()).or_insert(0) += 1;
        *self.charsets.entry(page.charset).or_insert(0) += 1;
        // The language is that of the main text.
        if page.has_text {
            *self
                .languages
                .entry(page.language.unwrap_or_else(|| "und".to_owned()))
                .or_insert(0) += 1;
        }
        // A page counts once for each code, however often it has the warning.
        let mut codes: Vec<String> = Vec::new();
        for (code, message) in page.warnings {
            if codes.contains(&code) {
                continue;
            }
            let row = self.warnings.entry(code.clone()).or_insert_with(|| WarningRow {
                code: code.clone(),
                count: 0,
                example: id.to_owned(),
                message,
            });
            row.count += 1;
            codes.push(code);
        }
        let row = PageRow {
            id: id.to_owned(),
            confidence: page.confidence,
            method: page.method,
            has_text: page.has_text,
            kept_chars: page.kept_chars,
            all_chars: page.all_chars,
            warnings: codes,
            ..PageRow::default()
        };
        // Pages arrive in input order, so the first ones are kept.
        if !page.has_text {
            if self.empty.len() < MAX_TO_CHECK {
                self.empty.push((document, row));
            }
            return;
        }
        if page.confidence >= CONFIDENT {
            return;
        }
        // By confidence, then by id: the list does not depend on threads.
        let comes_before = |row: &PageRow| {
            row.confidence
                .total_cmp(&page.confidence)
                .then_with(|| row.id.as_str().cmp(id))
                .is_lt()
        };
        let place = self.least_confident.partition_point(|(_, row)| comes_before(row));
        if place < MAX_TO_CHECK {
            self.least_confident.insert(place, (document, row));
            self.least_confident.truncate(MAX_TO_CHECK);
        }
    }

    /// The pages to check, with their document numbers. The caller adds addresses, titles and excerpts.
    ///
    /// Pages without text come first. They take at most half of the places if there are enough others. A
    /// second call changes nothing.
    pub(crate) fn pages_to_check(&mut self) -> &mut [(u32, PageRow)] {
        let others = self.least_confident.len().min(MAX_TO_CHECK / 2);
        self.empty.truncate(MAX_TO_CHECK - others);
        let empty = std::mem::take(&mut self.empty);
        self.least_confident.splice(0..0, empty);
        self.least_confident.truncate(MAX_TO_CHECK);
        &mut self.least_confident
    }

    /// Moves the figures into the data of the report.
    pub(crate) fn report(mut self, data: &mut ReportData) {
        data.kept_share = self.kept_share.to_vec();
        self.pages_to_check();
        data.least_confident = self.least_confident.into_iter().map(|(_, row)| row).collect();
        data.warnings = self.warnings.into_values().collect();
        data.warnings
            .sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.code.cmp(&b.code)));
        data.methods = ranked(self.methods, usize::MAX);
        data.languages = ranked(self.languages, MAX_NAMES);
        data.charsets = ranked(self.charsets, MAX_NAMES);
    }
}

/// The counts, most frequent first, then by name. Counts beyond the first `most` are summed up as `other`.
fn ranked(counts: BTreeMap<String, u64>, most: usize) -> Vec<Count> {
    let mut counts: Vec<Count> = counts
        .into_iter()
        .map(|(name, count)| Count { name, count })
        .collect();
    counts.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.name.cmp(&b.name)));
    if counts.len() > most {
        let other = counts.drain(most..).map(|count| count.count).sum();
        counts.push(Count {
            name: "other".to_owned(),
            count: other,
        });
    }
    counts
}

/// Confidence at or above which a page is not listed as one to check.
const CONFIDENT: f64 = 0.9;

/// Length in bytes at or above which a word may be cut.
const LONG_WORD: usize = 60;

/// At most the first `most` characters of a text, on one line, with an ellipsis where it goes on.
pub(crate) fn excerpt(text: &str, most: usize) -> String {
    let mut words = text.split_whitespace();
    let mut excerpt = words.next().unwrap_or("").to_owned();
    for word in words {
        // A character has at most four bytes, so the first `most` characters are complete.
        if excerpt.len() > 4 * most {
            break;
        }
        excerpt.push(' ');
        excerpt.push_str(word);
    }
    let Some((end, _)) = excerpt.char_indices().nth(most - 1) else {
        return excerpt;
    };
    if excerpt[end..].chars().nth(1).is_none() {
        return excerpt;
    }
    // The excerpt ends with a whole word, unless the last word is long, as in scripts without spaces.
    let cut = &excerpt[..end];
    let whole = cut.rfind(' ').filter(|space| end - space < LONG_WORD);
    match whole {
        Some(space) => format!("{} …", &cut[..space]),
        None => format!("{cut}…"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::report::run::data::EXCERPT_CHARS;

    fn page(confidence: f64, kept_chars: u64, codes: &[&str]) -> PageFacts {
        PageFacts {
            method: "readability".to_owned(),
            language: None,
            charset: "UTF-8".to_owned(),
            confidence,
            kept_chars,
            all_chars: 100,
            has_text: kept_chars > 0,
            warnings: codes
                .iter()
                .map(|code| ((*code).to_owned(), format!("of {confidence}")))
                .collect(),
        }
    }

    #[test]
    fn figures_are_bounded_and_ordered() {
        let mut stats = Stats::default();
        for number in 0..50_u32 {
            let confidence = f64::from(number * 7 % 50) / 50.0;
            stats.observe(
                number,
                &format!("p{number:02}"),
                page(confidence, u64::from(number), &["fallback", "fallback"]),
            );
        }
        stats.observe(50, "full", page(0.5, 100, &["deadline"]));
        stats.observe(51, "none", page(0.0, 0, &[]));
        let mut data = ReportData::default();
        stats.report(&mut data);
        assert_eq!(data.kept_share.iter().sum::<u64>(), 52);
        assert_eq!((data.kept_share[0], data.kept_share[19]), (6, 1));
        assert_eq!(data.least_confident.len(), MAX_TO_CHECK);
        assert!(
            data.least_confident
                .windows(2)
                .all(|pair| !pair[0].has_text || pair[0].confidence <= pair[1].confidence)
        );
        let without_text: Vec<&str> = data
            .least_confident
            .iter()
            .filter(|row| !row.has_text)
            .map(|row| row.id.as_str())
            .collect();
        assert_eq!(without_text, ["p00", "none"], "pages without text come first");
        assert_eq!(data.least_confident[2].confidence, 0.02);
        assert_eq!(
            (data.warnings[0].code.as_str(), data.warnings[0].count),
            ("fallback", 50)
        );
        assert_eq!(
            (data.warnings[0].example.as_str(), data.warnings[1].count),
            ("p00", 1)
        );
        assert_eq!(
            data.methods,
            [Count {
                name: "readability".to_owned(),
                count: 52
            }]
        );
    }

    #[test]
    fn rare_names_are_summed_up() {
        let counts = (0..40_u64).map(|n| (format!("l{n:02}"), n)).collect();
        let ranked = ranked(counts, 30);
        assert_eq!(ranked.len(), 31);
        assert_eq!(
            (
                ranked[0].name.as_str(),
                ranked[30].name.as_str(),
                ranked[30].count
            ),
            ("l39", "other", 45)
        );
    }

    #[test]
    fn an_excerpt_is_one_short_line() {
        assert_eq!(excerpt("  a\n\nb ", EXCERPT_CHARS), "a b");
        assert_eq!(excerpt("one two three", 9), "one two …");
        let long = excerpt(&"ж".repeat(5000), EXCERPT_CHARS);
        assert_eq!(long.chars().count(), EXCERPT_CHARS);
        assert!(long.ends_with('…'));
        assert_eq!(excerpt("", EXCERPT_CHARS), "");
    }
}
