//! The letter œ.

use super::pass::{Example, Options, Pass};
use crate::text::clusters::{none, rewrite_clusters};
use crate::text::rewrite::Rewrite;

/// Replaces œ by oe (cœur and coeur), which keyboards and old encodings lack. No language distinguishes words by it.
///
/// Lucene's ASCIIFoldingFilter replaces æ by ae, too; it is a letter of Danish, Norwegian and Icelandic, and stays.
pub(super) struct Ligatures;

fn letters(c: char) -> Option<[char; 2]> {
    match c {
        'œ' => Some(['o', 'e']),
        'Œ' => Some(['O', 'E']),
        _ => None,
    }
}

impl Pass for Ligatures {
    fn name(&self) -> &'static str {
        "ligatures"
    }

    fn summary(&self) -> &'static str {
        "French: œ as oe"
    }

    fn examples(&self) -> &'static [Example] {
        const {
            &[
                Example::new("French", &["cœur", "coeur"]),
                Example::new("French", &["ŒUVRES", "oeuvres"]),
            ]
        }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        text.bytes().any(|byte| byte == 0xC5) && text.chars().any(|c| letters(c).is_some())
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let fold = |cluster: &mut Vec<char>| {
            if let Some(two) = cluster.first().and_then(|&c| letters(c)) {
                cluster.splice(..1, two);
            }
        };
        rewrite_clusters(text, |c| letters(c).is_some(), none, fold, out);
    }
}
