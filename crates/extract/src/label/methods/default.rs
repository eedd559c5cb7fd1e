//! `default`: a learned decision for every line.

use crate::label::classes::notice::notice;
use crate::label::extractor::{Extractor, Focus, PageView};
use crate::label::labels::{Labels, UNLIKELY, Verdict};
use crate::label::methods::all_text::AllText;
use crate::label::methods::boilerpipe_article::BoilerpipeArticle;
use crate::label::methods::markup::Markup;
use crate::label::methods::readability::Readability;
use crate::label::model::decide::decide;
use crate::warning::{Warning, WarningKind};

/// The learned extractor, with fallbacks. `method` of the result names the extractor that answered.
///
/// Decision trees classify every line of the page (see [`crate::label::model`]). The result of a reduced `readability` is among their
/// features. A page of boilerplate alone has no main text. Neither has a page that shows only a notice, such as an error, an empty result
/// or a request to log in. If the trees keep nothing for other reasons, the first of `readability` and `boilerpipe-article` that does not
/// abstain answers, otherwise `all-text`.
///
/// If a script contains an article that the page does not show, `markup` answers, provided that the article is longer than a doubtful
/// result or twice as long as a sure one. `markup` also answers if the page shows very little and the state of its program contains a
/// text under the page's title.
#[derive(Debug)]
pub(crate) struct Default;

impl Extractor for Default {
    fn name(&self) -> &'static str {
        "default"
    }

    fn summary(&self) -> &'static str {
        "a learnt decision for every line; where it keeps nothing, readability, boilerpipe-article, all-text in turn"
    }

    fn label(&self, view: &PageView<'_>) -> Labels {
        let mut labels = self.answer(view);
        if view.focus != Focus::Recall
            && labels.body.is_none()
            && let Some(says) = notice(view, &labels)
        {
            labels.verdicts.iter_mut().for_each(|verdict| {
                if verdict.kept {
                    *verdict = Verdict::drop("notice");
                }
            });
            labels
                .warnings
                .retain(|warning| warning.kind != WarningKind::DoubtfulText);
            labels.abstained = Some(format!("the page has a notice in place of a text: {says:?}"));
        }
        labels
    }
}

impl Default {
    /// Extracts a text without checking whether it is only a notice.
    fn answer(&self, view: &PageView<'_>) -> Labels {
        if view.table.blocks().is_empty() {
            // A page without blocks shows nothing, but its scripts may contain a text.
            let found = body_of_script(view, 0).or_else(|| body_of_state(view, 0));
            return found.unwrap_or_else(|| AllText.label(view));
        }
        let decision = decide(view);
        let kept = decision
            .kept
            .iter()
            .zip(&decision.reasons)
            .zip(view.table.blocks());
        let verdicts = kept.map(|((&kept, reason), block)| match (kept, block.hidden) {
            (true, _) => Verdict::keep("likely-main-text"),
            (false, true) => Verdict::drop("hidden"),
            (false, false) => Verdict::drop(reason.unwrap_or(UNLIKELY)),
        });
        let mut labels = Labels::new(self.name(), verdicts.collect());
        labels.confidence = decision.confidence;
        labels.chances = Some(decision.chances);
        let chars = labels.kept_chars(view.table);
        // The page may contain its article for other programs only, and show something else.
        let needed = if labels.confidence < SCRIPT_CONFIDENCE {
            chars
        } else {
            2 * chars
        };
        if let Some(body) = body_of_script(view, needed) {
            return body;
        }
        if let Some(body) = body_of_state(view, chars) {
            return body;
        }
        if chars == 0 && !decision.boilerplate_alone {
            return fall_back(view);
        }
        let doubtful = decision.sure_share.filter(|share| *share < MIN_SURE_SHARE);
        if let Some(share) = doubtful.filter(|_| chars > 0 && view.focus == Focus::Balanced) {
            let message = format!(
                "only {:.0} % of the words that may be main text are sure",
                100.0 * share
            );
            labels
                .warnings
                .push(Warning::new(WarningKind::DoubtfulText, message));
        }
        labels
    }
}

/// Share of sure words below which a page has the warning `doubtful-text`.
///
/// Pages below it reach an F1 of .85 in `zh_news`, whose pages are not trained on, and .61 in `wcxb_dev`.
/// Other pages reach .96 and .94.
const MIN_SURE_SHARE: f64 = 0.5;

/// Confidence of an article that the page contains for other programs but does not show.
const SCRIPT_CONFIDENCE: f64 = 0.8;

