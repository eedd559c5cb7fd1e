//! Notices of a site above the title, and sections of a text whose names look like those of other parts.

use super::{OF_NOTICES, Page};
use dehusk_html::tree::{Dom, NodeId, Tag};

impl Page<'_> {
    /// Returns whether an element is named as a notice of the site to all visitors and ends above the title
    /// of the page. Notes in a text have the same names.
    pub(super) fn is_notice(&self, i: usize) -> bool {
        const MAX_TOKENS: f32 = 200.0;
        self.page.elements[i].sums.tokens <= MAX_TOKENS
            && self.is_named(i, OF_NOTICES)
            && self.may_be_beside(i, 0.5)
            && self
                .title_of_text()
                .is_some_and(|title| self.page.lines[title].context > self.last_inside[i])
    }

    /// Returns whether an element is a section of a text, with a paragraph, whose id is made of its heading,
    /// like the id of a section beside it. Such an id says what the section is about, such as "Cookies" or
    /// "More on lists". Documents written in Markdown or reStructuredText have such ids.
    pub(super) fn is_named_by_heading(&self, i: usize) -> bool {
        const MAX_SIBLINGS: usize = 40;
        let dom = self.view.dom;
        let element = self.element(i);
        if !names_its_heading(dom, element) || !self.has_prose(i, 1) {
            return false;
        }
        let tree = dom.tree();
        let before = std::iter::successors(tree.prev_sibling(element), |&at| tree.prev_sibling(at));
        let after = std::iter::successors(tree.next_sibling(element), |&at| tree.next_sibling(at));
        let mut beside = before.take(MAX_SIBLINGS).chain(after.take(MAX_SIBLINGS));
        beside.any(|at| names_its_heading(dom, at))
    }
}

/// Whether the id of an element ends with the words of the heading that it begins with. Numbers do not count.
fn names_its_heading(dom: &Dom<'_>, element: NodeId) -> bool {
    const MAX_ID: usize = 100;
    const MAX_CHILDREN: usize = 8;
    const MAX_NODES: usize = 16;
    const MAX_WORDS: usize = 16;
    let Some(id) = dom.short_attr(element, "id", MAX_ID) else {
        return false;
    };
    // A `span` before the heading may be an empty target of links.
    let first = dom
        .children(element)
        .take(MAX_CHILDREN)
        .find(|&at| dom.tag(at).is_some() && dom.html_tag(at) != Some(Tag::SPAN));
    let heading = first.filter(|&at| dom.html_tag(at).is_some_and(|tag| tag.heading_level().is_some()));
    let Some(heading) = heading else {
        return false;
    };
    let words = |text: &str| -> Vec<String> {
        let words = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty() && !word.bytes().all(|b| b.is_ascii_digit()));
        words.take(MAX_WORDS).map(str::to_lowercase).collect()
    };
    let nodes = dom.preorder(heading).take(MAX_NODES);
    let texts = nodes.filter(|&at| dom.is_text(at) && dom.raw_bytes(at).len() <= MAX_ID);
    let text: Vec<String> = texts.map(|at| dom.text(at).into_owned()).collect();
    let (of_id, of_heading) = (words(&id), words(&text.concat()));
    // Prefixes are allowed: `s-related-objects` names `Related objects`.
    !of_heading.is_empty() && of_id.ends_with(&of_heading)
}

#[cfg(test)]
mod tests {
    use crate::{Options, Page, extract};

    fn reasons(html: &str, text: &str) -> (bool, &'static str) {
        let found = extract(&Page::decoded(html), &Options::default().with_blocks(true));
        let blocks = found.blocks.unwrap_or_default();
        let block = blocks.iter().find(|block| block.text.starts_with(text));
        block.map_or((false, "absent"), |block| (block.kept, block.reason))
    }

    #[test]
    fn notices_above_the_title_go() {
        let says = "Welcome to our board, where people of the river talk about boats, nets and the weather of the coming week.";
        let story = "The river rose by two meters in one night, and the lower streets of the town were under water by noon.";
        for (list, notice) in [
            ("ul id=notices class=notices", "li class='notice restore'"),
            ("div class=notice-row", "div class='p-notice notice'"),
            ("section", "div class=notices-panel"),
        ] {
            let (list_end, notice_end) = (
                list.split(' ').next().unwrap_or(""),
                notice.split(' ').next().unwrap_or(""),
            );
            let page = |above: &str, below: &str| {
                format!(
                    "<title>The river rose</title><body><div class=top>{above}</div><h1>The river rose</h1><div class=post><p>{story}</p><p>{story} It fell.</p>{below}</div>"
                )
            };
            let part = format!("<{list}><{notice}><p>{says}</p></{notice_end}></{list_end}>");
            assert_eq!(
                reasons(&page(&part, ""), "Welcome"),
                (false, "site-notice"),
                "{part}"
            );
            // A notice in a text is a part of it.
            assert_ne!(reasons(&page("", &part), "Welcome").1, "site-notice", "{part}");
        }
    }

    #[test]
    fn sections_with_the_words_of_their_headings_as_names_stay() {
        let text = "A list of words has a few more methods that take one word or none, and all of them are shown here with an example.";
        let links = "<a href=/append>append</a> and <a href=/extend>extend</a>";
        for (id, heading) in [
            ("more-on-lists", "5.1. More on Lists"),
            ("s-related-objects", "Related objects"),
            ("cookies", "Cookies<a class=headerlink href=#cookies>¶</a>"),
        ] {
            let page = format!(
                "<title>Lists</title><body><main><section id=lists><h1>Lists</h1><p>{text}</p>\
                 <section id={id}><h2>{heading}</h2><p>{text} See {links} for details.</p><p>{text}</p></section>\
                 <section id=using-lists><h2>Using lists</h2><p>{text}</p></section></section></main>"
            );
            let found = extract(&Page::decoded(&page), &Options::default()).text;
            assert_eq!(found.matches("A list of words").count(), 4, "{id}: {found}");
        }
        // Boxes of other pages have such names, too, and no text.
        let teasers: String = (1..=4)
            .map(|i| format!("<li><a href=/{i}>How the mill was built, part {i}</a></li>"))
            .collect();
        let page = format!(
            "<title>Lists</title><body><main><h1>Lists</h1><section id=intro><h2>Intro</h2><p>{text}</p><p>{text}</p></section>\
             <section id=related-pages><h2>Related pages</h2><ul>{teasers}</ul></section></main>"
        );
        let found = extract(&Page::decoded(&page), &Options::default()).text;
        assert!(!found.contains("the mill"), "{found}");
    }
}
