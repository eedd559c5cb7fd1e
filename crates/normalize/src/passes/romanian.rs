//! Letters of Romanian with a comma or a cedilla below.

use super::pass::{Example, Options, Pass};
use crate::text::clusters::{none, rewrite_clusters};
use crate::text::rewrite::Rewrite;

/// Replaces ș and ț (comma below) by ş and ţ (cedilla), which texts use that were typed before fonts had the
/// comma. Lucene's RomanianNormalizer does the reverse; here the cedilla is kept, since ş is also a letter of
/// Turkish and other languages, and stemmers expect it.
pub(super) struct Romanian;

fn affects(c: char) -> bool {
    matches!(c, '\u{218}'..='\u{21B}' | '\u{326}')
}

/// Replaces the comma below by a cedilla in a decomposed cluster of s or t.
fn fold(cluster: &mut [char]) {
    if let Some(('s' | 't' | 'S' | 'T', marks)) = cluster.split_first_mut() {
        for mark in marks.iter_mut().filter(|mark| **mark == '\u{326}') {
            *mark = '\u{327}';
        }
    }
}

impl Pass for Romanian {
    fn name(&self) -> &'static str {
        "romanian"
    }

    fn summary(&self) -> &'static str {
        "Romanian: s and t with comma below as those with cedilla"
    }

    fn examples(&self) -> &'static [Example] {
        const {
            &[
                Example::new("Romanian", &["județ", "judeţ"]),
                Example::new("Romanian", &["Știre", "ştire"]),
            ]
        }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        text.bytes().any(|byte| matches!(byte, 0xC8 | 0xCC)) && text.chars().any(affects)
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        rewrite_clusters(text, affects, none, |cluster| fold(cluster), out);
    }
}
