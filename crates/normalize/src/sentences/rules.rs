//! Rules that decide where a sentence ends.

use super::abbreviations::{Abbreviations, Key, Section};

/// Bytes that may end a sentence: `.`, `!`, `?`, a line feed, and the first bytes of other terminators.
const STOPS: [bool; 256] = {
    let mut table = [false; 256];
    // U+2026 (…) begins with E2, 。 with E3, ！ with EF, ؟ with D8, ۔ with DB, ։ with D6, ܀ with DC, । with E0,
    // ። with E1, ꓿ with EA.
    let bytes = [
        b'.', b'!', b'?', b'\n', 0xE2, 0xE3, 0xEF, 0xD8, 0xDB, 0xD6, 0xDC, 0xE0, 0xE1, 0xEA,
    ];
    let mut index = 0;
    while index < bytes.len() {
        table[bytes[index] as usize] = true;
        index += 1;
    }
    table
};

/// Whether `c` ends a sentence before white space: full stop, exclamation and question mark, ellipsis, and equivalents in other scripts
/// (Sentence_Terminal of Unicode, without the Armenian marks that occur inside words).
fn is_terminator(c: char) -> bool {
    matches!(
        c,
        '.' | '!' | '?' | '…' | '‼' | '⁇' | '⁈' | '⁉' | '؟' | '։' | '።' | '፧' | '፨' | '܀'
            ..='܂' | '᠃' | '᠉' | '᙮' | '᱾' | '᱿' | '꓿' | '꘎' | '꘏' | '꛳' | '꛷' | '꧈' | '꧉'
    ) || is_danda(c)
        || is_full_width_terminator(c)
}

/// Whether `c` ends a sentence regardless of the following text, in scripts without spaces between sentences.
fn is_full_width_terminator(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡' | '．')
}

/// Whether `c` ends a sentence even directly before a letter, in scripts of India and South-East Asia and in Urdu.
///
/// The mark has no other use there, and the space after it is often left out. Verse numbers after it, as in `॥१॥`, belong to the sentence.
fn is_danda(c: char) -> bool {
    matches!(
        c,
        '।' | '॥' | '۔' | '။' | '។'..='៕' | '༎'..='༏' | '᰻'..='᰼' | '᭚'..='᭛' | '꣎'..='꣏' | '꫱'
    )
}

/// Whether `c` may close a quotation or bracket after a terminator. Some of these marks open quotations in
/// other languages.
fn is_closer(c: char) -> bool {
    matches!(
        c,
        '»' | '"'
            | '\''
            | ')'
            | ']'
            | '”'
            | '’'
            | '“'
            | '›'
            | '}'
            | '」'
            | '』'
            | '）'
            | '】'
            | '》'
            | '〉'
            | '＂'
    )
}

fn is_quote(c: char) -> bool {
    matches!(
        c,
        '«' | '»' | '"' | '\'' | '“' | '”' | '„' | '‘' | '’' | '‹' | '›'
    )
}

fn is_opener(c: char) -> bool {
    is_quote(c) || matches!(c, '(' | '[' | '{' | '¿' | '¡' | '「' | '『' | '（' | '《' | '【')
}

fn is_dash(c: char) -> bool {
    matches!(c, '—' | '–' | '-' | '―' | '•' | '*')
}

/// Length in bytes of the first sentence of a text that does not begin with white space.
pub(super) fn sentence_len(abbreviations: &Abbreviations, text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|&byte| STOPS[usize::from(byte)]) {
        // No byte of STOPS continues a character, so `stop` is a character boundary.
        let stop = at + found;
        if bytes[stop] == b'\n' {
            match blank_line(&text[stop..]) {
                Some(len) => return stop + len,
                None => at = stop + 1,
            }
            continue;
        }
        let Some(c) = text[stop..].chars().next() else {
            break;
        };
        // STOPS knows first bytes only: the dash — begins like the ellipsis.
        if !is_terminator(c) {
            at = stop + c.len_utf8();
            continue;
        }
        let candidate = Candidate::at(text, stop);
        if candidate.ends_sentence(abbreviations) {
            return candidate.end;
        }
        // The candidate has the whole run of terminators (`?!`, `...`): none of them is tried on its own.
        at = candidate.end;
    }
    text.len()
}

/// Length of the blank line at the start of `text`, which begins with a line feed: up to and including the next line feed. `None` if other
/// characters than white space precede it.
fn blank_line(text: &str) -> Option<usize> {
    let rest = &text[1..];
    let spaces = rest.len()
        - rest
            .trim_start_matches(|c: char| c.is_whitespace() && c != '\n')
            .len();
    rest[spaces..].starts_with('\n').then_some(spaces + 2)
}

