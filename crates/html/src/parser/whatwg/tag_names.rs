//! Maps tag names of the source to numbers. Most names have at most eight bytes, fit into one word and are
//! found by its hash.

use crate::narrow;
use crate::tree::{Builder, NAMES, Tag};

/// A name that has a constant.
#[derive(Clone, Copy)]
struct Packed {
    name: u64,
    tag: Tag,
}

const SLOT_BITS: u32 = 10;
const EMPTY: Packed = Packed { name: 0, tag: Tag(0) };
static SLOTS: [Packed; 1 << SLOT_BITS] = slots();

const fn slot(name: u64) -> usize {
    (name.wrapping_mul(0x9FB2_1C65_1E98_DF25) >> (64 - SLOT_BITS)) as usize
}

const fn slots() -> [Packed; 1 << SLOT_BITS] {
    let mut slots = [EMPTY; 1 << SLOT_BITS];
    let mut i = 0;
    while i < NAMES.len() {
        let bytes = NAMES[i].as_bytes();
        if bytes.len() <= 8 {
            let (mut name, mut at) = (0, bytes.len());
            while at > 0 {
                at -= 1;
                name = name << 8 | bytes[at] as u64;
            }
            let mut slot = slot(name);
            // Linear probing. The table has 1024 slots and a few hundred names.
            while slots[slot].name != 0 {
                slot = (slot + 1) % slots.len();
            }
            slots[slot] = Packed {
                name,
                tag: Tag(narrow::to_u16(i)),
            };
        }
        i += 1;
    }
    slots
}

/// Tag with the constant for `name`: up to eight lower-case bytes, first byte lowest. `None` if there is no
/// such constant.
#[inline]
pub(crate) fn known(name: u64) -> Option<Tag> {
    // A name is never 0, so it never equals an empty slot. Some slots are empty, so the loop ends.
    let mut slot = slot(name);
    loop {
        let found = SLOTS[slot & (SLOTS.len() - 1)];
        if found.name == name {
            return Some(found.tag);
        }
        if found.name == 0 {
            return None;
        }
        slot += 1;
    }
}

/// A name of one to seven letters and digits, for comparison with the start of a word.
#[derive(Clone, Copy)]
struct InWord {
    name: u64,
    /// The bits of a word that are compared.
    mask: u64,
    len: usize,
}

/// A pattern that matches no word.
const NOT_IN_WORD: InWord = InWord {
    name: 1,
    mask: 0,
    len: 0,
};

/// Patterns for the names with constants. Longer names and names with other characters get a pattern that
/// never matches.
static IN_WORDS: [InWord; NAMES.len()] = in_words();

const fn in_words() -> [InWord; NAMES.len()] {
    let mut words = [NOT_IN_WORD; NAMES.len()];
    let mut i = 0;
    while i < NAMES.len() {
        let bytes = NAMES[i].as_bytes();
        let mut word = InWord {
            name: 0,
            mask: 0,
            len: bytes.len(),
        };
        let mut at = 0;
        while at < bytes.len() && at < 8 {
            // Letters match regardless of case.
            let mask = if bytes[at].is_ascii_lowercase() {
                0xDF
            } else {
                0xFF
            };
            word.name |= ((bytes[at] & mask) as u64) << (8 * at);
            word.mask |= (mask as u64) << (8 * at);
            if !bytes[at].is_ascii_lowercase() && !bytes[at].is_ascii_digit() {
                break;
            }
            at += 1;
        }
        if at == bytes.len() && at < 8 {
            words[i] = word;
        }
        i += 1;
    }
    words
}

/// Length of the name of `tag`, if `word` begins with it in any case; `None` otherwise, or if the name is long.
#[inline]
pub(crate) fn len_in_word(tag: Tag, word: u64) -> Option<usize> {
    let InWord { name, mask, len } = *IN_WORDS.get(usize::from(tag.0))?;
    (word & mask == name).then_some(len)
}

/// Cache of recent names without a constant, so that pages with custom elements or SVG need not search the
/// table of names for each tag.
#[derive(Debug)]
pub(crate) struct RecentNames {
    names: [(u64, Tag); 64],
}

impl RecentNames {
    pub(crate) fn new() -> Self {
        RecentNames {
            names: [(0, Tag(0)); 64],
        }
    }

