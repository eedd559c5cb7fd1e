//! Spellings of one text in many languages: which of them the profiles take for the same, and which not.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use dehusk_normalize::{Locale, Normalizer, Profile, near_tokens, words};

/// From which profile on two spellings are one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Taken {
    Near,
    Search,
    /// With this pass added to `near`.
    With(&'static str),
    Never,
}
use Taken::{Near, Never, Search, With};

/// The table of the settings (docs/settings.md): spellings that a reader of the language may take for the same text.
const PAIRS: &[(&str, &str, &str, Taken)] = &[
    ("de", "STRASSE", "straße", Near),
    ("de", "ẞ", "ss", Near),
    ("tr", "İstanbul", "istanbul", Near),
    ("tr", "I", "ı", Near),
    ("tr", "ISPARTA", "ısparta", Near),
    ("el", "ΟΔΟΣ", "οδος", Near),
    ("el", "οδός", "οδόσ", Near),
    ("ru", "Ёлка", "елка", Near),
    ("ar", "العَرَبِيَّة", "العربية", Near),
    ("ar", "الـــعربية", "العربية", Near),
    ("ar", "على", "علي", Near),
    ("ar", "مدرسة", "مدرسه", Near),
    ("ar", "أحمد", "احمد", Near),
    ("ar", "إسلام", "اسلام", Near),
    ("ar", "آن", "ان", Near),
    ("ar", "هٰذا", "هذا", Near),
    ("ar", "ﻻ", "لا", Near),
    ("fa", "كتابي", "کتابی", Near),
    ("fa", "خانهٔ", "خانه", Near),
    ("fa", "می\u{200C}خواهم", "میخواهم", Near),
    ("ur", "یہ", "يه", Near),
    ("ur", "کی", "کے", Never),
    ("he", "שָׁלוֹם", "שלום", Near),
    ("he", "צ'ק", "צ׳ק", Near),
    ("hi", "१२३", "123", Near),
    ("ar", "٣", "3", Near),
    ("fa", "۳", "3", Near),
    ("th", "๓", "3", Near),
    ("bn", "৩", "3", Near),
    ("ja", "２０１６", "2016", Near),
    ("th", "น้ำ", "นำ้", Near),
    ("th", "น้ำ", "น\u{E49}\u{E4D}า", Near),
    ("th", "ที่", "ท\u{E48}ี", Near),
    ("th", "แปล", "เเปล", Near),
    ("lo", "ນ້ຳ", "ນຳ້", Near),
    ("ro", "județ", "judeţ", Near),
    ("ro", "Știre", "ştire", Near),
    ("uz", "oʻzbek", "o'zbek", Near),
    ("uz", "oʻzbek", "o‘zbek", Near),
    ("uz", "oʻzbek", "o`zbek", Near),
    ("uk", "пʼять", "п'ять", Near),
    ("uk", "п'ять", "п’ять", Near),
    ("be", "аб’ява", "аб'ява", Near),
    ("af", "ŉ", "'n", Near),
    ("fr", "l’homme", "l'homme", Near),
    ("en", "don’t", "don't", Near),
    ("ca", "col·lega", "coŀlega", Near),
    ("ca", "col·lega", "col\u{2219}lega", Near),
    ("br", "c’hwi", "c'hwi", Near),
    ("vi", "hòa", "hoà", Near),
    ("vi", "khỏe", "khoẻ", Near),
    ("vi", "thúy", "thuý", Near),
    ("vi", "tie\u{302}\u{301}ng", "tiếng", Near),
    ("hi", "हिन्दी", "हिंदी", Near),
    ("hi", "हँस", "हंस", Near),
    ("hi", "ज़रूर", "जरूर", Near),
    ("mr", "संबंध", "सम्बन्ध", Near),
    ("gu", "અન્ત", "અંત", Near),
    ("te", "సున్దరం", "సుందరం", Near),
    ("ml", "അവൻ", "അവന\u{D4D}\u{200D}", Near),
    ("bn", "উৎসব", "উত\u{9CD}\u{200D}সব", Near),
    ("bn", "রাড়", "রাড\u{9BC}", Near),
    (
        "ko",
        "한국",
        "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}",
        Near,
    ),
    ("ja", "ｶﾞｽ", "ガス", Near),
    ("ru", "Mосква", "Москва", Near),
    ("en", "ﬁle", "file", Near),
    ("en", "co\u{AD}operate", "cooperate", Near),
    ("en", "U.S.A.", "USA", Search),
    ("ru", "С.Ш.А.", "США", Search),
    ("en", "10,000", "10000", Search),
    ("ru", "10 000", "10000", Search),
    ("de", "10.000", "10000", Search),
    ("en", "e-mail", "email", Search),
    ("en", "naïve", "naive", Search),
    ("ja", "サーバー", "サーバ", Search),
    ("ja", "カタカナ", "かたかな", Search),
    ("sr", "Његош", "Njegoš", With("serbian")),
    ("sv", "räka", "ræka", With("scandinavian")),
    ("de", "Müller", "Mueller", With("german")),
    ("zh", "汉语", "漢語", With("han-variants")),
    ("pa", "ਪੰਜਾਬੀ", "ਪਂਜਾਬੀ", Near),
    ("ta", "ஸ்ரீ", "ஶ்ரீ", Near),
    ("my", "ဥ\u{103A}", "ဉ\u{103A}", Near),
    ("my", "စျေး", "ဈေး", Near),
    ("my", "သြဂုတ်", "ဩဂုတ်", Near),
    ("my", "၁၂", "12", Near),
    ("si", "ශ්\u{200D}රී", "ශ්රී", Near),
    ("ka", "საქართველო", "ᲡᲐᲥᲐᲠᲗᲕᲔᲚᲝ", Near),
    ("hy", "եւ", "և", Near),
    ("pl", "Łódź", "ŁÓDŹ", Near),
    ("cy", "ŵyr", "w\u{302}yr", Near),
    ("haw", "Hawaiʻi", "Hawai'i", Near),
    ("nl", "ĳs", "ijs", Near),
    ("hr", "ǆep", "džep", Near),
    ("he", "יום־יום", "יום-יום", Near),
    ("yi", "ייִדיש", "יידיש", Near),
    ("ckb", "كوردی", "کوردی", Near),
    ("sw", "ng'ombe", "ng’ombe", Near),
    ("mt", "għ", "GĦ", Near),
    ("mn", "ᠮᠣᠩᠭᠣᠯ", "ᠮᠣᠩᠭᠣᠯ\u{180B}", Near),
    ("el", "ΑΘΗΝΑ", "Αθήνα", Search),
    ("el", "ἀρχή", "αρχή", Search),
    ("tr", "hâlâ", "hala", Search),
    ("it", "perché", "perche'", Search),
    ("fr", "cœur", "coeur", Near),
    ("fr", "ŒUVRES", "oeuvres", Near),
    ("uk", "вiдповiдь", "відповідь", Near),
];

