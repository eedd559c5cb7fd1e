//! Length and number of commas of texts.

/// Length of a text with white space collapsed. The lengths of adjacent texts can be joined.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TextStat {
    /// Number of characters from the first to the last that is not white space.
    pub(crate) chars: u32,
    /// Number of commas of all scripts in the lower bits, and two flags for leading and trailing white space.
    /// Packed because a page may consist mostly of texts, and each of them has such a record.
    commas_and_ends: u32,
}

const LEADING: u32 = 1 << 31;
const TRAILING: u32 = 1 << 30;

impl TextStat {
    pub(crate) fn of(text: &str) -> Self {
        let mut out = TextStat::default();
        let (mut blank, mut leading) = (false, false);
        for c in text.chars() {
            // Fast path for most characters: ASCII that is neither a comma nor white space.
            if c > ' ' && c < '\u{80}' && c != ',' && !blank {
                out.chars += 1;
                continue;
            }
            if c.is_whitespace() {
                blank = true;
                continue;
            }
            if blank {
                leading |= out.chars == 0;
                out.chars += u32::from(out.chars > 0);
                blank = false;
            }
            out.chars += 1;
            out.commas_and_ends += u32::from(is_comma(c));
        }
        leading |= blank && out.chars == 0;
        out.with_ends(leading, blank)
    }

    /// Returns the number of commas of all scripts.
    pub(crate) fn commas(self) -> u32 {
        self.commas_and_ends & !(LEADING | TRAILING)
    }

    fn leading(self) -> bool {
        self.commas_and_ends & LEADING != 0
    }

    fn trailing(self) -> bool {
        self.commas_and_ends & TRAILING != 0
    }

    fn with_ends(mut self, leading: bool, trailing: bool) -> Self {
        self.commas_and_ends |= (u32::from(leading) * LEADING) | (u32::from(trailing) * TRAILING);
        self
    }

    /// Returns the length of this text followed by `next`.
    pub(crate) fn then(self, next: TextStat) -> TextStat {
        // Any white space between the texts counts as one character.
        let gap = self.trailing() || next.leading();
        let both = TextStat {
            chars: self.chars + next.chars + u32::from(gap && self.chars > 0 && next.chars > 0),
            commas_and_ends: self.commas() + next.commas(),
        };
        both.with_ends(
            self.leading() || (self.chars == 0 && next.leading()),
            next.trailing() || (next.chars == 0 && self.trailing()),
        )
    }
}

fn is_comma(c: char) -> bool {
    matches!(
        c,
        ',' | '،' | '﹐' | '︐' | '︑' | '\u{2E41}' | '\u{2E34}' | '\u{2E32}' | '，'
    )
}
