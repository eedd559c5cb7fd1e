//! Finds dates in texts: numbers and words in a few orders.

use std::ops::Range;

use super::calendar::{
    PERSIAN_YEARS, YEARS, day, era, first_year, lunar, lunar_month, persian, persian_month, thai_year,
};
use super::months;
use super::tokens::{self, Kind, Tokens, tokens};

/// Whether a character is a decimal digit of a script in which dates are read.
pub(crate) fn is_digit(c: char) -> bool {
    tokens::digit(c).is_some()
}

/// How numeric dates are read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reading<'a> {
    /// The language of the page as ISO 639-1; empty if it is unknown.
    pub(crate) language: &'a str,
    /// Whether `03/04/2024` is a day in March.
    pub(crate) month_first: bool,
}

/// The form of a date.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Form {
    /// Year first, which has only one reading.
    YearFirst,
    /// The month by its name.
    Named,
    /// Numbers, the year last.
    Numbers,
    /// Numbers, the year last and of two digits.
    ShortYear,
    /// A year of two digits in a form that other texts have, too: `1.4.18` is a version, and `5 May 12` may
    /// begin a sentence.
    BareYear,
    /// A month of the lunar Hijri calendar, which is known to a day or two only.
    Lunar,
}

impl Form {
    /// Whether the year has two digits.
    pub(crate) fn is_short(self) -> bool {
        matches!(self, Form::ShortYear | Form::BareYear)
    }
}

/// A date in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    /// The day as `YYYY-MM-DD`.
    pub(crate) day: String,
    pub(crate) form: Form,
    /// Range in the text, in bytes.
    pub(crate) range: Range<usize>,
    /// Whether day and month could be exchanged.
    pub(crate) ambiguous: bool,
}

/// Maximum bytes of a text in which dates are looked for.
const MAX_TEXT: usize = 600;

/// Returns the first date in a text, but none of the form [`Form::BareYear`].
pub(crate) fn find(text: &str, reading: Reading<'_>) -> Option<Found> {
    first(text, reading, |form| form != Form::BareYear)
}

/// Returns the first date in a text in any form.
pub(crate) fn find_any(text: &str, reading: Reading<'_>) -> Option<Found> {
    first(text, reading, |_| true)
}

fn first(text: &str, reading: Reading<'_>, is_wanted: impl Fn(Form) -> bool) -> Option<Found> {
    let text = &text[..text.floor_char_boundary(MAX_TEXT)];
    // A cheap test first: every form has a digit, most lines have none, and tokens need allocations.
    if !text.chars().any(is_digit) {
        return None;
    }
    let tokens = tokens(text);
    let reader = Reader {
        text,
        tokens: &tokens,
        reading,
    };
    (0..tokens.list.len()).find_map(|at| reader.date_at(at).filter(|found| is_wanted(found.form)))
}

/// Whether a text names a day of a month without a year, such as `February 15` or `23 апреля`.
pub(crate) fn names_day(text: &str) -> bool {
    let text = &text[..text.floor_char_boundary(MAX_TEXT)];
    if !text.chars().any(is_digit) {
        return false;
    }
    let tokens = tokens(text);
    let reader = Reader {
        text,
        tokens: &tokens,
        reading: Reading::default(),
    };
    let is_day = |at: usize| matches!(reader.number(at), Some((1..=31, 1..=2)));
    (0..tokens.list.len()).any(|at| {
        let Some((_, after)) = reader.month(at) else {
            return false;
        };
        // `15 February` or `February 15`, with one filler between at most: `23 de abril`.
        reader.skip(after, 1).is_some_and(is_day)
            || at > 0 && (is_day(at - 1) || at > 1 && reader.skip(at - 1, 1) == Some(at) && is_day(at - 2))
    })
}

/// A text in which dates are looked for.
struct Reader<'t> {
    text: &'t str,
    tokens: &'t Tokens,
    reading: Reading<'t>,
}