fn normal(profile: Profile, text: &str) -> String {
    Normalizer::new(profile).normalize_text(text).to_owned()
}

fn equal(profile: &Profile, a: &str, b: &str) -> bool {
    // Alone, and inside a sentence with other words.
    let around = |word: &str| normal(profile.clone(), &format!("«{word}», {word} x"));
    normal(profile.clone(), a) == normal(profile.clone(), b) && around(a) == around(b)
}

#[test]
fn spellings_are_one_from_their_profile_on() {
    assert!(PAIRS.len() >= 78);
    let mut wrong = Vec::new();
    for &(language, a, b, from) in PAIRS {
        let near = equal(&Profile::near(), a, b);
        let search = equal(&Profile::search(), a, b);
        let by_pass = match from {
            With(pass) => equal(&Profile::near().with(pass).unwrap(), a, b),
            _ => true,
        };
        if (near, search, by_pass) != (from == Near, matches!(from, Near | Search), true) {
            let shown = normal(Profile::near(), a);
            wrong.push(format!(
                "{language} {a} {b} {from:?}: {near} {search} {by_pass} {shown:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What `exact` has in common with `near` is the encoding alone.
#[test]
fn the_profile_exact_takes_nothing_of_it() {
    for (a, b) in [
        ("straße", "strasse"),
        ("على", "علي"),
        ("شَمس", "شمس"),
        ("٣", "3"),
        ("județ", "judeţ"),
        ("don’t", "don't"),
        ("hòa", "hoà"),
        ("हिन्दी", "हिंदी"),
    ] {
        assert!(!equal(&Profile::exact(), a, b), "{a} {b}");
    }
}

/// Different words that a rule that goes too far would make one.
#[test]
fn different_words_stay_different() {
    for (language, a, b) in [
        ("ur", "کی", "کے"),
        ("hi", "अन्न", "अंन"),
        ("hi", "दिन", "दीन"),
        ("mr", "दर्या", "दऱ्या"),
        ("bn", "ড়", "ড"),
        ("ar", "سأل", "سيل"),
        ("ar", "مؤمن", "مومن"),
        ("th", "ขาว", "ข้าว"),
        ("vi", "ma", "má"),
        ("vi", "hoà", "hoá"),
        ("sv", "rök", "rok"),
        ("es", "año", "ano"),
        ("ru", "мой", "мои"),
        ("uk", "її", "іі"),
        ("ja", "がす", "かす"),
        ("en", "well", "we'll"),
        ("fr", "lame", "l'âme"),
        ("ca", "vila", "vil·la"),
        ("ro", "sta", "ţa"),
        ("de", "Masse", "Mase"),
        ("el", "νόμος", "νομός"),
        ("cs", "být", "byt"),
    ] {
        assert!(!equal(&Profile::near(), a, b), "{language} {a} {b}");
    }
}

/// With the locale of Turkish, the two letters i stay distinct.
#[test]
fn the_locale_decides_about_i() {
    let turkic = Profile::near().with_locale(Locale::Turkic);
    assert!(turkic.fingerprint().contains("case-fold=tr"));
    for (a, b, same) in [
        ("IŞIK", "ışık", true),
        ("İSTANBUL", "istanbul", true),
        ("I\u{307}stanbul", "istanbul", true),
        ("ılık", "ilik", false),
        ("STRASSE", "straße", true),
    ] {
        assert_eq!(equal(&turkic, a, b), same, "{a} {b}");
    }
    assert!(equal(&Profile::near(), "ılık", "ilik"));
}

/// No tokenizer by the standard cuts at an apostrophe inside a word.
#[test]
fn words_with_apostrophes_are_one_token() {
    for word in [
        "o‘zbek",
        "п’ять",
        "l'homme",
        "c’hwi",
        "צ׳ק",
        "rock'n'roll",
        "ka`aba",
    ] {
        let near = normal(Profile::near(), word);
        assert_eq!(near_tokens(&near).count(), 1, "{near}");
        assert_eq!(words(&near).count(), 1, "{near}");
    }
}
