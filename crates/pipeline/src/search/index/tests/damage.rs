//! Damaged files: each causes an error that names the file and a remedy, and none causes a wrong answer.

use super::*;
use crate::error::Error;
use crate::search::index::blocks::BLOCK;

/// All results of an index: the answers, its ids, and the size of its compacted form.
fn all_answers(place: &Place, lines: &str) -> Result<(Vec<u8>, usize), Error> {
    let index = Index::open(&place.index("i"), &Settings::default())?;
    let mut out = Vec::new();
    place.with(lines, &Settings::default(), |job| {
        query(job, &index, &mut out, &mut |_| {})
    })?;
    let layout = index.methods.columns.layout;
    let mut ids = 0;
    for mut reader in index.segments()? {
        reader.ids(|_, _| ids += 1)?;
        reader.entries(layout, |_| None)?;
    }
    rows(&index, &mut |_| Ok(()))?;
    Ok((out, ids))
}

#[track_caller]
fn told(error: &Error, file: &str) {
    assert!(error.to_string().contains(file), "{error}");
    let help = error.help().unwrap();
    assert!(help.contains("index add"), "{error}: {help}");
}

/// An index of two blocks, with path and bytes of its only segment.
fn indexed(place: &Place) -> (PathBuf, Vec<u8>) {
    let more = (100..110).map(|family| line(&format!("more{family}"), &text(family, 0)));
    place.add("i", &(old() + &more.collect::<String>()));
    let segment = place.index("i").join("000001.segment");
    let whole = fs::read(&segment).unwrap();
    assert!(whole.len() > BLOCK, "{}", whole.len());
    (segment, whole)
}

/// Any byte may be damaged. A query may skip the damaged block and give the right answer; reading the whole segment fails.
#[test]
fn every_changed_byte_is_noticed() {
    let place = Place::new();
    let (segment, whole) = indexed(&place);
    let right = all_answers(&place, &new()).unwrap();
    // All bytes of the beginning, of the end and around the boundary of blocks, and samples of the rest.
    let near = |at: usize, boundary: usize| at.abs_diff(boundary) < 12;
    let sampled = |at: &usize| {
        *at < 64
            || at.is_multiple_of(97)
            || near(*at, BLOCK)
            || near(*at, whole.len())
            || near(*at, whole.len() - 16)
    };
    for at in (0..whole.len()).filter(sampled) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&segment, &bytes).unwrap();
        match all_answers(&place, &new()) {
            Ok(_) => panic!("byte {at} was changed, and nobody noticed"),
            Err(error) => told(&error, "000001.segment"),
        }
        // A query gives the right answer or the error.
        let index = Index::open(&place.index("i"), &Settings::default()).unwrap();
        let mut out = Vec::new();
        let asked = place.with(&new(), &Settings::default(), |job| {
            query(job, &index, &mut out, &mut |_| {})
        });
        assert!(asked.is_err() || out == right.0, "byte {at}");
    }
    fs::write(&segment, &whole).unwrap();
    assert_eq!(all_answers(&place, &new()).unwrap(), right);
}

#[test]
fn other_lengths_are_noticed() {
    let place = Place::new();
    let (segment, whole) = indexed(&place);
    let lengths =
        (0..whole.len()).filter(|length| length.is_multiple_of(511) || *length < 40 || length % BLOCK < 3);
    for length in lengths.chain([whole.len() - 1, whole.len() - 8]) {
        fs::write(&segment, &whole[..length]).unwrap();
        told(&all_answers(&place, "").unwrap_err(), "000001.segment");
    }
    for more in [1, 8, BLOCK] {
        let mut bytes = whole.clone();
        bytes.resize(whole.len() + more, 0);
        fs::write(&segment, &bytes).unwrap();
        told(&all_answers(&place, "").unwrap_err(), "000001.segment");
    }
    fs::remove_file(&segment).unwrap();
    told(&all_answers(&place, "").unwrap_err(), "000001.segment");
}

/// Segments of equal size that are swapped, and a segment of another index.
#[test]
fn segments_that_change_places_are_noticed() {
    let place = Place::new();
    place.add("i", &line("a", &text(1, 0)));
    place.add("i", &line("b", &text(2, 0)));
    place.add("j", &line("c", &text(3, 0)));
    let (first, second) = (
        place.index("i").join("000001.segment"),
        place.index("i").join("000002.segment"),
    );
    let (a, b) = (fs::read(&first).unwrap(), fs::read(&second).unwrap());
    let c = fs::read(place.index("j").join("000001.segment")).unwrap();
    assert_eq!((a.len(), b.len()), (b.len(), c.len()));
    fs::write(&first, &b).unwrap();
    fs::write(&second, &a).unwrap();
    told(&all_answers(&place, "").unwrap_err(), "000001.segment");
    fs::write(&first, &c).unwrap();
    fs::write(&second, &b).unwrap();
    told(&all_answers(&place, "").unwrap_err(), "000001.segment");
    fs::write(&first, &a).unwrap();
    assert_eq!(all_answers(&place, "").unwrap().1, 2);
}

#[test]
fn a_changed_manifest_is_noticed() {
    let place = Place::new();
    place.add("i", &old());
    remove(&place.index("i"), ["old7"]).unwrap();
    let right = all_answers(&place, &new()).unwrap();
    let path = place.index("i").join("index.json");
    let whole = fs::read(&path).unwrap();
    let check = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        match all_answers(&place, &new()) {
            // Changes of insignificant bytes, such as spaces, may go unnoticed.
            Ok(answers) => assert_eq!(answers, right, "{}", String::from_utf8_lossy(bytes)),
            Err(error) => {
                let shown = error.to_string();
                assert!(shown.contains(place.index("i").to_str().unwrap()), "{shown}");
            }
        }
    };
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 7);
        check(&bytes);
    }
    let mut random = dehusk_dedup::SplitMix64::new(5);
    for _ in 0..200 {
        check(&mutated(&whole, &mut random));
    }
    // Deliberate changes are noticed, too.
    let text = String::from_utf8(whole.clone()).unwrap();
    for (from, to) in [
        ("\"documents\": 20", "\"documents\": 19"),
        ("\"next\": 2", "\"next\": 1"),
    ] {
        assert!(text.contains(from), "{text}");
        fs::write(&path, text.replace(from, to)).unwrap();
        told(&all_answers(&place, &new()).unwrap_err(), "index.json");
    }
    fs::write(&path, &whole).unwrap();
    assert_eq!(all_answers(&place, &new()).unwrap(), right);
}

#[test]
fn an_index_of_another_version_is_refused_with_what_to_do() {
    let place = Place::new();
    place.add("i", &old());
    let path = place.index("i").join("index.json");
    let text = fs::read_to_string(&path).unwrap();
    // The form of version 1: other fields, and no checksum.
    let mut manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    let fields = manifest.as_object_mut().unwrap();
    fields.insert("format_version".to_owned(), 1.into());
    fields.remove("checksum");
    fs::write(&path, manifest.to_string()).unwrap();
    let error = Index::open(&place.index("i"), &Settings::default())
        .err()
        .unwrap();
    assert!(error.to_string().contains("has format version 1"), "{error}");
    assert!(error.help().unwrap().contains("make the index again"), "{error}");
}
