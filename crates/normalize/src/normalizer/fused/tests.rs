use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use unicode_normalization::UnicodeNormalization;

use super::char_classes::{SOFT, TwoByteChar};
use super::*;
use crate::passes::arabic::TATWEEL;
use crate::passes::tests::hostile;
use crate::words::symbols::is_symbol;
use crate::{Normalizer, Profile};

/// Profiles that the fused passes handle.
fn profiles() -> Vec<Profile> {
    let near = Profile::near();
    let mut profiles = Vec::new();
    for &numbers in Numbers::ALL {
        profiles.push(near.clone().with_numbers(numbers));
    }
    profiles.push(near.without("hyphenation").unwrap());
    profiles.push(Profile::spaceless());
    for profile in &profiles {
        assert!(FusedPasses::for_profile(profile).is_some());
    }
    profiles
}

/// Checks that the fused passes and the chain agree on the text and on the source of each word.
fn check(text: &str) -> Result<(), TestCaseError> {
    for profile in profiles() {
        let mut fused = Normalizer::new(profile.clone());
        let mut plain = Normalizer::new(profile.clone());
        let wanted = plain.normalize_by_passes(text);
        prop_assert_eq!(
            fused.normalize_text(text),
            wanted.text(),
            "{:?} of {:?}",
            profile,
            text
        );
        let normal = fused.normalize(text);
        prop_assert_eq!(normal.text(), wanted.text());
        let mut before = 0..0;
        for (at, c) in wanted.text().char_indices() {
            let range = at..at + c.len_utf8();
            let source = normal.source(range.clone());
            prop_assert!(
                source.start >= before.start && source.end >= before.end,
                "{:?} of {:?}",
                source,
                text
            );
            prop_assert!(text.get(source.clone()).is_some_and(|source| !source.is_empty()));
            if c != ' ' {
                // The chain may treat a character and what follows it as one cluster: a mark that it cannot join, or a tatweel.
                let wanted = wanted.source(range);
                prop_assert!(
                    wanted.start <= source.start && source.end <= wanted.end,
                    "{c:?} of {text:?}"
                );
                prop_assert!(
                    source == wanted
                        || text[wanted.clone()]
                            .nfkd()
                            .any(|c| crate::text::chars::extends(c) || c == TATWEEL),
                    "{c:?} of {text:?}"
                );
            }
            before = source;
        }
        let whole = normal.source(0..normal.text().len());
        prop_assert!(whole.end <= text.len());
        if profile.name() == "near" {
            let twice = plain.normalize_by_passes(normal.text());
            prop_assert_eq!(twice.text(), normal.text(), "{:?} twice on {:?}", profile, text);
        }
    }
    Ok(())
}

/// Checks that with symbols the fused passes and the chain give the same tokens.
fn check_apart(text: &str) -> Result<(), TestCaseError> {
    let near = Profile::near().without("punctuation").unwrap();
    let mut profiles: Vec<_> = Numbers::ALL
        .iter()
        .map(|&numbers| near.clone().with_numbers(numbers))
        .collect();
    profiles.push(near.without("hyphenation").unwrap());
    for profile in profiles {
        assert!(FusedPasses::for_profile_with_symbols(&profile).is_some());
        let cut = |text: &str| {
            words_and_symbols(text, InnerSymbols::Apart)
                .map(|token| text[token.range()].to_owned())
                .collect::<Vec<_>>()
        };
        let mut normalizer = Normalizer::new(profile.clone());
        let wanted = cut(normalizer.normalize_by_passes(text).text());
        let apart = normalizer.normalize_apart(text);
        prop_assert_eq!(cut(apart), wanted.clone(), "{:?} of {:?}", profile, text);
        let spaced = text
            .chars()
            .all(|c| c < '\u{580}' || matches!(c, '\u{2000}'..='\u{2BFF}'));
        if spaced {
            prop_assert_eq!(apart, wanted.join(" "), "{:?} of {:?}", profile, text);
        }
        let symbols = apart
            .split(' ')
            .filter(|token| token.starts_with(is_symbol))
            .count();
        prop_assert_eq!(crate::count_symbols(apart), symbols);
    }
    Ok(())
}

#[test]
fn symbols_are_tokens_of_their_own_wherever_they_stand() {
    for text in [
        "",
        " == ",
        "a==b != c<=d && e||f; g++ + --h",
        "if (x[i] >= 0x1F) { y = x[i]->z; }  // done...",
        "====\n----\n- a -- b---\n",
        "a-\nb (c)-\nd -\ne --\nf",
        "x &lt;= y&amp;&amp;z &equals;= = &equals;&nbsp;= R&D & &&",
        "=\u{338} a=\u{338}= <\u{338}\u{301}b ==\u{338}",
        "«да» — нет… ...… №5 №=5 │a│ ■ x×y±z°",
        "（東京）＝＝=、。，；：！？ 「あ」・カ",
        "Mосква=pаypal <ёv> Σ='Σ'",
        "a\u{1}=\u{1}= b\u{200B}=\u{AD}=",
        "1,5 1.5 12:30 -5 +5 5% $5 #5 @a ^b `c` ~d _e __f__ g_h",
    ] {
        check_apart(text).unwrap();
        for length in [0, 1, 30, 59, 60, 61, 62, 63, 64, 65, 128] {
            check_apart(&format!("{}{text}", "a".repeat(length))).unwrap();
            check_apart(&format!("{}{text} and so on", "= ".repeat(length))).unwrap();
            check_apart(&format!("{} {text}{text}", "=".repeat(length))).unwrap();
        }
    }
}

