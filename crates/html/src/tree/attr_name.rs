//! Names of attributes as small numbers, for names that are looked up frequently.

use crate::narrow;

/// Name of an attribute, if it has a constant; [`AttrName::OTHER`] for all other names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AttrName(u8);

macro_rules! names {
    ($($konst:ident = $name:literal),* $(,)?) => {
        #[repr(u8)]
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Index { $($konst),* }

        impl AttrName {
            $(#[doc = concat!("`", $name, "`")] pub const $konst: AttrName = AttrName(Index::$konst as u8);)*
        }

        /// Names in the order of their numbers.
        const NAMES: &[&str] = &[$($name),*];
    };
}

names! {
    ALT = "alt",
    ARIA_HIDDEN = "aria-hidden",
    CLASS = "class",
    CONTENT = "content",
    DATETIME = "datetime",
    HIDDEN = "hidden",
    HREF = "href",
    ID = "id",
    ITEMPROP = "itemprop",
    ITEMTYPE = "itemtype",
    LANG = "lang",
    NAME = "name",
    PROPERTY = "property",
    PUBDATE = "pubdate",
    REL = "rel",
    ROLE = "role",
    SRC = "src",
    STYLE = "style",
    TITLE = "title",
    TYPE = "type",
    TYPEOF = "typeof",
}

/// A name of up to eight bytes, packed into a word.
#[derive(Clone, Copy)]
struct Packed {
    name: u64,
    number: AttrName,
}

const SLOT_BITS: u32 = 7;
static SLOTS: [Packed; 1 << SLOT_BITS] = slots();

const fn slot(name: u64) -> usize {
    (name.wrapping_mul(0x9FB2_1C65_1E98_DF25) >> (64 - SLOT_BITS)) as usize
}

/// Packs up to eight bytes into one word, first byte lowest.
const fn word_of(bytes: &[u8]) -> u64 {
    let (mut word, mut at) = (0, bytes.len());
    while at > 0 {
        at -= 1;
        word = word << 8 | bytes[at] as u64;
    }
    word
}

/// Hash table in which each name has its own slot, so that one comparison decides whether a word is a name.
/// Checked at compile time.
const fn slots() -> [Packed; 1 << SLOT_BITS] {
    let empty = Packed {
        name: 0,
        number: AttrName::OTHER,
    };
    let mut slots = [empty; 1 << SLOT_BITS];
    let mut i = 0;
    while i < NAMES.len() {
        if NAMES[i].len() <= 8 {
            let name = word_of(NAMES[i].as_bytes());
            assert!(slots[slot(name)].name == 0, "two names share a slot");
            slots[slot(name)] = Packed {
                name,
                number: AttrName(narrow::to_u8(i)),
            };
        }
        i += 1;
    }
    slots
}

impl AttrName {
    /// A name without a constant.
    pub const OTHER: AttrName = AttrName(narrow::to_u8(NAMES.len()));

    /// Number of a name, in any case.
    pub(crate) fn of(name: &[u8]) -> AttrName {
        match name.len() {
            // Only the bytes of the name get the bit, so that the rest of the word stays zero.
            0..=8 => AttrName::of_word(word_of(name) | LOWER & word_mask(name.len())),
            11 if name.eq_ignore_ascii_case(b"aria-hidden") => AttrName::ARIA_HIDDEN,
            _ => AttrName::OTHER,
        }
    }

    /// Number of a name of up to eight bytes, first byte lowest, each with the bit [`LOWER`] set.
    ///
    /// That bit turns upper case into lower case. The only other byte that it turns into a letter or hyphen
    /// is the carriage return, which no name contains.
    #[inline]
    pub(crate) fn of_word(name: u64) -> AttrName {
        // A table without collisions: one comparison decides.
        let found = SLOTS[slot(name)];
        if found.name == name {
            found.number
        } else {
            AttrName::OTHER
        }
    }

    /// Bit of this name in bit sets of names; 0 for [`AttrName::OTHER`].
    #[inline]
    pub const fn bit(self) -> u32 {
        // `OTHER` has the number after the last name, whose bit the mask removes.
        (1 << self.0) & ((1 << NAMES.len()) - 1)
    }
}

/// In each byte, the bit that distinguishes lower case from upper case.
pub(crate) const LOWER: u64 = 0x2020_2020_2020_2020;

/// Mask of the lowest `len` bytes of a word; `len` is at most eight.
fn word_mask(len: usize) -> u64 {
    debug_assert!(len <= 8, "a word has eight bytes, not {len}");
    u64::MAX.checked_shr(64 - 8 * narrow::to_u32(len)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Reference implementation: number of a name by comparison with all names.
    fn plain(name: &str) -> AttrName {
        let found = NAMES.iter().position(|known| known.eq_ignore_ascii_case(name));
        found.map_or(AttrName::OTHER, |i| AttrName(i as u8))
    }

    #[test]
    fn names_are_found_in_upper_and_lower_case() {
        for name in NAMES {
            for name in [
                (*name).to_owned(),
                name.to_uppercase(),
                format!("{name}s"),
                name[1..].to_owned(),
            ] {
                assert_eq!(AttrName::of(name.as_bytes()), plain(&name), "{name}");
            }
        }
        assert_eq!(AttrName::of(b"ITEMprop"), AttrName::ITEMPROP);
        assert_eq!(AttrName::of("cla\u{17F}s".as_bytes()), AttrName::OTHER);
        assert_eq!(AttrName::OTHER.bit(), 0);
        assert_eq!(AttrName::ID.bit().count_ones(), 1);
    }

    proptest! {
        #[test]
        fn other_names_have_no_number(name in "[^\r]{0,9}", known in 0..NAMES.len(), at in 0..8_usize, byte in 0..128_u8) {
            prop_assert_eq!(AttrName::of(name.as_bytes()), plain(&name));
            let mut name = NAMES[known].as_bytes().to_vec();
            let at = at % name.len();
            name[at] = if byte == b'\r' { b' ' } else { byte };
            prop_assert_eq!(AttrName::of(&name), plain(std::str::from_utf8(&name).unwrap_or("")));
        }
    }
}
