//! Learns where the pages of a layout have title, authors, date and date of change.
//!
//! Every element that may contain a field, a [`Spot`], is at many places: its tag with one of its marks,
//! below one of the marked elements around it. A place has a value on a page if one of the page's elements
//! there has one; the first counts, as it does when the template is applied. A good place has values on many
//! pages, and they differ from page to page. They agree with the machine-readable data of the pages that have
//! such data, and on other pages with values in which the pages' own metadata are confident.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use dehusk_html::narrow;

use super::super::hash::{SEED, hash_name, mix};
use super::super::place::{Mark, Place, Step};
use super::super::sample::Sample;
use super::super::spots::{LEVELS, Spot, SpotNode, Spots};
use crate::analysis::key_numbers::KeyHash;
use crate::analysis::metadata::candidate::Field;
use crate::analysis::metadata::values::PLACED;

/// Minimum number of pages with a value, and minimum share of all pages.
const MIN_PAGES: u32 = 3;
const MIN_SHARE: f64 = 0.2;
/// Minimum confidence of a place.
const MIN_CONFIDENCE: f64 = 0.7;
/// Maximum confidence: on pages of one layout, elements of one name may still mean different things.
const MOST: f64 = 0.95;
/// Weight of a page without machine-readable data, relative to one with them.
const UNSTATED: f64 = 0.5;
/// Difference in worth below which two places are equal.
const EQUAL: f64 = 1e-9;
/// Minimum support of a spot whose places are considered.
const MIN_SUPPORT: f32 = 0.3;
/// Levels above an element whose marks are used.
const MARKED_LEVELS: u8 = 7;

/// The evidence for a place, over the pages that were learnt from.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct FieldCounts {
    /// Number of pages that have a value at the place.
    pub(crate) pages: u32,
    /// Number of different values, and number of pages with the most frequent one.
    pub(crate) values: u32,
    pub(crate) most: u32,
    /// Number of pages whose machine-readable data have the same value, and (`against`) another one.
    pub(crate) agree: u32,
    pub(crate) against: u32,
    /// Sum of the confidence of the pages' own metadata in the value, over pages without machine-readable data of the field.
    pub(crate) support: f64,
}

impl FieldCounts {
    pub(crate) fn add(&mut self, other: &FieldCounts) {
        self.pages += other.pages;
        // Values of other pages may be the same ones. A date or a title rarely is.
        self.values += other.values;
        self.most = self.most.max(other.most);
        self.agree += other.agree;
        self.against += other.against;
        self.support += other.support;
    }

    /// Returns the probability that a value at the place is that of the page.
    pub(crate) fn confidence(&self) -> f64 {
        let unstated = f64::from(self.pages.saturating_sub(self.agree + self.against));
        let right = f64::from(self.agree) + UNSTATED * self.support;
        let all = f64::from(self.agree + self.against) + UNSTATED * unstated;
        // Half a page is added to each side, so that few pages give little confidence.
        ((right + 0.5) / (all + 1.0)).min(MOST)
    }

    /// Whether the values differ from page to page as values of the field usually do. Constant values belong
    /// to the site.
    fn varies(&self, field: Field) -> bool {
        let (pages, most, values) = (
            f64::from(self.pages),
            f64::from(self.most),
            f64::from(self.values),
        );
        // Titles nearly always differ, one author may write most pages, and at most half of the pages have
        // one date.
        match field {
            Field::Title => values >= 0.7 * pages,
            Field::Authors => self.values >= 2 && most <= 0.9 * pages,
            _ => self.values >= 2 && most <= 0.5 * pages,
        }
    }

    /// Whether the evidence suffices for a place, of a template of `of` pages.
    fn is_enough(&self, field: Field, of: u32) -> bool {
        self.pages >= MIN_PAGES
            && f64::from(self.pages) >= MIN_SHARE * f64::from(of)
            && self.varies(field)
            && self.confidence() >= MIN_CONFIDENCE
    }
}

/// A place of a field, with the evidence for it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PlacedField {
    pub(crate) field: Field,
    pub(crate) place: Place,
    pub(crate) counts: FieldCounts,
    /// A value of a page that was learnt from.
    pub(crate) example: String,
}

