//! Tokenization, continued: markup that begins with `<!`, `<?` or `</` and is not a tag (sections 13.2.5.41
//! to 13.2.5.71).

use memchr::memchr;
use memchr::memmem;

use crate::narrow;
use crate::parser::whatwg::state::ParserState;
use crate::parser::whatwg::token::{Form, Run, Token};

impl ParserState<'_> {
    /// § Markup declaration open state; `at` is after the `<!`.
    pub(crate) fn markup_declaration(&mut self, at: usize) -> Token {
        let rest = &self.bytes[at..];
        if rest.starts_with(b"--") {
            self.comment_token(at + 2)
        } else if rest
            .get(..7)
            .is_some_and(|word| word.eq_ignore_ascii_case(b"doctype"))
        {
            self.doctype_token(at + 7)
        // Outside foreign content `<![CDATA[` begins a bogus comment that ends at the first `>`.
        } else if rest.starts_with(b"[CDATA[") && self.in_foreign_content() {
            self.cdata_section(at + 7)
        } else {
            self.bogus_comment(at)
        }
    }

    /// § Comment start state and the states after it: the data ends at the first `-->` or `--!>` whose dashes both come
    /// after the opening ones.
    fn comment_token(&mut self, lo: usize) -> Token {
        let data = &self.bytes[lo..];
        // § "abrupt closing of empty comment"
        // `<!-->` and `<!--->`: comments without data.
        for short in [b">".as_slice(), b"->"] {
            if data.starts_with(short) {
                self.pos = lo + short.len();
                return Token::Comment(narrow::to_u32(lo), narrow::to_u32(lo));
            }
        }
        // Only a `>` can end the comment, so only its occurrences are examined.
        let mut from = 0;
        while let Some(found) = memchr(b'>', &data[from..]) {
            let at = from + found;
            for end in [b"--".as_slice(), b"--!"] {
                // `data[..at]` begins after `<!--`, so these dashes cannot be those of the opening.
                if data[..at].ends_with(end) {
                    self.pos = lo + at + 1;
                    return Token::Comment(narrow::to_u32(lo), narrow::to_u32(lo + at - end.len()));
                }
            }
            from = at + 1;
        }
        if self.repairs_left > 0
            && let Some(tag) = self.first_tag(lo, |_| true)
        {
            // Not in the standard: an unclosed comment that would contain the rest of the page ends at the
            // first `>`, or before the first tag.
            let hi = memchr(b'>', &data[..tag - lo]).map_or(tag, |found| lo + found);
            self.pos = if hi < tag { hi + 1 } else { tag };
            self.count_repair("<!--");
            return Token::Comment(narrow::to_u32(lo), narrow::to_u32(hi));
        }
        // At the end of the source, dashes that could belong to the end of the comment are not part of the data.
        self.pos = self.bytes.len();
        let cut = [b"--!".as_slice(), b"--", b"-"]
            .into_iter()
            .find(|end| data.ends_with(end))
            .map_or(0, <[u8]>::len);
        Token::Comment(narrow::to_u32(lo), narrow::to_u32(self.pos - cut))
    }

    /// § Bogus comment state.
    pub(crate) fn bogus_comment(&mut self, lo: usize) -> Token {
        let hi = memchr(b'>', &self.bytes[lo..]).map_or(self.bytes.len(), |found| lo + found);
        self.pos = (hi + 1).min(self.bytes.len());
        Token::Comment(narrow::to_u32(lo), narrow::to_u32(hi))
    }

    /// § DOCTYPE state; the states of its parts are in `doctype.rs`. Every doctype ends at its first `>`,
    /// whether in quotes or not.
    fn doctype_token(&mut self, lo: usize) -> Token {
        match memchr(b'>', &self.bytes[lo..]) {
            Some(found) => {
                self.pos = lo + found + 1;
                Token::Doctype(narrow::to_u32(lo), narrow::to_u32(self.pos))
            }
            None => {
                self.pos = self.bytes.len();
                Token::Doctype(narrow::to_u32(lo), narrow::to_u32(self.pos))
            }
        }
    }

    /// § CDATA section state.
    pub(crate) fn cdata_section(&mut self, lo: usize) -> Token {
        let end = memmem::find(&self.bytes[lo..], b"]]>");
        let hi = end.map_or(self.bytes.len(), |found| lo + found);
        self.pos = if end.is_some() { hi + 3 } else { hi };
        // Inside CDATA `&` is an ordinary character; only newlines may need to be normalized.
        let form = if memchr(b'\r', &self.bytes[lo..hi]).is_some() {
            Form::Raw
        } else {
            Form::Verbatim
        };
        Token::Text(Run::new(lo, hi, form, true))
    }
}
