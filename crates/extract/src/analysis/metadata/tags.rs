//! Subjects and categories.

use std::borrow::Cow;

use super::clean_text::clean;

/// Maximum number of subjects of a page.
const MAX_TAGS: usize = 50;
/// Maximum characters of a subject.
pub(super) const MAX_TAG: usize = 100;

/// Subjects in their order, without duplicates.
#[derive(Default)]
pub(super) struct Tags {
    tags: Vec<String>,
    /// Subjects with characters outside of ASCII, in lower case.
    lower: Vec<String>,
}

impl Tags {
    /// Adds a subject, unless it is blank, too long or known, or there are `MAX_TAGS` already.
    pub(super) fn add(&mut self, tag: &str) {
        let Some(tag) = clean(Cow::Borrowed(tag)).filter(|tag| tag.chars().count() <= MAX_TAG) else {
            return;
        };
        if self.tags.len() >= MAX_TAGS {
            return;
        }
        // The comparison below ignores the case of ASCII letters only.
        let lower = (!tag.is_ascii()).then(|| tag.to_lowercase());
        let key = lower.as_deref().unwrap_or(&tag);
        let mut known = self.tags.iter().chain(&self.lower);
        if !known.any(|known| known.eq_ignore_ascii_case(key)) {
            self.tags.push(tag.into_owned());
            self.lower.extend(lower);
        }
    }

    /// Adds the subjects of a list that is separated by commas or semicolons.
    pub(super) fn add_list(&mut self, list: &str) {
        for tag in list.split([',', ';', '，', '、']) {
            self.add(tag);
        }
    }

    pub(super) fn finish(self) -> Vec<String> {
        self.tags
    }
}
