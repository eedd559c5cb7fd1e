//! Inline elements that touch: whether a space belongs between their words.
//!
//! Pages draw elements apart by style sheets and leave out the white space between them:
//! `<span>$108</span><span>MSRP: $120</span>`. A space is added only where the letters on both sides show
//! that they are two words. Of 1,600 such places of labelled pages, counted for an earlier form of these
//! rules, the labels have a space at 97 %. Elements that style the parts of a word (`font`, `b`, `i`,
//! `sub`) join their letters.

use dehusk_html::tree::{AttrName, Dom, NodeId, Tag};

/// Minimum number of letters of a word before the next one, so that `McDonald` and `iPhone` stay whole.
const MIN_LETTERS: usize = 3;

/// Maximum number of characters of a word that are read.
const MAX_WORD: usize = 32;

/// Longest label after a number, in characters.
const MAX_LABEL: usize = 24;

/// Inline elements that ended and began since the last text.
#[derive(Debug, Default)]
pub(super) struct Touching {
    /// The element that ended last.
    ended: Option<Tag>,
    /// The first element that began since.
    begun: Option<Tag>,
    /// The link that ended.
    link: Option<NodeId>,
    /// The address of a link that began, if a link to another address ended.
    next_target: Option<String>,
}

impl Touching {
    /// Records the start of an element.
    pub(super) fn begin(&mut self, dom: &Dom<'_>, id: NodeId, tag: Tag) {
        self.begun.get_or_insert(tag);
        if tag == Tag::A
            && let Some(before) = self.link
        {
            // Links to one address may share a word: `<a href=/x>mill</a><a href=/x>stone</a>`.
            let target = |link| dom.known_attr(link, AttrName::HREF);
            self.next_target = target(before).and_then(|before| {
                let after = target(id).filter(|after| *after != before)?;
                Some(after.into_owned())
            });
        }
    }

    /// Records the end of an element.
    pub(super) fn end(&mut self, id: NodeId, tag: Tag) {
        self.ended = Some(tag);
        self.begun = None;
        if tag == Tag::A {
            self.link = Some(id);
        }
    }

    /// Returns whether no element began or ended.
    #[inline]
    pub(super) fn is_none(&self) -> bool {
        self.ended.is_none() && self.begun.is_none()
    }

    /// Returns whether a space belongs between the text before these elements and the text after them.
    pub(super) fn parts(&self, before: &str, after: &str) -> bool {
        let Some(last) = before.chars().next_back() else {
            return false;
        };
        let mut behind = after.chars();
        let (Some(first), second) = (behind.next(), behind.next()) else {
            return false;
        };
        // A number and a label: `12<small>Save: 3</small>`. An element on one side is enough here.
        if last.is_ascii_digit() && is_label(after) {
            return true;
        }
        let (Some(ended), Some(begun)) = (self.ended, self.begun) else {
            return false;
        };
        // One element must be drawn as a box, and the other must not style a part of a word.
        if !(is_box(ended) && may_be_apart(begun) || is_box(begun) && may_be_apart(ended)) {
            return false;
        }
        if let Some(target) = &self.next_target
            && has_spaces(last)
            && has_spaces(first)
        {
            // Two links may divide a word: `overlap` and `ping`.
            return !first.is_lowercase() || begins_in(target, after);
        }
        let begins_word = first.is_uppercase() && second.is_some_and(char::is_lowercase);
        // Bounded, since each of many elements may end the same long word.
        let word = || {
            before
                .chars()
                .rev()
                .take_while(|c| !c.is_whitespace())
                .take(MAX_WORD)
        };
        // A measure and the next label: `40mm` and `THD`, `32Ω` and `Driver`, `3%` and `Sound`.
        if (last.is_alphabetic() || last == '%')
            && word().last().is_some_and(|c| c.is_ascii_digit())
            && first.is_uppercase()
            && second.is_some_and(char::is_alphabetic)
        {
            return true;
        }
        let letters = |kind: fn(char) -> bool| word().filter(|c| kind(*c)).take(MIN_LETTERS).count();
        // `Kelmor` and `Wireless`, `Pumps` and `122`; but not `Mc` and `Dougal`.
        if last.is_lowercase() {
            return letters(char::is_alphabetic) == MIN_LETTERS && (begins_word || first.is_ascii_digit());
        }
        // `WEIR` and `Lamp`: three or more capitals, and no other letter in the word before.
        if last.is_uppercase() {
            return begins_word
                && letters(char::is_uppercase) == MIN_LETTERS
                && word().all(char::is_uppercase);
        }
        if last.is_ascii_digit() {
            // A price and its discount: `$120` and `10% off`.
            let is_price = || word().last().is_some_and(is_currency);
            return first.is_uppercase() && second.is_some_and(char::is_alphabetic)
                || is_percentage(after) && is_price();
        }
        match last {
            ')' => begins_word,
            ':' => {
                let before = before.chars().rev().nth(1);
                before.is_some_and(char::is_alphabetic) && (first.is_alphanumeric() || is_currency(first))
            }
            _ => false,
        }
    }
}

/// Whether an element is likely to be drawn apart from its siblings.
fn is_box(tag: Tag) -> bool {
    matches!(tag, Tag::SPAN | Tag::A | Tag::LABEL | Tag::TIME | Tag::BUTTON) || tag.known_name().is_none()
}