/// Largest number of characters on either side of a candidate that are searched for the ends of a quotation.
/// Longer quotations are split into sentences like other text.
const QUOTATION: usize = 240;

/// Closing character of the quotation or bracket that `c` opens; `None` for other characters.
fn closer_of(c: char) -> Option<char> {
    Some(match c {
        '«' => '»',
        '“' => '”',
        '„' => '“',
        '"' => '"',
        '(' => ')',
        '[' => ']',
        _ => return None,
    })
}

/// A possible end of a sentence. All slices are parts of one text, in order and adjacent.
struct Candidate<'a> {
    /// The sentence so far, up to the terminators.
    before: &'a str,
    /// One or more terminators.
    terminators: &'a str,
    /// Closing quotation marks, brackets and footnote numbers after the terminators.
    closers: &'a str,
    /// The text after the closers.
    after: &'a str,
    /// Offset of the end of the closers, from the start of the sentence.
    end: usize,
}

impl<'a> Candidate<'a> {
    /// The candidate at the terminator `text[stop..]`; `text` begins with the sentence.
    fn at(text: &'a str, stop: usize) -> Self {
        let (before, rest) = text.split_at(stop);
        let len = rest.find(|c| !is_terminator(c)).unwrap_or(rest.len());
        let (terminators, rest) = rest.split_at(len);
        let len = closers_len(rest);
        let (closers, after) = rest.split_at(len);
        Self {
            before,
            terminators,
            closers,
            after,
            end: text.len() - after.len(),
        }
    }

    /// Whether a sentence ends here. The tests are ordered from certain to uncertain.
    fn ends_sentence(&self, abbreviations: &Abbreviations) -> bool {
        if self.after.is_empty() {
            return true;
        }
        if self.terminators.ends_with(is_full_width_terminator)
            || self.terminators.ends_with(is_danda) && self.after.starts_with(char::is_alphabetic)
        {
            return true;
        }
        // `example.com`, `3.5`, `U.S.A`: other terminators need white space after them.
        if !self.after.starts_with(char::is_whitespace) {
            return false;
        }
        let Some(next) = Next::of(self.after) else {
            return false;
        };
        let ends = if self.terminators == "." {
            self.full_stop_ends(abbreviations, &next)
        } else {
            // "Stop!" Mary said: the speaker belongs to the sentence of the quotation.
            !(self.closers.contains(is_quote) && next.is_speech(abbreviations))
        };
        ends && !self.is_inside_quotation()
    }

    /// Whether the candidate is inside a short quotation or bracket that is part of a longer sentence: text precedes the quotation, or the
    /// sentence continues after it ("Hello. Goodbye," he said.).
    fn is_inside_quotation(&self) -> bool {
        let start = self
            .before
            .char_indices()
            .rev()
            .nth(QUOTATION - 1)
            .map_or(0, |(at, _)| at);
        // The last quotation or bracket that is still open. Quotations inside it are ignored: only its own
        // closer counts.
        let mut open = None;
        for (at, c) in self.before[start..].char_indices() {
            open = match open {
                None => closer_of(c).map(|closer| (start + at, closer)),
                Some((_, closer)) if c == closer => None,
                open => open,
            };
        }
        let Some((opener, closer)) = open else {
            return false;
        };
        // The quotation ends with this candidate.
        if self.closers.contains(closer) {
            return false;
        }
        let Some((close, _)) = self
            .after
            .char_indices()
            .take(QUOTATION)
            .find(|&(_, c)| c == closer)
        else {
            return false;
        };
        let introduced = self.before[..opener].contains(char::is_alphanumeric);
        let rest = self.after[close + closer.len_utf8()..].trim_start_matches(is_terminator);
        let goes_on = rest.starts_with([',', ';', ':'])
            || rest
                .trim_start()
                .chars()
                .find(|&c| !is_dash(c) && !c.is_whitespace())
                .is_some_and(char::is_lowercase);
        introduced || goes_on
    }

