//! `keywords`: phrases of boilerplate.
//!
//! A dictionary marks short blocks as boilerplate, as the end of the text, or as part of it. Boilerpipe's tree on word counts decides
//! about all others (Kohlschütter, Fankhauser, Nejdl, WSDM 2010). The phrases of all languages are looked up together, since pages mix
//! languages. The phrases are long enough not to occur in other languages by chance.

mod dictionary;

use crate::label::extractor::{Extractor, PageView};
use crate::label::labels::{Labels, Verdict};
use crate::label::methods::boilerpipe::RunList;
use crate::label::methods::boilerpipe::rules::NumWordsRules;
use dictionary::{Action, Dictionary};

/// Number of words that must have been kept before a phrase can end the text.
const MIN_WORDS_BEFORE_END: u32 = 60;

/// The extractor `keywords`.
#[derive(Debug)]
pub(crate) struct Keywords;

impl Extractor for Keywords {
    fn name(&self) -> &'static str {
        "keywords"
    }

    fn summary(&self) -> &'static str {
        "phrases of boilerplate in Russian and English; word counts and link density where none stands"
    }

    fn label(&self, view: &PageView<'_>) -> Labels {
        let dictionary = Dictionary::bundled();
        let mut runs = RunList::new(view.dom, view.table);
        let tree = NumWordsRules::default();
        runs.classify(|prev, current, next| tree.decide(prev, current, next));
        let (mut words, mut over) = (0_u32, false);
        let mut folded = String::new();
        for (block, verdict) in view.table.blocks().iter().zip(&mut runs.verdicts) {
            if block.hidden {
                continue;
            }
            if over {
                *verdict = Verdict::drop("after-end-phrase");
                continue;
            }
            let rule = dictionary.find(view.table.text(block), block.words, &mut folded);
            if let Some(rule) = rule {
                *verdict = match rule.action {
                    Action::Drop | Action::DropRest => Verdict::drop(&rule.reason),
                    Action::Keep => Verdict::keep(&rule.reason),
                };
                // Above the text, a phrase such as "Comments" belongs to a menu.
                over = rule.action == Action::DropRest && words >= MIN_WORDS_BEFORE_END;
            }
            // Only words that stay after the phrases count.
            if verdict.kept {
                words = words.saturating_add(block.words);
            }
        }
        let is_empty = runs.verdicts.iter().all(|v| !v.kept);
        let mut labels = Labels::new(self.name(), runs.verdicts);
        if is_empty {
            labels.abstained =
                Some("no block has enough words, few enough links and no boilerplate phrase".to_owned());
        }
        labels
    }
}

#[cfg(test)]
mod tests;