/// Counts of a place while pages are read.
#[derive(Default)]
struct Found {
    counts: FieldCounts,
    values: BTreeMap<u64, u32>,
    /// The last page that was counted, from 1.
    page: usize,
    /// A spot there, from which the place is made: page, spot and variant.
    first: (usize, usize, Variant),
}

/// One of the places of a spot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct Variant {
    /// Index of the mark of the element, if one is named.
    own: Option<u8>,
    above: Above,
}

/// Condition of a place on the elements around its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
enum Above {
    #[default]
    Nothing,
    /// The element `level` above has the mark. With `is_child`, it must be the parent.
    Marked { level: u8, mark: u8, is_child: bool },
    /// The parent has the mark, and the element has its position among its siblings.
    Position { mark: u8 },
    /// All elements up to one with an id, or to `body`, with their positions.
    Path,
}

/// Adds the pages to the evidence for known places, and finds the best place of each field that has none.
pub(crate) fn learn(known: &mut Vec<PlacedField>, pages: &[&Sample], of: u32) {
    let all: Vec<&Spots> = pages.iter().map(|page| page.spots()).collect();
    for (at, &field) in PLACED.iter().enumerate() {
        let found = match known.iter().position(|placed| placed.field == field) {
            Some(index) => {
                let mut placed = known.remove(index);
                placed
                    .counts
                    .add(&count_place(&all, narrow::to_u8(at), &placed.place));
                Some(placed).filter(|placed| placed.counts.is_enough(field, of))
            }
            None => best_place(&all, narrow::to_u8(at), of),
        };
        known.extend(found);
    }
    known.sort_by_key(|placed| PLACED.iter().position(|&field| field == placed.field));
}

/// Finds the place of a field with the most evidence; `None` if there is not enough for any. `field` is an
/// index in [`PLACED`].
fn best_place(pages: &[&Spots], field: u8, of: u32) -> Option<PlacedField> {
    let is_likely =
        |spot: &Spot| spot.agrees == Some(true) || spot.agrees.is_none() && spot.support >= MIN_SUPPORT;
    let mut found: HashMap<u64, Found, KeyHash> = HashMap::default();
    let spots = |page: &'_ Spots| -> Vec<usize> {
        (0..page.spots.len())
            .filter(|&at| page.spots[at].field == field)
            .collect()
    };
    // Places to compare: those of spots that machine-readable data confirm or, without such data, other
    // metadata support.
    for (number, page) in pages.iter().enumerate() {
        for at in spots(page).into_iter().filter(|&at| is_likely(&page.spots[at])) {
            for (key, variant) in variants(page, &page.spots[at]) {
                let entry = found.entry(key).or_default();
                // The default means that the entry is new: a variant of a spot always has a mark or a
                // condition.
                if entry.first.2 == Variant::default() {
                    entry.first = (number, at, variant);
                }
            }
        }
    }
    // Evidence for each of these places: the first spot there on each page, likely or not.
    for (number, page) in pages.iter().enumerate() {
        for at in spots(page) {
            let spot = &page.spots[at];
            for (key, _) in variants(page, spot) {
                if let Some(entry) = found.get_mut(&key).filter(|entry| entry.page != number + 1) {
                    entry.page = number + 1;
                    count(&mut entry.counts, spot);
                    *entry.values.entry(spot.key).or_default() += 1;
                }
            }
        }
    }
    let field = PLACED[usize::from(field)];
    let mut best: Option<(f64, Rank, PlacedField)> = None;
    // In a fixed order: places are compared with a tolerance, so the order may decide between nearly equal
    // ones.
    let mut found: Vec<(u64, Found)> = found.into_iter().collect();
    found.sort_unstable_by_key(|(key, _)| *key);
    for (_, mut entry) in found {
        entry.counts.values = narrow::to_u32(entry.values.len());
        entry.counts.most = entry.values.values().copied().max().unwrap_or(0);
        if !entry.counts.is_enough(field, of) {
            continue;
        }
        // Gain of the place over all pages. A confidence of one half is chance, and gains nothing.
        let worth = f64::from(entry.counts.pages) * (entry.counts.confidence() - 0.5);
        if best.as_ref().is_some_and(|(known, ..)| *known > worth + EQUAL) {
            continue;
        }
        let (page, at, variant) = entry.first;
        let Some((page, spot)) = pages.get(page).and_then(|page| Some((page, page.spots.get(at)?))) else {
            continue;
        };
        let Some(place) = place_of(page, spot, variant) else {
            continue;
        };
        let rank = rank(spot, &place);
        let is_better = best
            .as_ref()
            .is_none_or(|(known, other, _)| worth > known + EQUAL || rank < *other);
        if is_better {
            let placed = PlacedField {
                field,
                place,
                counts: entry.counts,
                example: spot.shown.clone(),
            };
            best = Some((worth, rank, placed));
        }
    }
    best.map(|(.., placed)| placed)
}

