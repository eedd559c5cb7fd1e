//! Ways in which the bytes of a compressed member can be broken. The end-to-end tests of the program have them, too.

/// Breaks the bytes of a member, of at least 100.
pub(crate) type Bytes = fn(&mut Vec<u8>);

pub(crate) const OF_MEMBERS: &[(&str, Bytes)] = &[
    ("flipped byte", |bytes| {
        let at = bytes.len() / 2;
        bytes[at] ^= 0x55;
    }),
    ("flipped bit early", |bytes| bytes[30] ^= 4),
    ("first byte", |bytes| bytes[0] ^= 0xFF),
    ("second byte", |bytes| bytes[1] ^= 0xFF),
    ("method or magic", |bytes| bytes[2] ^= 0x11),
    ("flags or magic", |bytes| bytes[3] ^= 0xE0),
    ("checksum", |bytes| {
        let at = bytes.len() - 6;
        bytes[at] ^= 1;
    }),
    ("last byte", |bytes| {
        let at = bytes.len() - 1;
        bytes[at] ^= 0x80;
    }),
    ("end is missing", |bytes| bytes.truncate(bytes.len() - 10)),
    ("second half is missing", |bytes| bytes.truncate(bytes.len() / 2)),
    ("only a header is left", |bytes| bytes.truncate(14)),
    ("first half is missing", |bytes| {
        drop(bytes.drain(..bytes.len() / 2));
    }),
    ("bytes are missing", |bytes| drop(bytes.drain(60..80))),
    ("garbage before", |bytes| {
        drop(bytes.splice(..0, *b"not a member, (\x1F\x8B, \x28\xB5 "));
    }),
    ("garbage behind", |bytes| {
        bytes.extend(b"\x1F\x8B\x08garbage WARC/1.0\r\n");
    }),
    ("garbage inside", |bytes| drop(bytes.splice(70..70, *b"garbage"))),
    ("zeros", |bytes| bytes[50..90].fill(0)),
    ("doubled bytes", |bytes| {
        let doubled = bytes[40..100].to_vec();
        bytes.splice(40..40, doubled);
    }),
];
