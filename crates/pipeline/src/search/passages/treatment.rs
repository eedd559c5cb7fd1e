//! Decides what is cut from a text, and builds the text that remains.

use std::ops::Range;

use crate::kernel::apart::TOO_MUCH_REPEATED;
use crate::kernel::cut::{united, whole_sentences, without, without_exactly};
use crate::kernel::repetition::repetition;
use crate::kernel::units::UnitCutter;
use crate::record::document::round;
use crate::record::{RepeatedRow, Repetition};
use crate::search::passages::making::Making;
use crate::settings::{CutAt, DocumentPart, PassageUnit, Repeat};

/// Reasons in the rows of documents. `unique`: no passage.
const UNIQUE: &str = "unique";
/// It has passages, and nothing is cut.
const REPEATED: &str = "repeated";
/// Passages are cut, and the document stays.
const CUT: &str = "cut";

/// Number of documents at or above which a passage of one host counts as a part of the site.
const SITE_DOCUMENTS: u32 = 3;

/// Whether a passage that occurs in `documents` documents and on `hosts` known hosts is a part of one site.
/// Such a passage is a hint that extraction has left boilerplate.
pub(crate) fn is_of_site(documents: u32, hosts: u32) -> bool {
    hosts == 1 && documents >= SITE_DOCUMENTS
}

/// A passage at a place of a text.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PlaceInText {
    /// Its bytes.
    pub(crate) range: Range<usize>,
    /// Whether the passage occurs here first.
    pub(crate) is_first: bool,
    /// Whether it occurs in several documents of one host and of no other.
    pub(crate) is_of_site: bool,
    /// The share of the documents of the host that have it; 0 if the host is unknown or not the only one.
    pub(crate) host_share: f64,
}

/// The treatment of a text with passages.
pub(crate) struct Treatment {
    /// The text that is left; `None` if nothing was cut.
    pub(crate) rest: Option<String>,
    /// Parts of passages as byte offsets: start and end (exclusive), ascending, without overlaps.
    pub(crate) repeated: Vec<(u64, u64)>,
    /// Parts that are cut, in the form of `repeated`.
    pub(crate) cut: Vec<(u64, u64)>,
    /// Characters of the text.
    pub(crate) chars: u64,
    /// Share of them that are part of a passage.
    pub(crate) repeated_share: f64,
    pub(crate) repetition: Repetition,
    /// Whether the document stays.
    pub(crate) stays: bool,
    pub(crate) reason: &'static str,
    pub(super) repeated_chars: u64,
    pub(super) cut_chars: u64,
    pub(super) site_chars: u64,
}

impl Treatment {
    /// Treats a text with passages at `places`, which ascend.
    pub(crate) fn of(
        making: &Making,
        cutter: &UnitCutter,
        text: &str,
        places: impl Iterator<Item = PlaceInText>,
    ) -> Self {
        let Cuts {
            repeated,
            cut,
            of_site,
        } = Cuts::of(making, cutter, text, places);
        let chars = |ranges: &[Range<usize>]| -> u64 {
            let ranges = ranges.iter().filter_map(|range| text.get(range.clone()));
            ranges.map(|part| part.chars().count() as u64).sum()
        };
        let pairs = |ranges: &[Range<usize>]| -> Vec<(u64, u64)> {
            ranges
                .iter()
                .map(|range| (range.start as u64, range.end as u64))
                .collect()
        };
        let all = text.chars().count() as u64;
        let (repeated_chars, cut_chars) = (chars(&repeated), chars(&cut));
        // Runs of tokens are cut exactly. Cuts of whole lines and sentences also take the white space that
        // they leave.
        let rest = (cut_chars > 0).then(|| match (making.unit, making.cut) {
            (PassageUnit::Tokens, CutAt::Token) => without_exactly(text, &cut),
            _ => without(text, &cut),
        });
        let is_emptied = rest.as_ref().is_some_and(|rest| rest.trim().is_empty());
        let stays = !is_emptied && (cut_chars as f64) <= making.max_share * all as f64;
        let reason = match (stays, cut_chars > 0, repeated_chars > 0) {
            (false, ..) => TOO_MUCH_REPEATED,
            (true, true, _) => CUT,
            (true, false, true) => REPEATED,
            (true, false, false) => UNIQUE,
        };
        Treatment {
            rest,
            repeated: pairs(&repeated),
            cut: pairs(&cut),
            chars: all,
            repeated_share: round(repeated_chars as f64 / all.max(1) as f64),
            repetition: repetition(text, all),
            stays,
            reason,
            repeated_chars,
            cut_chars,
            site_chars: chars(&of_site),
        }
    }

