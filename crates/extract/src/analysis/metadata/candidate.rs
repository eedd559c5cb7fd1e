//! Candidates for the fields of the metadata of a page, as its sources give them.

use dehusk_html::tree::{AttrName, Dom, NodeId};

/// A field of the metadata for which sources give candidates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Field {
    /// [`Metadata::title`](super::Metadata::title).
    Title,
    /// [`Metadata::authors`](super::Metadata::authors).
    Authors,
    /// [`Metadata::date`](super::Metadata::date).
    Date,
    /// [`Metadata::modified`](super::Metadata::modified).
    Modified,
    /// [`Metadata::site_name`](super::Metadata::site_name).
    SiteName,
    /// [`Metadata::publisher`](super::Metadata::publisher).
    Publisher,
    /// [`Metadata::description`](super::Metadata::description).
    Description,
    /// [`Metadata::image`](super::Metadata::image).
    Image,
    /// [`Metadata::tags`](super::Metadata::tags).
    Tags,
    /// [`Metadata::categories`](super::Metadata::categories).
    Categories,
    /// [`Metadata::licence`](super::Metadata::licence).
    Licence,
    /// [`Metadata::kind`](super::Metadata::kind).
    Kind,
}

impl Field {
    /// Name in records, such as `site_name`.
    pub fn name(self) -> &'static str {
        match self {
            Field::Title => "title",
            Field::Authors => "authors",
            Field::Date => "date",
            Field::Modified => "modified",
            Field::SiteName => "site_name",
            Field::Publisher => "publisher",
            Field::Description => "description",
            Field::Image => "image",
            Field::Tags => "tags",
            Field::Categories => "categories",
            Field::Licence => "licence",
            Field::Kind => "kind",
        }
    }
}

/// A value that a source gives for a field.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Candidate {
    /// The field.
    pub field: Field,
    /// The value; several for authors, tags and categories.
    pub values: Vec<String>,
    /// The source, such as `json-ld`.
    pub source: &'static str,
    /// The member, property or mark that gives it, such as `datePublished`.
    pub told: &'static str,
    /// The element that has it; `None` if it has no element.
    pub place: Option<NodeId>,
    /// Tags from the root to the element, with ids and classes. `None` unless
    /// [`Options::with_blocks`](crate::Options::with_blocks) is set.
    pub path: Option<String>,
    /// Number of blocks between it and the headline; `None` if it is not in the text of the page, or if
    /// there is no headline.
    pub distance: Option<u32>,
    /// Probability that it is right, 0 to 1: the share of right values, on labelled pages, among those that
    /// the source gave in this way.
    pub confidence: f32,
    /// Whether it is the value of the field.
    pub chosen: bool,
}

/// Names of the sources that know the site of the page.
pub(super) const RULE: &str = "rule";
pub(super) const TEMPLATE: &str = "template";
/// Name of the source of dates that came with the page, which agree with others by chance.
pub(super) const RECEIVED: &str = "received";

/// Maximum number of candidates of a source for a field. Pages with more describe hundreds of articles, not themselves.
const MAX_OF_SOURCE: usize = 30;
/// Maximum bytes of a value: one `<meta>` may have a hundred names, and each would hold a copy of its content.
const MAX_VALUE: usize = 8 << 10;

/// Candidates in the order in which they were found.
#[derive(Debug, Default)]
pub(super) struct Candidates(Vec<Candidate>);

impl Candidates {
    /// Adds a candidate with one value; does nothing if the value is `None`.
    pub(super) fn one(
        &mut self,
        field: Field,
        value: Option<String>,
        (source, told): (&'static str, &'static str),
        place: Option<NodeId>,
        confidence: f32,
    ) {
        self.list(
            field,
            value.into_iter().collect(),
            (source, told),
            place,
            confidence,
        );
    }

    /// Adds a candidate with several values; does nothing without values.
    pub(super) fn list(
        &mut self,
        field: Field,
        values: Vec<String>,
        (source, told): (&'static str, &'static str),
        place: Option<NodeId>,
        confidence: f32,
    ) {
        self.at_distance(field, values, (source, told), (place, None), confidence);
    }

    /// Adds values from the text of the page, in the element `place`, with `distance` blocks between it and the headline.
    pub(super) fn at_distance(
        &mut self,
        field: Field,
        values: Vec<String>,
        (source, told): (&'static str, &'static str),
        (place, distance): (Option<NodeId>, Option<u32>),
        confidence: f32,
    ) {
        let candidate = Candidate {
            field,
            values,
            source,
            told,
            place,
            path: None,
            distance,
            confidence,
            chosen: false,
        };
        let same = |known: &&Candidate| known.field == candidate.field && known.source == candidate.source;
        let fits = candidate.values.iter().all(|value| value.len() <= MAX_VALUE);
        if fits && !candidate.values.is_empty() && self.0.iter().filter(same).count() < MAX_OF_SOURCE {
            self.0.push(candidate);
        }
    }

