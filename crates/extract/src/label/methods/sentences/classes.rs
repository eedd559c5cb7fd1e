//! The classes of paragraphs: alone, then by their neighbors.

use crate::label::methods::sentences::rules::SentenceRules;

/// What a paragraph is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// Boilerplate.
    Bad,
    /// Too short to tell.
    Short,
    /// Perhaps text.
    NearGood,
    /// Text.
    Good,
}

/// What is seen of a paragraph, its words left out.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ParagraphFeatures {
    /// Characters.
    pub(crate) chars: u32,
    /// Share of linked characters.
    pub(crate) link_density: f64,
    /// In `h1` to `h6`.
    pub(crate) is_heading: bool,
    /// The label of a button or a choice.
    pub(crate) is_control: bool,
    /// Holds the copyright sign.
    pub(crate) has_copyright: bool,
}

/// A paragraph and what has been decided about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judged {
    pub(crate) class: Class,
    pub(crate) reason: &'static str,
    /// The class regardless of neighbors.
    alone: Class,
    chars: u32,
    is_heading: bool,
}

impl Judged {
    /// Judges a paragraph regardless of its neighbors. `stop_density` is asked for only if it matters.
    pub(crate) fn alone(
        features: &ParagraphFeatures,
        rules: &SentenceRules,
        stop_density: impl FnOnce() -> f64,
    ) -> Self {
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
        Judged {
            class,
            reason,
            alone: class,
            chars: features.chars,
            is_heading: features.is_heading,
        }
    }

    fn becomes(&mut self, class: Class, reason: &'static str) {
        self.class = class;
        self.reason = reason;
    }
}

/// The four sweeps: headings before text, short paragraphs, doubtful ones, headings again. Afterwards every paragraph is
/// good or bad. Each sweep is one pass up and one down.
pub(crate) fn revise(paragraphs: &mut [Judged], rules: &SentenceRules) {
    raise_headings(paragraphs, rules, Class::NearGood, |p| p.class == Class::Short);
    settle_short(paragraphs);
    settle_near_good(paragraphs);
    raise_headings(paragraphs, rules, Class::Good, |p| {
        p.class == Class::Bad && p.alone != Class::Bad
    });
}

/// Sweeps 1 and 4: headings that good text follows closely.
fn raise_headings(
    paragraphs: &mut [Judged],
    rules: &SentenceRules,
    to: Class,
    may_rise: impl Fn(&Judged) -> bool,
) {
    // Characters from here to the nearest good paragraph below.
    let mut distance: Option<u64> = None;
    for paragraph in paragraphs.iter_mut().rev() {
        let near = distance.is_some_and(|d| d <= u64::from(rules.max_heading_distance));
        if paragraph.class == Class::Good {
            distance = Some(0);
            continue;
        }
        distance = distance.map(|d| d + u64::from(paragraph.chars));
        if near && paragraph.is_heading && may_rise(paragraph) {
            paragraph.becomes(to, "heading-before-text");
        }
    }
}

/// The nearest neighbors of a paragraph on one side.
#[derive(Clone, Copy)]
struct Side {
    /// Good or bad; the edge of a page is bad.
    is_good: bool,
    /// A near-good one stands nearer.
    near_good_first: bool,
}

impl Side {
    const EDGE: Side = Side {
        is_good: false,
        near_good_first: false,
    };

    /// The side of the next paragraph, which has `class` between it and this side.
    fn past(self, class: Class) -> Side {
        match class {
            Class::Good | Class::Bad => Side {
                is_good: class == Class::Good,
                near_good_first: false,
            },
            Class::NearGood => Side {
                near_good_first: true,
                ..self
            },
            Class::Short => self,
        }
    }
}

/// What stands below each paragraph.
fn sides_below(paragraphs: &[Judged]) -> Vec<Side> {
    let mut sides = vec![Side::EDGE; paragraphs.len()];
    let mut side = Side::EDGE;
    for (out, paragraph) in sides.iter_mut().zip(paragraphs).rev() {
        *out = side;
        side = side.past(paragraph.class);
    }
    sides
}

