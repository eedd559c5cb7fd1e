use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use super::*;
use crate::text::rewrite::Rewrite;

fn apply(pass: &dyn Pass, text: &str, numbers: Numbers) -> Rewrite {
    let mut out = Rewrite::with_offsets();
    pass.apply(text, &Options::default().with_numbers(numbers), &mut out);
    out
}

/// Checks the properties that every pass must have on every text.
fn check(pass: &dyn Pass, text: &str, numbers: Numbers) -> Result<(), TestCaseError> {
    let name = pass.name();
    let options = Options::default().with_numbers(numbers);
    let once = apply(pass, text, numbers);
    if once.text() != text {
        prop_assert!(
            pass.touches(text, &options),
            "{name} says it leaves {text:?} alone"
        );
    }
    let twice = apply(pass, once.text(), numbers);
    prop_assert_eq!(twice.text(), once.text(), "{} twice on {:?}", name, text);
    let mut plain = Rewrite::new();
    pass.apply(text, &options, &mut plain);
    prop_assert_eq!(
        plain.text(),
        once.text(),
        "{} without offsets on {:?}",
        name,
        text
    );

    let alignment = once.alignment().expect("offsets were asked for");
    prop_assert_eq!(
        alignment.out_len(),
        once.text().len(),
        "{} maps all it writes of {:?}",
        name,
        text
    );
    let mut before = 0..0;
    for (at, c) in once.text().char_indices() {
        let source = alignment.source(at..at + c.len_utf8());
        prop_assert!(
            source.start >= before.start && source.end >= before.end,
            "{name} goes back in {text:?}"
        );
        prop_assert!(
            text.get(source.clone()).is_some_and(|s| !s.is_empty()),
            "{name} {source:?} of {text:?}"
        );
        before = source;
    }
    Ok(())
}

fn check_all(text: &str) -> Result<(), TestCaseError> {
    for pass in ALL {
        for &numbers in Numbers::ALL {
            check(*pass, text, numbers)?;
        }
    }
    Ok(())
}

#[test]
fn table_and_folder_hold_the_same_passes() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/passes");
    let files: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            entry
                .unwrap()
                .path()
                .file_stem()
                .unwrap()
                .to_str()
                .unwrap()
                .replace('_', "-")
        })
        .filter(|stem| !["mod", "order", "pass", "tests"].contains(&stem.as_str()))
        .collect();
    let table: BTreeSet<String> = ALL.iter().map(|pass| pass.name().to_owned()).collect();
    assert_eq!(table, files);
    assert_eq!(table.len(), ALL.len(), "a name is in the table twice");
    assert!(ALL.iter().all(|pass| !pass.summary().is_empty()));
}