    /// Returns the candidates of a field, with their indices.
    pub(super) fn of(&self, field: Field) -> impl Iterator<Item = (usize, &Candidate)> {
        self.0
            .iter()
            .enumerate()
            .filter(move |(_, candidate)| candidate.field == field)
    }

    /// Returns the index of the candidate with the highest confidence, the first of equals; `None` if the
    /// field has no candidate.
    pub(super) fn best(&self, field: Field) -> Option<usize> {
        self.surest(field, |_| true)
    }

    /// Like [`best`](Self::best), among the candidates that fit.
    pub(super) fn surest(&self, field: Field, fits: impl Fn(&Candidate) -> bool) -> Option<usize> {
        // `>=` keeps the first of equal ones.
        let better = |best: Option<(usize, f32)>, (at, candidate): (usize, &Candidate)| match best {
            Some((_, known)) if known >= candidate.confidence => best,
            _ => Some((at, candidate.confidence)),
        };
        let fitting = self.of(field).filter(|(_, candidate)| fits(candidate));
        fitting.fold(None, better).map(|(at, _)| at)
    }

    /// Returns the index of the candidate that a rule of the site gives.
    pub(super) fn by_rule(&self, field: Field) -> Option<usize> {
        self.of(field)
            .find(|(_, candidate)| candidate.source == RULE)
            .map(|(at, _)| at)
    }

    /// Removes the mark of the chosen candidate of a field.
    pub(super) fn forget_choice(&mut self, field: Field) {
        for candidate in self.0.iter_mut().filter(|candidate| candidate.field == field) {
            candidate.chosen = false;
        }
    }

    pub(super) fn get(&self, at: usize) -> Option<&Candidate> {
        self.0.get(at)
    }

    /// Multiplies the confidence of candidates of a field by `by` if `is_doubtful` holds for their first value.
    pub(super) fn doubt(&mut self, field: Field, by: f32, is_doubtful: impl Fn(&str) -> bool) {
        for candidate in &mut self.0 {
            if candidate.field == field && candidate.values.first().is_some_and(|value| is_doubtful(value)) {
                candidate.confidence *= by;
            }
        }
    }

    /// Marks a candidate as the value of its field, and returns its values.
    pub(super) fn choose(&mut self, at: usize) -> Vec<String> {
        let Some(candidate) = self.0.get_mut(at) else {
            debug_assert!(false, "there is no candidate {at}");
            return Vec::new();
        };
        candidate.chosen = true;
        candidate.values.clone()
    }

    pub(super) fn from_inner(candidates: Vec<Candidate>) -> Candidates {
        Candidates(candidates)
    }

    pub(super) fn into_inner(self) -> Vec<Candidate> {
        self.0
    }

    /// Returns all candidates, with their paths if `with_paths`.
    pub(super) fn into_vec(mut self, dom: &Dom<'_>, with_paths: bool) -> Vec<Candidate> {
        if with_paths {
            for candidate in &mut self.0 {
                candidate.path = candidate.place.map(|place| path(dom, place));
            }
        }
        self.0
    }
}

/// Maximum number of elements of a path, and maximum bytes of a name in it.
const MAX_LEVELS: usize = 40;
const MAX_NAME: usize = 60;

/// Returns the tags from the root to an element, with ids and classes: the nearest [`MAX_LEVELS`].
fn path(dom: &Dom<'_>, place: NodeId) -> String {
    let above = std::iter::once(place).chain(dom.ancestors(place));
    let elements: Vec<NodeId> = above
        .filter(|&at| dom.tag(at).is_some())
        .take(MAX_LEVELS)
        .collect();
    let mut out = String::new();
    for &element in elements.iter().rev() {
        if !out.is_empty() {
            out.push('/');
        }
        out.push_str(dom.name(element));
        for (mark, attr) in [('#', AttrName::ID), ('.', AttrName::CLASS)] {
            let value = dom.known_attr(element, attr).unwrap_or_default();
            for name in value.split_ascii_whitespace().take(4) {
                out.push(mark);
                out.push_str(&name[..name.floor_char_boundary(MAX_NAME)]);
            }
        }
    }
    out
}
