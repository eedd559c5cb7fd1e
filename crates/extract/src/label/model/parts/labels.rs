//! Lines that say something about the page, not in its text: "Advertisement", "5 min read", "© 2024".

use super::{LABEL, NO_PART, Page};
use crate::label::model::lines::Line;

/// Words above an advertisement.
const ADVERTISEMENTS: &[&str] = &[
    "advertisement",
    "advertising",
    "sponsored content",
    "anzeige",
    "werbung",
    "publicité",
    "publicidad",
    "publicidade",
    "pubblicità",
    "реклама",
    "реклама на сайте",
    "рэклама",
    "reklama",
    "reklam",
    "advertentie",
    "annons",
    "annonce",
    "mainos",
    "hirdetés",
    "διαφήμιση",
    "広告",
    "スポンサーリンク",
    "广告",
    "廣告",
    "광고",
    "إعلان",
];

/// Phrases for the time that a text takes to read.
const READING_TIMES: &[&str] = &[
    "min read",
    "min. read",
    "mins read",
    "minute read",
    "minutes read",
    "reading time",
    "lesezeit",
    "temps de lecture",
    "min de lecture",
    "tiempo de lectura",
    "min de lectura",
    "tempo de leitura",
    "min de leitura",
    "tempo di lettura",
    "min di lettura",
    "время чтения",
    "время на чтение",
    "мин чтения",
    "czas czytania",
    "leestijd",
    "okuma süresi",
    "分钟阅读",
    "阅读时间",
    "分で読めます",
];

impl Page<'_> {
    /// Marks lines that consist of a label alone. A copyright notice counts only below the last paragraph.
    pub(super) fn add_labels(&self, of_lines: &mut Vec<u8>) {
        const MAX_TOKENS: u32 = 40;
        const MIN_PARAGRAPH: u32 = 15;
        let lines = &self.page.lines;
        let is_text = |line: &Line| line.counts.tokens >= MIN_PARAGRAPH && !line.hidden;
        // The last paragraph that is not a copyright notice itself.
        let last = lines
            .iter()
            .rposition(|line| is_text(line) && !states_rights(self.first_text(line)));
        for (i, line) in lines.iter().enumerate() {
            let may_be_one = line.counts.tokens <= MAX_TOKENS
                && line.heading == 0
                && line.lists == 0
                && line.tables == 0
                && of_lines.get(i).is_none_or(|&part| part == NO_PART);
            if !may_be_one {
                continue;
            }
            let text = self.first_text(line);
            let is_label = is_advertisement(line, text)
                || is_reading_time(line, text)
                || last.is_some_and(|last| i > last) && states_rights(text);
            if is_label {
                self.mark(of_lines, i..i + 1, LABEL);
            }
        }
    }
}

/// Returns whether a line consists of a word that stands above an advertisement.
fn is_advertisement(line: &Line, text: &str) -> bool {
    const MAX_CHARS: u32 = 30;
    line.chars <= MAX_CHARS && {
        let text = text.to_lowercase();
        ADVERTISEMENTS.contains(&text.trim_matches(|c: char| !c.is_alphanumeric()))
    }
}

/// Returns whether a line states the time that the text takes to read.
fn is_reading_time(line: &Line, text: &str) -> bool {
    const MAX_TOKENS: u32 = 7;
    const MAX_CHARS: u32 = 40;
    line.counts.digits > 0 && line.counts.tokens <= MAX_TOKENS && line.chars <= MAX_CHARS && {
        let text = text.to_lowercase();
        READING_TIMES.iter().any(|time| text.contains(time))
    }
}

/// Whether a text begins with the sign of copyright, and names a year.
fn states_rights(text: &str) -> bool {
    let text = text.trim_start();
    let begins = ["©", "(c)", "(C)", "Copyright", "COPYRIGHT"];
    let has_year = text
        .split(|c: char| !c.is_ascii_digit())
        .any(|number| number.len() == 4 && (number.starts_with("19") || number.starts_with("20")));
    has_year && begins.iter().any(|begin| text.starts_with(begin))
}
