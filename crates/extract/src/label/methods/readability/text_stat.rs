//! Length and commas of texts.

/// Length of a text with white space collapsed. The lengths of adjacent texts can be joined.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TextStat {
    /// Characters from the first to the last that is no white space.
    pub(crate) chars: u32,
    /// Commas of all scripts.
    pub(crate) commas: u32,
    leading: bool,
    trailing: bool,
}

impl TextStat {
    pub(crate) fn of(text: &str) -> Self {
        let mut out = TextStat::default();
        let mut blank = false;
        for c in text.chars() {
            // A fast path for letters, which most characters are.
            if c > ' ' && c < '\u{80}' && c != ',' && !blank {
                out.chars += 1;
                continue;
            }
            if c.is_whitespace() {
                blank = true;
                continue;
            }
            if blank {
                out.leading |= out.chars == 0;
                out.chars += u32::from(out.chars > 0);
                blank = false;
            }
            out.chars += 1;
            out.commas += u32::from(is_comma(c));
        }
        out.trailing = blank;
        out.leading |= blank && out.chars == 0;
        out
    }

    /// The length of this text followed by `next`.
    pub(crate) fn then(self, next: TextStat) -> TextStat {
        let gap = self.trailing || next.leading;
        TextStat {
            chars: self.chars + next.chars + u32::from(gap && self.chars > 0 && next.chars > 0),
            commas: self.commas + next.commas,
            leading: self.leading || (self.chars == 0 && next.leading),
            trailing: next.trailing || (next.chars == 0 && self.trailing),
        }
    }
}

fn is_comma(c: char) -> bool {
    matches!(
        c,
        ',' | '،' | '﹐' | '︐' | '︑' | '\u{2E41}' | '\u{2E34}' | '\u{2E32}' | '，'
    )
}
