use std::io::{self, Read};

use proptest::prelude::*;
use tar::{Builder, EntryType, Header};

use super::entries::Entries;
use super::header::BLOCK;
use crate::read::compression::{Unpacked, testing::gzip};
use crate::read::entry::EntryContent;
use crate::read::format::tests::Pieces;

const MOST: usize = 1 << 20;

/// Lists the content of an archive: pages as `offset name length`, others as `offset -kind`, damage as `offset !reason name`.
fn told(archive: impl Read) -> Vec<String> {
    let mut entries = Entries::new(Unpacked::new(archive), MOST);
    let mut told = Vec::new();
    while let Some(entry) = entries.next() {
        let plain = entry.plain;
        told.push(match entry.content {
            EntryContent::Page { name, bytes } => format!("{plain} {name} {}", bytes.len()),
            EntryContent::Skipped(why) => format!("{plain} -{why}"),
            EntryContent::Rejected(rejection) => {
                let id = rejection.id.unwrap_or_default();
                format!("{plain} !{} {id}", rejection.reason.name())
            }
        });
    }
    told
}

fn header(kind: EntryType, size: u64) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_mode(0o644);
    header
}

fn append(to: &mut Builder<Vec<u8>>, name: &str, body: &[u8]) {
    let mut header = header(EntryType::Regular, body.len() as u64);
    to.append_data(&mut header, name, body).unwrap();
}

fn body(number: usize) -> Vec<u8> {
    format!("<p>{}", number * 7919)
        .repeat(number * 13 % 200)
        .into_bytes()
}

/// Returns an archive of `count` pages and the offset of each page.
fn pages(count: usize) -> (Vec<u8>, Vec<usize>) {
    let (mut to, mut starts) = (Builder::new(Vec::new()), Vec::new());
    for number in 0..count {
        starts.push(to.get_ref().len());
        append(&mut to, &format!("p/{number}.html"), &body(number));
    }
    (to.into_inner().unwrap(), starts)
}

#[test]
fn pages_are_told_by_their_names_and_others_by_their_kind() {
    let mut to = Builder::new(Vec::new());
    let long = format!("{}/about", "a".repeat(300));
    for name in [
        "./a.html",
        "b/c.htm",
        &long,
        "d.css",
        ".git/x.html",
        "in.tar",
        "in.warc.gz",
        "e.html.gz",
    ] {
        append(&mut to, name, b"<p>x");
    }
    to.append_data(&mut header(EntryType::Directory, 0), "f/", io::empty())
        .unwrap();
    to.append_link(&mut header(EntryType::Symlink, 0), "g.html", "a.html")
        .unwrap();
    to.append_data(&mut header(EntryType::Fifo, 0), "h.html", io::empty())
        .unwrap();
    to.append_pax_extensions([("path", "пакет/i.html".as_bytes()), ("size", b"5")])
        .unwrap();
    append(&mut to, "short.css", b"<p>xx");
    to.append_pax_extensions([("GNU.sparse.major", b"1".as_slice())])
        .unwrap();
    append(&mut to, "j.html", b"<p>xx");
    append(&mut to, "k.html", b"");
    let archive = to.into_inner().unwrap();
    let names: Vec<String> = told(&*archive)
        .into_iter()
        .map(|told| told.split_once(' ').unwrap().1.to_owned())
        .collect();
    let expected = [
        "a.html 4",
        "b/c.htm 4",
        &format!("{long} 4"),
        "-other-extension",
        "-hidden",
        "-inner-archive",
        "-inner-archive",
        "e.html.gz 4",
        "-folder",
        "-link",
        "-special-file",
        "пакет/i.html 5",
        "-sparse-file",
        "k.html 0",
    ];
    assert_eq!(names, expected);
    assert_eq!(told(&*gzip(&archive)), told(&*archive));
    let zstd = zstd::encode_all(&*archive, 3).unwrap();
    assert_eq!(told(&*zstd), told(&*archive));
}

/// Damages page 40 of an archive of 100 pages. Checks that all other pages are read and that the damage is reported as expected.
#[track_caller]
fn costs_one(damage: impl Fn(&mut Vec<u8>, usize, usize), expected: &str) {
    let (mut archive, starts) = pages(100);
    let whole = told(&*archive);
    damage(&mut archive, starts[40], starts[41]);
    let after = told(&*archive);
    let left = |told: &[String]| -> Vec<String> {
        let pages = told.iter().filter(|told| !told.contains('!'));
        pages
            .map(|told| told.split_once(' ').unwrap().1.to_owned())
            .collect()
    };
    let (mut others, found) = (left(&whole), left(&after));
    others.remove(40);
    assert_eq!(found, others, "{expected}");
    let damage: Vec<_> = after.iter().filter(|told| told.contains('!')).collect();
    assert_eq!(damage, [&format!("{} {expected}", starts[40])]);
}

fn checksum(header: &mut [u8]) {
    let mut right = Header::from_byte_slice(&header[..BLOCK]).clone();
    right.set_cksum();
    header[..BLOCK].copy_from_slice(right.as_bytes());
}

