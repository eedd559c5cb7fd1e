use std::collections::BTreeSet;

use super::names::ParserName;
use super::numbers::{Bytes, MaxBad, Threads};
use super::strategy::Chosen;
use super::table::{self, DefaultValue, Settings};
use super::value::Names;
use super::words::Policy;
use crate::error::Error;

fn set(texts: &[(&str, &str)]) -> Result<Settings, Error> {
    let mut settings = Settings::default();
    for (name, text) in texts {
        settings.set(name, text)?;
    }
    Ok(settings)
}

/// The message for a refused value.
fn refused(name: &str, text: &str) -> String {
    let error = set(&[(name, text)]).unwrap_err();
    assert_eq!(error.kind().exit_code(), 2);
    error.to_string()
}

#[test]
fn the_table_has_every_setting_once_and_tells_what_it_does() {
    let mut names = BTreeSet::new();
    let mut shorts = BTreeSet::new();
    for setting in table::ALL {
        assert!(names.insert(setting.name), "{} is there twice", setting.name);
        assert!(
            setting.short.is_none_or(|short| shorts.insert(short)),
            "{}",
            setting.name
        );
        assert!(
            setting.about().len() > 8
                && !setting.about().ends_with('.')
                && !setting.about().contains("[default"),
            "{}",
            setting.name
        );
        let is_text = matches!(setting.value, "DIR" | "FILE");
        assert!(
            is_text || !setting.range().is_empty(),
            "{} has no range",
            setting.name
        );
        if let DefaultValue::Value(text) = setting.default {
            setting.set(&mut Settings::default(), text).unwrap();
        }
        if let Some(other) = setting.excludes {
            assert!(table::ALL.iter().any(|known| known.name == other), "{other}");
        }
        if let Names::Only(names) | Names::Several(names) = setting.names() {
            let mut settings = Settings::default();
            for name in names {
                setting.set(&mut settings, name).unwrap();
            }
        }
    }
}

/// Everything that settings decide, in printable form.
fn decided(settings: &Settings) -> String {
    let mut effective = settings.effective_extraction();
    effective.extend(settings.effective_duplicates().unwrap());
    let running = (
        settings.threads(),
        settings.bounds(),
        settings.in_process.unwrap_or(false),
    );
    format!("{effective:?} {:?} {running:?}", settings.extraction())
}

#[test]
fn defaults_are_those_of_the_table() {
    let unset = decided(&Settings::default());
    let mut all = Settings::default();
    for setting in table::ALL {
        if let DefaultValue::Value(text) = setting.default {
            let alone = set(&[(setting.name, text)]).unwrap();
            assert_eq!(decided(&alone), unset, "{} is not {text}", setting.name);
            setting.set(&mut all, text).unwrap();
        }
    }
    assert_eq!(decided(&all), unset);
}

#[test]
fn ranges_are_those_of_the_table() {
    for (name, range, inside, outside) in [
        ("threshold", "above 0, up to 1", ["0.0001", "1"], ["0", "1.01"]),
        (
            "shingle",
            "1 to 1000 words or characters",
            ["1", "1000"],
            ["0", "1001"],
        ),
        ("threads", "1 to 1024", ["1", "1024"], ["0", "1025"]),
        (
            "max-bad",
            "0 records or more, or 0% to 100%",
            ["0", "100%"],
            ["-1", "101%"],
        ),
        ("min-tokens", "0 words or more", ["0", "4000000000"], ["-1", "x"]),
        (
            "memory",
            "1 byte or more, such as 256MiB",
            ["1", "8000GiB"],
            ["0", "-1"],
        ),
        ("max-bytes", "1 byte to 256MiB", ["1", "256MiB"], ["0", "257MiB"]),
        (
            "max-depth",
            "16 elements or more",
            ["16", "4000000000"],
            ["15", "-1"],
        ),
    ] {
        let setting = table::ALL.iter().find(|setting| setting.name == name).unwrap();
        assert_eq!(setting.range(), range);
        for text in inside {
            assert!(set(&[(name, text)]).is_ok(), "{name} {text}");
        }
        for text in outside {
            assert!(set(&[(name, text)]).is_err(), "{name} {text}");
        }
    }
}

#[test]
fn effective_settings_are_in_the_table() {
    let settings = Settings::default();
    let mut all = settings.effective_extraction();
    all.extend(settings.effective_duplicates().unwrap());
    for (name, _) in all.iter().filter(|(name, _)| *name != "passes") {
        assert!(table::ALL.iter().any(|setting| setting.name == *name), "{name}");
    }
}

