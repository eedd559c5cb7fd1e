//! `density`: one of boilerpipe's two general decision trees, with adjustable thresholds.
//!
//! Kohlschütter, Fankhauser, Nejdl, *Boilerplate Detection using Shallow Text Features*, WSDM 2010. With the defaults the result is that
//! of the published tree on text densities, without the filters that boilerpipe's extractors put around it.

use std::sync::Arc;

use crate::label::extractor::{Extractor, PageView};
use crate::label::labels::Labels;
use crate::label::methods::boilerpipe::RunList;
use crate::label::methods::boilerpipe::rules::{DensityRules, NumWordsRules};
use crate::parameter::{Parameter, number};

/// The decision tree of the extractor `density`, with its thresholds.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum DensityTree {
    /// The tree on text densities (words per line of 80 columns) and link densities. The default.
    Density(DensityRules),
    /// The tree on word counts and link densities.
    NumWords(NumWordsRules),
}

impl DensityTree {
    /// The published tree on text densities.
    pub const PUBLISHED: DensityTree = DensityTree::Density(DensityRules::PUBLISHED);
}

impl Default for DensityTree {
    fn default() -> Self {
        DensityTree::PUBLISHED
    }
}

/// The extractor `density`, with its decision tree.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Density(pub DensityTree);

impl Extractor for Density {
    fn name(&self) -> &'static str {
        "density"
    }

    fn summary(&self) -> &'static str {
        "text density and link density of neighboring blocks, with thresholds to set (Kohlschütter et al., 2010)"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &[
            Parameter {
                name: "tree",
                default: "density",
                help: "what the tree looks at: density (words a line of 80 columns) or numwords; set it first",
            },
            Parameter {
                name: "link",
                default: "0.333333",
                help: "largest share of linked words of a block that may be content, 0 to 1",
            },
            Parameter {
                name: "previous-link",
                default: "0.555556",
                help: "share of linked words past which the previous block is a menu, 0 to 1",
            },
            Parameter {
                name: "current",
                default: "9",
                help: "figure up to which a block needs a neighbor with text; 16 with tree=numwords",
            },
            Parameter {
                name: "next",
                default: "10",
                help: "figure of the next block past which a thin block is content; 15 with tree=numwords",
            },
            Parameter {
                name: "previous",
                default: "4",
                help: "figure of the previous block past which a thin block is content",
            },
            Parameter {
                name: "next-after-links",
                default: "11",
                help: "figure of the next block past which a block after a menu is content; 17 with tree=numwords",
            },
            Parameter {
                name: "current-after-links",
                default: "40",
                help: "words past which a block after a menu is content; with tree=numwords alone",
            },
        ]
    }

    fn with(&self, parameter: &str, value: &str) -> Result<Arc<dyn Extractor>, String> {
        let mut tree = self.0;
        tree.set(parameter, value)?;
        Ok(Arc::new(Density(tree)))
    }

    fn label(&self, page: &PageView<'_>) -> Labels {
        let mut runs = RunList::new(page.dom, page.table);
        match self.0 {
            DensityTree::Density(rules) => runs.classify(|p, c, n| rules.decide(p, c, n)),
            DensityTree::NumWords(rules) => runs.classify(|p, c, n| rules.decide(p, c, n)),
        }
        runs.labels(self.name(), |_| None)
    }
}

impl DensityTree {
    /// Sets a parameter by name. `tree` resets all others to the defaults of that tree.
    fn set(&mut self, parameter: &str, value: &str) -> Result<(), String> {
        if parameter == "tree" {
            *self = match value {
                "density" => DensityTree::Density(DensityRules::default()),
                "numwords" => DensityTree::NumWords(NumWordsRules::default()),
                _ => return Err(format!("`{value}` is neither density nor numwords")),
            };
            return Ok(());
        }
        match self {
            DensityTree::Density(rules) => {
                let (place, most) = match parameter {
                    "link" => (&mut rules.link, 1.0),
                    "previous-link" => (&mut rules.previous_link, 1.0),
                    "current" => (&mut rules.current, 1000.0),
                    "next" => (&mut rules.next, 1000.0),
                    "previous" => (&mut rules.previous, 1000.0),
                    "next-after-links" => (&mut rules.next_after_links, 1000.0),
                    _ => {
                        return Err(format!(
                            "`{value}` has no effect: only tree=numwords has this parameter"
                        ));
                    }
                };
                *place = number(value, 0.0..=most)?;
            }
            DensityTree::NumWords(rules) => {
                let place = match parameter {
                    "link" | "previous-link" => {
                        let share = number(value, 0.0..=1.0)?;
                        match parameter {
                            "link" => rules.link = share,
                            _ => rules.previous_link = share,
                        }
                        return Ok(());
                    }
                    "current" => &mut rules.current,
                    "next" => &mut rules.next,
                    "previous" => &mut rules.previous,
                    "next-after-links" => &mut rules.next_after_links,
                    // Settings are parsed with the names in `parameters`, so this is `current-after-links`.
                    _ => &mut rules.current_after_links,
                };
                *place = number(value, 0..=1_000_000)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Options, Page, extract};

    #[test]
    fn parameters_decide() {
        let html = "<p>A text of nine or ten words, all of them here.</p>".repeat(3);
        let kept = |method: &str| {
            let options = Options::default().with_extractor(method).unwrap();
            extract(&Page::decoded(&html), &options).kept_chars
        };
        assert_eq!(kept("density:current=1000,next=1000,previous=1000"), 0);
        assert!(kept("density:current=1,next=0,previous=0") > 0);
        assert!(kept("density:tree=numwords,current=2,next=1,previous=1") > 0);
        let tree = Options::default()
            .with_extractor("density:tree=numwords,current=3")
            .unwrap();
        let tree = format!("{tree:?}");
        assert!(tree.contains("NumWords") && tree.contains("current: 3"), "{tree}");
    }
}
