//! Selection of the images, signs, players and formulas that belong to the kept text.

use crate::analysis::blocks::elements::{is_hidden, is_image_element, is_phrasing, is_player_element};
use crate::build::decoration;
use crate::build::formula::{self, FoundFormula};
use crate::build::image::{self, FoundImage};
use crate::build::kept_nodes::KeptNodes;
use crate::build::player::{self, FoundPlayer};
use crate::build::sign;
use crate::label::extractor::PageView;
use crate::label::labels::Labels;
use dehusk_html::tree::{Dom, NodeId, Tag};

/// Maximum number of ancestors of an image that are searched for its figure or line.
const MAX_STEPS: usize = 8;
/// Maximum number of wrapper elements around an image that is placed beside the text.
const MAX_WRAPPERS: usize = 4;

/// An emoji, an image, a video or sound, or a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Media {
    /// Characters of an emoji or a smiley that the page shows as a picture.
    Sign(String),
    Image(FoundImage),
    Player(FoundPlayer),
    Formula(FoundFormula),
}

/// An image, a player or a formula that belongs to the kept text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct KeptMedia {
    /// Element that is replaced: for a formula, the element that also wraps its alternative renderings.
    pub(super) root: NodeId,
    /// The element of the image, player or formula.
    pub(super) node: NodeId,
}

/// Images, players and formulas that belong to the kept text, in document order. `kept` holds the kept
/// texts and the elements around them.
///
/// A formula, image or player belongs to the kept text if its line or figure does, or if the blocks before
/// and after it are both kept. An image or player directly beside a kept node also belongs, and so do all
/// images in a row with one that belongs.
///
/// Icons, buttons and avatars are left out. Without `images`, so are all images but those of emoji and smileys.
pub(super) fn kept_media(
    view: &PageView<'_>,
    labels: &Labels,
    kept: &KeptNodes,
    images: bool,
) -> Vec<KeptMedia> {
    let dom = view.dom;
    let is_kept = |i: usize| labels.verdicts.get(i).is_some_and(|v| v.kept);
    let mut found: Vec<KeptMedia> = Vec::new();
    let mut row: Option<Row> = None;
    for media in view.table.media() {
        let is_image = is_image(dom, media.node) && !formula::is_formula_image(dom, media.node);
        if is_image {
            let is_sign = sign::read(dom, media.node).is_some();
            if media.hidden || !is_sign && (!images || decoration::is_decoration(dom, media.node)) {
                continue;
            }
        }
        let is_player = is_player(dom, media.node);
        // A player with kept words inside (its fallback text) is not replaced by a link.
        if is_player && kept.holds(media.node) {
            continue;
        }
        let root = if is_image || is_player {
            media.node
        } else {
            formula::root(dom, media.node)
        };
        // A formula's visual and accessible renderings each hide from one audience, so one hidden rendering
        // does not hide the formula.
        if media.hidden && (root == media.node || is_hidden(dom, root)) {
            continue;
        }
        // The renderings of one formula share a root and are listed in a row.
        if found.last().is_some_and(|last| last.root == root) {
            continue;
        }
        let before = media.before as usize;
        let around = (before.checked_sub(1).is_some_and(is_kept), is_kept(before));
        let belongs = kept.holds(media.node)
            || around == (true, true)
            || is_of_line(dom, root, kept, around)
            || (is_image || is_player) && (around.0 || around.1) && stands_beside(dom, root, kept);
        let media = KeptMedia {
            root,
            node: media.node,
        };
        let shows = |media: &KeptMedia| !labels.cuts(media.root) && read(dom, media.node).is_some();
        let belongs = belongs && shows(&media);
        // Images in a row, with no text between them, belong together: a gallery begins or ends beside the
        // text.
        let place = place_beside(dom, root, kept)
            .filter(|_| is_image)
            .map(|place| (before, place));
        if row.as_ref().map(|row| row.place) != place {
            row = place.map(|place| Row {
                place,
                is_kept: false,
                waiting: Vec::new(),
            });
        }
        // Images wait until one of their row belongs. From then on, the others belong wherever they stand.
        match &mut row {
            Some(row) if belongs && !row.is_kept => {
                row.is_kept = true;
                found.extend(row.waiting.drain(..).filter(shows));
            }
            Some(row) if !belongs && row.is_kept && shows(&media) => found.push(media),
            Some(row) if !belongs && !row.is_kept => row.waiting.push(media),
            _ => {}
        }
        if belongs {
            found.push(media);
        }
    }
    found
}