/// Order of places with equal evidence: those of the innermost elements first, then those with more marks,
/// those without positions, those directly below the mark, and shorter ones. So the elements of other parts
/// of unknown pages do not meet them by chance.
type Rank = (u16, Reverse<usize>, usize, usize, usize, String);

fn rank(spot: &Spot, place: &Place) -> Rank {
    let marks = place.steps.iter().filter(|step| step.mark.is_some()).count();
    let positions = place.steps.iter().filter(|step| step.nth.is_some()).count();
    let far = place.steps.iter().skip(1).filter(|step| !step.is_child).count();
    let css = place.css();
    (spot.rest, Reverse(marks), positions, far, css.len(), css)
}

/// Counts the value of a page, which is that of `spot`.
fn count(counts: &mut FieldCounts, spot: &Spot) {
    counts.pages += 1;
    match spot.agrees {
        Some(true) => counts.agree += 1,
        Some(false) => counts.against += 1,
        None => counts.support += f64::from(spot.support),
    }
}

/// Counts the values at a known place.
fn count_place(pages: &[&Spots], field: u8, place: &Place) -> FieldCounts {
    let mut counts = FieldCounts::default();
    let mut values: BTreeMap<u64, u32> = BTreeMap::new();
    for page in pages {
        let mut spots = page.spots.iter().filter(|spot| spot.field == field);
        if let Some(spot) = spots.find(|spot| is_at(page, spot, place)) {
            count(&mut counts, spot);
            *values.entry(spot.key).or_default() += 1;
        }
    }
    counts.values = narrow::to_u32(values.len());
    counts.most = values.values().copied().max().unwrap_or(0);
    counts
}

/// Whether a spot is at a place.
fn is_at(page: &Spots, spot: &Spot, place: &Place) -> bool {
    let meets = |node: &SpotNode, step: &Step| {
        node.tag == step.tag
            && step.mark.as_ref().is_none_or(|mark| node.marks.contains(mark))
            && step.nth.is_none_or(|nth| node.nth == Some(nth))
    };
    if spot.attribute != place.attribute {
        return false;
    }
    // Decides like `Place::is_at`: from the last step upwards, with the nearest match for a step that need
    // not be a child.
    let mut at = page.nodes.get(spot.node as usize);
    let mut is_child = true;
    for step in place.steps.iter().rev() {
        loop {
            let Some(node) = at else { return false };
            at = node.parent.and_then(|parent| page.nodes.get(parent as usize));
            if meets(node, step) {
                break;
            }
            if is_child {
                return false;
            }
        }
        is_child = step.is_child;
    }
    true
}

