//! Pages that only say that there is no text: errors, empty results, forms to log in, pages that a program would fill.

use crate::label::classes::class::BlockClass;
use crate::label::classes::phrases;
use crate::label::extractor::PageView;
use crate::label::labels::Labels;

/// Most words of a notice that the title announces, such as "Page not found": it may go on with what to do now.
const MAX_ANNOUNCED: u32 = 150;
/// Most words of a notice that its first lines announce.
const MAX_WORDS: u32 = 60;
/// Lines that may announce it.
const FIRST_LINES: usize = 2;

/// The line of a page that says that there is no text, if what an extractor keeps is no more than that.
pub(crate) fn notice(view: &PageView<'_>, labels: &Labels) -> Option<String> {
    let counts = view.table.counts();
    let lines = || {
        labels
            .kept(view.table)
            .map(|(i, block)| (block, counts[i].tokens))
    };
    let all: u32 = lines().map(|(_, tokens)| tokens).sum();
    if all > MAX_ANNOUNCED {
        return None;
    }
    let announces = |text: &str, words: u32| {
        let found = phrases::find(&text.to_lowercase(), words);
        found.is_some_and(|found| found.class == BlockClass::Notice)
    };
    let title = view
        .title
        .filter(|title| announces(title, title.split_whitespace().count() as u32));
    if let Some(title) = title {
        return Some(title.to_owned());
    }
    if all > MAX_WORDS {
        return None;
    }
    let mut first = lines()
        .take(FIRST_LINES)
        .map(|(block, tokens)| (view.table.text(block), tokens));
    first
        .find(|(text, words)| announces(text, *words))
        .map(|(text, _)| text.to_owned())
}
