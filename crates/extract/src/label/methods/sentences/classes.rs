//! Classes of paragraphs: assigned without context first, then revised by their neighbors.

use crate::label::methods::sentences::rules::SentenceRules;

/// Class of a paragraph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// Boilerplate.
    Bad,
    /// Too short to decide.
    Short,
    /// Perhaps text.
    NearGood,
    /// Text.
    Good,
}

/// The features of a paragraph except its words.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ParagraphFeatures {
    /// Number of characters.
    pub(crate) chars: u32,
    /// Share of linked characters, 0 to 1.
    pub(crate) link_density: f64,
    /// Whether it is in `h1` to `h6`.
    pub(crate) is_heading: bool,
    /// Whether it is in a button or an option.
    pub(crate) is_control: bool,
    /// Whether it contains the copyright sign.
    pub(crate) has_copyright: bool,
}

/// A paragraph with its class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClassifiedParagraph {
    pub(crate) class: Class,
    pub(crate) reason: &'static str,
    /// The class before the revision by neighbors.
    context_free: Class,
    chars: u32,
    is_heading: bool,
}

impl ClassifiedParagraph {
    /// Classifies a paragraph without regard to its neighbors. `stop_density` is called only if its result matters.
    pub(crate) fn context_free(
        features: &ParagraphFeatures,
        rules: &SentenceRules,
        stop_density: impl FnOnce() -> f64,
    ) -> Self {
        // The rules of jusText, in its order: the first one that applies decides.
        let (class, reason) = if features.link_density > rules.max_link_density {
            (Class::Bad, "many-links")
        } else if features.has_copyright {
            (Class::Bad, "copyright-notice")
        } else if features.is_control {
            (Class::Bad, "form-control")
        } else if features.chars < rules.length_low {
            if features.link_density > 0.0 {
                (Class::Bad, "short-with-link")
            } else {
                (Class::Short, "short")
            }
        } else {
            let density = stop_density();
            if density >= rules.stopwords_high && features.chars > rules.length_high {
                (Class::Good, "many-stop-words")
            } else if density >= rules.stopwords_low {
                (Class::NearGood, "some-stop-words")
            } else {
                (Class::Bad, "few-stop-words")
            }
        };
        ClassifiedParagraph {
            class,
            reason,
            context_free: class,
            chars: features.chars,
            is_heading: features.is_heading,
        }
    }

    fn set(&mut self, class: Class, reason: &'static str) {
        self.class = class;
        self.reason = reason;
    }
}

/// Revises the classes in four sweeps: headings before text, short paragraphs, near-good ones, headings again. Afterwards every paragraph
/// is good or bad. Each sweep takes linear time.
pub(crate) fn revise_by_context(paragraphs: &mut [ClassifiedParagraph], rules: &SentenceRules) {
    raise_headings(paragraphs, rules, Class::NearGood, |p| p.class == Class::Short);
    revise_short(paragraphs);
    revise_near_good(paragraphs);
    raise_headings(paragraphs, rules, Class::Good, |p| {
        p.class == Class::Bad && p.context_free != Class::Bad
    });
}

/// Sweeps 1 and 4: raises headings that precede good text closely.
fn raise_headings(
    paragraphs: &mut [ClassifiedParagraph],
    rules: &SentenceRules,
    to: Class,
    may_rise: impl Fn(&ClassifiedParagraph) -> bool,
) {
    // Number of characters from here to the next good paragraph; `None` if absent.
    let mut distance: Option<u64> = None;
    for paragraph in paragraphs.iter_mut().rev() {
        // The distance does not include the heading itself.
        let is_close = distance.is_some_and(|d| d <= u64::from(rules.max_heading_distance));
        if paragraph.class == Class::Good {
            distance = Some(0);
            continue;
        }
        distance = distance.map(|d| d + u64::from(paragraph.chars));
        if is_close && paragraph.is_heading && may_rise(paragraph) {
            paragraph.set(to, "heading-before-text");
        }
    }
}

/// The nearest neighbors of a paragraph on one side.
#[derive(Clone, Copy)]
struct Neighbors {
    /// Whether the nearest good or bad paragraph is good. The end of the page counts as bad.
    is_good: bool,
    /// Whether a near-good paragraph is nearer than that.
    near_good_first: bool,
}

