use std::fs;

use super::*;

fn from_toml(text: &str) -> Result<Settings, Error> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("dehusk.toml");
    fs::write(&path, text).unwrap();
    Settings::from_file(&path)
}

/// Everything about an error but its path.
fn rejection(text: &str) -> String {
    let error = from_toml(text).unwrap_err();
    assert_eq!(error.kind().exit_code(), 2);
    assert!(error.line().is_some() && error.path().is_some());
    let message = error.to_string();
    message[message.find("dehusk.toml`, ").unwrap() + 14..].to_owned()
}

#[test]
fn a_file_sets_what_flags_set() {
    let text = "
        extractor = 'readability'
        markdown = true
        max-bytes = '2MiB'
        threshold = 0.7
        shingle = 3
        signature = 'minhash:width=256'
        cluster = 'components'
        seed = 7
        threads = 2
        max-bad = '5%'
        on-near = 'demote'
    ";
    let settings = from_toml(text).unwrap();
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
fn errors_name_line_column_and_what_is_possible() {
    assert_eq!(
        rejection("seed = 1\nthreshold = 7\n"),
        "line 2, column 13: `7` is not a similarity above 0 and up to 1"
    );
    let unknown = rejection("\n\n  treshold = 0.5");
    assert!(
        unknown.starts_with(
            "line 3, column 3: unknown field `treshold`, expected one of `input-format`, `extractor`"
        ),
        "{unknown}"
    );
    let method = rejection("extractor = 'redability'");
    assert!(
        method.starts_with("line 1, column 13: unknown extractor `redability`; known: default, "),
        "{method}"
    );
    let signature = rejection("signature = 'minhsah'");
    assert!(
        signature.contains("column 13: unknown signature `minhsah`; known: "),
        "{signature}"
    );
    assert!(signature.contains("minhash, "), "{signature}");
    assert!(
        rejection("seed = ").starts_with("line 1, column 8: "),
        "{}",
        rejection("seed = ")
    );
    assert!(
        rejection("seed = -1").starts_with("line 1, column 8: "),
        "{}",
        rejection("seed = -1")
    );
}

#[test]
fn parsers_are_those_of_the_build() {
    let chosen = from_toml("parser = 'whatwg'").unwrap();
    assert_eq!(chosen.extraction().parser(), dehusk_html::ParserKind::Whatwg);
    assert_eq!(
        rejection("parser = 'lynx'"),
        format!(
            "line 1, column 10: unknown parser `lynx`; known: {}",
            ParserName::names().join(", ")
        )
    );
    #[cfg(feature = "html5ever")]
    assert_eq!(
        from_toml("parser = 'html5ever'")
            .unwrap()
            .extraction()
            .parser()
            .name(),
        "html5ever"
    );
    #[cfg(not(feature = "html5ever"))]
    assert_eq!(
        rejection("parser = 'html5ever'"),
        "line 1, column 10: this build has no parser `html5ever`, which a cargo feature adds; known: whatwg"
    );
}

#[test]
fn precision_and_recall_exclude_each_other() {
    assert_eq!(
        rejection("precision = true\nrecall = true"),
        "line 2, column 1: `recall` and `precision` exclude each other"
    );
    let file = from_toml("recall = true").unwrap();
    let flags = Settings {
        precision: Some(true),
        ..Settings::default()
    };
    assert_eq!(
        flags.or(file).focus(),
        dehusk_extract::Focus::Precision,
        "flags come first"
    );
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
fn flags_come_before_the_file() {
    let flags = Settings {
        seed: Some(1),
        ..Settings::default()
    };
    let file = Settings {
        seed: Some(2),
        min_tokens: Some(3),
        ..Settings::default()
    };
    let both = flags.or(file);
    assert_eq!(
        (both.seed, both.min_tokens, both.shingle),
        (Some(1), Some(3), None)
    );
}