    /// Tag for a name of up to eight lower-case letters and digits, first byte lowest.
    #[inline]
    pub(crate) fn short(&mut self, name: u64, builder: &mut Builder<'_>) -> Tag {
        known(name).unwrap_or_else(|| self.unknown(name, builder))
    }

    fn unknown(&mut self, name: u64, builder: &mut Builder<'_>) -> Tag {
        let entry = &mut self.names[(name.wrapping_mul(0x9FB2_1C65_1E98_DF25) >> 58) as usize];
        // A direct-mapped cache: the hash of a name selects its entry, and a new name replaces the old one.
        if entry.0 != name {
            let bytes = name.to_le_bytes();
            let len = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
            debug_assert!(bytes[..len].is_ascii(), "names of tags in a word are ASCII");
            *entry = (
                // Shorter names end in zero bytes.
                name,
                builder.tag(std::str::from_utf8(&bytes[..len]).unwrap_or("")),
            );
        }
        entry.1
    }
}

/// Tag for a name of any length and with any characters, as written in the source.
#[cold]
pub(crate) fn of_any_length(name: &str, builder: &mut Builder<'_>) -> Tag {
    let has_nul = name.contains('\0');
    match name.bytes().any(|b| b.is_ascii_uppercase()) {
        _ if has_nul => builder.tag(&name.to_ascii_lowercase().replace('\0', "\u{FFFD}")),
        true => builder.tag(&name.to_ascii_lowercase()),
        false => builder.tag(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{NodeId, TreeBuffers};

    #[test]
    fn names_are_found_at_the_beginning_of_a_word() {
        for &tag in Tag::ALL {
            for word in NAMES.iter().chain(&["h\u{11}>", "DIV>", "d\u{9}v>", "a\0"]) {
                for word in [format!("{word}>"), format!("{word}s"), word.to_uppercase()] {
                    let mut bytes = [b' '; 8];
                    let len = word.len().min(8);
                    bytes[..len].copy_from_slice(&word.as_bytes()[..len]);
                    let name = NAMES[tag.index()];
                    let fits =
                        name.len() < 8 && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
                    let begins = fits && bytes[..name.len()].eq_ignore_ascii_case(name.as_bytes());
                    let found = len_in_word(tag, u64::from_le_bytes(bytes));
                    assert_eq!(found, begins.then_some(name.len()), "{name} {word}");
                }
            }
        }
    }

    #[test]
    fn short_names_are_found_by_their_word() {
        let mut builder = Builder::new("", TreeBuffers::default());
        let mut recent = RecentNames::new();
        for (i, name) in NAMES.iter().enumerate().filter(|(_, name)| name.len() <= 8) {
            let mut word = [0; 8];
            word[..name.len()].copy_from_slice(name.as_bytes());
            assert_eq!(
                recent.short(u64::from_le_bytes(word), &mut builder),
                Tag(i as u16),
                "{name}"
            );
        }
        let word = u64::from_le_bytes(*b"lineargr");
        let tag = recent.short(word, &mut builder);
        assert_eq!(recent.short(word, &mut builder), tag);
        assert_eq!(of_any_length("LineArGr", &mut builder), tag);
        assert_eq!(of_any_length("BlockQuote", &mut builder), Tag::BLOCKQUOTE);
        assert_ne!(of_any_length("foreignobject", &mut builder), Tag::FOREIGNOBJECT);
    }

    #[test]
    fn names_like_known_ones_are_others() {
        for (source, name) in [
            ("<DiV>", "div"),
            ("<h1/>", "h1"),
            ("<fieldset\n>", "fieldset"),
            ("<fieldsets>", "fieldsets"),
            ("<X-ray>", "x-ray"),
            ("<blockQuote>", "blockquote"),
            // Lower-case letters and digits also differ from these bytes in one bit.
            ("<h\u{11}>", "h\u{11}"),
            ("<di\u{16}>", "di\u{16}"),
            ("<d\u{F6}v>", "d\u{F6}v"),
        ] {
            let (dom, _) = crate::Parser::default().parse(source);
            let body = dom.find(NodeId::DOCUMENT, Tag::BODY).unwrap();
            let first = dom.children(body).next().map(|id| dom.name(id));
            assert_eq!(first, Some(name), "{source:?}");
        }
    }
}