/// Returns the article that only a script of the page contains, if it has more than `shown` characters.
fn body_of_script(view: &PageView<'_>, shown: usize) -> Option<Labels> {
    let labels = Markup.body_of_script(view, shown)?;
    Some(Labels {
        confidence: SCRIPT_CONFIDENCE,
        ..labels
    })
}

/// Maximum number of kept characters with which the state of the page's program is searched.
const MAX_SHOWN_CHARS: usize = 500;

/// Confidence of a text found in the state of the page's program.
const STATE_CONFIDENCE: f64 = 0.7;

/// Returns the text in the state of the page's program, if the page shows little and the text is more than
/// twice as long. `chars` is the number of characters shown.
fn body_of_state(view: &PageView<'_>, chars: usize) -> Option<Labels> {
    if chars >= MAX_SHOWN_CHARS {
        return None;
    }
    let labels = Markup
        .body_of_state(view)
        .filter(|body| body.body_chars() > 2 * chars)?;
    Some(Labels {
        confidence: STATE_CONFIDENCE,
        ..labels
    })
}

/// Confidence of the fallback extractors: about their F1 on those labelled pages where the trees keep nothing.
const FALLBACK_CONFIDENCE: f64 = 0.2;

/// Returns the result of the first fallback extractor that keeps something, with a warning.
fn fall_back(view: &PageView<'_>) -> Labels {
    let why = "no line is likely to be main text";
    let stands = |labels: &Labels| labels.abstained.is_none() && labels.kept_chars(view.table) > 0;
    let chosen = Some(Readability.label(view))
        .filter(stands)
        .or_else(|| Some(BoilerpipeArticle.label(view)).filter(stands));
    let mut labels = chosen.unwrap_or_else(|| AllText.label(view));
    let message = format!("default abstained ({why}); {} answered", labels.method);
    labels.warnings.push(Warning::new(WarningKind::Fallback, message));
    labels.confidence = FALLBACK_CONFIDENCE;
    labels
}

#[cfg(test)]
mod tests {
    use crate::{Focus, Options, Page, WarningKind, extract};

    /// Builds the page that a shop shows before its program has run.
    fn shell() -> String {
        let menu = |names: &[&str]| {
            let items = names.iter().map(|name| format!("<li><a href=/x>{name}</a></li>"));
            format!("<ul>{}</ul>", items.collect::<String>())
        };
        let names = [
            "Home", "Sale", "Shoes", "Coats", "Gifts", "Help", "Stores", "Returns", "Sizes", "Cart",
        ];
        let links = menu(&names);
        format!(
            "<title>Shop</title><body><header><nav class=menu>{links}{links}{links}</nav></header><div id=root></div>\
             <footer class=footer><nav class=footer-links>{links}{links}</nav><p class=copyright>© 2024 All rights reserved</p></footer>"
        )
    }

    #[test]
    fn pages_of_doubtful_lines_have_a_warning() {
        let is_doubtful = |html: &str, focus| {
            let out = extract(&Page::decoded(html), &Options::default().with_focus(focus));
            assert!(!out.text.is_empty());
            out.warnings.iter().any(|w| w.kind == WarningKind::DoubtfulText)
        };
        let letters = "<p>a</p>".repeat(1000);
        assert!(is_doubtful(&letters, Focus::Balanced) && !is_doubtful(&letters, Focus::Recall));
        let prose = "<p>The river rose overnight, and the mill at the weir stood still until the water had gone down again.</p>";
        let story = format!("<article><h1>The mill</h1>{}</article>", prose.repeat(3));
        assert!(!is_doubtful(&story, Focus::Balanced));
    }

    #[test]
    fn boilerplate_alone_has_no_main_text() {
        let page = shell();
        let out = extract(&Page::decoded(&page), &Options::default());
        assert_eq!((out.text.as_str(), out.method), ("", "default"));
        assert!(
            out.warnings.iter().any(|w| w.kind == WarningKind::NoMainText),
            "{:?}",
            out.warnings
        );
        let all = Options::default().with_focus(Focus::Recall);
        assert!(!extract(&Page::decoded(&page), &all).text.is_empty());
        let article = "The river rose in the night and by noon it had left its bed, so that the mill stood in the water. ";
        let filled = page.replace(
            "<div id=root>",
            &format!("<main><p>{}</p></main><div>", article.repeat(4)),
        );
        assert!(
            extract(&Page::decoded(&filled), &Options::default())
                .text
                .contains("river rose")
        );
        // A page with next to no text does not count as boilerplate alone.
        let short = extract(&Page::decoded("<p>Back soon"), &Options::default());
        assert_eq!(short.text.trim(), "Back soon");
    }
}
