//! Pages that only state that there is no text: errors, empty results, login forms, pages to be filled by a script.

use dehusk_html::narrow;

use crate::label::classes::class::BlockClass;
use crate::label::classes::phrases;
use crate::label::extractor::PageView;
use crate::label::labels::Labels;

/// Maximum number of words of a notice that the title announces, such as "Page not found". It may go on with advice.
const MAX_ANNOUNCED: u32 = 150;
/// Maximum number of words of a notice that its first lines announce.
const MAX_WORDS: u32 = 60;
/// Number of lines that may announce a notice.
const FIRST_LINES: usize = 2;

/// Returns the title or line that states that there is no text, if the kept text is only a notice.
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
    // A title such as `Page not found` allows a longer notice than a first line does.
    let title = view
        .title
        .filter(|title| announces(title, narrow::to_u32(title.split_whitespace().count())));
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
