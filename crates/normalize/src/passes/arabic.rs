//! Interchangeable letters of Arabic.

use super::pass::{Example, Options, Pass};
use crate::text::clusters::rewrite_clusters;
use crate::text::rewrite::Rewrite;

/// Deletes the tatweel, which stretches words, and unifies letters that writers of Arabic interchange: all alefs (with hamza, madda or
/// wasla), alef maksura with yeh, and teh marbuta with heh. The rules are those of Lucene's ArabicNormalizer, plus the alef wasla.
pub(super) struct Arabic;

pub(crate) const TATWEEL: char = '\u{640}';
const ALEF: char = 'ا';
const HEH: char = 'ه';
const YEH: char = 'ي';

fn is_tatweel(c: char) -> bool {
    c == TATWEEL
}

fn affects(c: char) -> bool {
    matches!(
        c,
        TATWEEL | ALEF | 'أ' | 'إ' | 'آ' | 'ٱ' | 'ى' | 'ة' | '\u{653}'..='\u{655}'
    )
}

/// Folds a decomposed cluster; it is empty if it was a tatweel without a letter.
fn fold(cluster: &mut Vec<char>) {
    cluster.retain(|&c| c != TATWEEL);
    let Some(first) = cluster.first_mut() else {
        return;
    };
    match *first {
        ALEF | 'ٱ' => {
            *first = ALEF;
            cluster.retain(|&c| !matches!(c, '\u{653}'..='\u{655}'));
        }
        'ى' => *first = YEH,
        'ة' => *first = HEH,
        _ => {}
    }
}

impl Pass for Arabic {
    fn name(&self) -> &'static str {
        "arabic"
    }

    fn summary(&self) -> &'static str {
        "Arabic: no tatweel, one alef, yeh for alef maksura, heh for teh marbuta"
    }

    fn examples(&self) -> &'static [Example] {
        const {
            &[
                Example::new("Arabic", &["الـــعربية", "العربية"]),
                Example::new("Arabic", &["أحمد", "احمد"]),
                Example::new("Arabic", &["على", "علي"]),
                Example::new("Arabic", &["مدرسة", "مدرسه"]),
            ]
        }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        text.bytes().any(|byte| matches!(byte, 0xD8 | 0xD9)) && text.chars().any(affects)
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        rewrite_clusters(text, affects, is_tatweel, fold, out);
    }
}
