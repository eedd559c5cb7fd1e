//! `sentences`: recognizes running text by its function words.
//!
//! Pomikálek, *Removing Boilerplate and Duplicate Content from Web Corpora*, PhD thesis, Brno 2011: jusText. Paragraphs are classified by
//! length, links and stop words. Then four sweeps revise the short and doubtful ones by their neighbors. The nearest neighbors are
//! computed once, so the cost is linear. Deviations: hidden blocks are dropped beforehand; elements of HTML5 such as `section` separate
//! paragraphs, too; link density is computed without white space; punctuation is not part of words. The stop lists contain function words
//! alone (see [`stop_lists`]), so the thresholds for stop words are lowered per language.

mod classes;
mod paragraphs;
pub(crate) mod rules;
mod stop_lists;

use std::sync::Arc;

use crate::analysis::blocks::block::Block;
use crate::analysis::language::language;
use crate::label::extractor::{Extractor, PageView};
use crate::label::labels::{Labels, Verdict};
use crate::parameter::{Parameter, number};
use classes::{Class, ClassifiedParagraph};
use rules::SentenceRules;
use stop_lists::Language;

/// The extractor `sentences`, with its thresholds.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sentences(pub SentenceRules);

impl Extractor for Sentences {
    fn name(&self) -> &'static str {
        "sentences"
    }

    fn summary(&self) -> &'static str {
        "paragraphs with many function words and few links, and what stands among them (jusText; Pomikálek, 2011)"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &[
            Parameter {
                name: "length-low",
                default: "70",
                help: "characters below which a paragraph is classed by its neighbors",
            },
            Parameter {
                name: "length-high",
                default: "200",
                help: "characters past which a paragraph with many function words is good whatever stands around it",
            },
            Parameter {
                name: "stopwords-low",
                default: "0.3",
                help: "share of function words from which a paragraph may be text, 0 to 1, lowered by language",
            },
            Parameter {
                name: "stopwords-high",
                default: "0.32",
                help: "share of function words from which it is text, 0 to 1, lowered by language",
            },
            Parameter {
                name: "max-link-density",
                default: "0.2",
                help: "largest share of linked characters of a paragraph that may be text, 0 to 1",
            },
            Parameter {
                name: "max-heading-distance",
                default: "200",
                help: "characters between a heading and the text for which it is kept",
            },
        ]
    }

    fn with(&self, parameter: &str, value: &str) -> Result<Arc<dyn Extractor>, String> {
        let mut rules = self.0;
        match parameter {
            "length-low" => rules.length_low = number(value, 0..=1_000_000)?,
            "length-high" => rules.length_high = number(value, 0..=1_000_000)?,
            "stopwords-low" => rules.stopwords_low = number(value, 0.0..=1.0)?,
            "stopwords-high" => rules.stopwords_high = number(value, 0.0..=1.0)?,
            "max-link-density" => rules.max_link_density = number(value, 0.0..=1.0)?,
            // Settings are parsed with the names in `parameters`, so this is `max-heading-distance`.
            _ => rules.max_heading_distance = number(value, 0..=1_000_000)?,
        }
        Ok(Arc::new(Sentences(rules)))
    }

    fn label(&self, view: &PageView<'_>) -> Labels {
        let paragraphs = paragraphs::read(view);
        let chosen = choose_language(view);
        let reasons: Vec<(bool, &'static str)> = match chosen {
            Ok(language) => {
                let rules = self.0.for_language(language);
                let mut classified: Vec<ClassifiedParagraph> = paragraphs
                    .iter()
                    .map(|p| {
                        ClassifiedParagraph::context_free(&p.features, &rules, || {
                            language.density(p.texts(view))
                        })
                    })
                    .collect();
                classes::revise_by_context(&mut classified, &rules);
                classified
                    .iter()
                    .map(|j| (j.class == Class::Good, j.reason))
                    .collect()
            }
            Err(_) => vec![(false, "no-stop-list"); paragraphs.len()],
        };
        // Only hidden blocks are in no paragraph.
        let mut verdicts = vec![Verdict::drop("hidden"); view.table.blocks().len()];
        for (paragraph, (kept, reason)) in paragraphs.iter().zip(reasons) {
            for &block in &paragraph.blocks {
                verdicts[block] = Verdict { kept, reason };
            }
        }
        let mut labels = Labels::new(self.name(), verdicts);
        labels.abstained = match chosen {
            Err(NoStopList::Undetected) => Some("the language of the text is not known".to_owned()),
            Err(NoStopList::NoList(code)) => Some(format!("there is no stop list for `{code}`")),
            Ok(_) if labels.verdicts.iter().any(|v| v.kept) => None,
            Ok(language) => Some(format!(
                "no paragraph reads like running text in `{}`",
                language.code
            )),
        };
        labels
    }
}

/// Reason why there is no stop list for a page.
enum NoStopList {
    Undetected,
    NoList(String),
}

/// Returns the declared language if the text has enough of its function words. Otherwise returns the declared or the detected language,
/// the one with the higher share of function words. Templates often declare a language that the text is not in.
fn choose_language(view: &PageView<'_>) -> Result<&'static Language, NoStopList> {
    let sample = sample(view);
    let texts = || sample.iter().copied();
    let declared = language(view.metadata.language.as_deref(), texts());
    let declared = declared.ok_or(NoStopList::Undetected)?;
    let listed = stop_lists::find(&declared).ok_or(NoStopList::NoList(declared))?;
    let share = |language: &Language| language.density(texts()) / language.share;
    let found = share(listed);
    // Most pages declare their language rightly and need no detection.
    if found >= MIN_DECLARED_SHARE {
        return Ok(listed);
    }
    let detected = language(None, texts()).and_then(|code| stop_lists::find(&code));
    Ok(detected.filter(|other| share(other) > found).unwrap_or(listed))
}

/// Minimum share of stop words, divided by the factor of the language, for the declared language to be accepted.
const MIN_DECLARED_SHARE: f64 = 0.30;

/// Number of characters of text by which the language is chosen.
const SAMPLE: usize = 4000;

/// Returns texts that are likely to be in the language of the main text: long blocks with few links, or all visible blocks if there are
/// none.
fn sample<'v>(view: &PageView<'v>) -> Vec<&'v str> {
    let take = |accepts: &dyn Fn(&Block) -> bool| {
        let mut left = SAMPLE;
        let mut out = Vec::new();
        for block in view.table.blocks().iter().filter(|b| !b.hidden && accepts(b)) {
            if left == 0 {
                break;
            }
            let text = view.table.text(block);
            let end = text.char_indices().nth(left).map_or(text.len(), |(i, _)| i);
            out.push(&text[..end]);
            left -= left.min(block.chars as usize);
        }
        out
    };
    // Long blocks with few links are rarely menus, which may be in another language than the text.
    let texts = take(&|block| (block.words >= 10 || block.chars >= 100) && block.link_density() < 0.33);
    if texts.is_empty() { take(&|_| true) } else { texts }
}

#[cfg(test)]
mod tests;
