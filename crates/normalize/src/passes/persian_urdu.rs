//! Letters of Persian and Urdu that have other code points than their Arabic equivalents.

use super::pass::{Example, Options, Pass};
use crate::text::clusters::{none, rewrite_clusters};
use crate::text::rewrite::Rewrite;

/// Replaces the yeh and the keheh of Persian and the heh of Urdu, with or without the hamza of the ezafe, by the letters of Arabic.
/// The rules are those of Lucene's PersianNormalizer, except that yeh barree stays: in Urdu it distinguishes forms of a word (کی, کے).
pub(super) struct PersianUrdu;

const HEH: char = '\u{647}';

fn affects(c: char) -> bool {
    matches!(u32::from(c), 0x654 | 0x6A9 | 0x6AA | 0x6C0..=0x6C3 | 0x6CC)
}

/// Replaces the letter of a decomposed cluster, and deletes the hamza above a heh.
fn fold(cluster: &mut Vec<char>) {
    let Some(first) = cluster.first_mut() else {
        return;
    };
    match u32::from(*first) {
        0x6A9 | 0x6AA => *first = '\u{643}',
        0x6CC => *first = '\u{64A}',
        // Decomposition splits off the hamza: U+06C0 is U+06D5 with hamza.
        0x647 | 0x6C1 | 0x6C3 => {
            *first = HEH;
            cluster.retain(|&c| c != '\u{654}');
        }
        0x6D5 if cluster.contains(&'\u{654}') => {
            cluster.retain(|&c| c != '\u{654}');
            cluster[0] = HEH;
        }
        _ => {}
    }
}

impl Pass for PersianUrdu {
    fn name(&self) -> &'static str {
        "persian-urdu"
    }

    fn summary(&self) -> &'static str {
        "Persian and Urdu: yeh, kaf and heh as in Arabic"
    }

    fn examples(&self) -> &'static [Example] {
        const {
            &[
                Example::new("Persian", &["كتابي", "کتابی"]),
                Example::new("Persian", &["خانهٔ", "خانه"]),
                Example::new("Urdu", &["یہ", "يه"]),
                Example::new("Sorani Kurdish", &["كوردی", "کوردی"]),
            ]
        }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        text.bytes().any(|byte| matches!(byte, 0xD9..=0xDB)) && text.chars().any(affects)
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        rewrite_clusters(text, affects, none, fold, out);
    }
}