/// Words between day, month and year, besides single letters: articles, prepositions, ordinal suffixes, and
/// words for day or year.
const FILLERS: &[&str] = &[
    "st",
    "nd",
    "rd",
    "th",
    "er",
    "de",
    "del",
    "di",
    "of",
    "the",
    "den",
    "dne",
    "do",
    "da",
    "die",
    "dia",
    "ten",
    "ste",
    "mėn",
    "mėnesio",
    "года",
    "году",
    "року",
    "жылғы",
    "жыл",
    "ngày",
    "năm",
    "วันที่",
    "พศ",
    "คศ",
    "al",
    "του",
];

impl Reader<'_> {
    /// Value and number of digits of a number; `None` for a word.
    fn number(&self, at: usize) -> Option<(u32, usize)> {
        match self.tokens.list.get(at)?.kind {
            Kind::Number { value, digits } => Some((value, digits)),
            Kind::Word(_) => None,
        }
    }

    /// Word of a token, in lower case without dots; `None` for a number.
    fn word(&self, at: usize) -> Option<&str> {
        self.tokens.word(at)
    }

    /// Returns the text between a token and the next one.
    fn gap(&self, at: usize) -> &str {
        match (self.tokens.list.get(at), self.tokens.list.get(at + 1)) {
            (Some(token), Some(next)) => &self.text[token.range.end..next.range.start],
            (Some(token), None) => &self.text[token.range.end..],
            _ => "",
        }
    }

    /// Date from the token `from` to the token `to`; `None` if `day` is.
    fn found(&self, day: Option<String>, form: Form, from: usize, to: usize) -> Option<Found> {
        let range = self.tokens.list.get(from)?.range.start..self.tokens.list.get(to)?.range.end;
        day.map(|day| Found {
            day,
            form,
            range,
            ambiguous: false,
        })
    }

    /// Returns the date that begins with a token.
    fn date_at(&self, at: usize) -> Option<Found> {
        if at > 0 && self.number(at).is_some() {
            // The token is the end of a longer number, of a version or of a time.
            let before = self.gap(at - 1);
            if self.number(at - 1).is_some() && matches!(before, "." | ":" | "/" | "-" | "," | "٫") {
                return None;
            }
            // `é2024-03-05` is a name. Scripts without spaces write dates directly after words.
            let attached = before.is_empty()
                && self.text[..self.tokens.list[at].range.start].ends_with(|c| c < '\u{590}');
            if attached {
                return None;
            }
        }
        self.ideographs(at)
            .or_else(|| self.year_first(at))
            .or_else(|| self.numbers(at))
            .or_else(|| self.day_first(at))
            .or_else(|| self.month_first(at))
    }

    /// `2024年3月5日`, `令和6年3月5日`, `2024년 3월 5일`.
    fn ideographs(&self, at: usize) -> Option<Found> {
        // `令和元年5月1日`: the first year of an era has a word instead of a number.
        if let Some(year) = self.word(at).and_then(first_year) {
            let (month, date) = (self.number(at + 1)?.0, self.number(at + 3)?.0);
            let marked = self.word(at + 2)? == "月" && self.word(at + 4)?.starts_with('日');
            let found = day(year, month, date).filter(|_| marked);
            return self.found(found, Form::YearFirst, at, at + 4);
        }
        let (year, digits) = self.number(at)?;
        let word = self.word(at + 1)?;
        let month_mark = match word {
            "年" => ["月", "日"],
            "년" => ["월", "일"],
            _ => return None,
        };
        let (month, _) = self.number(at + 2)?;
        if self.word(at + 3)? != month_mark[0] {
            return None;
        }
        let (date, _) = self.number(at + 4)?;
        // Years of an era have up to three digits: `令和6年`.
        let year = match digits {
            4 => year,
            1..=3 => at.checked_sub(1).and_then(|before| era(self.word(before)?))? + year,
            _ => return None,
        };
        // The mark after the day may be missing.
        let last = if self
            .word(at + 5)
            .is_some_and(|word| word.starts_with(month_mark[1]))
        {
            at + 5
        } else {
            at + 4
        };
        self.found(day(year, month, date), Form::YearFirst, at, last)
    }

    /// `2024-03-05T10:00:00+03:00`, `2024/3/5`, `2024. 3. 5.`, `2024. március 5.`, `2024 m. kovo 5 d.`.
    fn year_first(&self, at: usize) -> Option<Found> {
        let (year, 4) = self.number(at)? else { return None };
        let gap = self.gap(at);
        if let (Some((month, 1..=2)), Some((date, 1..=2))) = (self.number(at + 1), self.number(at + 2)) {
            let mark = gap.trim();
            let same = matches!(mark, "-" | "/" | "." | "‐" | "–" | "−") && self.gap(at + 1).trim() == mark;
            // `2024 - 3 - 5` are three numbers. Only dots may have spaces after them, as on Hungarian and Korean pages.
            if same && (mark == "." || gap.len() == mark.len()) && !matches!(self.gap(at + 2), ":" | "/") {
                let found = if PERSIAN_YEARS.contains(&year) && matches!(self.reading.language, "fa" | "") {
                    persian(year, month, date)
                } else {
                    self.day_of(year, month, date)
                };
                return self.found(found, Form::YearFirst, at, at + 2);
            }
        }
        let second = self.skip(at + 1, 2)?;
        // The day before the month: `2024, 5 March`.
        if let Some((date, 1..=2)) = self.number(second) {
            let month_at = self.skip(second + 1, 1)?;
            let (month, _) = self.month(month_at)?;
            return self.found(self.day_of_month(year, month, date), Form::Named, at, month_at);
        }
        let (month, after) = self.month(second)?;
        let date_at = self.skip(after, 1)?;
        let (date, 1..=2) = self.number(date_at)? else {
            return None;
        };
        // A time of day: it follows the year and the month of another date.
        if self.gap(date_at) == ":" {
            return None;
        }
        self.found(self.day_of_month(year, month, date), Form::Named, at, date_at)
    }

    /// `05.03.2024`, `5/3/2024`, `05. 03. 2024`, `05.03.24`.
    fn numbers(&self, at: usize) -> Option<Found> {
        let (a, a_digits @ 1..=2) = self.number(at)? else {
            return None;
        };
        let (b, b_digits @ 1..=2) = self.number(at + 1)? else {
            return None;
        };
        let (year, digits) = self.number(at + 2)?;
        let (mark, second) = (self.gap(at).trim(), self.gap(at + 1).trim());
        let spaced = self.gap(at).len() + self.gap(at + 1).len() > 2;
        if !matches!(mark, "." | "/" | "-" | "‐" | "–") || mark != second || spaced && mark != "." {
            return None;
        }
        // A longer number follows, such as that of a version or a telephone.
        if matches!(self.gap(at + 2), "." | "/" | "-") && self.number(at + 3).is_some() {
            return None;
        }
        let (year, form) = match digits {
            4 => (year, Form::Numbers),
            // Without two digits in each part, a short year may be a part of a version.
            2 if mark != "-" && a_digits == 2 && b_digits == 2 && !spaced => (2000 + year, Form::ShortYear),
            2 if matches!(mark, "." | "/") && !spaced => (2000 + year, Form::BareYear),
            _ => return None,
        };
        // `50` to `99` would be years before 2000, which are not read in this form.
        if digits == 2 && year > 2049 {
            return None;
        }
        // A number above 12 is a day in any language.
        let month_first = b > 12 || mark == "/" && self.reading.month_first && a <= 12;
        let (month, date) = if month_first { (a, b) } else { (b, a) };
        let mut found = self.found(self.day_of(year, month, date), form, at, at + 2)?;
        found.ambiguous = mark == "/" && a <= 12 && b <= 12 && a != b;
        Some(found)
    }

    /// `5 March 2024`, `5. März 2024`, `5 de marzo de 2024`, `5-Mar-2024`, `5th of March, 2024`,
    /// `ngày 5 tháng 3 năm 2024`.
    fn day_first(&self, at: usize) -> Option<Found> {
        let (date, 1..=2) = self.number(at)? else {
            return None;
        };
        let month_at = self.skip(at + 1, 2)?;
        let (month, after) = self.month(month_at)?;
        // `16-Jun-20`
        if let Some((short, 2)) = self.number(after)
            && (self.gap(at), self.gap(after - 1)) == ("-", "-")
        {
            return self.found(
                self.day_of_month(2000 + short, month, date),
                Form::ShortYear,
                at,
                after,
            );
        }
        let Some((year, year_at)) = self.year(after) else {
            let (short, 2) = self.number(after)? else {
                return None;
            };
            // A time of day or another number may follow the month.
            let ends = !self.gap(after).starts_with([':', '.', ',', '/', '-', '–', '%']) && short < 50;
            let gaps = self.gap(after - 1).trim();
            let day = self.day_of_month(2000 + short, month, date);
            return self.found(day.filter(|_| ends && gaps.is_empty()), Form::BareYear, at, after);
        };
        let form = match month {
            Month::Lunar(_) => Form::Lunar,
            _ => Form::Named,
        };
        self.found(self.day_of_month(year, month, date), form, at, year_at)
    }

    /// `March 5, 2024`, `Mar 5th 2024`, `Mar 05 10:00:00 +0000 2024`.
    fn month_first(&self, at: usize) -> Option<Found> {
        let (month, after) = self.month(at)?;
        let date_at = self.skip(after, 1)?;
        let (date, 1..=2) = self.number(date_at)? else {
            return None;
        };
        if self.gap(date_at) == ":" {
            return None;
        }
        let (year, year_at) = self.year(date_at + 1)?;
        self.found(self.day_of_month(year, month, date), Form::Named, at, year_at)
    }

    /// Returns the month that a token names, and the token after it.
    fn month(&self, at: usize) -> Option<(Month, usize)> {
        let word = self.word(at)?;
        if word == "tháng" {
            let (month, 1..=2) = self.number(at + 1)? else {
                return None;
            };
            return Some((Month::Gregorian(month), at + 2));
        }
        if let Some(month) = months::month(word, self.reading.language) {
            return Some((Month::Gregorian(month), at + 1));
        }
        if let Some(month) = persian_month(word) {
            return Some((Month::Persian(month), at + 1));
        }
        let (month, words) = lunar_month(word, self.word(at + 1))?;
        Some((Month::Lunar(month), at + words))
    }

    /// Returns the year at a token, or after fillers and a time of day, and its token.
    fn year(&self, at: usize) -> Option<(u32, usize)> {
        let at = self.skip(at, 2)?;
        match self.number(at)? {
            (year, 4) => Some((year, at)),
            // `10:00:00 +0000 2024`
            (_, 1..=2) if self.gap(at) == ":" => (at + 1..at + 5).find_map(|at| match self.number(at)? {
                (year, 4) if year > 1900 => Some((year, at)),
                _ => None,
            }),
            _ => None,
        }
    }

    /// Skips at most `most` fillers from `at` on and returns the next token; `None` at the end of a sentence or line.
    fn skip(&self, at: usize, most: usize) -> Option<usize> {
        let mut at = at;
        for _ in 0..=most {
            // Another sentence or line begins after these characters.
            if self
                .gap(at.checked_sub(1)?)
                .contains(['|', ';', '!', '?', '(', '•', '\n'])
            {
                return None;
            }
            match self.word(at) {
                Some(word) if FILLERS.contains(&word) || word.chars().count() == 1 => at += 1,
                _ => return (at < self.tokens.list.len()).then_some(at),
            }
        }
        (at < self.tokens.list.len()).then_some(at)
    }

    /// Day of a date in numbers. On Thai pages, the year may be Buddhist.
    fn day_of(&self, year: u32, month: u32, date: u32) -> Option<String> {
        let year = if self.reading.language == "th" {
            thai_year(year)
        } else {
            year
        };
        day(year, month, date)
    }

    /// Day of a date with a named month, in the calendar of the month.
    fn day_of_month(&self, year: u32, month: Month, date: u32) -> Option<String> {
        match month {
            // Buddhist years are spelled out only with Thai month names.
            Month::Gregorian(month) if YEARS.contains(&year) => day(year, month, date),
            Month::Gregorian(month) => day(thai_year(year), month, date),
            Month::Persian(month) => persian(year, month, date),
            Month::Lunar(month) => lunar(year, month, date),
        }
    }
}

/// A month by its name, in its calendar.
#[derive(Clone, Copy, Debug)]
enum Month {
    Gregorian(u32),
    Persian(u32),
    Lunar(u32),
}
