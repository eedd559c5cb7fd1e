//! The published decision trees on features of the previous, the current and the next block.

use crate::label::labels::Verdict;

/// The features of a run that the trees read. All are 0 beyond the ends of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RunFeatures {
    /// Number of words.
    pub(crate) words: u32,
    /// Words per line of 80 columns.
    pub(crate) text_density: f64,
    /// Share of linked words, 0 to 1.
    pub(crate) link_density: f64,
}

/// Thresholds of the tree on text densities.
///
/// The defaults are the published ones, learned on English news (Kohlschütter, Fankhauser, Nejdl, WSDM 2010; boilerpipe's
/// `DensityRulesClassifier`). Languages with longer words have fewer words per line: about 10.5 in Russian and 13 in English for the same
/// prose.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DensityRules {
    /// Maximum share of linked words of a content block, 0 to 1. Default: 0.333333.
    pub link: f64,
    /// Share of linked words of the previous block, 0 to 1, up to which the previous block counts as text or a heading. Above it, it
    /// counts as a menu. Default: 0.555556.
    pub previous_link: f64,
    /// Words per line up to which the current block needs a dense neighbor. Default: 9.
    pub current: f64,
    /// Words per line of the next block above which a thin block is content. Default: 10.
    pub next: f64,
    /// Words per line of the previous block above which a thin block is content. Default: 4.
    pub previous: f64,
    /// Words per line of the next block above which a block after a menu is content. Default: 11.
    pub next_after_links: f64,
}

impl DensityRules {
    /// The published thresholds.
    pub const PUBLISHED: DensityRules = DensityRules {
        link: 0.333_333,
        previous_link: 0.555_556,
        current: 9.0,
        next: 10.0,
        previous: 4.0,
        next_after_links: 11.0,
    };
}

impl Default for DensityRules {
    fn default() -> Self {
        DensityRules::PUBLISHED
    }
}

impl DensityRules {
    /// Decides about the current run by link density and text density: its own, and those of its neighbors.
    pub(crate) fn decide(&self, prev: RunFeatures, current: RunFeatures, next: RunFeatures) -> Verdict {
        if current.link_density > self.link {
            Verdict::drop("many-links")
        } else if prev.link_density > self.previous_link {
            if next.text_density > self.next_after_links {
                Verdict::keep("dense-text-follows")
            } else {
                Verdict::drop("follows-links")
            }
        } else if current.text_density > self.current {
            // As published: dense text is dropped if no text follows it.
            if next.text_density == 0.0 {
                Verdict::drop("nothing-follows")
            } else {
                Verdict::keep("dense-text")
            }
        } else if next.text_density > self.next {
            Verdict::keep("dense-text-follows")
        } else if prev.text_density > self.previous {
            Verdict::keep("dense-text-precedes")
        } else {
            Verdict::drop("thin-text")
        }
    }
}

/// Thresholds of the tree on word counts. The defaults are the published ones, learned on English news (Kohlschütter, Fankhauser, Nejdl,
/// WSDM 2010; boilerpipe's `NumWordsRulesClassifier`).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NumWordsRules {
    /// Maximum share of linked words of a content block, 0 to 1. Default: 0.333333.
    pub link: f64,
    /// Share of linked words of the previous block, 0 to 1, up to which the previous block counts as text or a heading. Above it, it
    /// counts as a menu. Default: 0.555556.
    pub previous_link: f64,
    /// Number of words above which a block is content. Default: 16.
    pub current: u32,
    /// Number of words of the next block above which a short block is content. Default: 15.
    pub next: u32,
    /// Number of words of the previous block above which a short block is content. Default: 4.
    pub previous: u32,
    /// Number of words above which a block after a menu is content. Default: 40.
    pub current_after_links: u32,
    /// Number of words of the next block above which a shorter block after a menu is content. Default: 17.
    pub next_after_links: u32,
}

impl Default for NumWordsRules {
    fn default() -> Self {
        NumWordsRules {
            link: 0.333_333,
            previous_link: 0.555_556,
            current: 16,
            next: 15,
            previous: 4,
            current_after_links: 40,
            next_after_links: 17,
        }
    }
}

