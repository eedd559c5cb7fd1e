//! Parts of a page that its server sends after the rest. React writes them into hidden elements, and short
//! scripts move them to their places.

use std::collections::{BTreeMap, BTreeSet};

use dehusk_html::tree::{Dom, NodeId};
use memchr::memmem;

/// Maximum number of parts that are moved.
const MAX_PARTS: usize = 1000;

/// Maximum length of the id of a part or a place, in bytes.
const MAX_ID: usize = 32;

/// Maximum depth of a place that receives a part, counted through the parts around it. Bounds the depth of the tree.
const MAX_DEPTH: usize = 256;

/// Moves streamed parts to their places, as the scripts of the page do.
///
/// `$RC("B:0","S:0")` replaces the place `<template id="B:0">` and its fallback (the siblings after it that
/// are shown until the part arrives) by the children of the part `<div hidden id="S:0">`. `$RR` does so
/// after loading style sheets. `$RS("S:1","P:1")` replaces only the place `<template id="P:1">`.
pub(crate) fn place_streamed_parts(dom: &mut Dom<'_>) {
    let source = dom.source();
    if memmem::find(source.as_bytes(), b"hidden id=\"").is_none() {
        return;
    }
    let ids = moved_ids(source);
    if ids.is_empty() {
        return;
    }
    let moves = moves(dom, &ids);
    let parts: BTreeSet<usize> = moves.iter().map(|found| found.part.index()).collect();
    // Moves by the part that contains their place (`None` if no part does), each with the depth of the place in it.
    let mut inside: BTreeMap<Option<usize>, Vec<(Move, usize)>> = BTreeMap::new();
    for found in moves {
        let mut above = dom.ancestors(found.place).map(NodeId::index);
        let depth = above.by_ref().take_while(|at| !parts.contains(at)).count();
        let around = dom
            .ancestors(found.place)
            .map(NodeId::index)
            .find(|at| parts.contains(at));
        inside.entry(around).or_default().push((found, depth));
    }
    // From outer to inner places. Parts that contain each other's places are never reached.
    let mut pending = vec![(None, 0)];
    while let Some((around, depth)) = pending.pop() {
        for (found, steps) in inside.remove(&around).unwrap_or_default() {
            if depth + steps <= MAX_DEPTH {
                found.apply(dom);
                pending.push((Some(found.part.index()), depth + steps));
            }
        }
    }
}

/// A part and its place.
struct Move {
    part: NodeId,
    place: NodeId,
    /// Source offset of the end of the fallback.
    fallback_end: usize,
}

impl Move {
    /// Puts the children of the part before the place, and removes the place, its fallback and the part.
    fn apply(&self, dom: &mut Dom<'_>) {
        const MAX_SIBLINGS: usize = 64;
        const MAX_NODES: usize = 256;
        let tree = dom.tree();
        let after = std::iter::successors(tree.next_sibling(self.place), |&at| tree.next_sibling(at));
        let text_of = |at: NodeId| {
            let mut nodes = dom.preorder(at).take(MAX_NODES);
            nodes.find_map(|node| dom.source_range(node))
        };
        let fallback: Vec<NodeId> = after
            // Siblings without text in the source neither belong to the fallback nor end it.
            .take(MAX_SIBLINGS)
            .map(|at| (at, text_of(at)))
            .take_while(|(_, text)| text.as_ref().is_none_or(|text| text.start < self.fallback_end))
            .filter(|(_, text)| text.is_some())
            .map(|(at, _)| at)
            .collect();
        for at in fallback {
            dom.tree_mut().detach(at);
        }
        while let Some(child) = dom.tree().first_child(self.part) {
            dom.tree_mut().detach(child);
            dom.tree_mut().insert_before(self.place, child);
        }
        dom.tree_mut().detach(self.place);
        dom.tree_mut().detach(self.part);
    }
}

/// Returns the pairs of part and place that scripts name, by their ids.
fn moved_ids(source: &str) -> Vec<(&str, &str)> {
    // The text from an offset to the next quotation mark.
    let quoted = |from: usize| {
        let rest = source.get(from..)?;
        let end = rest.bytes().take(MAX_ID + 1).position(|b| b == b'"')?;
        Some(&rest[..end])
    };
    let ids = |start: usize| {
        // React writes both ids as literals, `$RC("B:0","S:0")`; other calls are not read.
        const BETWEEN: &str = "\",\"";
        let first = quoted(start)?;
        let end = start + first.len();
        source.get(end..)?.starts_with(BETWEEN).then_some(())?;
        Some((first, quoted(end + BETWEEN.len())?))
    };
    let mut found = Vec::new();
    for at in memmem::find_iter(source.as_bytes(), b"$R") {
        let Some(call) = ["$RC(\"", "$RR(\"", "$RS(\""]
            .into_iter()
            .find(|call| source[at..].starts_with(call))
        else {
            continue;
        };
        let Some((first, second)) = ids(at + call.len()) else {
            continue;
        };
        // `$RS` names the part first, the other calls the place.
        found.push(if call == "$RS(\"" {
            (first, second)
        } else {
            (second, first)
        });
        if found.len() == MAX_PARTS {
            break;
        }
    }
    found
}

