//! How far from an element a selector looks, which bounds the cost of matching it.
//!
//! The reach is computed from the parsed selector rather than from its text, because one construct has many
//! spellings: `:NTH-CHILD`, a form feed between two names, an escaped letter.

use selectors::parser::{Combinator, Component, Selector};

use super::grammar::Grammar;

/// How far a selector looks.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Reach {
    /// Number of parts of the selector, including nested selectors.
    parts: u64,
    /// Whether it looks at ancestors.
    above: bool,
    /// Whether it looks at siblings.
    beside: bool,
    /// Whether it looks at descendants.
    below: bool,
}

impl Reach {
    /// Returns the reach of a list of selectors.
    ///
    /// The recursion is bounded: the text of a selector nests its parentheses at most eight deep.
    pub(super) fn of(selectors: &[Selector<Grammar>]) -> Reach {
        selectors.iter().fold(Reach::default(), |reach, selector| {
            let components = selector.iter_raw_match_order();
            components.fold(reach, |reach, component| reach.with(component))
        })
    }

    /// Returns the reach extended by one more part.
    fn with(self, component: &Component<Grammar>) -> Reach {
        // Matching goes from right to left: combinators lead from the element to siblings before it and to
        // ancestors.
        let part = match component {
            Component::Combinator(Combinator::NextSibling | Combinator::LaterSibling) | Component::Nth(_) => {
                Reach {
                    beside: true,
                    ..Reach::default()
                }
            }
            Component::Combinator(_) => Reach {
                above: true,
                ..Reach::default()
            },
            // `:nth-child(2 of .a)` matches the inner selectors against each sibling.
            Component::NthOf(nth) => Reach {
                beside: true,
                ..Reach::of(nth.selectors())
            },
            // Inner selectors look as far from the element as they would outside.
            Component::Is(list) | Component::Where(list) | Component::Negation(list) => {
                Reach::of(list.slice())
            }
            Component::Has(list) => list.iter().fold(
                Reach {
                    below: true,
                    ..Reach::default()
                },
                |reach, relative| reach.and(Reach::of(std::slice::from_ref(&relative.selector))),
            ),
            _ => Reach::default(),
        };
        let reach = self.and(part);
        Reach {
            parts: reach.parts + 1,
            ..reach
        }
    }

    /// Returns the reach of two parts together.
    fn and(self, other: Reach) -> Reach {
        Reach {
            parts: self.parts + other.parts,
            above: self.above || other.above,
            beside: self.beside || other.beside,
            below: self.below || other.below,
        }
    }

    /// Returns the maximum number of comparisons between parts and elements when the selector is matched, for
    /// an element of this depth, with this number of siblings and descendants.
    pub(super) fn comparisons(&self, depth: u32, siblings: u32, below: u32) -> u64 {
        // An upper bound: every part is compared with every element in each direction that is asked for.
        let times = |asked: bool, reach: u32| if asked { 1 + u64::from(reach) } else { 1 };
        self.parts
            .saturating_mul(times(self.above, depth))
            .saturating_mul(times(self.beside, siblings))
            .saturating_mul(times(self.below, below))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Css;

    fn comparisons(selector: &str) -> u64 {
        Css::read(selector).unwrap().reach.comparisons(9, 99, 999)
    }

    #[test]
    fn the_reach_is_that_of_the_selector_however_it_is_written() {
        assert_eq!(comparisons("p"), 1);
        assert_eq!(comparisons("p.a#b[c]"), 4);
        for (selector, same) in [
            ("p:nth-last-child(2)", "p:NTH-LAST-CHILD(2)"),
            ("p:only-of-type", "p:Only-Of-Type"),
            ("p:nth-child(2)", "p:\\6eth-child(2)"),
            ("div p", "div\u{c}p"),
            ("div:has(p)", "div:HAS(p)"),
        ] {
            assert!(comparisons(selector) >= 10, "{selector}");
            assert_eq!(comparisons(selector), comparisons(same), "{same}");
        }
        assert_eq!(comparisons("a ~ b"), 3 * 100);
        assert_eq!(comparisons("a > b"), 3 * 10);
        assert!(comparisons(":is(:not(a + b))") >= 100);
    }
}
