//! Patterns of names, in order of preference.

use std::fmt;
use std::str::FromStr;

use super::value::{Names, SettingValue};

/// A text in which `*` matches any characters and `?` matches one character.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Pattern(String);

impl Pattern {
    /// Whether the pattern matches the whole text. The number of steps is at most the product of the lengths.
    fn matches(&self, text: &str) -> bool {
        let (mut pattern, mut rest) = (self.0.chars(), text.chars());
        // State for backtracking: the pattern after the last `*`, and the text after what this `*` matches
        // so far.
        let mut again: Option<(std::str::Chars<'_>, std::str::Chars<'_>)> = None;
        loop {
            match (pattern.next(), rest.clone().next()) {
                (Some('*'), _) => again = Some((pattern.clone(), rest.clone())),
                (None, None) => return true,
                (Some(wanted), Some(found)) if wanted == '?' || wanted == found => {
                    rest.next();
                }
                _ => {
                    // The last `*` matches one more character. Earlier ones need no backtracking: whatever
                    // they could match instead, the last one can.
                    let Some((behind, from)) = &mut again else {
                        return false;
                    };
                    if from.next().is_none() {
                        return false;
                    }
                    (pattern, rest) = (behind.clone(), from.clone());
                }
            }
        }
    }
}

/// Patterns of URLs, files and ids of documents, the most preferred first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Patterns(Vec<Pattern>);

impl Patterns {
    /// Index of the first pattern that matches any of these names; `None` if none matches.
    pub(crate) fn first_of<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Option<u32> {
        let of_name = |name: &str| self.0.iter().position(|pattern| pattern.matches(name));
        let place = names.into_iter().filter_map(of_name).min()?;
        u32::try_from(place).ok()
    }

    /// The patterns as given.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|pattern| pattern.0.as_str())
    }
}

impl fmt::Display for Patterns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.iter().collect::<Vec<_>>().join(","))
    }
}

impl FromStr for Patterns {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let pattern = |part: &str| match part {
            "" => Err(format!(
                "`{text}` has an empty pattern; name addresses, files or ids, such as https://example.org/*"
            )),
            part => Ok(Pattern(part.to_owned())),
        };
        text.split(',')
            .map(pattern)
            .collect::<Result<_, _>>()
            .map(Patterns)
    }
}

impl SettingValue for Patterns {
    fn names() -> Names {
        Names::Many
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition as a recursion.
    fn is_of(pattern: &[char], text: &[char]) -> bool {
        match (pattern, text) {
            ([], []) => true,
            (['*', rest @ ..], _) => (0..=text.len()).any(|from| is_of(rest, &text[from..])),
            ([wanted, pattern @ ..], [found, text @ ..]) => {
                (*wanted == '?' || wanted == found) && is_of(pattern, text)
            }
            _ => false,
        }
    }

    #[test]
    fn stars_stand_for_any_characters() {
        for (pattern, text, wanted) in [
            ("https://a.example/*", "https://a.example/x/y?z", true),
            ("https://a.example/*", "https://a.example.org/", false),
            ("*/wiki/*.html", "http://x/wiki/a/b.html", true),
            ("*", "", true),
            ("?", "", false),
            ("?", "я", true),
            ("a", "A", false),
        ] {
            assert_eq!(
                Pattern(pattern.to_owned()).matches(text),
                wanted,
                "{pattern} {text}"
            );
        }
    }

    #[test]
    fn the_first_pattern_that_fits_any_name_counts() {
        let patterns: Patterns = "*/good/*,b?".parse().unwrap();
        assert_eq!(patterns.first_of(["x", "b1"]), Some(1));
        assert_eq!(patterns.first_of(["b1", "in/good/1"]), Some(0));
        assert_eq!(patterns.first_of(["b12"]), None);
        assert_eq!(patterns.to_string(), "*/good/*,b?");
        assert_eq!(Patterns::default().first_of(["x"]), None);
        for text in ["", "a,", ",a"] {
            assert!(text.parse::<Patterns>().unwrap_err().contains("empty pattern"));
        }
    }

    #[test]
    fn many_stars_take_no_exponential_time() {
        let pattern = Pattern("*a".repeat(200) + "b");
        assert!(!pattern.matches(&"a".repeat(20_000)));
    }

    proptest! {
        #[test]
        fn matches_are_those_of_the_definition(pattern in "[ab*?]{0,8}", text in "[ab]{0,10}") {
            let chars = |text: &str| text.chars().collect::<Vec<_>>();
            let wanted = is_of(&chars(&pattern), &chars(&text));
            prop_assert_eq!(Pattern(pattern).matches(&text), wanted);
        }
    }
}
