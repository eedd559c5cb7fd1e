//! Declarative shadow roots: a `template` with `shadowrootmode` defines what its parent shows. Other
//! children of the parent are shown in the slots of the template.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem;

use dehusk_html::tree::{Dom, NodeId, NodeKind, Tag};

/// Turns each template of a shadow root into a `slot`, which has no box, and moves children of the host
/// into the slots inside.
///
/// Children without a matching slot stay in place.
pub(crate) fn attach_shadow_roots(dom: &mut Dom<'_>) {
    if memmem::find(dom.source().as_bytes(), b"shadowrootmode").is_none() {
        return;
    }
    // All roots are found before any node moves. By the standard, only the first template of a host counts;
    // another one would move the host's children, other templates included, into its own slots.
    let mut hosts = BTreeSet::new();
    let roots: Vec<(NodeId, NodeId)> = dom
        .tree()
        .ids_of(Tag::TEMPLATE)
        .filter(|&template| dom.attr(template, "shadowrootmode").is_some())
        .filter_map(|template| Some((template, dom.parent(template)?)))
        .filter(|&(_, host)| dom.tag(host).is_some() && hosts.insert(host))
        .collect();
    for (template, host) in roots {
        // The parser keeps the contents of a template in a fragment.
        let contents = dom.tree().first_child(template);
        let contents = contents.filter(|&contents| dom.kind(contents) == NodeKind::Fragment);
        let Some(contents) = contents else {
            continue;
        };
        let mut light: BTreeMap<String, Vec<NodeId>> = BTreeMap::new();
        for child in dom.children(host).filter(|&child| child != template) {
            let slot = dom.attr(child, "slot").unwrap_or_default().into_owned();
            light.entry(slot).or_default().push(child);
        }
        dom.tree_mut().detach(contents);
        dom.tree_mut().set_tag(template, Tag::SLOT);
        while let Some(child) = dom.children(contents).next() {
            dom.tree_mut().detach(child);
            dom.tree_mut().append(template, child);
        }
        fill_slots(dom, template, light);
    }
}

/// Greatest depth of a slot below its root that is filled; bounds the depth of the tree when roots are
/// nested in slots of roots.
const MAX_SLOT_DEPTH: usize = 16;

/// Moves the children of a host, grouped by slot name, into the slots of its shadow root. The first slot of
/// a name receives all of them.
fn fill_slots(dom: &mut Dom<'_>, root: NodeId, mut light: BTreeMap<String, Vec<NodeId>>) {
    let slots: Vec<NodeId> = dom
        .preorder(root)
        .skip(1)
        .filter(|&id| dom.html_tag(id) == Some(Tag::SLOT))
        .collect();
    for slot in slots {
        let is_near = dom.ancestors(slot).take(MAX_SLOT_DEPTH).any(|at| at == root);
        let name = dom.attr(slot, "name").unwrap_or_default().into_owned();
        let Some(assigned) = light.remove(&name).filter(|_| is_near) else {
            continue;
        };
        // White space alone does not replace the fallback.
        let is_shown = |&child: &NodeId| dom.tag(child).is_some() || !dom.text(child).trim().is_empty();
        if !assigned.iter().any(is_shown) {
            continue;
        }
        // A slot's own content is a fallback, shown only if nothing is assigned.
        while let Some(fallback) = dom.children(slot).next() {
            dom.tree_mut().detach(fallback);
        }
        for child in assigned {
            dom.tree_mut().detach(child);
            dom.tree_mut().append(slot, child);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dehusk_html::Parser;

    fn shown(html: &str) -> String {
        let (mut dom, _) = Parser::default().parse(html);
        attach_shadow_roots(&mut dom);
        dom.text_content(NodeId::DOCUMENT)
    }

    #[test]
    fn slots_hold_what_is_meant_for_them() {
        let html = "<x-a><template shadowrootmode=open>1<slot name=s>no</slot>3<slot></slot>5<slot name=t>6</slot></template><b slot=s>2</b><i>4</i></x-a>";
        assert_eq!(shown(html), "123456");
    }

    #[test]
    fn an_element_has_one_root() {
        let template = |text| format!("<template shadowrootmode=open>{text}<slot></slot></template>");
        let html = format!("<x-a>{}{}<b>2</b></x-a>", template("1"), template("no"));
        assert_eq!(shown(&html), "12");
    }

    #[test]
    fn roots_in_roots_and_templates_of_scripts() {
        let html = "<x-a><template shadowrootmode=open>1<x-b><template shadowrootmode=closed>2<slot></slot></template>3</x-b></template></x-a><template>no</template>";
        assert_eq!(shown(html), "123");
        assert_eq!(shown("<template shadowrootmode=open>1</template>").trim(), "1");
    }
}
