//! Markup that HTML output must never contain, for any input.

use dehusk_html::{NodeId, Parser};

/// Elements that load, run or restyle something, or that change links.
const ACTIVE: &[&str] = &[
    "script", "iframe", "object", "embed", "frame", "frameset", "form", "input", "button", "base", "link",
    "template",
];

/// Panics if a browser would run or load something from a page in this HTML. `own` names the elements that
/// the program writes itself.
pub(crate) fn assert_inert(html: &str, own: &[&str]) {
    let (dom, _) = Parser::default().parse(html);
    for id in dom.preorder(NodeId::DOCUMENT) {
        let name = dom.name(id);
        assert!(
            // `style` and `meta` are not active in themselves, but only the program's own report may have
            // them.
            own.contains(&name) || !ACTIVE.contains(&name) && name != "style" && name != "meta",
            "<{name}> in {html}"
        );
        for (name, value) in dom.attributes(id) {
            // `onclick` and the like. `srcdoc` is a document inside of a frame.
            assert!(!name.starts_with("on") && name != "srcdoc", "{name} in {html}");
            // Browsers drop tabs and line breaks from addresses: `java\tscript:` runs.
            let target: String = value.chars().filter(|c| *c > ' ').collect();
            let target = target.to_ascii_lowercase();
            let runs = ["javascript:", "vbscript:", "data:text"];
            assert!(
                !matches!(name, "href" | "src" | "cite")
                    || !runs.iter().any(|scheme| target.starts_with(scheme)),
                "{name}={value} in {html}"
            );
        }
    }
}
