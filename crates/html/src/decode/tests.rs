use encoding_rs::Encoding;

#[cfg(feature = "serde")]
use super::Charset;
use super::{CharsetHints, CharsetSource, decode, from_text};
use crate::warning::WarningKind;

#[track_caller]
fn check(bytes: &[u8], http: Option<&str>, name: &str, source: CharsetSource, text: &str) {
    let got = decode(bytes, of_http(http), usize::MAX);
    assert_eq!((got.charset.name, got.charset.source), (name, source));
    assert!(got.text.contains(text), "{:?}", got.text);
}

fn of_http(content_type: Option<&str>) -> CharsetHints<'_> {
    CharsetHints {
        content_type,
        ..CharsetHints::default()
    }
}

fn encoded(label: &str, text: &str) -> Vec<u8> {
    Encoding::for_label(label.as_bytes())
        .unwrap()
        .encode(text)
        .0
        .into_owned()
}

#[test]
fn byte_order_marks_win() {
    check(
        b"\xEF\xBB\xBF<meta charset=koi8-r>a",
        Some("text/html; charset=cp1251"),
        "UTF-8",
        CharsetSource::Bom,
        "a",
    );
    let wide: Vec<u8> = "\u{FEFF}<p>река"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    check(&wide, None, "UTF-16LE", CharsetSource::Bom, "<p>река");
    let long: Vec<u8> = "<html><body><p>река</p></body></html>"
        .encode_utf16()
        .flat_map(u16::to_be_bytes)
        .collect();
    check(&long, None, "UTF-16BE", CharsetSource::Bytes, "река");
}

#[test]
fn declarations_in_their_order() {
    let page = encoded(
        "windows-1251",
        "<meta charset='windows-1251'><p>Река вышла из берегов",
    );
    check(&page, None, "windows-1251", CharsetSource::Meta, "Река вышла");
    check(
        &page,
        Some("text/html;charset=\"cp1251\""),
        "windows-1251",
        CharsetSource::Http,
        "Река вышла",
    );
    check(
        &page,
        Some("text/html;charset=bogus"),
        "windows-1251",
        CharsetSource::Meta,
        "Река вышла",
    );
    let pragma = encoded(
        "koi8-r",
        "<META content='text/html; charset=koi8-r' HTTP-EQUIV=Content-Type>Река",
    );
    check(&pragma, None, "KOI8-R", CharsetSource::Meta, "Река");
    let xml = encoded(
        "windows-1251",
        "<?xml version='1.0' encoding='windows-1251'?><html><p>Река",
    );
    check(&xml, None, "windows-1251", CharsetSource::Xml, "Река");
}

#[test]
fn meta_is_found_late_but_not_in_comments_scripts_or_attributes() {
    let filler = format!(
        "<!-- <meta charset=utf-8> --><style>{}</style>",
        "a{}".repeat(2000)
    );
    let decoys = "<script>'<meta charset=utf-8>'</script><a title='<meta charset=utf-8>'>";
    let page = encoded(
        "windows-1251",
        &format!("{filler}{decoys}<meta charset=windows-1251><p>Река"),
    );
    check(&page, None, "windows-1251", CharsetSource::Meta, "Река");
}

#[test]
fn bytes_that_contradict_the_declaration_win() {
    check(
        "<meta charset=windows-1251><p>Река вышла".as_bytes(),
        None,
        "UTF-8",
        CharsetSource::Bytes,
        "Река вышла",
    );
    let text = "<meta charset=utf-8><p>Ночью река вышла из берегов и затопила луга у старой мельницы.";
    check(
        &encoded("windows-1251", text),
        None,
        "windows-1251",
        CharsetSource::Detector,
        "река вышла",
    );
    let damaged = [
        b"<meta charset=utf-8>".as_slice(),
        "Река вышла из берегов".as_bytes(),
        b"\xFF",
    ]
    .concat();
    check(&damaged, None, "UTF-8", CharsetSource::Meta, "Река вышла");
}

