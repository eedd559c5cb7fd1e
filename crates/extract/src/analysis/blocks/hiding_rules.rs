//! Rules in the page's own style sheets that hide elements.
//!
//! Only rules that apply to all screens are read, also those in `@media screen` and in layers. A selector
//! may name an element by its tag, classes and id, and elements around it (`p.trap`, `.post .trap`,
//! `#old > p.trap`). Conditions on `html` and `body` are never met, since scripts change their classes. A
//! class or id that another rule shows again, such as `.tab.open { display: block }`, does not count as
//! hiding, since a script may set it.

use std::collections::{BTreeMap, BTreeSet};

use memchr::{memchr2_iter, memmem};

use crate::analysis::blocks::elements::a_rule_hides;
use dehusk_html::tree::{AttrName, Dom, NodeId, Tag};

/// Maximum number of selectors that are kept per page; few pages have more.
const MAX_SELECTORS: usize = 64;

/// Maximum number of names that are kept of rules that show something.
const MAX_SHOWN: usize = 16 * MAX_SELECTORS;

/// Maximum number of classes of an element that are compared.
const MAX_CLASSES: usize = 16;
/// Maximum number of classes that a selector may require of one element.
const MAX_CLASSES_ASKED: usize = 3;

/// Maximum number of elements around an element that a selector may name.
const MAX_AROUND: usize = 3;
/// Maximum number of levels above an element on which they are searched.
const MAX_LEVELS: usize = 32;

/// Longest selector that is read, in bytes.
const MAX_SELECTOR_BYTES: usize = 200;

/// Conditions of a selector on one element.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct Compound {
    tag: String,
    id: String,
    /// Required classes, except the class that the selector is filed under.
    classes: Vec<String>,
}

impl Compound {
    fn fits(&self, dom: &Dom<'_>, id: NodeId) -> bool {
        let own_id = || dom.known_attr(id, AttrName::ID);
        (self.tag.is_empty() || self.tag.eq_ignore_ascii_case(dom.name(id)))
            && (self.id.is_empty() || own_id().is_some_and(|own| own.trim() == self.id))
            && (self.classes.is_empty() || {
                let own = dom.known_attr(id, AttrName::CLASS).unwrap_or_default();
                let own = || own.split_ascii_whitespace().take(MAX_CLASSES);
                self.classes.iter().all(|class| own().any(|own| own == class))
            })
    }
}

/// A selector of an element.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct Selector {
    own: Compound,
    /// Conditions on elements around the element, the innermost first.
    around: Vec<Compound>,
}

impl Selector {
    fn fits(&self, dom: &Dom<'_>, id: NodeId) -> bool {
        if !self.own.fits(dom, id) {
            return false;
        }
        let is_part = |id: &NodeId| !matches!(dom.html_tag(*id), Some(Tag::HTML | Tag::BODY));
        let mut above = dom.ancestors(id).take(MAX_LEVELS).take_while(is_part);
        // `above` is shared: each condition continues where the last one was met, so the order of the elements counts.
        self.around
            .iter()
            .all(|asked| above.any(|at| asked.fits(dom, at)))
    }

    fn classes(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.own)
            .chain(&self.around)
            .flat_map(|part| &part.classes)
    }
}

/// Selectors that hide elements, filed under a class or the id that they require.
#[derive(Debug, Default)]
pub(super) struct HidingRules {
    by_class: BTreeMap<String, Vec<Selector>>,
    by_id: BTreeMap<String, Vec<Selector>>,
}

impl HidingRules {
    /// Reads the style sheets of a page.
    pub(super) fn read(dom: &Dom<'_>) -> HidingRules {
        let mut rules = HidingRules::default();
        let mut shown = BTreeSet::new();
        let mut count = 0;
        for style in dom.tree().ids_of(Tag::STYLE) {
            let texts = dom.children(style).filter(|&id| dom.is_text(id));
            for text in texts.map(|id| dom.raw_text(id)) {
                // A cheap test first: most style sheets in pages hide nothing.
                let may_hide = memmem::find(text.as_bytes(), b"none").is_some()
                    || memmem::find(text.as_bytes(), b"hidden").is_some();
                if may_hide {
                    let of_screens = dom
                        .attr(style, "media")
                        .is_none_or(|media| matches!(media.trim(), "" | "all" | "screen"));
                    rules.read_sheet(text, of_screens, &mut shown, &mut count);
                }
            }
        }
        // With more names than are kept, it is not known which a script may show: nothing is hidden by rules then.
        if shown.len() >= MAX_SHOWN {
            return HidingRules::default();
        }
        if !rules.is_empty() {
            // A script may toggle a class or id that some rule shows, so such names hide nothing.
            rules.by_class.retain(|class, _| !shown.contains(class));
            rules.by_id.retain(|id, _| !shown.contains(id));
            for selectors in rules.by_class.values_mut().chain(rules.by_id.values_mut()) {
                selectors.retain(|selector| !selector.classes().any(|class| shown.contains(class)));
            }
        }
        rules
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_class.is_empty() && self.by_id.is_empty()
    }