#[test]
fn settings_are_set_by_name() {
    let settings = set(&[
        ("extractor", "readability"),
        ("markdown", "true"),
        ("max-bytes", "2MiB"),
        ("threshold", "0.7"),
        ("shingle", "3"),
        ("signature", "minhash:width=256"),
        ("cluster", "components"),
        ("seed", "7"),
        ("threads", "2"),
        ("max-bad", "5%"),
        ("on-near", "demote"),
    ])
    .unwrap();
    assert_eq!(settings.extraction().extractor().name(), "readability");
    assert_eq!(settings.extraction().limits().bytes(), 2 << 20);
    assert_eq!(settings.threads(), 2);
    assert_eq!(settings.max_bad, Some(MaxBad::Share(0.05)));
    let options = settings.duplicates().unwrap();
    assert_eq!((options.threshold(), options.shingler().width()), (0.7, 3));
    assert_eq!(options.clustering().name(), "components");
    let effective = settings.effective_duplicates().unwrap();
    let value = |name: &str| {
        effective
            .iter()
            .find(|(known, _)| *known == name)
            .unwrap()
            .1
            .clone()
    };
    assert_eq!(value("signature"), "minhash:width=256,family=fast-sketch,seed=7");
    assert_eq!(value("on-near"), "demote");
    assert_eq!(value("profile"), "near");
}

#[test]
fn errors_tell_what_is_possible() {
    assert_eq!(
        refused("threshold", "7"),
        "`--threshold`: `7` is not a similarity above 0 and up to 1"
    );
    assert!(refused("treshold", "0.5").starts_with(
        "unknown setting `treshold`; known: input-format, column, all-files, digests, index, where, allow-paths, base, "
    ));
    assert!(
        refused("extractor", "redability")
            .starts_with("`--extractor`: unknown extractor `redability`; known: default, ")
    );
    let signature = refused("signature", "minhsah");
    assert!(
        signature.starts_with("`--signature`: unknown signature `minhsah`; known: ")
            && signature.contains("minhash, "),
        "{signature}"
    );
    assert_eq!(
        refused("input-format", "json"),
        format!(
            "`--input-format`: unknown format `json`; known: arc, html, jsonl, mhtml, {}romip, tar, wacz, warc",
            if cfg!(feature = "parquet") {
                "parquet, "
            } else {
                ""
            }
        )
    );
    assert_eq!(
        refused("tables", "yes"),
        "`--tables`: `yes` is not possible; known: text, field, omit"
    );
    assert!(refused("seed", "-1").starts_with("`--seed`: "));
}

#[test]
fn parsers_are_those_of_the_build() {
    let chosen = set(&[("parser", "whatwg")]).unwrap();
    assert_eq!(chosen.extraction().parser(), dehusk_html::ParserKind::Whatwg);
    assert_eq!(
        refused("parser", "lynx"),
        format!(
            "`--parser`: unknown parser `lynx`; known: {}",
            ParserName::all().join(", ")
        )
    );
    #[cfg(feature = "html5ever")]
    assert_eq!(
        set(&[("parser", "html5ever")])
            .unwrap()
            .extraction()
            .parser()
            .name(),
        "html5ever"
    );
    #[cfg(not(feature = "html5ever"))]
    assert_eq!(
        refused("parser", "html5ever"),
        "`--parser`: this build has no parser `html5ever`, which a cargo feature adds; known: whatwg"
    );
}

#[test]
fn precision_comes_before_recall() {
    let both = set(&[("precision", "true"), ("recall", "true")]).unwrap();
    assert_eq!(both.precision_and_recall(), (true, false));
    let excluded = table::ALL
        .iter()
        .find(|setting| setting.name == "precision")
        .unwrap()
        .excludes;
    assert_eq!(excluded, Some("recall"));
}

#[test]
fn parameters_follow_the_name() {
    type Signature = Chosen<dyn dehusk_dedup::sign::Method>;
    let signature: Signature = "minhash: width=200, seed=9".parse().unwrap();
    assert_eq!(
        signature.describe(),
        "minhash:width=200,family=fast-sketch,seed=9"
    );
    assert_eq!("shingles".parse::<Signature>().unwrap().describe(), "shingles");
    let error = |text: &str| text.parse::<Signature>().unwrap_err();
    assert!(
        error("minhash:wdth=1").contains("has no parameter `wdth`; known: width"),
        "{}",
        error("minhash:wdth=1")
    );
    assert!(error("minhash:width").contains("not of the form PARAMETER=VALUE"));
    assert!(
        error("minhash:width=0").contains("`width` is 0"),
        "{}",
        error("minhash:width=0")
    );
}

