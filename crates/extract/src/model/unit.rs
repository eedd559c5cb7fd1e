//! Lines: what the model decides about.
//!
//! Blocks part at every tag that boilerpipe does not look through, so an image or a `<small>` cuts a sentence in two. A unit
//! joins the blocks of one line again.

use std::ops::Range;

use crate::block::{Block, BlockKind, BlockTable, Boundary};
use crate::dom::{Dom, Tag};

/// One line of a page.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// Its blocks, by number.
    pub(crate) blocks: Range<usize>,
    pub(crate) context: u32,
    pub(crate) kind: BlockKind,
    pub(crate) boundary: Boundary,
    pub(crate) heading: u8,
    pub(crate) lists: u16,
    pub(crate) tables: u16,
    pub(crate) hidden: bool,
    pub(crate) chars: u32,
    pub(crate) link_chars: u32,
    /// Tokens: words, and each character of scripts without spaces.
    pub(crate) tokens: u32,
    pub(crate) commas: u32,
    pub(crate) digits: u32,
    /// Words that begin with a capital letter.
    pub(crate) capitals: u32,
    /// Names a sum of money.
    pub(crate) money: bool,
    /// Ends like a sentence.
    pub(crate) ends: bool,
    pub(crate) hash: u64,
}

impl Unit {
    pub(crate) fn link_density(&self) -> f32 {
        self.link_chars as f32 / self.chars.max(1) as f32
    }
}

/// The lines of a page, in document order.
pub(crate) fn units(dom: &Dom<'_>, table: &BlockTable) -> Vec<Unit> {
    let mut out: Vec<Unit> = Vec::with_capacity(table.blocks().len());
    for (i, block) in table.blocks().iter().enumerate() {
        let text = table.text(block);
        let joins = block.boundary == Boundary::Phrase
            && out
                .last()
                .is_some_and(|u| u.hidden == block.hidden && u.heading == block.heading)
            && !is_control(dom, block);
        let counts = Counts::of(text);
        match out.last_mut().filter(|_| joins) {
            Some(unit) => {
                unit.blocks.end = i + 1;
                unit.chars += block.chars + 1;
                unit.link_chars += block.link_chars;
                unit.tokens += counts.tokens;
                unit.commas += counts.commas;
                unit.digits += counts.digits;
                unit.capitals += counts.capitals;
                unit.money |= counts.money;
                unit.ends = counts.ends;
                unit.hash = unit.hash.rotate_left(21) ^ counts.hash;
            }
            None => out.push(Unit {
                blocks: i..i + 1,
                context: block.context,
                kind: block.kind,
                boundary: block.boundary,
                heading: block.heading,
                lists: block.lists,
                tables: block.tables,
                hidden: block.hidden,
                chars: block.chars,
                link_chars: block.link_chars,
                tokens: counts.tokens,
                commas: counts.commas,
                digits: counts.digits,
                capitals: counts.capitals,
                money: counts.money,
                ends: counts.ends,
                hash: counts.hash,
            }),
        }
    }
    out
}

fn is_control(dom: &Dom<'_>, block: &Block) -> bool {
    matches!(
        dom.html_tag(block.element),
        Some(Tag::OPTION | Tag::BUTTON | Tag::LABEL)
    )
}

struct Counts {
    tokens: u32,
    commas: u32,
    digits: u32,
    capitals: u32,
    money: bool,
    ends: bool,
    hash: u64,
}

impl Counts {
    fn of(text: &str) -> Self {
        let mut out = Counts {
            tokens: 0,
            commas: 0,
            digits: 0,
            capitals: 0,
            money: false,
            ends: false,
            hash: 0xcbf2_9ce4_8422_2325,
        };
        let mut in_word = false;
        for c in text.chars() {
            out.hash = (out.hash ^ u64::from(u32::from(c))).wrapping_mul(0x0100_0000_01b3);
            if c.is_ascii() {
                let letter = c.is_ascii_alphanumeric();
                out.digits += u32::from(c.is_ascii_digit());
                out.commas += u32::from(c == ',');
                out.money |= c == '$';
                if letter && !in_word {
                    out.tokens += 1;
                    out.capitals += u32::from(c.is_ascii_uppercase());
                }
                in_word = letter;
            } else if is_unspaced(c) {
                out.tokens += 1;
                in_word = false;
            } else {
                let letter = c.is_alphanumeric();
                out.commas += u32::from(matches!(c, '，' | '、' | '،'));
                out.money |= matches!(c, '€' | '£' | '¥' | '￥' | '₽' | '₴' | '₹' | '₩');
                if letter && !in_word {
                    out.tokens += 1;
                    out.capitals += u32::from(c.is_uppercase());
                }
                in_word = letter;
            }
        }
        let last = text
            .trim_end_matches(['"', '\'', '»', '”', '’', ')', ']', '」', '』', ' '])
            .chars()
            .next_back();
        out.ends =
            last.is_some_and(|c| matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？' | ':' | ';' | '；'));
        out
    }
}

/// Scripts that are written without spaces between words.
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{20000}'..='\u{3FFFF}')
}
