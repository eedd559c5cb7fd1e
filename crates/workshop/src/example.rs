//! An example for a rule, taken from a page: a small part of the page that shows the effect of the rule.

use dehusk_html::tree::{Dom, NodeId};
use dehusk_pipeline::Error;
use dehusk_pipeline::extract::rules::RuleSet;
use dehusk_pipeline::extract::{Options, Overrides, Page, extract_with, inspect};

use crate::crawl::CrawlPage;
use crate::look::Look;

/// Maximum number of kept blocks in an example.
const KEPT: usize = 4;
/// Maximum number of dropped blocks in an example.
const DROPPED: usize = 6;
/// Maximum number of characters of a text.
const MAX_CHARS: usize = 120;
/// Reason of blocks that a rule removed.
const REMOVED: &str = "rule-remove";

/// Returns the shortened page and the text that rules extract from it. `None` if the short page does not
/// show the effect of the rules.
pub(crate) fn example(
    read: &CrawlPage,
    look: &Look,
    rules: &RuleSet,
    url: &str,
) -> Result<Option<(String, String)>, Error> {
    // Rules are checked with the default options, so the example is made with them.
    let options = Options::default();
    let taken = taken(look);
    let html = inspect(&read.page()?, &options, |view| short(view.dom, &taken));
    let page = Page::decoded(&html).with_url(Some(url));
    let got = extract_with(&page, &options, &Overrides::default().with_rules(Some(rules)));
    let text = got.text.trim_end().to_owned();
    // The example must have text, and nothing of what the rule removes on the whole page.
    let gone = taken.iter().filter(|(_, kept, _)| !kept);
    let shows = !text.is_empty() && gone.clone().all(|(_, _, start)| !text.contains(start.as_str()));
    Ok(shows.then_some((html, text)))
}

/// Returns the elements whose texts are used: number, whether the text is kept, and its beginning. An
/// element is taken once.
fn taken(look: &Look) -> Vec<(usize, bool, String)> {
    let (mut kept, mut dropped) = (0, 0);
    let mut out: Vec<(usize, bool, String)> = Vec::new();
    for (block, elements) in look.blocks.iter().zip(&look.elements) {
        let count = if block.kept { &mut kept } else { &mut dropped };
        let most = if block.kept { KEPT } else { DROPPED };
        // Only what rules removed shows their effect. Other dropped blocks were dropped anyway.
        let telling = block.kept || block.reason == REMOVED;
        if let Some(element) = elements.first()
            && telling
            && *count < most
            && !out.iter().any(|(known, ..)| known == element)
        {
            *count += 1;
            out.push((*element, block.kept, clipped(&block.text)));
        }
    }
    out
}

/// Returns the beginning of a text, cut between words.
fn clipped(text: &str) -> String {
    let mut out = String::new();
    for word in text.split_whitespace() {
        if !out.is_empty() && out.chars().count() + word.chars().count() >= MAX_CHARS {
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Returns the given texts with the elements around them, with ids and classes, one element a line.
fn short(dom: &Dom<'_>, taken: &[(usize, bool, String)]) -> String {
    // The elements that are written: those with texts and their ancestors.
    let mut wanted = vec![false; dom.len()];
    for id in dom.tree().ids() {
        if taken.iter().any(|(element, ..)| *element == id.index()) {
            wanted[id.index()] = true;
            for above in dom.ancestors(id) {
                wanted[above.index()] = true;
            }
        }
    }
    let mut out = String::new();
    let mut open: Vec<NodeId> = Vec::new();
    for id in dom.preorder(NodeId::DOCUMENT) {
        if !wanted[id.index()] || dom.element(id).is_none() || matches!(dom.name(id), "html" | "body") {
            continue;
        }
        // Elements that do not contain this one end before it.
        while let Some(last) = open.last().copied() {
            if dom.ancestors(id).any(|above| above == last) {
                break;
            }
            end(&mut out, dom, last);
            open.pop();
        }
        out.push_str(&"  ".repeat(open.len()));
        out.push_str(&start(dom, id));
        open.push(id);
        match taken.iter().find(|(element, ..)| *element == id.index()) {
            Some((.., text)) => out.push_str(&escaped(text)),
            None => out.push('\n'),
        }
        if !has_wanted(dom, id, &wanted) {
            out.push_str(&format!("</{}>\n", dom.name(id)));
            open.pop();
        } else if !out.ends_with('\n') {
            out.push('\n');
        }
    }
    while let Some(last) = open.pop() {
        out.push_str(&"  ".repeat(open.len()));
        out.push_str(&format!("</{}>\n", dom.name(last)));
    }
    out.truncate(out.trim_end().len());
    out
}

/// Whether a child of an element is written, too.
fn has_wanted(dom: &Dom<'_>, id: NodeId, wanted: &[bool]) -> bool {
    dom.children(id).any(|child| wanted[child.index()])
}

/// Writes an end tag. The indentation follows from the depth below `body`.
fn end(out: &mut String, dom: &Dom<'_>, id: NodeId) {
    let depth = dom.ancestors(id).count().saturating_sub(3);
    out.push_str(&"  ".repeat(depth.min(20)));
    out.push_str(&format!("</{}>\n", dom.name(id)));
}

/// The start tag of an element, with id and class only.
fn start(dom: &Dom<'_>, id: NodeId) -> String {
    let mut out = format!("<{}", dom.name(id));
    for name in ["id", "class"] {
        if let Some(value) = dom.attr(id, name).filter(|value| !value.trim().is_empty()) {
            let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
            out.push_str(&format!(" {name}=\"{}\"", escaped(&value).replace('"', "&quot;")));
        }
    }
    out.push('>');
    out
}

/// Text with special characters escaped and without control characters.
fn escaped(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !c.is_control()).collect();
    plain
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use dehusk_pipeline::record::{Content, PageRecord};
    use dehusk_pipeline::site::Store;

    use super::*;
    use crate::look;

    #[test]
    fn examples_hold_and_are_short() {
        let filler = "<div><span>menu</span></div>".repeat(50);
        let html = format!(
            "<body class=x>{filler}<main><article class='post long'><h1>Rivers &amp; towns</h1><p>The river rose overnight, and the meadows were under \
            water.</p><p class=share>Share this with friends.</p><p>Nobody was hurt.</p></article></main>"
        );
        let mut record = PageRecord::new(Content::Text(html.into()));
        record.url = Some("http://a.example/1".into());
        let record = CrawlPage::new(record, None);
        let text = "format = 1\n[[rule]]\nhosts = [\"a.example\"]\nextract = [{ css = \"article.post\" }]\nremove = [{ css = \".share\" }]\n";
        let read = || RuleSet::read([("a.toml", text)]).expect("rules");
        let store = Store::from_parts([], Some(read()));
        let look = look::look(&record, &store, &Options::default()).expect("a page");
        let (html, text) = example(&record, &look, &read(), "http://a.example/1")
            .expect("a page")
            .expect("an example");
        assert_eq!(
            html,
            "<main>\n  <article class=\"post long\">\n    <h1>Rivers &amp; towns</h1>\n    <p>The river rose overnight, and the meadows were under water.</p>\n    <p class=\"share\">Share this with friends.</p>\n    <p>Nobody was hurt.</p>\n  </article>\n</main>"
        );
        assert!(
            text.ends_with("Nobody was hurt.") && !text.contains("Share"),
            "{text}"
        );
    }
}