    /// Whether a single full stop ends the sentence, considering initials, abbreviations and labels of list items.
    fn full_stop_ends(&self, abbreviations: &Abbreviations, next: &Next<'_>) -> bool {
        let before = self.before;
        let word = last_word(before);
        let head = &before[..before.len() - word.len()];
        // A bracket or another sign before the full stop: no abbreviation, no initial.
        if word.is_empty() {
            return true;
        }
        // "1. The first", "A. The first", "IV. The fourth": a label belongs to its sentence.
        if !head.contains(char::is_alphanumeric) && is_label(word) {
            return false;
        }
        // "180 °C": a unit, not an initial.
        if head.ends_with('°') {
            return true;
        }
        let capital = word.starts_with(char::is_uppercase);
        let starts = next.is_starter(abbreviations) || next.is_list_label();
        let after_number = ends_with_number(head);
        // "т. д": the preceding part is also an abbreviation, and the two form one.
        let part = head
            .trim_end()
            .strip_suffix('.')
            .map(last_word)
            .filter(|part| part.chars().count() <= 3);
        let joined = part
            .filter(|part| !part.is_empty())
            .and_then(|part| Key::of(&[part, ".", word]));
        // A single capital letter is an initial, not one of the units written in lower case.
        let single = capital && word.chars().nth(1).is_none();
        let alone = if single { None } else { Key::of(&[word]) };
        // The joined form is looked up first: "т.д" may end a sentence, whatever "д" alone does. The first
        // section that matches decides.
        for key in [joined, alone].into_iter().flatten() {
            let sections = abbreviations.sections(&key, capital);
            let has = |section| sections.has(section);
            if after_number && has(Section::AfterNumber) || has(Section::MayEnd) {
                return next.is_capital_or_quoted() && (starts || !is_date(abbreviations, head));
            }
            if has(Section::Never) {
                return false;
            }
            if has(Section::BeforeNumber) {
                return !next.is_numeral();
            }
            if has(Section::RarelyEnds) {
                return starts;
            }
        }
        // "А. С. Пушкин", "U.S. The": only a word that often begins sentences ends them here.
        if is_initials(word) {
            return starts;
        }
        true
    }
}

/// Length in bytes of the closing quotation marks, brackets and bracketed footnote numbers at the start of `rest`.
fn closers_len(rest: &str) -> usize {
    let mut len = 0;
    loop {
        let tail = &rest[len..];
        let closers = tail.find(|c| !is_closer(c)).unwrap_or(tail.len());
        len += closers;
        let tail = &rest[len..];
        // A footnote number such as `[12]`.
        let note = tail
            .strip_prefix('[')
            .and_then(|note| note.split_once(']'))
            .filter(|(number, _)| {
                (1..=3).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit())
            });
        match note {
            Some((number, _)) => len += number.len() + 2,
            None => return len,
        }
    }
}

/// Last word of a text: letters and digits with inner full stops, hyphens and apostrophes.
fn last_word(text: &str) -> &str {
    let start = text
        .char_indices()
        .rev()
        // U+0301 marks the stress of Russian words.
        .take_while(|&(_, c)| c.is_alphanumeric() || matches!(c, '.' | '-' | '\'' | '’' | '\u{301}'))
        .last()
        .map_or(text.len(), |(at, _)| at);
    text[start..].trim_start_matches(['.', '-', '\'', '’'])
}

/// Whether `word` is a number, a Roman numeral or a single letter.
fn is_label(word: &str) -> bool {
    word.chars().all(|c| c.is_numeric() || c == '.') || is_roman(word) || word.chars().nth(1).is_none()
}

/// Whether `word` consists of Roman digits and dashes, as in "XIX" and "XIX–XX". The value is not checked.
fn is_roman(word: &str) -> bool {
    !word.is_empty()
        && word
            .chars()
            .all(|c| is_roman_digit(c) || matches!(c, '-' | '–' | '—'))
}

fn is_roman_digit(c: char) -> bool {
    matches!(c, 'I' | 'V' | 'X' | 'L' | 'C' | 'D' | 'M')
}

/// Whether `word` is one capital letter, or several separated by full stops ("А.С", "U.S").
fn is_initials(word: &str) -> bool {
    word.split(['.', '-']).all(|part| {
        let mut chars = part.chars();
        chars.next().is_some_and(char::is_uppercase) && chars.next().is_none()
    })
}

/// Whether digits or a Roman numeral end `head`, followed by at most white space.
fn ends_with_number(head: &str) -> bool {
    let head = head.trim_end();
    let word = last_word(head);
    head.ends_with(|c: char| c.is_numeric()) || is_roman(word)
}

/// Maximum number of words of a date; after more words, a unit ends a sentence like other words.
const LONGEST_DATE: usize = 8;