/// Returns the places of a spot, with their hashes.
fn variants(page: &Spots, spot: &Spot) -> Vec<(u64, Variant)> {
    let Some(node) = page
        .nodes
        .get(spot.node as usize)
        .filter(|node| !node.tag.is_empty())
    else {
        return Vec::new();
    };
    // Keys hash what the selector will contain, so equal places of different pages have equal keys.
    let start = mix(
        spot.attribute
            .as_deref()
            .map_or(SEED, |name| mix(SEED, hash_name(name))),
        hash_name(&node.tag),
    );
    let owns = std::iter::once(None).chain((0..=u8::MAX).take(node.marks.len()).map(Some));
    let mut out = Vec::new();
    let mut seen = BTreeSet::new();
    let mut above = Vec::new();
    let mut at = node.parent;
    for level in 1..=MARKED_LEVELS {
        let Some(parent) = at.and_then(|at| page.nodes.get(at as usize)) else {
            break;
        };
        // Names of `html` and `body` often are those of a single page.
        if !matches!(parent.tag.as_str(), "" | "html" | "body") {
            for (mark, name) in (0..=u8::MAX).zip(&parent.marks) {
                let hash = mix(hash_name(&parent.tag), hash_mark(name));
                above.push((level, mark, hash));
            }
        }
        at = parent.parent;
    }
    let mut push = |key: u64, variant: Variant| {
        if seen.insert(key) {
            out.push((key, variant));
        }
    };
    for own in owns {
        let mark = own.and_then(|own| node.marks.get(usize::from(own)));
        let hash = mix(start, mark.map_or(0, hash_mark));
        // Without a mark, an element is a place only below a marked one.
        if own.is_some() {
            push(
                hash,
                Variant {
                    own,
                    above: Above::Nothing,
                },
            );
        }
        for &(level, mark, other) in &above {
            // For the parent, both `.mark tag` and `.mark > tag`.
            for is_child in [false, true].into_iter().take(1 + usize::from(level == 1)) {
                let key = mix(mix(hash, other), u64::from(is_child));
                let above = Above::Marked {
                    level,
                    mark,
                    is_child,
                };
                push(key, Variant { own, above });
            }
            if own.is_none()
                && level == 1
                && let Some(nth) = node.nth
            {
                let key = mix(mix(mix(hash, other), 2), u64::from(nth));
                push(
                    key,
                    Variant {
                        own,
                        above: Above::Position { mark },
                    },
                );
            }
        }
    }
    if let Some(place) = path(page, spot) {
        push(
            mix(start, hash_name(&place.css())),
            Variant {
                own: None,
                above: Above::Path,
            },
        );
    }
    out
}

fn hash_mark(mark: &Mark) -> u64 {
    let kind = match mark {
        Mark::Id(_) => 1,
        Mark::Class(_) => 2,
        Mark::Itemprop(_) => 3,
        Mark::Rel(_) => 4,
    };
    mix(hash_name(mark.name()), kind)
}

/// Returns the place of a spot as a path of positions, from the nearest element with an id or from `body`.
fn path(page: &Spots, spot: &Spot) -> Option<Place> {
    let mut steps = Vec::new();
    let mut at = page.nodes.get(spot.node as usize);
    for _ in 0..=LEVELS {
        let node = at.filter(|node| !node.tag.is_empty())?;
        let id = node.marks.iter().find(|mark| matches!(mark, Mark::Id(_)));
        let is_first = (id.is_some() && !steps.is_empty()) || node.tag == "body";
        steps.push(Step {
            is_child: !is_first,
            tag: node.tag.clone(),
            mark: id.filter(|_| is_first && node.tag != "body").cloned(),
            // Without a position of each element there is no path.
            nth: if is_first { None } else { Some(node.nth?) },
        });
        if is_first {
            steps.reverse();
            return Some(Place {
                steps,
                attribute: spot.attribute.clone(),
            });
        }
        at = node.parent.and_then(|parent| page.nodes.get(parent as usize));
    }
    None
}

/// Returns a variant as a place.
fn place_of(page: &Spots, spot: &Spot, variant: Variant) -> Option<Place> {
    let node = page.nodes.get(spot.node as usize)?;
    let mut last = Step {
        is_child: false,
        tag: node.tag.clone(),
        mark: variant
            .own
            .and_then(|own| node.marks.get(usize::from(own)).cloned()),
        nth: None,
    };
    let above = |level: u8, mark: u8| -> Option<Step> {
        let mut at = node;
        for _ in 0..level {
            at = page.nodes.get(at.parent? as usize)?;
        }
        Some(Step {
            is_child: false,
            tag: at.tag.clone(),
            mark: Some(at.marks.get(usize::from(mark))?.clone()),
            nth: None,
        })
    };
    let mut steps = Vec::new();
    match variant.above {
        Above::Nothing => {}
        Above::Marked {
            level,
            mark,
            is_child,
        } => {
            // `.mark tag` or `.mark > tag`.
            steps.push(above(level, mark)?);
            last.is_child = is_child;
        }
        Above::Position { mark } => {
            steps.push(above(1, mark)?);
            last.is_child = true;
            last.nth = node.nth;
        }
        Above::Path => return path(page, spot),
    }
    steps.push(last);
    Some(Place {
        steps,
        attribute: spot.attribute.clone(),
    })
}