/// Images in one element with no text between them.
struct Row {
    /// Index of the block after them, and the element.
    place: (usize, NodeId),
    /// Whether an image of the row belongs to the kept text.
    is_kept: bool,
    /// Images before the first that belongs.
    waiting: Vec<KeptMedia>,
}

/// Nearest element with kept text around an image, at most `MAX_WRAPPERS` levels up; `None` if there is no
/// such element, or if it is the body.
fn place_beside(dom: &Dom<'_>, image: NodeId, kept: &KeptNodes) -> Option<NodeId> {
    let mut above = dom.ancestors(image).take(MAX_WRAPPERS);
    let place = above.find(|at| kept.holds(*at))?;
    (!matches!(dom.html_tag(place), Some(Tag::BODY | Tag::HTML) | None)).then_some(place)
}

/// Whether the line or figure around an image, player or formula is kept. `around`: whether the blocks
/// before and after it are kept.
fn is_of_line(dom: &Dom<'_>, root: NodeId, kept: &KeptNodes, around: (bool, bool)) -> bool {
    for ancestor in dom.ancestors(root).take(MAX_STEPS) {
        match dom.html_tag(ancestor) {
            Some(Tag::FIGURE) => return kept.holds(ancestor) || around.0 || around.1,
            Some(tag) if is_phrasing(tag) => {}
            Some(tag) if is_line(tag) && kept.holds(ancestor) => return true,
            _ => return false,
        }
    }
    false
}

/// Whether an image or player, apart from wrappers, is next to a kept element or text.
fn stands_beside(dom: &Dom<'_>, image: NodeId, kept: &KeptNodes) -> bool {
    let mut at = image;
    // Climb to the outermost wrapper without kept nodes.
    for _ in 0..MAX_WRAPPERS {
        let Some(parent) = dom.parent(at) else {
            return false;
        };
        if kept.holds(parent) {
            break;
        }
        at = parent;
    }
    let tree = dom.tree();
    let is_blank = |id: &NodeId| {
        // White space, and comments.
        dom.is_text(*id) && dom.text(*id).trim().is_empty() || dom.tag(*id).is_none() && !dom.is_text(*id)
    };
    let first =
        |mut siblings: std::iter::Take<&mut dyn Iterator<Item = NodeId>>| siblings.find(|id| !is_blank(id));
    let mut after = std::iter::successors(tree.next_sibling(at), |at| tree.next_sibling(*at));
    let mut before = std::iter::successors(tree.prev_sibling(at), |at| tree.prev_sibling(*at));
    let near = [
        first((&mut after as &mut dyn Iterator<Item = NodeId>).take(4)),
        first((&mut before as &mut dyn Iterator<Item = NodeId>).take(4)),
    ];
    near.into_iter().flatten().any(|id| kept.holds(id))
}

fn is_line(tag: Tag) -> bool {
    tag.heading_level().is_some()
        || matches!(
            tag,
            Tag::P | Tag::LI | Tag::TD | Tag::TH | Tag::DD | Tag::DT | Tag::FIGCAPTION | Tag::BLOCKQUOTE
        )
}

fn is_image(dom: &Dom<'_>, id: NodeId) -> bool {
    dom.html_tag(id).is_some_and(|tag| is_image_element(dom, id, tag))
}

fn is_player(dom: &Dom<'_>, id: NodeId) -> bool {
    dom.html_tag(id)
        .is_some_and(|tag| is_player_element(dom, id, tag))
}

/// Reads the image, player or formula of a node; `None` if there is nothing to show.
pub(super) fn read(dom: &Dom<'_>, id: NodeId) -> Option<Media> {
    if is_image(dom, id) && !formula::is_formula_image(dom, id) {
        let sign = sign::read(dom, id).map(Media::Sign);
        return sign.or_else(|| image::read(dom, id).map(Media::Image));
    }
    if is_player(dom, id) {
        return player::read(dom, id).map(Media::Player);
    }
    formula::read(dom, id).map(Media::Formula)
}
