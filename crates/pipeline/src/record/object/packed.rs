//! Strings whose escapes are resolved 64 bytes at a time.
//!
//! A mask selects the bytes of a block that stay, and these are packed together. No step branches on the number of escapes, which would be
//! mispredicted: in pages about every twentieth byte belongs to an escape.

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
pub(super) use super::plain::string;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(super) use x86::string;

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86 {
    use std::borrow::Cow;

    use fearless_simd::{Level, Select, Simd, SimdBase, SimdMask, mask8x64, u8x16, u8x64};

    use crate::record::object::escape::{ESCAPED, hex_escape};
    use crate::record::object::plain;
    use crate::record::object::room::{CHAR, Made, StringRoom, checked};

    /// Number of bytes that are searched and packed in one step.
    const BLOCK: usize = 64;

    /// The bits at even positions.
    const EVEN: u64 = 0x5555_5555_5555_5555;

    /// Returns the string that begins at `start`, after its quotation mark, and the offset after it. `None`
    /// if it is not a valid string.
    pub(in crate::record::object) fn string<'de>(
        bytes: &'de [u8],
        start: usize,
        room: Option<&'de StringRoom>,
    ) -> Option<(Cow<'de, str>, usize)> {
        string_by(Level::new(), bytes, start, room)
    }

    /// Like [`string`], with the instructions of this SIMD level.
    fn string_by<'de>(
        level: Level,
        bytes: &'de [u8],
        start: usize,
        room: Option<&'de StringRoom>,
    ) -> Option<(Cow<'de, str>, usize)> {
        if let Some(simd) = level.as_avx512() {
            return simd.vectorize(
                #[inline(always)]
                || packed_string::<_, true>(simd, bytes, start, room),
            );
        }
        if let Some(simd) = level.as_avx2() {
            return simd.vectorize(
                #[inline(always)]
                || packed_string::<_, false>(simd, bytes, start, room),
            );
        }
        plain::string(bytes, start, room)
    }

    /// Like [`string`], for a processor with these instructions. `WHOLE` is `true` if it packs a block in
    /// one instruction.
    #[inline(always)]
    fn packed_string<'de, S: Simd, const WHOLE: bool>(
        simd: S,
        bytes: &'de [u8],
        start: usize,
        room: Option<&'de StringRoom>,
    ) -> Option<(Cow<'de, str>, usize)> {
        let quotation = u8x64::splat(simd, b'"');
        let backslash = u8x64::splat(simd, b'\\');
        let space = u8x64::splat(simd, b' ');
        let mut padded = [0; BLOCK];

        // Most strings have no escape and are borrowed.
        let mut at = start;
        loop {
            let block = u8x64::from_slice(simd, block_at(bytes, at, &mut padded)?);
            // Control characters are searched too, because JSON forbids them in strings.
            let marks = block.simd_eq(quotation) | block.simd_eq(backslash) | block.simd_lt(space);
            let marks = marks.to_bitmask();
            if marks != 0 {
                at += marks.trailing_zeros() as usize;
                break;
            }
            // Without a closing quotation mark, the next block lies beyond the end, and the result is
            // `None`.
            at += BLOCK;
        }
        match *bytes.get(at)? {
            b'"' => {
                let text = simdutf8::basic::from_utf8(bytes.get(start..at)?).ok()?;
                return Some((text.into(), at + 1));
            }
            b'\\' => {}
            _ => return None,
        }

        let mut made = Made::default();
        made.copy(bytes, start, at, room);
        let letters = u8x64::from_slice(simd, LETTERS.as_flattened());
        let stand_for = u8x64::from_slice(simd, STAND_FOR.as_flattened());
        let low_bits = u8x64::splat(simd, 0xF);
        loop {
            // `at` never lies within an escape, as `escapes` requires.
            let block = u8x64::from_slice(simd, block_at(bytes, at, &mut padded)?);
            let quotations = block.simd_eq(quotation).to_bitmask();
            let controls = block.simd_lt(space).to_bitmask();
            let escapes = escapes(block.simd_eq(backslash).to_bitmask());
            let escaped = escapes << 1;

            // The letters of frequent escapes are replaced in place. Their backslashes are left out by
            // packing.
            let low = block & low_bits;
            let known = block.simd_eq(letters.swizzle_dyn_within_blocks(low)).to_bitmask();
            let replaced = mask8x64::from_bitmask(simd, escaped & known);
            let block = replaced.select(stand_for.swizzle_dyn_within_blocks(low), block);

            // Other escapes, such as `\u00e9` or `\b`, stop the block at their backslash. So does an escape
            // that continues in the next block, which resolves it.
            let others = escaped & !known & !quotations;
            let across = escapes & 1 << (BLOCK - 1);
            let stops = (quotations & !escaped) | controls | others >> 1 | across;
            // Packing writes a whole block, whatever the number of bytes that stay.
            let to = made.next(bytes.len() - at, room)?;
            if stops == 0 {
                pack::<_, WHOLE>(simd, block, !escapes, to);
                made.advance(BLOCK - escapes.count_ones() as usize);
                at += BLOCK;
                continue;
            }
            let stop = stops.trailing_zeros() as usize;
            // Bytes before the stop, without the backslashes of their escapes.
            let taken = ((1 << stop) - 1) & !escapes;
            pack::<_, WHOLE>(simd, block, taken, to);
            made.advance(taken.count_ones() as usize);
            at += stop;
            match *bytes.get(at)? {
                b'"' => return Some((checked(made, room)?, at + 1)),
                // The next block begins with this escape.
                b'\\' if stop == BLOCK - 1 => {}
                b'\\' => at = other_escapes(bytes, at, &mut made, room)?,
                _ => return None,
            }
        }
    }

    /// Returns the block at `at`, padded with spaces after the last byte. `None` at the end of `bytes`.
    #[inline(always)]
    fn block_at<'b>(bytes: &'b [u8], at: usize, padded: &'b mut [u8; BLOCK]) -> Option<&'b [u8; BLOCK]> {
        let rest = bytes.get(at..)?;
        match rest.first_chunk() {
            Some(block) => Some(block),
            None => last_block(rest, padded),
        }
    }

    #[cold]
    fn last_block<'b>(rest: &[u8], padded: &'b mut [u8; BLOCK]) -> Option<&'b [u8; BLOCK]> {
        *padded = [b' '; BLOCK];
        padded.get_mut(..rest.len())?.copy_from_slice(rest);
        (!rest.is_empty()).then_some(padded)
    }

    /// Returns the backslashes of a block that begin an escape: the first, third, fifth and so on of each
    /// run. The first byte of the block must not itself be escaped.
    #[inline(always)]
    fn escapes(backslashes: u64) -> u64 {
        let first = backslashes & !(backslashes << 1);
        // The addition carries through runs that begin at even positions and clears them.
        let in_even_runs = backslashes & !backslashes.wrapping_add(first & EVEN);
        let in_odd_runs = backslashes & !in_even_runs;
        in_even_runs & EVEN | in_odd_runs & !EVEN
    }

    /// Resolves the escape at `at` and directly following hexadecimal escapes. Returns the offset after them.
    #[cold]
    fn other_escapes(
        bytes: &[u8],
        mut at: usize,
        made: &mut Made,
        room: Option<&StringRoom>,
    ) -> Option<usize> {
        loop {
            made.next::<CHAR>(bytes.len() - at, room)?;
            match ESCAPED[usize::from(*bytes.get(at + 1)?)] {
                0 => {
                    let (char, end) = hex_escape(bytes, at)?;
                    made.push(char.encode_utf8(&mut [0; CHAR]).as_bytes());
                    at = end;
                }
                byte => {
                    made.push(&[byte]);
                    at += 2;
                }
            }
            // Writers that escape all text beyond ASCII produce long runs of these escapes.
            if !bytes.get(at..)?.starts_with(b"\\u") {
                return Some(at);
            }
        }
    }

    /// Letters of escapes at the index of their lowest four bits, repeated for each 16 bytes of a block.
    ///
    /// The quotation mark is missing, since its index is taken by `r`; it encodes itself. Other missing letters are rare.
    const LETTERS: [[u8; 16]; 4] = by_low_bits(b"rtfn\\/", [u8::MAX; 16], b"rtfn\\/");

    /// The bytes that these escapes encode.
    const STAND_FOR: [[u8; 16]; 4] = by_low_bits(b"rtfn\\/", [0; 16], b"\r\t\x0c\n\\/");

    const fn by_low_bits<const N: usize>(
        letters: &[u8; N],
        mut table: [u8; 16],
        values: &[u8; N],
    ) -> [[u8; 16]; 4] {
        let mut at = 0;
        while at < N {
            table[(letters[at] & 0xF) as usize] = values[at];
            at += 1;
        }
        [table; 4]
    }

    /// Writes the bytes of a block selected by `taken` consecutively to the start of `to`, followed by arbitrary bytes.
    #[inline(always)]
    fn pack<S: Simd, const WHOLE: bool>(simd: S, block: u8x64<S>, taken: u64, to: &mut [u8; BLOCK]) {
        if WHOLE {
            let packed = block.compress(mask8x64::from_bitmask(simd, taken));
            packed.store_slice(to);
            return;
        }
        let mut bytes = [0; BLOCK];
        block.store_slice(&mut bytes);
        let (mut taken, mut length) = (taken, 0);
        // For each mask of eight bits a table has the positions of the bytes that stay.
        for part in bytes.as_chunks::<16>().0 {
            let [low, high] = [taken, taken >> 8].map(|mask| (mask & 0xFF) as usize);
            taken >>= 16;
            let [low_places, high_places] = [low, high].map(|mask| u64::from_le_bytes(PLACES[mask]));
            // Positions in the high half are offset by eight.
            let high_places = high_places | 0x0808_0808_0808_0808;
            let places = (u128::from(low_places) | u128::from(high_places) << 64).to_le_bytes();
            let part = u8x16::from_slice(simd, part);
            let mut packed = [0; 16];
            part.swizzle_dyn_within_blocks(u8x16::from_slice(simd, &places))
                .store_slice(&mut packed);
            for (half, mask) in packed.as_chunks::<8>().0.iter().zip([low, high]) {
                // Eight bytes always fit: at most 56 were written before. The next half overwrites the surplus ones.
                if let Some(to) = to.get_mut(length..).and_then(|to| to.first_chunk_mut()) {
                    *to = *half;
                }
                length += mask.count_ones() as usize;
            }
        }
    }

    /// For each mask of eight bits, the positions of the set bits.
    const PLACES: [[u8; 8]; 256] = {
        let mut places = [[0; 8]; 256];
        let mut mask = 0;
        while mask < 256 {
            let (mut bit, mut set) = (0, 0);
            while bit < 8 {
                if mask >> bit & 1 == 1 {
                    places[mask][set] = bit;
                    set += 1;
                }
                bit += 1;
            }
            mask += 1;
        }
        places
    };

    #[cfg(test)]
    mod tests {
        use proptest::prelude::*;

        use super::*;

        /// SIMD levels that this machine supports.
        fn levels() -> Vec<Level> {
            let level = Level::new();
            let avx2 = level.as_avx2().map(Simd::level);
            let avx512 = level.as_avx512().map(Simd::level);
            avx2.into_iter().chain(avx512).collect()
        }

        fn check(bytes: &[u8], start: usize) {
            let mut room = StringRoom::default();
            let wanted = plain::string(bytes, start, None);
            for level in levels() {
                let told = String::from_utf8_lossy(bytes);
                assert_eq!(string_by(level, bytes, start, None), wanted, "{level:?} {told}");
                assert_eq!(
                    string_by(level, bytes, start, Some(&room)),
                    wanted,
                    "{level:?} {told}"
                );
                room.clear();
            }
        }

        #[test]
        fn runs_of_backslashes_are_paired_wherever_they_begin() {
            for before in 0..130 {
                for run in 1..70 {
                    for letter in ["", "n", "u0041", "\"", "b", "x"] {
                        let start = format!("{}{}", "a".repeat(before), "\\".repeat(run));
                        for end in ["\"", "z\" and more", ""] {
                            check(format!("{start}{letter}{end}").as_bytes(), 0);
                        }
                    }
                }
            }
        }

        #[test]
        fn every_byte_may_follow_a_backslash() {
            for byte in 0..=u8::MAX {
                for before in [0, 1, 40, 61, 62, 63, 64, 2000] {
                    let mut bytes = vec![b'a'; before];
                    bytes.extend([b'\\', byte, b'b', b'"']);
                    check(&bytes, 0);
                    bytes.extend([b'a'; 100]);
                    check(&bytes, before.min(1));
                }
            }
        }

        #[test]
        fn what_does_not_fit_the_first_room_goes_on_in_another() {
            for length in [900, 960, 1000, 1024, 1100, 5000, 2 << 20] {
                let text = r#"<a href=\"x\">\n\t"#.repeat(length / 16);
                check(format!("{text}\" and more").as_bytes(), 0);
                check(
                    format!(r#"{}\u00e9\\" and more"#, "a".repeat(length)).as_bytes(),
                    0,
                );
            }
        }

        fn piece() -> impl Strategy<Value = Vec<u8>> {
            prop_oneof![
                8 => prop::sample::select(vec![r#"\""#, r"\n", r"\t", r"\\", r"\/", r"\r", r"\b", r"\f", r"\u00e9", r"\ud83d\ude00"])
                    .prop_map(|escape| escape.as_bytes().to_vec()),
                1 => prop::sample::select(vec!["\"", r"\ud83d", r"\u00g0", r"\x", "\n", "\u{7f}"]).prop_map(|odd| odd.as_bytes().to_vec()),
                4 => "[a-z<>/é日]{0,90}".prop_map(String::into_bytes),
                1 => prop::collection::vec(any::<u8>(), 0..3),
            ]
        }

        proptest! {
            #[test]
            fn strings_are_those_of_the_plain_reader(pieces in prop::collection::vec(piece(), 0..80), start in 0..9_usize) {
                let mut bytes = pieces.concat();
                check(&bytes, start.min(bytes.len()));
                bytes.push(b'"');
                check(&bytes, start.min(bytes.len()));
            }

            #[test]
            fn escapes_are_every_second_backslash_of_a_run(backslashes in any::<u64>(), more in any::<u64>()) {
                let backslashes = backslashes | more;
                let (mut wanted, mut is_escaped) = (0, false);
                for bit in 0..64 {
                    is_escaped = backslashes >> bit & 1 == 1 && !is_escaped;
                    wanted |= u64::from(is_escaped) << bit;
                }
                prop_assert_eq!(escapes(backslashes), wanted);
            }

            #[test]
            fn bytes_are_packed_as_one_by_one(block in prop::collection::vec(any::<u8>(), BLOCK), taken in any::<u64>()) {
                let wanted: Vec<u8> = (0..BLOCK).filter(|bit| taken >> bit & 1 == 1).map(|bit| block[bit]).collect();
                let mut packed = [0; BLOCK];
                if let Some(simd) = Level::new().as_avx2() {
                    pack::<_, false>(simd, u8x64::from_slice(simd, &block), taken, &mut packed);
                    prop_assert_eq!(&packed[..wanted.len()], &wanted);
                }
                if let Some(simd) = Level::new().as_avx512() {
                    pack::<_, true>(simd, u8x64::from_slice(simd, &block), taken, &mut packed);
                    prop_assert_eq!(&packed[..wanted.len()], &wanted);
                }
            }
        }
    }
}