impl Neighbors {
    const EDGE: Neighbors = Neighbors {
        is_good: false,
        near_good_first: false,
    };

    /// Returns the neighbors as seen from beyond one more paragraph of class `class`.
    fn beyond(self, class: Class) -> Neighbors {
        match class {
            Class::Good | Class::Bad => Neighbors {
                is_good: class == Class::Good,
                near_good_first: false,
            },
            Class::NearGood => Neighbors {
                near_good_first: true,
                ..self
            },
            Class::Short => self,
        }
    }
}

/// Returns the neighbors after each paragraph.
fn neighbors_after(paragraphs: &[ClassifiedParagraph]) -> Vec<Neighbors> {
    let mut neighbors = vec![Neighbors::EDGE; paragraphs.len()];
    let mut side = Neighbors::EDGE;
    for (out, paragraph) in neighbors.iter_mut().zip(paragraphs).rev() {
        *out = side;
        side = side.beyond(paragraph.class);
    }
    neighbors
}

/// Sweep 2: short paragraphs get the class of their neighbors. The classes before the sweep count.
fn revise_short(paragraphs: &mut [ClassifiedParagraph]) {
    let after = neighbors_after(paragraphs);
    let mut before = Neighbors::EDGE;
    for (paragraph, after) in paragraphs.iter_mut().zip(after) {
        let class = paragraph.class;
        if class == Class::Short {
            // Between text and boilerplate, a near-good paragraph on the side of the boilerplate decides for
            // text.
            let is_good = match (before.is_good, after.is_good) {
                (true, true) => true,
                (false, false) => false,
                (false, true) => before.near_good_first,
                (true, false) => after.near_good_first,
            };
            if is_good {
                paragraph.set(Class::Good, "short-among-text");
            } else {
                paragraph.set(Class::Bad, "short-among-boilerplate");
            }
        }
        before = before.beyond(class);
    }
}

