//! Words and short lines with their log odds, as `cargo xtask train` writes them down, and as they lie in the program.
//!
//! The build script turns the one into the other with this file.

use crate::label::model::line_tokens::LineTokens;

/// Binary logarithm of the number of buckets: about two words in each.
pub(crate) const BUCKET_BITS: u32 = 14;

/// Reads lines of log odds and the words or phrases that have them. Returns the hashes of these, in their order, with the odds. Errors name
/// the line.
#[cfg_attr(
    not(test),
    allow(dead_code, reason = "what the build script calls, and tests")
)]
pub(crate) fn parse(text: &str) -> Result<Vec<(u64, f32)>, String> {
    let mut out = Vec::new();
    let mut format = None;
    for (number, line) in text.lines().enumerate() {
        let fail = |what: &str| format!("line {}: {what}: `{line}`", number + 1);
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        if kind == "format" {
            format = Some(rest);
            continue;
        }
        if matches!(kind, "#" | "") {
            continue;
        }
        let (odds, entries) = rest.split_once(' ').ok_or_else(|| fail("too short"))?;
        let odds: f32 = odds.parse().map_err(|_| fail("no number"))?;
        let (separator, phrases) = match kind {
            "w" => (" ", false),
            "p" => (" | ", true),
            _ => return Err(fail("neither words nor phrases")),
        };
        for entry in entries.split(separator) {
            let tokens = LineTokens::of([entry]);
            let word = tokens.words.first().copied();
            let key = if phrases { tokens.phrase } else { word };
            out.push((key.ok_or_else(|| fail("an empty entry"))?, odds, number + 1));
        }
    }
    if format != Some("1") {
        return Err(format!("format {}, not 1", format.unwrap_or("none")));
    }
    out.sort_unstable_by_key(|&(key, _, line)| (key, line));
    let twice = out.iter().zip(out.iter().skip(1)).find(|(a, b)| a.0 == b.0);
    if let Some((_, (_, _, line))) = twice {
        return Err(format!("line {line}: an entry stands twice"));
    }
    Ok(out.into_iter().map(|(key, odds, _)| (key, odds)).collect())
}

/// Where the words of each bucket begin, and at the end how many words there are; then their hashes, then their odds. All numbers are
/// little-endian, those of the first part 32 bits long. The bucket of a hash is its highest bits.
#[cfg_attr(
    not(test),
    allow(dead_code, reason = "what the build script calls, and tests")
)]
pub(crate) fn to_bytes(words: &[(u64, f32)]) -> Vec<u8> {
    let mut out = Vec::new();
    for bucket in 0..=1_u64 << BUCKET_BITS {
        let before = words.partition_point(|(key, _)| key >> (64 - BUCKET_BITS) < bucket);
        out.extend(u32::try_from(before).unwrap_or(u32::MAX).to_le_bytes());
    }
    out.extend(words.iter().flat_map(|(key, _)| key.to_le_bytes()));
    out.extend(words.iter().flat_map(|(_, odds)| odds.to_le_bytes()));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_files_are_told() {
        for (text, why) in [
            ("w 1.0 river", "format none"),
            ("format 2", "format 2"),
            ("format 1\nw 1.0", "line 2: too short"),
            ("format 1\nw x river", "line 2: no number"),
            ("format 1\nx 1.0 river", "line 2: neither"),
            ("format 1\nw 1.0 river  sea", "line 2: an empty entry"),
            (
                "format 1\nw 1.0 river\nw 2.0 sea River",
                "line 3: an entry stands twice",
            ),
        ] {
            let told = parse(text).unwrap_err();
            assert!(told.starts_with(why), "{text:?}: {told}");
        }
    }
}
