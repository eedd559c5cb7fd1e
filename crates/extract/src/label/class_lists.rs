//! Lists of class names and ids that mark content or boilerplate, for methods that follow Readability.
//!
//! Provenance: the lists of Readability (Arc90 2010, and later additions), as substrings instead of regular expressions. A substring
//! matches anywhere in a class or id, in upper or lower case.

use std::sync::LazyLock;

use crate::analysis::word_lists::WordLists;

const UNLIKELY: u8 = 1;
const MAYBE: u8 = 2;
const POSITIVE: u8 = 4;
const NEGATIVE: u8 = 8;
const BYLINE: u8 = 16;

/// The lists, each with its bit.
#[rustfmt::skip]
pub(crate) const LISTS: &[(u32, &[&str])] = &[
    // Marks boilerplate, unless a name of the next list matches, too.
    (UNLIKELY as u32, &[
        "-ad-", "ai2html", "banner", "breadcrumbs", "combx", "comment", "community", "cover-wrap", "disqus", "extra",
        "footer", "gdpr", "header", "legends", "menu", "related", "remark", "replies", "rss", "shoutbox", "sidebar",
        "skyscraper", "social", "sponsor", "supplemental", "ad-break", "agegate", "pagination", "pager", "popup",
        "yom-remote",
    ]),
    (MAYBE as u32, &["and", "article", "body", "column", "content", "main", "mathjax", "shadow"]),
    // Raise or lower the score of the element.
    (POSITIVE as u32, &[
        "article", "body", "content", "entry", "hentry", "h-entry", "main", "page", "pagination", "post", "text", "blog",
        "story",
    ]),
    (NEGATIVE as u32, &[
        "-ad-", "hidden", "banner", "combx", "comment", "com-", "contact", "footer", "gdpr", "masthead", "media", "meta",
        "outbrain", "promo", "related", "scroll", "share", "shoutbox", "sidebar", "skyscraper", "sponsor", "shopping",
        "tags", "widget",
    ]),
    // Mark the author of the text.
    (BYLINE as u32, &["byline", "author", "dateline", "writtenby", "p-author"]),
];

static WORDS: LazyLock<WordLists> = LazyLock::new(|| WordLists::new(LISTS.iter().copied()));

/// Points for names on the positive list. Names on the negative list lose the same number.
const POINTS: f32 = 25.0;

/// Bit set of the lists that a class, an id, or both together match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ClassLists(u8);

impl ClassLists {
    /// Creates a set from bits.
    pub(crate) fn of_bits(bits: u8) -> ClassLists {
        ClassLists(bits)
    }

    /// Returns the lists that some names match.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the lists of `WORDS` are numbered from bit 0 to bit 7"
    )]
    fn of(names: &str) -> ClassLists {
        ClassLists(WORDS.find(names) as u8)
    }

    /// Like [`of`](ClassLists::of), and also matches the one entry that must be a whole word.
    pub(crate) fn of_words(names: &str) -> ClassLists {
        let alone = names.split(' ').any(|w| w.eq_ignore_ascii_case("hid"));
        ClassLists(ClassLists::of(names).0 | if alone { NEGATIVE } else { 0 })
    }

    /// Returns the union of two sets.
    pub(crate) fn and(self, other: ClassLists) -> ClassLists {
        ClassLists(self.0 | other.0)
    }

    /// Returns whether the names are on the list of unlikely names and not on the list of names that may hold content.
    pub(crate) fn unlikely(self) -> bool {
        self.0 & UNLIKELY != 0 && self.0 & MAYBE == 0
    }

    /// Returns whether the names are on the list of bylines.
    pub(crate) fn byline(self) -> bool {
        self.0 & BYLINE != 0
    }

    /// Returns 25 for positive names, -25 for negative ones, and 0 for both or neither.
    pub(crate) fn weight(self) -> f32 {
        let part = |list| if self.0 & list != 0 { POINTS } else { 0.0 };
        part(POSITIVE) - part(NEGATIVE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_on_all_their_lists() {
        let of = |names| ClassLists::of_words(names).0;
        assert_eq!(of("post-Content sidebar"), MAYBE | POSITIVE | UNLIKELY | NEGATIVE);
        assert_eq!((of("x hid"), of("hidx"), of("")), (NEGATIVE, 0, 0));
        assert!(
            ClassLists::of_words("sidebar").unlikely() && !ClassLists::of_words("sidebar main").unlikely()
        );
        assert!(ClassLists::of_words("p-author").byline());
    }
}
