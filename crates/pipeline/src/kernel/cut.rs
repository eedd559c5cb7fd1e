//! Removal of repeated passages from a text, so that the rest reads well.

use std::ops::Range;

/// Merges ranges of bytes. The result ascends, and ranges that overlap or touch are one.
pub(crate) fn united(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    let mut united: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match united.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => united.push(range),
        }
    }
    united
}

/// Returns the whole sentences inside of ranges. A sentence is inside if all its letters and digits are, so
/// that its marks and brackets go with it. Sentences and ranges ascend without overlaps.
pub(crate) fn whole_sentences(
    text: &str,
    ranges: &[Range<usize>],
    sentences: &[Range<usize>],
) -> Vec<Range<usize>> {
    let has_word = |range: Range<usize>| text[range].chars().any(char::is_alphanumeric);
    let mut whole: Vec<Range<usize>> = Vec::new();
    let mut ranges = ranges.iter().peekable();
    // `true` if the sentence before belongs to the same cut. Then the white space between both is cut, too.
    let mut goes_on = false;
    for sentence in sentences {
        while ranges.next_if(|range| range.end <= sentence.start).is_some() {
            goes_on = false;
        }
        // Marks and brackets at both ends may lie outside of the range, words may not.
        let is_inside = ranges.peek().is_some_and(|range| {
            range.start < sentence.end
                && !has_word(sentence.start..range.start.clamp(sentence.start, sentence.end))
                && !has_word(range.end.clamp(sentence.start, sentence.end)..sentence.end)
        });
        match whole.last_mut() {
            Some(last) if is_inside && goes_on => last.end = sentence.end,
            _ if is_inside => whole.push(sentence.clone()),
            _ => {}
        }
        goes_on = is_inside;
    }
    whole
}

/// Returns the text without these ranges, which ascend without overlaps. White space that would be left
/// twice is cut too: after a cut from the start of a line the line end, and around a cut within a line the
/// spaces on one side.
pub(crate) fn without(text: &str, cuts: &[Range<usize>]) -> String {
    let is_blank = |c: char| c.is_whitespace() && c != '\n';
    let (mut rest, mut done) = (String::with_capacity(text.len()), 0);
    for cut in cuts {
        rest.push_str(&text[done..cut.start]);
        let behind = &text[cut.end..];
        let space = behind.len() - behind.trim_start().len();
        let starts_line = rest.trim_end_matches(is_blank).ends_with('\n') || rest.trim_end().is_empty();
        done = cut.end;
        // Take the white space after the cut or, if the cut only ends its line, the blanks before it.
        if starts_line || !behind[..space].contains('\n') {
            done += space;
        } else {
            rest.truncate(rest.trim_end_matches(is_blank).len());
        }
    }
    rest.push_str(&text[done..]);
    // Nothing follows the last cut, so the text must not end with the white space before it.
    if done == text.len() {
        rest.truncate(rest.trim_end().len());
    }
    rest
}

/// Returns the text without these ranges. White space around them stays.
pub(crate) fn without_exactly(text: &str, cuts: &[Range<usize>]) -> String {
    let (mut rest, mut done) = (String::with_capacity(text.len()), 0);
    for cut in cuts {
        rest.push_str(&text[done..cut.start]);
        done = cut.end;
    }
    rest.push_str(&text[done..]);
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::units::UnitCutter;
    use crate::settings::PassageUnit;

    fn cut(text: &str, from: &str) -> String {
        let start = text.find(from).expect("the run stands in the text");
        let cutter = UnitCutter::new(PassageUnit::Tokens, dehusk_normalize::Profile::near());
        let ranges = united(vec![start..start + from.len(), start..start + 1]);
        without(text, &whole_sentences(text, &ranges, &cutter.sentences(text)))
    }

    #[test]
    fn what_stays_has_whole_sentences() {
        let text = "First stays. The second goes here. So does this one! The last stays.";
        // The run holds parts of the first and the last sentence, and both between them.
        let run = "stays. The second goes here. So does this one! The last";
        assert_eq!(cut(text, run), "First stays. The last stays.");
        // Marks and brackets go with their sentence.
        assert_eq!(
            cut("A first one. (Second one here.) Third.", "Second one here"),
            "A first one. Third."
        );
        // No sentence is whole.
        assert_eq!(cut(text, "second goes"), text);
    }

    #[test]
    fn lines_stay_lines() {
        let text = "Head line\n\nGone as a whole.\n\nStays after.\nTail goes. And stays.\n";
        assert_eq!(
            cut(text, "Gone as a whole"),
            "Head line\n\nStays after.\nTail goes. And stays.\n"
        );
        assert_eq!(
            cut(text, "Tail goes"),
            "Head line\n\nGone as a whole.\n\nStays after.\nAnd stays.\n"
        );
        assert_eq!(
            cut(text, "And stays."),
            "Head line\n\nGone as a whole.\n\nStays after.\nTail goes.\n"
        );
        assert_eq!(cut("All of it.\nGoes away.", "All of it.\nGoes away."), "");
        assert_eq!(cut("One stays.\nThe end goes.\n", "The end goes."), "One stays.");
    }

    #[test]
    fn ranges_are_united() {
        assert_eq!(united(vec![4..9, 0..2, 2..3, 5..6, 20..21]), [0..3, 4..9, 20..21]);
        assert_eq!(without_exactly("0123456789", &[0..3, 8..10]), "34567");
    }
}