#[test]
fn a_damaged_entry_costs_itself() {
    let lost = "!bad-archive ";
    let named = "!bad-archive p/40.html";
    costs_one(|archive, at, _| archive[at] ^= 1, lost);
    costs_one(|archive, at, _| archive[at + 128] ^= 1, lost);
    costs_one(|archive, at, _| archive[at..at + BLOCK].fill(0xff), lost);
    costs_one(|archive, at, _| drop(archive.drain(at..at + 100)), lost);
    costs_one(|archive, at, next| archive[at..next].fill(b'x'), lost);
    // Wrong sizes: too large by one block and by terabytes, and too small.
    let size = |archive: &mut Vec<u8>, at: usize, size: &[u8]| {
        archive[at + 124..at + 124 + size.len()].copy_from_slice(size);
        checksum(&mut archive[at..]);
    };
    costs_one(|archive, at, _| size(archive, at, b"00000077777\0"), named);
    costs_one(|archive, at, _| size(archive, at, b"77777777777\0"), named);
    costs_one(
        |archive, at, _| size(archive, at, b"\x80\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
        named,
    );
}

#[test]
fn bytes_between_entries_are_told_and_cost_none() {
    let (archive, starts) = pages(20);
    let whole = told(&*archive).len();
    for garbage in [&b"garbage"[..], &[0xff; 3000], &[b'x'; 512]] {
        let mut broken = archive.clone();
        broken.splice(starts[7]..starts[7], garbage.iter().copied());
        let after = told(&*broken);
        assert_eq!(after.len(), whole + 1, "{after:?}");
        assert!(
            after[7].starts_with(&format!("{} !bad-archive", starts[7])),
            "{after:?}"
        );
    }
    // Blocks of zeros may lie between archives that were joined.
    let joined = [archive.as_slice(), &archive].concat();
    assert_eq!(told(&*joined).len(), 2 * whole);
}

#[test]
fn a_cut_archive_keeps_what_is_whole() {
    let (archive, starts) = pages(20);
    let after = told(&archive[..starts[12] + BLOCK + 5]);
    assert_eq!(
        (after.len(), after[12].split(' ').next_back()),
        (13, Some("p/12.html"))
    );
    assert!(after[12].contains("!truncated"), "{after:?}");
    for end in [starts[12], starts[12] + 100] {
        let after = told(&archive[..end]);
        assert_eq!(after.len(), 13);
        assert!(
            after[12].starts_with(&format!("{} !truncated", starts[12])),
            "{after:?}"
        );
    }
    assert_eq!(told(io::empty()), ["0 !truncated "]);
    assert_eq!(told(&b"PK\x03\x04 no tar"[..]), ["0 !compressed "]);
    assert_eq!(told(&[b'x'; 5000][..]), ["0 !bad-archive "]);
}

#[test]
fn a_damaged_member_costs_entries_around_it() {
    let (archive, starts) = pages(60);
    let members: Vec<Vec<u8>> = archive.chunks(4096).map(gzip).collect();
    let (whole, at) = (told(&*archive), members[..3].concat().len());
    let mut broken = members.concat();
    broken[at + members[3].len() / 2] ^= 0x55;
    let after = told(&*broken);
    let inside = |start: &&usize| (3 * 4096..4 * 4096).contains(*start);
    let lost = starts.iter().filter(inside).count() + 1;
    let pages = after.iter().filter(|told| !told.contains('!')).count();
    assert!(
        pages + lost >= whole.len() && pages < whole.len(),
        "{pages} of {}",
        whole.len()
    );
    assert!(after.len() > pages, "{after:?}");
}

#[test]
fn entries_know_the_member_that_holds_them() {
    let (archive, starts) = pages(10);
    let members: Vec<Vec<u8>> = starts
        .iter()
        .zip(starts[1..].iter().copied().chain([archive.len()]))
        .map(|(start, end)| gzip(&archive[*start..end]))
        .collect();
    let file = members.concat();
    let mut entries = Entries::new(Unpacked::new(&*file), MOST);
    let mut at = 0;
    for (member, start) in members.iter().zip(&starts) {
        let entry = entries.next().unwrap();
        assert_eq!((entry.plain, entry.member), (*start as u64, Some(at as u64)));
        at += member.len();
    }
}

#[test]
fn long_pages_are_cut_and_long_files_are_passed_over() {
    let mut to = Builder::new(Vec::new());
    append(&mut to, "long.html", &vec![b'x'; 2 * MOST]);
    append(&mut to, "long.css", &vec![b'x'; 3 * MOST]);
    append(&mut to, "a.html", b"<p>x");
    let archive = to.into_inner().unwrap();
    let after: Vec<String> = told(&*archive);
    assert!(
        after[0].ends_with(&format!("long.html {}", MOST + 1)),
        "{}",
        after[0]
    );
    assert!(after[2].ends_with("a.html 4") && after.len() == 3, "{after:?}");
}

proptest! {
    #[test]
    fn any_bytes_are_read_to_their_end_however_they_arrive(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        cut in any::<prop::sample::Index>(),
        pieces in proptest::collection::vec(1..3000_usize, 0..60),
    ) {
        let (mut archive, _) = pages(12);
        for (at, byte) in changes {
            let at = at.index(archive.len());
            archive[at] = byte;
        }
        archive.truncate(cut.index(archive.len() * 2));
        let whole = told(&*archive);
        prop_assert_eq!(told(Pieces(&archive, pieces)), whole);
    }
}