/// Whether an element beside a box may be a word of its own: it does not style a part of a word.
fn may_be_apart(tag: Tag) -> bool {
    !matches!(tag, Tag::FONT | Tag::BIG | Tag::SUB | Tag::SUP | Tag::CODE)
}

fn is_currency(c: char) -> bool {
    matches!(c, '$' | '€' | '£' | '¥' | '₹' | '₽' | '₩' | '₺' | '₴')
}

/// Whether a text begins with a number of at most three digits and a percent sign.
fn is_percentage(text: &str) -> bool {
    const MAX_DIGITS: usize = 3;
    let digits = text
        .bytes()
        .take_while(u8::is_ascii_digit)
        .take(MAX_DIGITS)
        .count();
    digits > 0 && text[digits..].starts_with('%')
}

/// Whether the first word of a link is a word in its address: `robots` in `/tag/robots`.
fn begins_in(target: &str, text: &str) -> bool {
    let word = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
    let word = word.to_lowercase();
    let target = target.to_lowercase();
    let is_word = |at: usize| !target[..at].ends_with(char::is_alphanumeric);
    word.chars().count() >= MIN_LETTERS && target.match_indices(&word).any(|(at, _)| is_word(at))
}

/// Whether a character is a digit or a letter of a script that has capital letters: these scripts have
/// spaces between words.
fn has_spaces(c: char) -> bool {
    c.is_ascii_digit() || c.is_lowercase() || c.is_uppercase()
}

/// Whether a text begins with a capitalized word and a colon.
fn is_label(text: &str) -> bool {
    let word = text.split(':').next().unwrap_or("");
    word.len() < text.len()
        && word.len() > 1
        && word.starts_with(char::is_uppercase)
        && word.chars().count() <= MAX_LABEL
        && word.chars().all(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use crate::{Options, Page, extract};

    #[track_caller]
    fn reads(html: &str, text: &str) {
        let options = Options::default().with_extractor("all-text").unwrap();
        let page = format!("<p>{html}</p>");
        assert_eq!(
            extract(&Page::decoded(&page), &options).text.trim(),
            text,
            "{html}"
        );
    }

    #[test]
    fn words_of_elements_that_touch_are_apart() {
        for (html, text) in [
            ("<span>$108</span><span>MSRP: $120</span>", "$108 MSRP: $120"),
            (
                "<span>MSRP: $120</span><span>10% OFF</span>",
                "MSRP: $120 10% OFF",
            ),
            ("<b>84,50</b>Statt: 99,00", "84,50 Statt: 99,00"),
            ("12<small>Save: 3</small>", "12 Save: 3"),
            (
                "<span><span>Kelmor</span></span><span>Wireless lamp</span>",
                "Kelmor Wireless lamp",
            ),
            (
                "<strong>Ilse Brandt</strong><span>12 March</span>",
                "Ilse Brandt 12 March",
            ),
            ("<label>Pumps</label><span>122</span>", "Pumps 122"),
            ("<span>Weight:</span><span>4 kg</span>", "Weight: 4 kg"),
            ("<span>Price:</span><span>$5</span>", "Price: $5"),
            ("<span>(12)</span><time>March</time>", "(12) March"),
            (
                "<a href=/t/science>science</a><a href=/t/news>news</a><a href=/t/Sea>Sea</a><a href=/3>3</a>",
                "science news Sea 3",
            ),
            ("<span>WEIR</span><span>Lamp two</span>", "WEIR Lamp two"),
            (
                "<span>Size 40mm</span><span>THD 1%</span><span>Mass 3 g</span>",
                "Size 40mm THD 1% Mass 3 g",
            ),
            ("<span>32Ω</span><span>Driver</span>", "32Ω Driver"),
            ("<span>Sign-On</span><span>Regions</span>", "Sign-On Regions"),
            ("<span>Лодка</span><span>Море</span>", "Лодка Море"),
        ] {
            reads(html, text);
        }
    }

    #[test]
    fn parts_of_words_stay_together() {
        for (html, text) in [
            ("<span>un</span><span>believable</span>", "unbelievable"),
            ("<span>T</span><span>he end", "The end"),
            ("<span>F</span><span>RANCE</span>", "FRANCE"),
            ("<font>Mark</font><font>Twain</font>", "MarkTwain"),
            ("<span>Mc</span><span>Dougal</span>", "McDougal"),
            ("<span>10:</span><span>30</span>", "10:30"),
            ("<span>3</span><span>D</span>", "3D"),
            ("<span>1</span><span>0%</span>", "10%"),
            ("<span>2</span><span>nd</span>", "2nd"),
            ("<a href=/x>mill</a><a href=/x>stone</a>", "millstone"),
            (
                "<a href=#over>overlap</a><a href=#overlapping>ping</a>",
                "overlapping",
            ),
            ("<a href=/b>北京</a><a href=/d>大学</a>", "北京大学"),
            ("<code><span>data</span><span>Feed</span></code>", "dataFeed"),
            ("H<b>2</b>O, <b>D</b>rop", "H2O, Drop"),
        ] {
            reads(html, text);
        }
    }
}