impl NumWordsRules {
    /// Decides about the current run by link density and number of words: its own, and those of its
    /// neighbors.
    pub(crate) fn decide(&self, prev: RunFeatures, current: RunFeatures, next: RunFeatures) -> Verdict {
        if current.link_density > self.link {
            Verdict::drop("many-links")
        } else if prev.link_density > self.previous_link {
            if current.words > self.current_after_links {
                Verdict::keep("many-words")
            } else if next.words > self.next_after_links {
                Verdict::keep("long-block-follows")
            } else {
                Verdict::drop("follows-links")
            }
        } else if current.words > self.current {
            Verdict::keep("many-words")
        } else if next.words > self.next {
            Verdict::keep("long-block-follows")
        } else if prev.words > self.previous {
            Verdict::keep("text-precedes")
        } else {
            Verdict::drop("few-words")
        }
    }
}

/// Decides about the current run by the tree learned on the Canola corpus: boilerpipe's `CanolaExtractor`.
pub(crate) fn canola(prev: RunFeatures, current: RunFeatures, next: RunFeatures) -> Verdict {
    if current.words > 19 {
        Verdict::keep("many-words")
    } else if current.link_density > 0.0 && next.words > 11 {
        Verdict::keep("linked-before-text")
    } else if next.words > 6
        && next.link_density == 0.0
        && prev.link_density == 0.0
        && (current.words > 6 || prev.words > 7 || next.words > 19)
    {
        Verdict::keep("among-text")
    } else {
        Verdict::drop("few-words")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_decide_as_in_the_worked_example() {
        let example = crate::label::tests::worked_example("boilerpipe_rules");
        let blocks: Vec<RunFeatures> = example["input"]
            .as_array()
            .unwrap()
            .iter()
            .map(|b| RunFeatures {
                words: b["num_words"].as_u64().unwrap() as u32,
                text_density: b["text_density"].as_f64().unwrap(),
                link_density: b["link_density"].as_f64().unwrap(),
            })
            .collect();
        let at = |i: Option<usize>| i.and_then(|i| blocks.get(i).copied()).unwrap_or_default();
        let check = |name: &str, tree: &dyn Fn(RunFeatures, RunFeatures, RunFeatures) -> Verdict| {
            let want = example["expected"][name].as_array().unwrap();
            assert_eq!(want.len(), blocks.len());
            for (i, want) in want.iter().enumerate() {
                let got = tree(at(i.checked_sub(1)), blocks[i], at(Some(i + 1)));
                assert_eq!(got.kept, want.as_bool().unwrap(), "{name}, block {i}: {got:?}");
            }
        };
        check("num_words_rules", &|p, c, n| {
            NumWordsRules::default().decide(p, c, n)
        });
        check("density_rules", &|p, c, n| {
            DensityRules::default().decide(p, c, n)
        });
        check("canola", &canola);
    }

    #[test]
    fn dense_text_at_the_end_of_a_page_is_none() {
        let dense = RunFeatures {
            words: 40,
            text_density: 12.0,
            link_density: 0.0,
        };
        let rules = DensityRules::default();
        assert!(!rules.decide(dense, dense, RunFeatures::default()).kept);
        assert!(rules.decide(dense, dense, dense).kept);
    }

    #[test]
    fn thresholds_are_used() {
        let russian = RunFeatures {
            words: 20,
            text_density: 8.5,
            link_density: 0.0,
        };
        assert!(
            !DensityRules::default()
                .decide(RunFeatures::default(), russian, russian)
                .kept
        );
        let rules = DensityRules {
            current: 8.0,
            ..DensityRules::default()
        };
        assert!(rules.decide(RunFeatures::default(), russian, russian).kept);
        let short = RunFeatures { words: 10, ..russian };
        assert!(
            !NumWordsRules::default()
                .decide(RunFeatures::default(), short, short)
                .kept
        );
        let rules = NumWordsRules {
            current: 8,
            ..NumWordsRules::default()
        };
        assert!(rules.decide(RunFeatures::default(), short, short).kept);
    }
}