/// Sweep 3: a near-good paragraph is bad only if both neighbors are. For the preceding neighbor, the class that this sweep assigned counts.
fn revise_near_good(paragraphs: &mut [ClassifiedParagraph]) {
    let after = neighbors_after(paragraphs);
    let mut before = Neighbors::EDGE;
    for (paragraph, after) in paragraphs.iter_mut().zip(after) {
        if paragraph.class == Class::NearGood {
            if before.is_good || after.is_good {
                let reason = match paragraph.reason {
                    "heading-before-text" => "heading-before-text",
                    _ => "some-stop-words-beside-text",
                };
                paragraph.set(Class::Good, reason);
            } else {
                paragraph.set(Class::Bad, "some-stop-words-among-boilerplate");
            }
        }
        before = before.beyond(paragraph.class);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classify(features: &[(ParagraphFeatures, f64)]) -> Vec<ClassifiedParagraph> {
        let rules = SentenceRules::default();
        features
            .iter()
            .map(|(features, density)| ClassifiedParagraph::context_free(features, &rules, || *density))
            .collect()
    }

    #[test]
    fn classes_as_in_the_worked_example() {
        let example = crate::label::tests::worked_example("justext_classes");
        let features: Vec<(ParagraphFeatures, f64)> = example["input"]
            .as_array()
            .unwrap()
            .iter()
            .map(|p| {
                let features = ParagraphFeatures {
                    chars: p["len"].as_u64().unwrap() as u32,
                    link_density: p["link_density"].as_f64().unwrap(),
                    is_heading: p["heading"] == true,
                    is_control: false,
                    has_copyright: p["copyright"] == true,
                };
                (features, p["stop_density"].as_f64().unwrap())
            })
            .collect();
        let mut classified = classify(&features);
        let names = |classified: &[ClassifiedParagraph]| -> Vec<&str> {
            let name = |j: &ClassifiedParagraph| match j.class {
                Class::Bad => "bad",
                Class::Short => "short",
                Class::NearGood => "neargood",
                Class::Good => "good",
            };
            classified.iter().map(name).collect()
        };
        let want = |name: &str| -> Vec<&str> {
            example["expected"][name]
                .as_array()
                .unwrap()
                .iter()
                .map(|c| c.as_str().unwrap())
                .collect()
        };
        assert_eq!(names(&classified), want("context_free"));
        revise_by_context(&mut classified, &SentenceRules::default());
        assert_eq!(names(&classified), want("final"));
        let kept: Vec<usize> = (0..classified.len())
            .filter(|&i| classified[i].class == Class::Good)
            .collect();
        assert_eq!(serde_json::json!(kept), example["expected"]["kept"]);
        let params = &example["params"];
        let rules = SentenceRules::default();
        assert_eq!(params["length_low"], rules.length_low);
        assert_eq!(params["length_high"], rules.length_high);
        assert_eq!(params["stopwords_low"], rules.stopwords_low);
        assert_eq!(params["stopwords_high"], rules.stopwords_high);
        assert_eq!(params["max_link_density"], rules.max_link_density);
        assert_eq!(params["max_heading_distance"], rules.max_heading_distance);
    }

    /// Reference implementation: the sweeps of the published program, which searches for the neighbors of each paragraph.
    fn revise_by_walking(paragraphs: &mut [ClassifiedParagraph], rules: &SentenceRules) {
        let neighbor = |all: &[ClassifiedParagraph], i: usize, step: isize, stops_at_near_good: bool| {
            let mut at = i as isize + step;
            while let Some(p) = usize::try_from(at).ok().and_then(|at| all.get(at)) {
                match p.class {
                    Class::Good | Class::Bad => return p.class,
                    Class::NearGood if stops_at_near_good => return p.class,
                    _ => at += step,
                }
            }
            Class::Bad
        };
        let text_follows = |all: &[ClassifiedParagraph], i: usize| {
            let mut distance = 0;
            for p in &all[i + 1..] {
                if distance > rules.max_heading_distance {
                    return false;
                }
                if p.class == Class::Good {
                    return true;
                }
                distance += p.chars;
            }
            false
        };
        for i in 0..paragraphs.len() {
            if paragraphs[i].is_heading && paragraphs[i].class == Class::Short && text_follows(paragraphs, i)
            {
                paragraphs[i].class = Class::NearGood;
            }
        }
        let mut decided = Vec::new();
        for i in (0..paragraphs.len()).filter(|&i| paragraphs[i].class == Class::Short) {
            let (before, after) = (
                neighbor(paragraphs, i, -1, false),
                neighbor(paragraphs, i, 1, false),
            );
            let meets = |step| neighbor(paragraphs, i, step, true) == Class::NearGood;
            let good = before == after && before == Class::Good
                || before != after && (before == Class::Bad && meets(-1) || after == Class::Bad && meets(1));
            decided.push((i, if good { Class::Good } else { Class::Bad }));
        }
        for (i, class) in decided {
            paragraphs[i].class = class;
        }
        for i in 0..paragraphs.len() {
            if paragraphs[i].class == Class::NearGood {
                let both = [-1, 1].map(|step| neighbor(paragraphs, i, step, false));
                paragraphs[i].class = if both == [Class::Bad; 2] {
                    Class::Bad
                } else {
                    Class::Good
                };
            }
        }
        for i in 0..paragraphs.len() {
            let p = paragraphs[i];
            if p.is_heading
                && p.class == Class::Bad
                && p.context_free != Class::Bad
                && text_follows(paragraphs, i)
            {
                paragraphs[i].class = Class::Good;
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn cached_neighbors_are_those_that_a_walk_meets(
            raw in proptest::collection::vec((1_u32..260, 0_u8..8, proptest::bool::ANY, 0.0_f64..0.6), 0..60),
        ) {
            let features: Vec<(ParagraphFeatures, f64)> = raw
                .into_iter()
                .map(|(chars, links, is_heading, density)| {
                    let link_density = if links == 0 { 0.9 } else { 0.0 };
                    (ParagraphFeatures { chars, link_density, is_heading, ..ParagraphFeatures::default() }, density)
                })
                .collect();
            let mut classified = classify(&features);
            let mut walked = classified.clone();
            revise_by_context(&mut classified, &SentenceRules::default());
            revise_by_walking(&mut walked, &SentenceRules::default());
            for (a, b) in classified.iter().zip(&walked) {
                proptest::prop_assert_eq!(a.class, b.class);
                proptest::prop_assert!(matches!(a.class, Class::Good | Class::Bad));
            }
        }
    }
}