#[test]
fn each_pass_does_what_it_says() {
    let cases: &[(&str, &str, &str)] = &[
        ("decode", "\u{FEFF}a\0b\u{93}c\u{94}\td", "a b“c”\td"),
        ("numero", "дом №7", "дом  7"),
        ("han-variants", "繁體字，漢語 kanji 字", "繁体字，汉语 kanji 字"),
        ("ligatures", "cœur ŒUVRE œ\u{304} ægir", "coeur OEUVRE oē ægir"),
        (
            "confusables",
            "вiдповiдь моïй ХIХ цIна",
            "відповідь моïй XIX цІна",
        ),
        ("invisible", "ко\u{AD}ро\u{200B}ва\u{FEFF}", "корова"),
        (
            "nfkc",
            "ﬁle ２０１６ x² a\u{A0}b… и\u{306}",
            "file 2016 x2 a b... й",
        ),
        (
            "nfc",
            "e\u{301} и\u{306} \u{212B} ﬁ ２ x² a\u{A0}b…",
            "é й Å ﬁ ２ x² a\u{A0}b…",
        ),
        (
            "stress",
            "Аксоло\u{301}тль, café, е\u{301}\u{308}ж",
            "Аксолотль, café, ёж",
        ),
        (
            "hyphenation",
            "пере-\n  нос co\u{2010}\r\noperate 19-\n20 a--\nb",
            "перенос cooperate 19-\n20 a--\nb",
        ),
        (
            "confusables",
            "Mосква pаypal Іvan ёv мир cat3а",
            "Москва paypal Ivan ev мир cat3a",
        ),
        (
            "lower-case",
            "ЁЛКА Straße ΟΔΟΣ J\u{30C} İ",
            "елка straße οδος ǰ i\u{307}",
        ),
        ("marks", "العَرَبِيَّة שָׁלוֹם а\u{301}", "العربية שלום а\u{301}"),
        (
            "arabic",
            "الـــعربية أحمد إلى آن ٱلله ا\u{640}\u{654}",
            "العربيه احمد الي ان الله ا",
        ),
        ("persian-urdu", "کتابی ہے خانهٔ خانۀ کے", "كتابي هے خانه خانه كے"),
        (
            "indic",
            "हिन्दी हँस ज़रा लड़का अन्न चम्पक अाेम ൻ ന\u{D4D} ৎ దగ్ధ సున్దరం",
            "हिंदी हंस जरा लडका अन्न चंपक ओम ന\u{D4D} ന\u{D4D} ত\u{9CD} దగ్ధ సుందరం",
        ),
        (
            "thai-lao",
            "น\u{E4D}\u{E49}า น\u{E49}\u{E4D}า น\u{E4D}า\u{E49} ท\u{E48}\u{E35} เเปล ເເ",
            "น\u{E49}\u{E4D}า น\u{E49}\u{E4D}า น\u{E49}\u{E4D}า ท\u{E35}\u{E48} แปล ແ",
        ),
        ("digits", "१२३ ٣ ۳ ３ 𝟛 ๔ ½", "123 3 3 3 3 4 ½"),
        (
            "number-groups",
            "10 000; 10,000; 1.000.000; 1\u{A0}000; 1,00,000; 10,000.50; 1234,567; 1,23; 1.000.50; 12 2016",
            "10000; 10000; 1000000; 1000; 100000; 10000.50; 1234,567; 1,23; 1.000.50; 12 2016",
        ),
        (
            "acronyms",
            "U.S.A. U.S.A, т.д. e.g.: a.b.cd А. С. x. 1.a.b",
            "USA USA, тд eg: a.b.cd А. С. x. 1.a.b",
        ),
        (
            "inner-hyphens",
            "e-mail какой-то A-1 - x- 東-京",
            "email какойто A-1 - x- 東-京",
        ),
        (
            "middle-dot",
            "col·lega COL·LEGA l·o 2·3",
            "collega COLLEGA l·o 2·3",
        ),
        (
            "apostrophes",
            "o‘zbek oʻzbek o`z п’ять 'n' ’90s dogs’ d''or rock'n'roll 東'京",
            "oʼzbek oʼzbek oʼz пʼять 'n' '90s dogs' d''or rockʼnʼroll 東'京",
        ),
        (
            "case-fold",
            "ЁЛКА Straße ẞ ΟΔΟΣ ς J\u{30C} İI ıi i\u{307} ᾳ ﬁ е\u{308}",
            "елка strasse ss οδοσ σ ǰ ii ii i αι fi е",
        ),
        ("romanian", "județ Știri t\u{326}", "judeţ Ştiri ţ"),
        (
            "vietnamese",
            "hòa khỏe thúy hoàn HÒA hóan quý",
            "hoà khoẻ thuý hoàn HOÀ hóan quý",
        ),
        ("serbian", "Његош џак ёж đ", "Njegoš džak ёž đ"),
        (
            "scandinavian",
            "räksmörgås blåbaer Aarhus",
            "ræksmørgås blåbær Århus",
        ),
        (
            "german",
            "Müller Mueller treue Quelle Straße aee",
            "Muller Muller treue Quelle Strasse a",
        ),
        (
            "accents",
            "naïve Ångström ŁÓDŹ œuvre ὁδός йод",
            "naive Angstrom LODZ oeuvre οδος йод",
        ),
        (
            "kana",
            "サーバー コピー サーバーー ラーメン",
            "さーば こぴー さーば らーめん",
        ),
        ("pseudographics", "┌──┐│Курс│■", "     Курс  "),
        ("numbers", "a1.2 1.2b 12", "a1.2 1.2b 12"),
        ("punctuation", "a, b_c—d \u{301}e\u{301}", "a  b c d  e\u{301}"),
        ("white-space", "\t a \u{3000}b\n", "a b"),
        ("no-spaces", " a  b\u{A0}c \u{308}\n", "abc\u{308}"),
    ];
    for (name, text, wanted) in cases {
        assert_eq!(
            apply(find(name).unwrap(), text, Numbers::Keep).text(),
            *wanted,
            "{name}"
        );
    }
    let numbers = find("numbers").unwrap();
    let text = "Курс 12.10.2016: 63,15 руб., a1.2 1.2b _5_ iPhone7 ٣٤ 0";
    assert_eq!(
        apply(numbers, text, Numbers::Mask).text(),
        "Курс 0: 0 руб., a1.0 0.2b _0_ iPhone7 0 0"
    );
    assert_eq!(
        apply(numbers, text, Numbers::Drop).text(),
        "Курс  :   руб., a1.   .2b _ _ iPhone7    "
    );
}