    /// Whether a rule hides the element `id`.
    pub(super) fn hide(&self, dom: &Dom<'_>, id: NodeId) -> bool {
        if self.is_empty() || dom.attrs_of(id).is_empty() {
            return false;
        }
        let classes = dom.known_attr(id, AttrName::CLASS);
        let classes = || {
            classes
                .iter()
                .flat_map(|all| all.split_ascii_whitespace())
                .take(MAX_CLASSES)
        };
        let own_id = dom.known_attr(id, AttrName::ID);
        let own_id = own_id.as_deref().map_or("", str::trim);
        let fits = |selector: &Selector| selector.fits(dom, id);
        let by_id = self.by_id.get(own_id).into_iter();
        let by_class = classes().filter_map(|class| self.by_class.get(class));
        by_id.chain(by_class).flatten().any(fits)
    }

    /// Reads one style sheet. Names in rules that set `display` or `visibility` without hiding are added to `shown`.
    fn read_sheet(&mut self, sheet: &str, of_screens: bool, shown: &mut BTreeSet<String>, count: &mut usize) {
        let bytes = sheet.as_bytes();
        // The prelude (selector or at-rule) of each open block.
        let (mut open, mut start) = (Vec::new(), 0);
        for at in memchr2_iter(b'{', b'}', bytes) {
            let text = &sheet[start..at];
            start = at + 1;
            if bytes[at] == b'{' {
                // Statements such as `@import ...;` may precede the selector.
                open.push(text.rsplit_once(';').map_or(text, |(_, selector)| selector));
                continue;
            }
            // A `}` without a block is ignored.
            let Some(selectors) = open.pop() else { continue };
            if a_rule_hides(text) {
                let holds = of_screens && open.iter().all(|around| is_of_screens(around));
                if holds && *count < MAX_SELECTORS {
                    *count += self.add(selectors);
                }
            } else if memmem::find(text.as_bytes(), b"display").is_some()
                || memmem::find(text.as_bytes(), b"visib").is_some()
            {
                names(selectors, |name| {
                    if shown.len() < MAX_SHOWN {
                        shown.insert(name.to_owned());
                    }
                });
            }
        }
    }

    /// Adds the selectors of one rule that can be read; returns how many were added.
    fn add(&mut self, selectors: &str) -> usize {
        let selectors = without_comments(selectors);
        let mut count = 0;
        for selector in selectors.split(',').map(str::trim).take(MAX_SELECTORS) {
            let Some(mut selector) = parsed(selector) else {
                continue;
            };
            count += 1;
            // Filed under its last class, or else its id, so that `hide` compares few selectors.
            if let Some(class) = selector.own.classes.pop() {
                self.by_class.entry(class).or_default().push(selector);
            } else if !selector.own.id.is_empty() {
                self.by_id
                    .entry(selector.own.id.clone())
                    .or_default()
                    .push(selector);
            }
        }
        count
    }
}

/// Parses a selector whose element has a class or an id. `None` for other selectors, and for other
/// conditions such as `:hover`, `[href]` or `+`.
fn parsed(text: &str) -> Option<Selector> {
    if text.len() > MAX_SELECTOR_BYTES {
        return None;
    }
    // `>` is read like a space. Few rules then hide more elements than they say.
    let mut parts = text
        .split(|c: char| c.is_whitespace() || c == '>')
        .filter(|part| !part.is_empty());
    let own = compound(parts.next_back()?)?;
    let around: Option<Vec<Compound>> = parts.rev().map(compound).collect();
    let around = around.filter(|around| around.len() <= MAX_AROUND)?;
    (!own.classes.is_empty() || !own.id.is_empty()).then_some(Selector { own, around })
}

