//! Worked examples, and properties of whole profiles.

use proptest::prelude::*;
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use crate::passes::tests::hostile;
use crate::{Normalizer, Numbers, Profile, words};

pub(crate) fn example(name: &str) -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/worked-examples.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let examples = file["examples"].as_array().unwrap();
    examples
        .iter()
        .find(|example| example["name"] == name)
        .unwrap()
        .clone()
}

#[test]
fn worked_example_normalize_text() {
    let example = example("normalize_text");
    let mut normalizer = Normalizer::new(Profile::near());
    for (input, expected) in example["input"]
        .as_array()
        .unwrap()
        .iter()
        .zip(example["expected"].as_array().unwrap())
    {
        let input = input.as_str().unwrap();
        assert_eq!(normalizer.normalize_text(input), expected.as_str().unwrap());
        assert_eq!(
            normalizer.normalize_by_passes(input).text(),
            expected.as_str().unwrap()
        );
    }
}

#[test]
fn worked_example_normalize_numbers() {
    let example = example("normalize_numbers");
    let input = example["input"][0].as_str().unwrap();
    for mode in Numbers::ALL {
        let mut normalizer = Normalizer::new(Profile::near().with_numbers(*mode));
        let expected = example["expected"][mode.name()].as_str().unwrap();
        assert_eq!(normalizer.normalize_text(input), expected);
        assert_eq!(normalizer.normalize_by_passes(input).text(), expected);
    }
}

#[test]
fn worked_example_uax29_words() {
    let example = example("uax29_words");
    let input = example["input"][0].as_str().unwrap();
    let tokens: Vec<_> = words(input).map(|range| &input[range]).collect();
    let expected: Vec<_> = example["expected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|word| word.as_str().unwrap())
        .collect();
    assert_eq!(tokens, expected);
}

#[test]
fn the_words_of_the_method_come_before_punctuation_goes() {
    let mut normalizer = Normalizer::new(Profile::near().up_to("case-fold").unwrap());
    let text = normalizer.normalize_text("Can't stop: Ёлка 1,5");
    assert_eq!(
        words(text).map(|range| &text[range]).collect::<Vec<_>>(),
        ["can\u{2BC}t", "stop", "елка", "1,5"]
    );
}

#[test]
fn spaceless_is_near_without_spaces() {
    let mut normalizer = Normalizer::new(Profile::spaceless());
    let normal = normalizer.normalize("Ёлка, и 12-34!");
    assert_eq!(normal.text(), "елкаи1234");
    assert_eq!(normal.source(8..10), 10..12);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// Texts that `canonical` makes equal differ only in white space and in canonically equivalent characters.
    #[test]
    fn canonical_keeps_everything_else(text in hostile()) {
        let mut normalizer = Normalizer::new(Profile::canonical());
        let once = normalizer.normalize_text(&text).to_owned();
        prop_assert_eq!(normalizer.normalize_text(&once), &once);
        let visible = |text: &str| text.nfd().filter(|c| !c.is_whitespace()).collect::<String>();
        prop_assert_eq!(visible(&once), visible(&text));
    }

    #[test]
    fn exact_twice_is_exact_once(text in hostile()) {
        let mut normalizer = Normalizer::new(Profile::exact());
        let once = normalizer.normalize_text(&text).to_owned();
        prop_assert_eq!(normalizer.normalize_text(&once), &once);
        prop_assert!(!once.contains('\0'));
    }

    /// Punctuation between digits becomes a space, which then looks like a thousands separator. Apart from such spaces, the profile is idempotent
    /// up to its last pass: `bigrams` cuts words that mix scripts, whose parts `confusables` would judge again.
    #[test]
    fn search_twice_is_search_once_but_for_spaces_between_digits(text in hostile()) {
        let mut normalizer = Normalizer::new(Profile::search().without("bigrams").unwrap());
        let once = normalizer.normalize_text(&text).to_owned();
        let twice = normalizer.normalize_text(&once);
        prop_assert_eq!(twice.replace(' ', ""), once.replace(' ', ""));
    }

    /// Without spaces words run together, so the profile is idempotent only up to the pass that deletes spaces.
    #[test]
    fn spaceless_of_near_is_spaceless(text in hostile()) {
        let near = Normalizer::new(Profile::near()).normalize_text(&text).to_owned();
        let mut spaceless = Normalizer::new(Profile::spaceless());
        let direct = spaceless.normalize_text(&text).to_owned();
        prop_assert_eq!(spaceless.normalize_text(&near), direct);
    }

    #[test]
    fn any_range_maps_into_the_source(text in hostile(), a in 0usize..80, b in 0usize..80) {
        for profile in [Profile::near(), Profile::canonical(), Profile::exact(), Profile::spaceless(), Profile::search()] {
            let mut normalizer = Normalizer::new(profile);
            let normal = normalizer.normalize(&text);
            let source = normal.source(a..b);
            prop_assert!(source.start <= source.end && source.end <= text.len());
        }
    }
}