/// Finds the elements of parts and places. Each element is used once.
fn moves(dom: &Dom<'_>, ids: &[(&str, &str)]) -> Vec<Move> {
    let mut elements: BTreeMap<&str, NodeId> = BTreeMap::new();
    let named: BTreeSet<&str> = ids.iter().flat_map(|&(part, place)| [part, place]).collect();
    for at in dom.tree().ids().filter(|&at| dom.tag(at).is_some()) {
        let id = dom.short_attr(at, "id", MAX_ID);
        if let Some(&name) = id.as_deref().and_then(|id| named.get(id)) {
            // The first element of an id counts, as in browsers.
            elements.entry(name).or_insert(at);
        }
    }
    let ends = fallback_ends(dom.source());
    let mut used = BTreeSet::new();
    let found = ids.iter().filter_map(|&(part, place)| {
        let found = Move {
            part: *elements.get(part)?,
            place: *elements.get(place)?,
            fallback_end: ends.get(place).copied().unwrap_or(0),
        };
        let is_new = used.insert(found.part.index()) && used.insert(found.place.index());
        is_new.then_some(found)
    });
    found.collect()
}

/// Offset at which the fallback of each place ends, by the id of the place: the comment `<!--/$-->` that
/// closes the `<!--$?-->` before the place. These comments nest.
fn fallback_ends(source: &str) -> BTreeMap<&str, usize> {
    let mut ends = BTreeMap::new();
    let mut open: Vec<Option<&str>> = Vec::new();
    for at in memmem::find_iter(source.as_bytes(), b"<!--") {
        let comment = &source[at + "<!--".len()..];
        if comment.starts_with("/$-->") {
            if let Some(Some(place)) = open.pop() {
                ends.insert(place, at);
            }
        // Other comments with `$` nest as well, but have no place.
        } else if comment.starts_with('$') {
            let place = comment.strip_prefix("$?--><template id=\"");
            let end = place.and_then(|place| place.bytes().take(MAX_ID + 1).position(|b| b == b'"'));
            open.push(place.zip(end).map(|(place, end)| &place[..end]));
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use dehusk_html::Parser;

    fn shown(html: &str) -> String {
        let (mut dom, _) = Parser::default().parse(html);
        place_streamed_parts(&mut dom);
        let nodes = dom.preorder(NodeId::DOCUMENT);
        let is_script = |&node: &NodeId| dom.ancestors(node).any(|at| dom.attr(at, "src").is_some());
        let texts = nodes.filter(|node| dom.is_text(*node) && !is_script(node));
        texts.map(|node| dom.text(node).into_owned()).collect()
    }

    /// A script that marks itself, so that its text is not taken for that of the page.
    fn script(call: &str) -> String {
        format!("<script src=x>{call}</script>")
    }

    #[test]
    fn parts_replace_what_waits_for_them() {
        let html = format!(
            "<p>1</p><!--$?--><template id=\"B:0\"></template><p>Loading <i>2</i></p><!--/$--><p>3</p><div hidden id=\"S:0\"><p>2</p></div>{}",
            script("$RC(\"B:0\",\"S:0\")")
        );
        assert_eq!(shown(&html), "123");
    }

    #[test]
    fn parts_lie_in_parts() {
        let html = format!(
            "<main>1<!--$?--><template id=\"B:4\"></template>wait<!--/$-->6</main><div hidden id=\"S:9\">3<b>4</b></div>\
             <div hidden id=\"S:1\">2<template id=\"P:9\"></template>5</div>{}{}",
            script("$RS(\"S:9\",\"P:9\")"),
            script("$RR(\"B:4\",\"S:1\",[])")
        );
        assert_eq!(shown(&html), "123456");
    }

    #[test]
    fn what_no_script_moves_stays() {
        let waiting = "1<!--$?--><template id=\"B:0\"></template>wait<!--/$--><div hidden id=\"S:0\">2</div>";
        assert_eq!(shown(waiting), "1wait2");
        // A part that its own place lies in, and ids without elements.
        let circle = format!(
            "1<div hidden id=\"S:0\">2<template id=\"B:0\"></template></div>{}{}",
            script("$RC(\"B:0\",\"S:0\")"),
            script("$RC(\"B:7\",\"S:7\")$RC(\"B:8")
        );
        assert_eq!(shown(&circle), "12");
    }

    #[test]
    fn long_chains_of_parts_stay_shallow() {
        let part = |i: usize| {
            let (inner, outer) = (i + 1, i);
            format!(
                "<div hidden id=\"S:{outer}\">{}<template id=\"B:{inner}\"></template>{}</div>{}",
                "<div>".repeat(60),
                "</div>".repeat(60),
                script(&format!("$RC(\"B:{outer}\",\"S:{outer}\")"))
            )
        };
        let parts: String = (0..200).map(part).collect();
        let html = format!("<template id=\"B:0\"></template>{parts}");
        let (mut dom, _) = Parser::default().parse(&html);
        place_streamed_parts(&mut dom);
        let deepest = dom
            .preorder(NodeId::DOCUMENT)
            .map(|node| dom.ancestors(node).count());
        assert!(deepest.max().unwrap_or(0) <= MAX_DEPTH + 100);
    }
}
