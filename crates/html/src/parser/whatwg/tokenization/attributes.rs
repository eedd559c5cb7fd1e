//! Attributes of a start tag: duplicates and limits.

use crate::narrow;
use crate::parser::whatwg::attribute_names::UsedNames;
use crate::parser::whatwg::state::ParserState;
use crate::tree::{Attr, AttrName};

impl ParserState<'_> {
    /// Adds an attribute, unless the tag already has one of this name (section 13.2.5.33) or a limit is reached.
    #[inline]
    pub(crate) fn keep_attribute(
        &mut self,
        name: (usize, usize),
        (known, holds_nul): (AttrName, bool),
        value: (usize, usize),
        seen: &mut UsedNames,
    ) {
        // Unknown names have one of 64 hashes. Only a name whose hash was seen before, or that holds
        // U+0000, is compared with the attributes before it.
        let bit = if known == AttrName::OTHER {
            let (head, tail) = (self.bytes[name.0] | 0x20, self.bytes[name.1 - 1] | 0x20);
            let hash = u32::from(head)
                ^ u32::from(tail).wrapping_mul(5)
                ^ narrow::to_u32(name.1 - name.0).wrapping_mul(11);
            let bit = 1 << (hash & 63);
            if (seen.others & bit != 0 || holds_nul) && self.is_duplicate(name, seen.first) {
                return;
            }
            bit
        } else if seen.known & known.bit() != 0 {
            return;
        } else {
            // A known name needs no comparison: its bit was not set, so it is new.
            0
        };
        let count = self.builder.dom.attrs.len() - seen.first;
        if count >= self.limits.attributes {
            self.limits_hit.attributes += 1;
            return;
        }
        // A later name with U+FFFD equals this name with U+0000, but has another hash; so mark all hashes as used.
        seen.others |= if holds_nul { u64::MAX } else { bit };
        seen.known |= known.bit();
        let mut value = value;
        if value.1 - value.0 > self.limits.attribute_bytes {
            value.1 = self.end_of_cut_value(value.0);
        }
        let name = if holds_nul {
            let text = self.source[name.0..name.1].replace('\0', "\u{FFFD}");
            self.builder.keep(&text)
        } else {
            (narrow::to_u32(name.0), narrow::to_u32(name.1))
        };
        let value = (narrow::to_u32(value.0), narrow::to_u32(value.1));
        self.builder.dom.attrs.push(Attr { name, value, known });
    }

    /// End of a value that begins at `lo` and is longer than the limit.
    #[cold]
    fn end_of_cut_value(&mut self, lo: usize) -> usize {
        self.limits_hit.attribute_bytes += 1;
        let mut end = lo + self.limits.attribute_bytes;
        // Never cut inside a character. `lo` is a boundary, so the loop ends there at the latest.
        while !self.source.is_char_boundary(end) {
            end -= 1;
        }
        end
    }

    /// Whether one of the attributes from index `first` on has the name at this range of the source.
    #[cold]
    fn is_duplicate(&mut self, name: (usize, usize), first: usize) -> bool {
        let name = &self.source[name.0..name.1];
        let all = narrow::to_u32(first)..narrow::to_u32(self.builder.dom.attrs.len());
        if name.contains('\0') {
            self.name_table
                .contains(&self.builder.dom, &name.replace('\0', "\u{FFFD}"), all)
        } else {
            self.name_table.contains(&self.builder.dom, name, all)
        }
    }
}
