//! Requests to subscribe, to follow or to share: boxes with a field for an address, and single lines.

use super::{NO_PART, Page, SUBSCRIPTION};
use crate::label::classes::{begins_as_promotion, is_request};
use crate::label::model::name_groups::bit;
use dehusk_html::tree::Tag;

impl Page<'_> {
    /// Returns whether an element is a box that asks for an address to send news to.
    pub(super) fn is_subscription(&self, i: usize) -> bool {
        const MAX_TOKENS: f32 = 120.0;
        let tag = self.tag(i);
        let is_named = || {
            self.groups(i) & bit("form") != 0
                && self.has_part(i, &["subscri", "newsletter", "signup", "sign-up", "mailing"])
                && self.holds(i, &[Tag::FORM, Tag::INPUT, Tag::BUTTON])
        };
        // The first words are a request, and there is a field.
        let asks = || {
            const MAX_LINE: u32 = 40;
            matches!(tag, Some(Tag::DIV | Tag::SECTION | Tag::ASIDE | Tag::FORM))
                && self.lines_in(i).next().is_some_and(|(_, line)| {
                    line.counts.tokens <= MAX_LINE && begins_as_promotion(self.first_text(line))
                })
                && self.holds(i, &[Tag::INPUT])
        };
        self.page.elements[i].sums.tokens <= MAX_TOKENS
            && self.may_be_beside(i, 0.5)
            && tag != Some(Tag::ARTICLE)
            && (is_named() || asks())
    }

    /// Marks lines of a few words that ask readers to subscribe or to follow, wherever they stand in the text.
    pub(super) fn add_requests(&self, of_lines: &mut Vec<u8>) {
        const MAX_TOKENS: u32 = 40;
        const MAX_CHARS: u32 = 300;
        for (i, line) in self.page.lines.iter().enumerate() {
            let may_be_one = line.counts.tokens <= MAX_TOKENS
                && line.chars <= MAX_CHARS
                && line.heading != 1
                && of_lines.get(i).is_none_or(|&part| part == NO_PART);
            if may_be_one && is_request(self.first_text(line)) {
                self.mark(of_lines, i..i + 1, SUBSCRIPTION);
            }
        }
    }
}