/// Whether `head` consists only of numbers and words of dates, with at least one number: "В мае 1812", "К началу XX".
fn is_date(abbreviations: &Abbreviations, head: &str) -> bool {
    let mut words = head
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let of_date = |word: &str| {
        word.starts_with(char::is_numeric)
            || is_roman(word)
            || Key::of(&[word]).is_some_and(|key| abbreviations.sections(&key, false).has(Section::DateWords))
    };
    head.contains(|c: char| c.is_numeric() || is_roman_digit(c))
        && words.by_ref().take(LONGEST_DATE).all(of_date)
        && words.next().is_none()
}

/// Maximum number of characters that are searched for the first letter of the next sentence.
const LOOKAHEAD: usize = 16;

/// A possible start of the next sentence after a candidate.
struct Next<'a> {
    /// Text from the first letter or digit on.
    text: &'a str,
    first: char,
    /// Whether an opening quotation mark precedes the letter.
    quoted: bool,
    /// Whether only white space, dashes and quotation marks precede the letter.
    plain: bool,
}

impl<'a> Next<'a> {
    /// Examines the text after a candidate; `None` if no sentence can begin there.
    fn of(after: &'a str) -> Option<Self> {
        let mut quoted = false;
        let mut plain = true;
        let after = after.trim_start();
        for (at, c) in after.char_indices().take(LOOKAHEAD) {
            if c.is_whitespace() {
                continue;
            }
            if is_opener(c)
                || is_dash(c)
                || c == '…'
                || c == '.'
                || matches!(c, '#' | '№' | '@' | '$' | '€' | '£')
            {
                quoted |= is_quote(c);
                plain &= is_quote(c) || is_dash(c);
                continue;
            }
            let text = &after[at..];
            return begins_sentence(text, c).then_some(Self {
                text,
                first: c,
                quoted,
                plain,
            });
        }
        // Only dashes and brackets within the lookahead.
        None
    }

    /// The first word, with inner apostrophes and hyphens.
    fn word(&self) -> &'a str {
        let end = self
            .text
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '-')))
            .unwrap_or(self.text.len());
        &self.text[..end]
    }

    /// Whether the text begins with a capital letter (or a letter without case), a quotation, or the label of
    /// a list item.
    fn is_capital_or_quoted(&self) -> bool {
        self.plain && (!self.first.is_numeric() || self.quoted || self.is_list_label())
    }

    /// Whether the text begins like "4. Turn": one or two digits, a full stop or bracket, white space and a
    /// capital letter.
    fn is_list_label(&self) -> bool {
        let rest = self.text.trim_start_matches(|c: char| c.is_ascii_digit());
        (1..=2).contains(&(self.text.len() - rest.len()))
            && rest.strip_prefix(['.', ')']).is_some_and(|rest| {
                rest.starts_with(char::is_whitespace) && rest.trim_start().starts_with(char::is_uppercase)
            })
    }

    /// Whether the text begins with a number, a Roman numeral or a single letter without a quotation mark
    /// before it.
    fn is_numeral(&self) -> bool {
        let word = self.word();
        self.first.is_numeric() || is_roman(word) || word.chars().nth(1).is_none() && !self.quoted
    }

    /// Whether the text begins with a word that often begins sentences, and not with an initial.
    fn is_starter(&self, abbreviations: &Abbreviations) -> bool {
        let word = self.word();
        let initial = word.chars().nth(1).is_none() && self.text[word.len()..].starts_with('.');
        !initial
            && Key::of(&[word])
                // A hyphenated word that is too long for a key is looked up by its first part.
                .or_else(|| Key::of(&[word.split('-').next()?]))
                .is_some_and(|key| abbreviations.sections(&key, false).has(Section::Starters))
    }

    /// Whether the text names the speaker of the quotation before it: "Mary said", "the old man said".
    fn is_speech(&self, abbreviations: &Abbreviations) -> bool {
        let line = self
            .text
            .split(['.', '!', '?', ',', '"', '«', '“'])
            .next()
            .unwrap_or_default();
        // The verb is the second, third or fourth word.
        line.split_whitespace().take(4).skip(1).any(|word| {
            Key::of(&[word]).is_some_and(|key| abbreviations.sections(&key, false).has(Section::Speech))
        })
    }
}

/// Whether a text can begin a sentence. `first` is its first character.
fn begins_sentence(text: &str, first: char) -> bool {
    if first.is_numeric() || first.is_uppercase() {
        return true;
    }
    if !first.is_alphabetic() {
        return false;
    }
    // Letters without case, as in Arabic, Hindi, Hebrew and Han, can begin a sentence. With case, a word like "iPhone" can.
    !first.is_lowercase() || text.chars().skip(1).take(1).any(char::is_uppercase)
}