/// With the pass, the profile `near` makes the spellings of an example equal. Without it, at least two differ, or the word is cut in two.
#[test]
fn examples_of_a_pass_are_equal_because_of_it() {
    use crate::{Normalizer, Profile};

    let texts = |profile: Profile, spellings: &[&str]| -> BTreeSet<String> {
        let mut normalizer = Normalizer::new(profile);
        let one = |word: &&str| normalizer.normalize_text(word).to_owned();
        spellings.iter().map(one).collect()
    };
    let mut wrong = Vec::new();
    for pass in ALL {
        let with = Profile::near().with(pass.name()).unwrap();
        let without = with.clone().without(pass.name()).unwrap();
        for example in pass.examples() {
            let name = pass.name();
            assert!(example.spellings.len() > 1, "{name} {example:?}");
            let equal = texts(with.clone(), example.spellings);
            let apart = texts(without.clone(), example.spellings);
            if equal.len() > 1 || apart == equal {
                wrong.push(format!("{name} {example:?}: with {equal:?}, without {apart:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The manual shows what `near` makes equal in twenty languages and more.
#[test]
fn near_has_examples_in_twenty_languages() {
    let near = crate::Profile::near();
    let examples = near.passes().iter().flat_map(|pass| pass.examples());
    let languages: BTreeSet<&str> = examples.map(|example| example.language).collect();
    assert!(languages.len() >= 20, "{languages:?}");
}

/// Letters with the acute accent, combined with every sequence of marks that could change how they compose.
#[test]
fn no_stress_mark_survives_its_own_deletion() {
    let marks = [
        '\u{300}', '\u{301}', '\u{308}', '\u{323}', '\u{327}', '\u{345}', '\u{342}', '\u{340}', '\u{344}',
    ];
    let accented = ('\u{C0}'..='\u{1FFF}').filter(|&c| {
        let mut has = false;
        unicode_normalization::char::decompose_canonical(c, |part| has |= part == '\u{301}');
        has
    });
    let stress = find("stress").unwrap();
    for base in accented.chain(['a', 'е', 'α', '가', ' ']) {
        for a in marks {
            for b in marks {
                for c in marks {
                    let text: String = [base, a, b, c].iter().collect();
                    let once = apply(stress, &text, Numbers::Keep);
                    assert!(!once.text().contains('\u{301}'), "{text:?}");
                    let twice = apply(stress, once.text(), Numbers::Keep);
                    assert_eq!(once.text(), twice.text(), "{text:?}");
                }
            }
        }
    }
}

/// Texts made of difficult pieces: marks, references and parts of them, look-alike letters, line ends, numbers, jamo, sigmas.
pub(crate) fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "a", "B", "e", "o", "p", "v", "z", "а", "В", "е", "ё", "Ё", "и", "у", "y", "і", "Ј", "Σ", "Α", "ς", "J",
            "İ", "ß", "é", "ö", "ĳ", "K", "ı", "I", "i", "l", "L", "ό", "ó", "ú", "ụ", "ș", "ŉ", "ŀ", "æ", "œ", "ï", "ж", "q", "U.", "a.",
        ]),
        2 => prop::sample::select(vec![
            "ا", "أ", "ى", "ی", "ک", "ه", "ہ", "ـ", "\u{64E}", "\u{651}", "\u{653}", "\u{654}", "\u{670}", "ש", "\u{5B8}", "\u{5C1}",
            "न", "म", "\u{94D}", "द", "प", "ँ", "\u{93C}", "ज", "अ", "\u{93E}", "\u{947}", "ൻ", "น", "\u{E49}", "\u{E4D}", "\u{E32}",
            "\u{E38}", "\u{E35}", "เ", "ー", "ੰ", "ஶ", "\u{BCD}", "ர", "စ", "ဥ", "\u{103A}", "\u{103B}", "サ", "१", "·", "`", "’", "ʼ", "\u{307}", "\u{327}", "\u{326}", "\u{309}", "0 000", ",000",
        ]),
        3 => prop::sample::select(vec![
            "\u{301}", "\u{308}", "\u{30C}", "\u{306}", "\u{300}", "\u{323}", "\u{344}", "\u{345}", "\u{338}",
            "\u{3099}", "\u{20E3}", "\u{FE0F}", "\u{AD}", "\u{200B}", "\u{200D}", "\u{2060}", "\u{FEFF}",
        ]),
        3 => prop::sample::select(vec![" ", "\n", "-\n", "\r\n", "-\r\n", "\u{2010}\n", "\u{A0}", "\u{3000}", "\t"]),
        2 => prop::sample::select(vec![
            "&", "&amp;", "&lt;", "&#", "#", ";", "amp;", "lt", "&#38;", "&shy;", "&nbsp;", "&#10;", "&Sigma;",
            "&#1089;", "&eacute;", "＆", "；", "&#45;",
        ]),
        2 => prop::sample::select(vec!["1", "23", "٣", "２", ".", ",", ":", "1.2", "½", "²", "№", "_", "-", "'", "’"]),
        2 => prop::sample::select(vec![
            "가", "ᄀ", "ᅡ", "ᆨ", "が", "か", "カ", "ﾞ", "東", "漢", "〇", "ไทย", "क्ष", "ą", "ȩ", "™", "ﬁ", "…", "—", "«", "（",
            "\0", "\u{1}", "\u{85}", "\u{93}", "\u{9A}", "\u{1F}", "│", "■", "😀", "\u{10FFFF}", "\u{FFFD}",
        ]),
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn passes_keep_their_promises_on_any_string(text in any::<String>()) {
        check_all(&text)?;
    }

    #[test]
    fn passes_keep_their_promises_on_hostile_strings(text in hostile()) {
        check_all(&text)?;
    }
}