/// Parses the conditions on one element: `p.trap#old`. `None` if there are others.
fn compound(text: &str) -> Option<Compound> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    if !text.chars().all(|c| is_name(c) || matches!(c, '.' | '#' | '*')) {
        return None;
    }
    let mut selector = Compound::default();
    // `p.trap#old`: a tag, if any, then names with their marks.
    let (tag, mut rest) = text.split_at(text.find(['.', '#']).unwrap_or(text.len()));
    selector.tag = tag.trim_start_matches('*').to_owned();
    while let Some(kind) = rest.chars().next() {
        let end = rest[1..].find(['.', '#']).map_or(rest.len(), |end| end + 1);
        let name = &rest[1..end];
        if name.is_empty() {
            return None;
        }
        match kind {
            '.' => selector.classes.push(name.to_owned()),
            _ => selector.id = name.to_owned(),
        }
        rest = &rest[end..];
    }
    (selector.classes.len() <= MAX_CLASSES_ASKED).then_some(selector)
}

/// Removes comments; a comment without an end lasts to the end of the text.
fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("/*") {
        out.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
}

/// Whether the at-rule around a rule holds for all screens.
fn is_of_screens(prelude: &str) -> bool {
    let prelude = without_comments(prelude);
    let prelude = prelude.trim();
    let media = prelude.strip_prefix("@media").map(str::trim);
    matches!(media, Some("screen" | "all" | "only screen")) || prelude.starts_with("@layer")
}

/// Calls `visit` with each class and id in `selectors`.
fn names(selectors: &str, mut visit: impl FnMut(&str)) {
    let mut rest = selectors;
    while let Some(at) = rest.find(['.', '#']) {
        rest = &rest[at + 1..];
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_'))
            .unwrap_or(rest.len());
        if end > 0 {
            visit(&rest[..end]);
        }
        rest = &rest[end..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dehusk_html::Parser;

    fn hidden(style: &str, element: &str) -> bool {
        let page = format!("<style>{style}</style>{element}");
        let (dom, _) = Parser::default().parse(&page);
        let body = dom.find(NodeId::DOCUMENT, Tag::BODY).expect("a body");
        let id = dom.tree().first_child(body).expect("an element");
        HidingRules::read(&dom).hide(&dom, id)
    }

    #[test]
    fn rules_may_name_elements_around_the_hidden_one() {
        let inside = |style: &str| {
            let page =
                format!("<html class=js><style>{style}</style><div class=post><section><p class=trap id=i>");
            let (dom, _) = Parser::default().parse(&page);
            let p = dom.find(NodeId::DOCUMENT, Tag::P).expect("a paragraph");
            HidingRules::read(&dom).hide(&dom, p)
        };
        for (style, is) in [
            (".post .trap{display:none}", true),
            (".post section > p#i{display:none}", true),
            ("section .post .trap{display:none}", false),
            (".page .trap{display:none}", false),
            // Scripts change the classes of the root.
            (".js .trap{display:none}", false),
            (".post .trap + .trap{display:none}", false),
            (".post .trap{display:none} .post.open .trap{display:block}", false),
        ] {
            assert_eq!(inside(style), is, "{style}");
        }
    }

    #[test]
    fn rules_for_all_screens_hide_what_they_ask_for() {
        let p = "<p class='a trap' id=i>";
        for (style, is) in [
            (".trap{display:none}", true),
            (
                "/* .x */ b, p.trap { color: red; visibility : hidden !important }",
                true,
            ),
            ("#i{display:none}", true),
            ("p#i.a{display:none}", true),
            ("@charset 'x'; .trap{display:none}", true),
            ("div.trap{display:none}", false),
            (".trap.other{display:none}", false),
            (".trap .a{display:none}", false),
            (".trap:hover{display:none}", false),
            ("p{display:none}", false),
            ("@media print{.trap{display:none}}", false),
            ("@media screen {.trap{display:none}}", true),
            ("@media (max-width:9em){.trap{display:none}}", false),
            (".trap{display:none} .trap.open{display:block}", false),
            (
                ".trap{display:none} @media (max-width:9em){.trap{display:block}}",
                false,
            ),
            (".trap{display:block}", false),
            (".trap{display:none", false),
        ] {
            assert_eq!(hidden(style, p), is, "{style}");
        }
        assert!(!hidden(".trap{display:none}", "<p>"));
    }

    proptest::proptest! {
        #[test]
        fn any_style_is_read(style in "[.#a-c{}:;,@/* ]{0,40}(display:none|visibility:hidden)?[.#a-c{}:;,@/* ]{0,40}") {
            hidden(&style, "<p class='a b' id=c>");
        }
    }
}