    /// The row of the document with this id.
    pub(crate) fn row<'a>(&'a self, id: &'a str) -> RepeatedRow<'a> {
        RepeatedRow {
            id,
            chars: self.chars,
            repeated_share: self.repeated_share,
            repetition: self.repetition,
            repeated: &self.repeated,
            cut: &self.cut,
            kept: self.stays,
            reason: self.reason,
        }
    }
}

/// Byte ranges of a text that are repeated elsewhere, and those to cut.
pub(super) struct Cuts {
    pub(super) repeated: Vec<Range<usize>>,
    pub(super) cut: Vec<Range<usize>>,
    /// Passages of several documents of one host.
    of_site: Vec<Range<usize>>,
}

impl Cuts {
    /// The repeated ranges of a text, and those of them that the options cut.
    pub(super) fn of(
        making: &Making,
        cutter: &UnitCutter,
        text: &str,
        places: impl Iterator<Item = PlaceInText>,
    ) -> Cuts {
        let (mut repeated, mut goes, mut of_site) = (Vec::new(), Vec::new(), Vec::new());
        for place in places {
            // `&&` binds stronger: with `First`, the first place stays.
            let is_asked = making.repeat == Repeat::Drop || making.repeat == Repeat::First && !place.is_first;
            if is_asked && place.host_share >= making.min_host_share {
                goes.push(place.range.clone());
            }
            if place.is_of_site {
                of_site.push(place.range.clone());
            }
            repeated.push(place.range);
        }
        // From here on, ranges ascend without overlaps, as `at_ends` and `whole_sentences` need.
        let (repeated, mut goes) = (united(repeated), united(goes));
        if making.at == DocumentPart::Ends {
            at_ends(text, &mut goes);
        }
        let cut = match (making.unit, making.cut) {
            (PassageUnit::Tokens, CutAt::Sentence) if !goes.is_empty() => {
                whole_sentences(text, &goes, &cutter.sentences(text))
            }
            _ => goes,
        };
        Cuts {
            repeated,
            cut,
            of_site: united(of_site),
        }
    }
}

/// Keeps the ranges at the beginning and at the end of the text: those with no letter or digit between them
/// and the edge, other ranges aside. Ranges ascend without overlaps.
fn at_ends(text: &str, ranges: &mut Vec<Range<usize>>) {
    let has_word = |range: Range<usize>| {
        debug_assert!(
            text.get(range.clone()).is_some(),
            "ranges lie between characters of the text"
        );
        let between = text.get(range).unwrap_or_default();
        between.chars().any(char::is_alphanumeric)
    };
    let mut at = 0;
    let of_start = ranges.iter().take_while(|range| {
        let is_next = !has_word(at..range.start);
        at = range.end;
        is_next
    });
    let head = of_start.count();
    let mut at = text.len();
    let of_end = ranges.iter().rev().take_while(|range| {
        let is_next = !has_word(range.end..at);
        at = range.start;
        is_next
    });
    let tail = ranges.len() - of_end.count();
    // If all ranges are near an edge, `tail` may be below `head`, and all stay.
    if head < tail {
        ranges.drain(head..tail);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_at_the_ends_are_those_that_nothing_else_separates_from_them() {
        let text = "Home | About\n\nThe river rose. Home | About\nIt fell.\n* * *\nAll rights reserved.\n";
        let of = |part: &str, from: usize| {
            let start = from + text[from..].find(part).unwrap();
            start..start + part.len()
        };
        let [home, about, rights] = [of("Home", 0), of("About", 0), of("All rights reserved.", 0)];
        let inner = of("Home | About", 20);
        let left = |ranges: &[&Range<usize>]| {
            let mut ranges: Vec<Range<usize>> = ranges.iter().map(|range| (*range).clone()).collect();
            at_ends(text, &mut ranges);
            ranges
        };
        assert_eq!(
            left(&[&home, &about, &inner, &rights]),
            [home.clone(), about.clone(), rights.clone()]
        );
        assert!(left(&[&about, &inner]).is_empty());
        assert_eq!(left(&[&rights]), [rights]);
        assert!(left(&[]).is_empty());
        let all = 0..text.len();
        assert_eq!(left(&[&all]), [all]);
    }
}
