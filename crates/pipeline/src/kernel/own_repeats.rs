//! What a text says twice itself.

use std::collections::HashSet;

use crate::record::document::round;

/// Shares of the characters of a text in lines, and in paragraphs, that stand above in it (Rae et al. 2021, as Gopher filters by them).
pub(crate) fn duplicates(text: &str, chars: u64) -> [f64; 2] {
    let share = |parts: &mut dyn Iterator<Item = &str>| {
        let mut seen = HashSet::new();
        let again = parts
            .map(str::trim)
            .filter(|part| !part.is_empty() && !seen.insert(*part));
        let again: usize = again.map(|part| part.chars().count()).sum();
        round(again as f64 / chars.max(1) as f64)
    };
    [share(&mut text.lines()), share(&mut text.split("\n\n"))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_above_counts() {
        let text = "abcd\nefgh\nabcd\n\nabcd\nefgh\n\nabcd\nefgh\n";
        let chars = text.chars().count() as u64;
        assert_eq!(chars, 37);
        // Of seven lines of four letters five stand above; of three paragraphs one of nine characters.
        assert_eq!(duplicates(text, chars), [round(20.0 / 37.0), round(9.0 / 37.0)]);
        assert_eq!(duplicates("", 0), [0.0, 0.0]);
        assert_eq!(duplicates("\n\n \n", 4), [0.0, 0.0]);
    }
}
