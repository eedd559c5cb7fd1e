use super::*;
use crate::exec::background::Background;
use crate::record::{
    ClusterRow, FailureRow, MatchRow, MatchesRow, NormalizedRow, OccurrenceRow, PairRow, Reason, Rejected,
    Row, SignatureRow, SiteTextRow,
};

/// File that a format makes of `times` copies of a row, added in batches of two.
fn file(format: &'static dyn RowFormat, row: Row<'_>, times: usize, single: bool) -> String {
    let background = Background::new(1);
    let contents = Contents {
        kind: RowKind::Document,
        single,
        header: None,
        background: &background,
        carried: None,
        all_columns: true,
    };
    let (mut out, mut encoder, mut writer) = (Vec::new(), RowEncoder::new(format), format.writer(&contents));
    writer.begin(&mut out).unwrap();
    for batch in vec![row; times].chunks(2) {
        batch.iter().for_each(|row| encoder.add(*row));
        let rows = encoder.take();
        assert_eq!(rows.count(), batch.len() as u64);
        assert_eq!(rows.iter().collect::<Vec<_>>().concat(), rows.bytes());
        writer.rows(&rows, &mut out).unwrap();
    }
    writer.end(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Calls `visit` with a row of each kind.
fn each_kind(visit: &mut dyn FnMut(RowKind, Row<'_>)) {
    let page = crate::record::PageRecord::new(crate::record::Content::Text("<p>One page.".into()));
    let options = dehusk_extract::Options::default()
        .with_markdown(true)
        .with_html(true);
    let document = crate::kernel::extract::Extractor::new(options)
        .extract(&page)
        .unwrap();
    let rejected = Rejected {
        input: "-".to_owned(),
        offset: 0,
        plain_offset: None,
        record: None,
        id: "line 1".to_owned(),
        url: None,
        reason: Reason::BadJson,
        message: "no JSON".to_owned(),
    };
    visit(RowKind::Document, Row::Document(&document));
    visit(RowKind::Failure, Row::Failure(&FailureRow::from(&rejected)));
    visit(RowKind::Rejected, Row::Rejected(&rejected));
    let (id, text) = ("a", "one page");
    let normalized = NormalizedRow {
        id,
        text: Some(text),
        ..NormalizedRow::default()
    };
    visit(RowKind::Normalized, Row::Normalized(&normalized));
    let signature = SignatureRow {
        id,
        signature: "00ff",
    };
    visit(RowKind::Signature, Row::Signature(&signature));
    let pair = PairRow {
        a: "a".into(),
        b: "b\tc".into(),
        similarity: 0.5,
        estimate: None,
        method: "containment".into(),
        contained: Some("b\tc".into()),
        link: Some(4),
    };
    visit(RowKind::Pair, Row::Pair(&pair));
    let decision = ClusterRow {
        id: id.into(),
        cluster: id.into(),
        representative: id.into(),
        similarity: Some(0.5),
        cluster_size: 2,
        kept: true,
        reason: "single".into(),
    };
    visit(RowKind::Decision, Row::Decision(&decision));
    let found = MatchRow {
        a: "a",
        b: "b",
        similarity: 1.0,
        estimate: None,
        shared_shingles: None,
        method: "exact",
        contained: None,
    };
    visit(RowKind::Match, Row::Match(&found));
    visit(
        RowKind::Matches,
        Row::Matches(&MatchesRow {
            id,
            matches: &[],
            capped: 0,
        }),
    );
    let site_text = SiteTextRow {
        id,
        layout: 1,
        method: "style-tree",
        site: "a.example",
        text,
        url: id,
    };
    visit(RowKind::SiteText, Row::SiteText(&site_text));
    let occurrence = OccurrenceRow {
        document: id,
        start: 0,
        end: 3,
        passage: "00ff00ff00ff00ff",
    };
    visit(RowKind::Occurrence, Row::Occurrence(&occurrence));
}

#[test]
fn every_format_writes_every_row_of_its_kinds_and_nothing_of_others() {
    each_kind(&mut |kind, row| {
        for format in ALL {
            let encoded = RowEncoder::one(row, *format);
            let writes = format.kinds().contains(&kind);
            assert_eq!(!encoded.bytes().is_empty(), writes, "{format:?} {kind:?}");
        }
    });
}

#[test]
fn rows_stand_one_after_the_other() {
    each_kind(&mut |kind, row| match kind {
        RowKind::Document => {
            assert_eq!(
                file(&Text, row, 3, false),
                "One page.\n\x0c\nOne page.\n\x0c\nOne page.\n"
            );
            let one = serde_json::to_string_pretty(&row).unwrap();
            assert_eq!(file(&Json, row, 1, true), format!("{one}\n"));
            assert_eq!(
                file(&Json, row, 3, false),
                format!("[\n{one},\n{one},\n{one}\n]\n")
            );
            assert_eq!(file(&Json, row, 0, false), "[]\n");
            assert_eq!(file(&Json, row, 0, true), "");
        }
        RowKind::Pair => {
            assert_eq!(file(&Tsv, row, 2, false), "a\tb\\tc\t0.5\t4\tb\\tc\n".repeat(2));
            assert_eq!(
                file(&Jsonl, row, 1, false),
                "{\"a\":\"a\",\"b\":\"b\\tc\",\"similarity\":0.5,\"method\":\"containment\",\"contained\":\"b\\tc\",\"link\":4}\n"
            );
        }
        _ => {}
    });
}

#[test]
fn a_row_whose_encoding_failed_leaves_nothing() {
    let mut rows = EncodedRows::default();
    rows.push(|to| to.push(b'x'));
    let failed = crate::exec::panic_guard::catch_panic(|| {
        rows.push(|to| {
            to.push(b'y');
            panic!("no other rows please");
        });
    });
    assert!(failed.is_err());
    rows.recover();
    rows.push(|to| to.push(b'z'));
    assert_eq!((rows.bytes(), rows.count()), (&b"xz"[..], 2));
    assert_eq!(rows.part(1..2).bytes(), b"z");
}

#[test]
fn names_of_files_tell_the_format() {
    let of = |kind, name: &str| by_path(kind, Path::new(name)).map(RowFormat::name);
    assert_eq!(of(RowKind::Document, "a/pages.md"), Some("markdown"));
    assert_eq!(of(RowKind::Document, "pages.JSONL.gz"), Some("jsonl"));
    assert_eq!(of(RowKind::Signature, "signatures.md"), None);
    assert_eq!(of(RowKind::Document, "pages.gz"), None);
}

#[test]
fn names_belong_to_kinds_of_rows() {
    assert_eq!(find(RowKind::Pair, "tsv").unwrap().name(), "tsv");
    let told = find(RowKind::Signature, "text").unwrap_err();
    assert!(
        told.starts_with("unknown output format `text`; known: jsonl, tsv"),
        "{told}"
    );
}