/// Checks each character, between letters and among symbols, against the chain.
#[test]
fn forms_of_symbols_agree_with_the_chain() {
    for c in '\0'..='\u{FFFF}' {
        if u32::from(c) < 0x3400 || u32::from(c) > 0xD7FF || u32::from(c) % 16 == 0 {
            check_apart(&format!("x{c}Ж y{c} {c}{c}\u{338} ={c}={c} {c}\u{308}z")).unwrap();
        }
    }
}

#[test]
fn texts_with_everything_give_what_the_chain_gives() {
    for text in [
        "",
        " ",
        "Hello, World! don't R&D AT&amp;T caf&eacute;s &#1046;ук",
        "пере-\nнос сло-\n\u{200B}ва a-\n\u{AD}\u{200B} b c\u{AD}-\nd e-\n№f g-\n(h) i-\n&shy; j k-\u{AD}\nl 5-\nm n-\n6 o-\n",
        "a&#45;\n b a-&#10; b a\u{2011}\r\nb",
        "Mосква, pаypal; Іvan моë ёv",
        "don't d’or o`z l'été 'x' a'1 1'a п'ять c'ять дl·lо col·lega l·&#108; a'&#98; a'\u{AD}b 東'京 한'글 ʼn aŉ hóa hó-\na hóa' ß ı",
        "Α.Σ Σ'Σ ΟΔΟΣ, «ΣΑΣ» ΑΣ…Β &Sigma;",
        "東京。２０１６年，日本；「あ\u{3099}」カ\u{309A}",
        "é́ ё́ J̌ Ḧ̱ İI",
        "№5 5№ ™ ½ 1,5 12:30 ٣٤ 1\u{20E3} a\u{308}1",
        "\0\u{85}\u{9A}a\u{93}b\u{FEFF}",
    ] {
        check(text).unwrap();
    }
}

/// Checks each character that the tables handle, between letters and alone, against the chain.
#[test]
fn tables_agree_with_the_chain() {
    let mut fused = Normalizer::new(Profile::near());
    let mut plain = Normalizer::new(Profile::near());
    for c in '\0'..='\u{FFFF}' {
        let text = format!("x{c}Ж y{c} {c}{c}\u{301} A{c}Σ {c}\u{308}z a'{c} {c}'a {c}’{c} {c}a l{c}l {c}y.");
        assert_eq!(
            fused.normalize_text(&text),
            plain.normalize_by_passes(&text).text(),
            "{:04X}",
            u32::from(c)
        );
    }
}

/// No mark composes with a separator into a character that is not a separator.
#[test]
fn marks_after_separators_leave_nothing() {
    let mut plain = Normalizer::new(Profile::near());
    let marks: String = ('\u{300}'..'\u{20FF}')
        .filter(|&c| crate::text::chars::is_mark(c))
        .collect();
    for c in ('\u{20}'..='\u{FFFF}').filter(|&c| match c.len_utf8() {
        1 => FIRST_BYTE[c as usize] < LETTER && FIRST_BYTE[c as usize] != UNUSUAL,
        2 => matches!(TWO_BYTE[u32::from(c) as usize].class(), SOFT | BOUNDARY),
        _ => matches!(three_class(u32::from(c)), SOFT | BOUNDARY),
    }) {
        for mark in marks.chars() {
            let text = format!("{c}{mark}");
            assert_eq!(plain.normalize_by_passes(&text).text(), "", "{text:?}");
        }
    }
}

/// Marks of several scripts on one letter, which passes join, separate or reorder.
#[test]
fn marks_of_several_scripts_on_one_letter_keep_their_promises() {
    for text in [
        "é\u{640}\u{323}",
        "Α\u{345}\u{301}",
        "ё\u{E38}\u{306}\u{E35}",
        "1\u{308}\u{E4D}\u{E49}",
        "ẹ\u{E49}\u{E34}\u{301}",
    ] {
        check(text).unwrap();
    }
}

#[test]
fn small_letters_of_vietnamese_are_latin() {
    for (text, wanted) in [
        ("tiếng Việt", "tiếng việt"),
        ("ếЖ", "ếж"),
        ("ТếO", "tếo"),
        ("khỏe họa thủy", "khoẻ hoạ thuỷ"),
    ] {
        check(text).unwrap();
        assert_eq!(Normalizer::new(Profile::near()).normalize_text(text), wanted);
    }
}

#[test]
fn most_letters_of_two_bytes_are_in_the_table() {
    let letters = TWO_BYTE
        .iter()
        .filter(|entry: &&TwoByteChar| entry.class() == LETTER)
        .count();
    assert!(letters > 1200, "{letters}");
}

#[test]
fn other_profiles_are_left_to_the_chain() {
    assert!(FusedPasses::for_profile(&Profile::exact()).is_none());
    assert!(FusedPasses::for_profile(&Profile::near().without("stress").unwrap()).is_none());
    assert!(FusedPasses::for_profile(&Profile::near().up_to("case-fold").unwrap()).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6000))]

    #[test]
    fn any_string_gives_what_the_chain_gives(text in any::<String>()) {
        check(&text)?;
    }

    #[test]
    fn hostile_strings_give_what_the_chain_gives(text in hostile()) {
        check(&text)?;
    }

    #[test]
    fn strings_with_symbols_give_the_tokens_of_the_chain(
        text in hostile(),
        code in "[a-c=<>&;.,(){}\\-+*/_ \n]{0,150}|[а-я«»—=\\- ]{0,80}|[ -~]{0,90}|[東京。、＝=… a]{0,40}",
        any in any::<String>(),
    ) {
        check_apart(&format!("{code}{text}{code}"))?;
        check_apart(&any)?;
    }
}