#[test]
fn a_declared_charset_of_many_bytes_must_fit() {
    let text = "<meta charset=euc-jp><p>夜のあいだに川があふれ、古い水車小屋のそばの牧草地が水につかった。村の人々は朝になって驚いた。";
    let shift_jis = encoded("shift_jis", text);
    check(&shift_jis, None, "Shift_JIS", CharsetSource::Detector, "牧草地");
    // The correct charset is kept even if the page is slightly damaged.
    let mut right = encoded("euc-jp", text);
    right.push(0xFF);
    check(&right, None, "EUC-JP", CharsetSource::Meta, "牧草地");
}

#[test]
fn charsets_that_browsers_refuse_are_guessed() {
    check(
        b"<meta charset=hz-gb-2312><p>plain",
        None,
        "UTF-8",
        CharsetSource::Bytes,
        "<p>plain",
    );
}

#[test]
fn nul_bytes_before_a_page_are_skipped() {
    let page = [&[0; 500], "<meta charset=utf-8><p>река".as_bytes()].concat();
    check(&page, None, "UTF-8", CharsetSource::Meta, "река");
    let film = b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom\0\0\x01\x02";
    let got = decode(film, of_http(None), usize::MAX);
    assert_eq!(got.warnings[0].kind, WarningKind::Binary);
}

#[test]
fn without_declaration_the_detector_guesses() {
    let text = "Ночью река вышла из берегов и затопила луга у старой мельницы. Жители ждут спада воды.";
    // KOI8-U and KOI8-R agree on Russian letters; the detector answers with the former.
    for (label, name) in [("windows-1251", "windows-1251"), ("koi8-r", "KOI8-U")] {
        check(
            &encoded(label, text),
            None,
            name,
            CharsetSource::Detector,
            "река вышла",
        );
    }
    check(b"plain", None, "UTF-8", CharsetSource::Bytes, "plain");
}

#[test]
fn limits_and_binaries_are_told() {
    let got = decode("абв".as_bytes(), CharsetHints::default(), 3);
    assert_eq!(got.warnings[0].kind, WarningKind::BytesLimit);
    assert_eq!(from_text("абв", 3).text, "а");
    let got = decode(
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        CharsetHints::default(),
        usize::MAX,
    );
    assert_eq!(
        (got.text.as_ref(), got.warnings[0].kind),
        ("", WarningKind::Binary)
    );
}

proptest::proptest! {
    #[test]
    fn any_bytes_hold_the_equations(
        start in "(charset=[a-z0-9-]{2,12}|<meta charset=(utf-8|koi8-r|big5|utf-16|gbk|euc-kr)>)?\n?",
        bytes in proptest::collection::vec(proptest::prop_oneof![0x20_u8..0x7f, 0x80_u8.., proptest::num::u8::ANY], 0..60),
    ) {
        proptest::prop_assert_eq!(crate::decode::decode_check(&[start.as_bytes(), &bytes].concat()), Ok(()));
    }

    #[test]
    fn any_soup_is_prescanned(soup in "(<meta|charset|content|=|'|\"|<!--|-->|<a |/|>| |utf-8|<script>|</script|http-equiv)*") {
        // The text is ASCII, and the only named charset is UTF-8, so it is decoded without any change.
        let decoded = decode(soup.as_bytes(), of_http(Some(&soup)), 1 << 20);
        proptest::prop_assert_eq!(decoded.text.as_ref(), soup.as_str());
    }
}

#[cfg(feature = "serde")]
#[test]
fn charsets_are_written_by_their_names() {
    let charset = decode("река".as_bytes(), CharsetHints::default(), usize::MAX).charset;
    let written = serde_json::to_string(&charset).unwrap();
    assert_eq!(written, r#"{"name":"UTF-8","source":"bytes"}"#);
    assert_eq!(serde_json::from_str::<Charset>(&written).unwrap(), charset);
    assert!(serde_json::from_str::<Charset>(r#"{"name":"bogus","source":"meta"}"#).is_err());
}