/// Sweep 2: short paragraphs go with their neighbors. All are decided by the classes before the sweep.
fn settle_short(paragraphs: &mut [Judged]) {
    let below = sides_below(paragraphs);
    let mut above = Side::EDGE;
    for (paragraph, below) in paragraphs.iter_mut().zip(below) {
        let class = paragraph.class;
        if class == Class::Short {
            let is_good = match (above.is_good, below.is_good) {
                (true, true) => true,
                (false, false) => false,
                (false, true) => above.near_good_first,
                (true, false) => below.near_good_first,
            };
            if is_good {
                paragraph.becomes(Class::Good, "short-among-text");
            } else {
                paragraph.becomes(Class::Bad, "short-among-boilerplate");
            }
        }
        above = above.past(class);
    }
}

/// Sweep 3: a near-good paragraph is bad only if both neighbors are. Each is decided by what the sweep has made of those
/// above it.
fn settle_near_good(paragraphs: &mut [Judged]) {
    let below = sides_below(paragraphs);
    let mut above = Side::EDGE;
    for (paragraph, below) in paragraphs.iter_mut().zip(below) {
        if paragraph.class == Class::NearGood {
            if above.is_good || below.is_good {
                let reason = match paragraph.reason {
                    "heading-before-text" => "heading-before-text",
                    _ => "some-stop-words-beside-text",
                };
                paragraph.becomes(Class::Good, reason);
            } else {
                paragraph.becomes(Class::Bad, "some-stop-words-among-boilerplate");
            }
        }
        above = above.past(paragraph.class);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(features: &[(ParagraphFeatures, f64)]) -> Vec<Judged> {
        let rules = SentenceRules::default();
        features
            .iter()
            .map(|(features, density)| Judged::alone(features, &rules, || *density))
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
        let mut judged = judge(&features);
        let names = |judged: &[Judged]| -> Vec<&str> {
            let name = |j: &Judged| match j.class {
                Class::Bad => "bad",
                Class::Short => "short",
                Class::NearGood => "neargood",
                Class::Good => "good",
            };
            judged.iter().map(name).collect()
        };
        let want = |name: &str| -> Vec<&str> {
            example["expected"][name]
                .as_array()
                .unwrap()
                .iter()
                .map(|c| c.as_str().unwrap())
                .collect()
        };
        assert_eq!(names(&judged), want("context_free"));
        revise(&mut judged, &SentenceRules::default());
        assert_eq!(names(&judged), want("final"));
        let kept: Vec<usize> = (0..judged.len())
            .filter(|&i| judged[i].class == Class::Good)
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

    /// The sweeps as the program has them: every neighbor is walked to.
    fn revise_by_walking(paragraphs: &mut [Judged], rules: &SentenceRules) {
        let neighbor = |all: &[Judged], i: usize, step: isize, stops_at_near_good: bool| {
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
        let text_follows = |all: &[Judged], i: usize| {
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
            let (above, below) = (
                neighbor(paragraphs, i, -1, false),
                neighbor(paragraphs, i, 1, false),
            );
            let meets = |step| neighbor(paragraphs, i, step, true) == Class::NearGood;
            let good = above == below && above == Class::Good
                || above != below && (above == Class::Bad && meets(-1) || below == Class::Bad && meets(1));
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
            if p.is_heading && p.class == Class::Bad && p.alone != Class::Bad && text_follows(paragraphs, i) {
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
            let mut judged = judge(&features);
            let mut walked = judged.clone();
            revise(&mut judged, &SentenceRules::default());
            revise_by_walking(&mut walked, &SentenceRules::default());
            for (a, b) in judged.iter().zip(&walked) {
                proptest::prop_assert_eq!(a.class, b.class);
                proptest::prop_assert!(matches!(a.class, Class::Good | Class::Bad));
            }
        }
    }
}
