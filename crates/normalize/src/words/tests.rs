use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

use super::near_tokens::{JoinClass, join_class, near_tokens};
use super::syllables::joins;
use super::uax29::words;
use crate::text::chars::{is_letter_or_digit, is_word_char};
use crate::{Normalizer, Profile};

/// Reference: all segments of the crate that contain a letter or a digit; those of one syllable are joined by rules that have tests of their own.
fn by_the_standard(text: &str) -> Vec<&str> {
    let mut tokens: Vec<std::ops::Range<usize>> = Vec::new();
    for (at, segment) in text.split_word_bound_indices() {
        match tokens.last_mut() {
            Some(last) if last.end == at && joins(&text[last.clone()], segment) => last.end += segment.len(),
            _ if segment.contains(is_letter_or_digit) => tokens.push(at..at + segment.len()),
            _ => {}
        }
    }
    tokens.into_iter().map(|token| &text[token]).collect()
}

fn check(text: &str) {
    let tokens: Vec<_> = words(text).map(|range| &text[range]).collect();
    assert_eq!(tokens, by_the_standard(text), "{text:?}");
    let normal = Normalizer::new(Profile::near()).normalize_text(text).to_owned();
    let tokens: Vec<_> = near_tokens(&normal).map(|range| &normal[range]).collect();
    assert_eq!(tokens, by_the_standard(&normal), "{normal:?}");
}

#[test]
fn tokens_are_those_of_the_standard() {
    for text in [
        "",
        "can't, won't. e.g. mail.ru:80 1,5;6 a,b 1:2 a:b c.5 5.c x_y _z __ 9_",
        "naïve café déjà-vu Übermut",
        "'quoted' \"double\" (in brackets) [x] {y} a/b c-d e\u{2014}f",
        "24-часа и т.д. 12.10.2016: 63,15 руб.",
        "東京タワー333メートル ひらがな カタカナＡＢ",
        "ภาษาไทย ລາວ ខ្មែរ မြန်မာ",
        "한국어 텍스트 ᄒ\u{1161}",
        "a\u{308}b .\u{308}c d.\u{308}e -\u{200D}ℹ  \u{200D}ℹ \u{200D}x",
        "שלום ש\"ח ש' مرحبا ١٢٣",
        "👩\u{200D}👩\u{200D}👧 🇩🇪 1\u{FE0F}\u{20E3}",
    ] {
        check(text);
    }
}

#[test]
fn words_below_the_scripts_without_spaces_are_one_token() {
    for c in ('\0'..'\u{580}').filter(|&c| is_word_char(c)) {
        if !unicode_normalization::is_nfkc(c.encode_utf8(&mut [0; 4])) {
            continue;
        }
        let word = format!("a{c}a");
        assert_eq!(word.split_word_bounds().count(), 1, "{:04X}", u32::from(c));
    }
}

#[test]
fn classes_join_as_the_standard_says() {
    let classed: Vec<char> = ('\0'..='\u{FFFF}')
        .filter(|c| join_class(c.encode_utf8(&mut [0; 4]).as_bytes()).is_some())
        .collect();
    assert!(classed.len() > 30_000);
    for &c in &classed {
        let (class, _) = join_class(c.encode_utf8(&mut [0; 4]).as_bytes()).unwrap();
        for (other, joins) in [
            ('a', JoinClass::Joining),
            ('7', JoinClass::Joining),
            ('ж', JoinClass::Joining),
            ('한', JoinClass::Joining),
            ('カ', JoinClass::Katakana),
            ('東', JoinClass::Single),
        ] {
            let joined = class == joins && class != JoinClass::Single;
            assert_eq!(
                format!("{c}{other}").split_word_bounds().count() == 1,
                joined,
                "{c}{other}"
            );
            assert_eq!(
                format!("{other}{c}").split_word_bounds().count() == 1,
                joined,
                "{other}{c}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_string_gives_the_tokens_of_the_standard(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn any_mix_of_points_gives_the_tokens_of_the_standard(
        text in "[ab1é'.,:;_\" \\-жщ東カあ한กเัາະក្រမ\u{1039}\u{103A}\u{308}\u{200D}ℹא\n]{0,24}"
    ) {
        check(&text);
    }
}

#[cfg(feature = "dictionary")]
#[test]
fn words_of_a_dictionary_are_tokens() {
    use crate::{InnerSymbols, TokenRule};

    let profile = Profile::near().with("dictionary").unwrap();
    let rule = profile.token_rule();
    assert_eq!(rule, TokenRule::Spaced);
    let mut normalizer = Normalizer::new(profile.clone());
    let mut tokens = |text: &str| -> Vec<String> {
        let text = normalizer.normalize_text(text).to_owned();
        rule.tokens(&text).map(|range| text[range].to_owned()).collect()
    };
    assert_eq!(
        tokens("Don't: 東京タワー333メートル"),
        ["donʼt", "東京", "タワー", "333", "メートル"]
    );
    assert_eq!(tokens("ภาษาไทย"), ["ภาษา", "ไทย"]);
    let mut apart = Normalizer::new(profile.without("punctuation").unwrap());
    assert_eq!(apart.normalize_apart("東京。a<b"), "東京 。 a < b");
    let symbols = rule.tokens_and_symbols("東京 。", InnerSymbols::InWords);
    assert_eq!(symbols.count(), 2);
}