#[test]
fn sizes_and_numbers_are_read_as_people_write_them() {
    let bytes = |text: &str| text.parse::<Bytes>().map(|bytes| bytes.0);
    assert_eq!(bytes("1048576"), Ok(1 << 20));
    assert_eq!(bytes("1_000"), Ok(1000));
    assert_eq!(
        (bytes("64MiB"), bytes("64 M"), bytes("3kb")),
        (Ok(64 << 20), Ok(64 << 20), Ok(3000))
    );
    for wrong in ["", "0", "5x", "MiB", "2GiB", "-1", "99999999999999999999GiB"] {
        assert!(bytes(wrong).is_err(), "{wrong}");
    }
    assert_eq!("20".parse::<MaxBad>(), Ok(MaxBad::Count(20)));
    assert_eq!("0.5%".parse::<MaxBad>(), Ok(MaxBad::Share(0.005)));
    for wrong in ["0.5", "101%", "%", "-1", "many"] {
        assert!(wrong.parse::<MaxBad>().is_err(), "{wrong}");
    }
    assert!("0".parse::<Threads>().is_err() && "1025".parse::<Threads>().is_err());
    assert_eq!("delete".parse::<Policy>().unwrap().to_string(), "delete");
    assert_eq!(
        "drop".parse::<Policy>().unwrap_err(),
        "`drop` is not possible; known: keep, demote, delete"
    );
}

#[test]
fn what_is_set_comes_before_what_fills_it() {
    let first = Settings {
        seed: Some(1),
        ..Settings::default()
    };
    let second = Settings {
        seed: Some(2),
        min_tokens: Some(3),
        ..Settings::default()
    };
    let both = first.or(second);
    assert_eq!(
        (both.seed, both.min_tokens, both.shingle),
        (Some(1), Some(3), None)
    );
}

#[test]
fn a_share_is_exceeded_by_one_record_more_and_not_before() {
    for percent in 0..=100_u64 {
        let most: MaxBad = format!("{percent}%").parse().unwrap();
        for hundreds in [1, 3, 7, 1000, 123_456_789] {
            let (bad, read) = (percent * hundreds, 100 * hundreds);
            assert!(!most.exceeded(bad, read), "{bad} of {read} at {percent}%");
            assert!(
                most.exceeded(bad + 1, read),
                "{} of {read} at {percent}%",
                bad + 1
            );
        }
    }
    let most: MaxBad = "0.1%".parse().unwrap();
    assert!(!most.exceeded(1, 1000) && most.exceeded(2, 1000) && most.exceeded(1, 999));
    assert!(!MaxBad::Count(3).exceeded(3, 3) && MaxBad::Count(3).exceeded(4, 4000));
}

#[test]
fn a_few_bad_records_are_forgiven_and_a_cut_one_is_not() {
    use crate::record::{Reason, RejectedCounts};
    let damaged = |settings: &Settings, read: u64, reason: Reason, rejected: usize| {
        let rejected: RejectedCounts = std::iter::repeat_n(reason, rejected).collect();
        settings.is_damaged(&rejected, read)
    };
    let usual = Settings::default();
    assert!(!damaged(&usual, 80, Reason::BadJson, 2) && damaged(&usual, 80, Reason::BadJson, 3));
    assert!(!damaged(&usual, 500, Reason::BadJson, 5) && damaged(&usual, 500, Reason::BadJson, 6));
    // Half of the input is no few.
    assert!(damaged(&usual, 1, Reason::BadJson, 1) && damaged(&usual, 2, Reason::BadJson, 1));
    assert!(!damaged(&usual, 3, Reason::BadJson, 1) && damaged(&usual, 3, Reason::BadJson, 2));
    assert!(damaged(&usual, 1000, Reason::Truncated, 1));
    assert!(!damaged(&usual, 0, Reason::Truncated, 0));
    let with = |max_bad| Settings {
        max_bad: Some(max_bad),
        ..Settings::default()
    };
    assert!(!damaged(&with(MaxBad::Count(5)), 10, Reason::Truncated, 5));
    assert!(damaged(&with(MaxBad::Count(5)), 10, Reason::Truncated, 6));
    assert!(!damaged(&with(MaxBad::Share(1.0)), 10, Reason::Panic, 10));
    assert!(damaged(&with(MaxBad::Count(0)), 10, Reason::Panic, 1));
}

#[test]
fn columns_are_told_if_they_were_set() {
    let mut settings = Settings::default();
    let told = |settings: &Settings| {
        let all = settings.effective_extraction();
        all.into_iter()
            .find(|(name, _)| *name == "column")
            .map(|(_, value)| value.to_string())
    };
    assert_eq!(told(&settings), None);
    settings.set("column", "html=content,url=link").unwrap();
    assert_eq!(told(&settings).unwrap(), r#"["html=content","url=link"]"#);
}
