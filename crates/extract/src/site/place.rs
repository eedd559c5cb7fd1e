//! Places of fields: paths of elements that the pages of a site have in common, as CSS selectors.

use std::fmt::{self, Write};

use dehusk_html::tree::{Dom, NodeId};

/// Maximum number of steps of a place, and of bytes of its selector.
const MAX_STEPS: usize = 16;
const MAX_BYTES: usize = 2000;
/// Maximum number of siblings that are counted for a position.
const MAX_SIBLINGS: u16 = 40;
/// Maximum number of names of an element that count, and their maximum length in bytes. More names are
/// written by tools that generate style sheets.
const MAX_NAMES: usize = 5;
const MAX_NAME: usize = 40;

/// A mark of an element that pages of a site share.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Mark {
    Id(String),
    Class(String),
    Itemprop(String),
    Rel(String),
}

/// A step of a place: a condition on an element.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Step {
    /// Whether the element is a child of the element of the step before; otherwise any descendant.
    pub(super) is_child: bool,
    pub(super) tag: String,
    pub(super) mark: Option<Mark>,
    /// Position among the siblings of the same tag, from 1.
    pub(super) nth: Option<u16>,
}

/// The place of a field.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Place {
    pub(super) steps: Vec<Step>,
    /// The attribute that has the value; `None` if the text of the element has it.
    pub(crate) attribute: Option<String>,
}

impl Mark {
    /// Returns the marks of an element that may be common to the pages of a site, at most [`MAX_NAMES`].
    /// Names with digits are left out, because they often belong to a single page.
    pub(super) fn of(dom: &Dom<'_>, element: NodeId) -> Vec<Mark> {
        let mut out = Vec::new();
        for (name, value) in dom.attributes(element) {
            let make: fn(String) -> Mark = match name {
                _ if name.eq_ignore_ascii_case("id") => Mark::Id,
                _ if name.eq_ignore_ascii_case("class") => Mark::Class,
                _ if name.eq_ignore_ascii_case("itemprop") => Mark::Itemprop,
                _ if name.eq_ignore_ascii_case("rel") => Mark::Rel,
                _ => continue,
            };
            let value = value.trim();
            // An id is one name, even with white space. Each of several classes or other values is a mark.
            let several = !name.eq_ignore_ascii_case("id");
            let names = value.split(|c: char| several && c.is_ascii_whitespace());
            out.extend(
                names
                    .filter(|name| is_plain(name))
                    .take(MAX_NAMES)
                    .map(|name| make(name.to_owned())),
            );
        }
        out.sort_unstable();
        out.dedup();
        out.truncate(MAX_NAMES);
        out
    }

    /// Whether an element has the mark.
    fn is_of(&self, dom: &Dom<'_>, element: NodeId) -> bool {
        let has = |attr: &str, name: &str| {
            dom.short_attr(element, attr, 2000)
                .is_some_and(|value| value.split_ascii_whitespace().any(|own| own == name))
        };
        match self {
            Mark::Id(name) => dom
                .short_attr(element, "id", 2000)
                .is_some_and(|id| id.trim() == name),
            Mark::Class(name) => has("class", name),
            Mark::Itemprop(name) => has("itemprop", name),
            Mark::Rel(name) => has("rel", name),
        }
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Mark::Id(name) | Mark::Class(name) | Mark::Itemprop(name) | Mark::Rel(name) => name,
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mark::Id(name) => write!(f, "#{name}"),
            Mark::Class(name) => write!(f, ".{name}"),
            Mark::Itemprop(name) => write!(f, "[itemprop~=\"{name}\"]"),
            Mark::Rel(name) => write!(f, "[rel~=\"{name}\"]"),
        }
    }
}

/// Whether a name needs no escapes in a selector and has no number of a page.
fn is_plain(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphabetic() || matches!(c, '-' | '_');
    !name.is_empty()
        && name.len() <= MAX_NAME
        && name.chars().all(plain)
        && name
            .trim_start_matches('-')
            .starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && !name.starts_with("--")
}

/// Whether a tag needs no escapes in a selector.
pub(super) fn is_plain_tag(tag: &str) -> bool {
    tag.starts_with(|c: char| c.is_ascii_alphabetic())
        && tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// Returns the position of an element among its siblings of the same tag, from 1; `None` if there are too many before it.
pub(super) fn nth_of_type(dom: &Dom<'_>, element: NodeId) -> Option<u16> {
    let parent = dom.parent(element)?;
    let name = dom.name(element);
    let mut at = 0;
    // Bounded, so that long lists cost no quadratic time. Texts and other tags count towards the bound, too.
    for (seen, child) in dom.children(parent).enumerate() {
        if seen > usize::from(MAX_SIBLINGS) * 4 || at >= MAX_SIBLINGS {
            return None;
        }
        at += u16::from(!dom.is_text(child) && dom.tag(child).is_some() && dom.name(child) == name);
        if child == element {
            return Some(at);
        }
    }
    None
}

impl Step {
    /// Whether an element meets the condition, apart from the elements around it.
    fn is_of(&self, dom: &Dom<'_>, element: NodeId) -> bool {
        dom.name(element) == self.tag
            && self.mark.as_ref().is_none_or(|mark| mark.is_of(dom, element))
            && self.nth.is_none_or(|nth| nth_of_type(dom, element) == Some(nth))
    }
}

impl Place {
    /// Whether an element is at this place.
    pub(crate) fn is_at(&self, dom: &Dom<'_>, element: NodeId) -> bool {
        let Some((last, before)) = self.steps.split_last() else {
            return false;
        };
        dom.tag(element).is_some()
            && last.is_of(dom, element)
            && fits_above(dom, element, before, last.is_child)
    }

    /// Returns the place as a CSS selector.
    pub(crate) fn css(&self) -> String {
        let mut out = String::new();
        for (at, step) in self.steps.iter().enumerate() {
            if at > 0 {
                out.push_str(if step.is_child { " > " } else { " " });
            }
            out.push_str(&step.tag);
            if let Some(mark) = &step.mark {
                let _ = write!(out, "{mark}");
            }
            if let Some(nth) = step.nth {
                let _ = write!(out, ":nth-of-type({nth})");
            }
        }
        out
    }

    /// Reads a selector of the kind that [`Place::css`] writes.
    ///
    /// # Errors
    /// Names the first word that is not a step.
    pub(crate) fn read(css: &str, attribute: Option<String>) -> Result<Place, String> {
        if css.len() > MAX_BYTES {
            return Err(format!(
                "a selector of {} bytes; at most {MAX_BYTES} are read",
                css.len()
            ));
        }
        let mut steps: Vec<Step> = Vec::new();
        let mut is_child = false;
        for word in css.split_ascii_whitespace() {
            if word == ">" && !is_child && !steps.is_empty() {
                is_child = true;
                continue;
            }
            let step = read_step(word).ok_or_else(|| {
                format!("`{word}` is no step of a place: write a tag with one mark, such as `span.author`, `p#by`, `a[rel~=\"author\"]`, `p:nth-of-type(2)`")
            })?;
            steps.push(Step { is_child, ..step });
            is_child = false;
        }
        if steps.is_empty() || steps.len() > MAX_STEPS || is_child {
            return Err(format!(
                "`{css}` is no place: it has 1 to {MAX_STEPS} steps, with spaces or ` > ` between"
            ));
        }
        Ok(Place { steps, attribute })
    }
}

/// Whether the elements above an element meet the other steps, from the last step upwards. For a step that
/// need not be the parent, only the nearest match is tried. In learnt places this step is the first and has
/// no condition above it, so no other match could decide otherwise.
fn fits_above(dom: &Dom<'_>, element: NodeId, before: &[Step], is_child: bool) -> bool {
    let Some((step, rest)) = before.split_last() else {
        return true;
    };
    if is_child {
        return dom
            .parent(element)
            .is_some_and(|parent| step.is_of(dom, parent) && fits_above(dom, parent, rest, step.is_child));
    }
    dom.ancestors(element)
        .find(|&above| step.is_of(dom, above))
        .is_some_and(|above| fits_above(dom, above, rest, step.is_child))
}

/// Reads a tag with at most one mark and one position; `None` for anything else.
fn read_step(word: &str) -> Option<Step> {
    let end = word.find(['.', '#', '[', ':']).unwrap_or(word.len());
    let (tag, mut rest) = word.split_at(end);
    let mut step = Step {
        tag: tag.to_owned(),
        ..Step::default()
    };
    if !is_plain_tag(tag) {
        return None;
    }
    // The position comes last, so the rest before it is the mark.
    if let Some(at) = rest.find(":nth-of-type(") {
        let number = rest[at..].strip_prefix(":nth-of-type(")?.strip_suffix(')')?;
        step.nth = Some(
            number
                .parse()
                .ok()
                .filter(|&nth| nth > 0 && nth <= MAX_SIBLINGS)?,
        );
        rest = &rest[..at];
    }
    let quoted = |rest: &str, attr: &str| {
        let value = rest.strip_prefix(attr)?.strip_suffix("\"]")?;
        value.strip_prefix("~=\"").map(str::to_owned)
    };
    step.mark = match rest.chars().next() {
        None => None,
        Some('.') => Some(Mark::Class(rest[1..].to_owned())),
        Some('#') => Some(Mark::Id(rest[1..].to_owned())),
        Some(_) => Some(
            quoted(rest, "[itemprop")
                .map(Mark::Itemprop)
                .or_else(|| quoted(rest, "[rel").map(Mark::Rel))?,
        ),
    };
    // A person who edits the file may write names with digits.
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    step.mark
        .as_ref()
        .is_none_or(|mark| !mark.name().is_empty() && mark.name().chars().all(plain))
        .then_some(step)
}

#[cfg(test)]
mod tests {
    use dehusk_html::Parser;

    use super::*;

    #[test]
    fn selectors_are_read_as_they_are_written() {
        for css in [
            "span.author",
            "div.meta > a",
            "div#top span.by",
            "a[rel~=\"author\"]",
            "div.entry > p:nth-of-type(2)",
            "body > table:nth-of-type(1) > tbody:nth-of-type(1) > tr:nth-of-type(2)",
        ] {
            assert_eq!(Place::read(css, None).expect("a place").css(), css);
        }
        for odd in [
            "",
            ">",
            "a >",
            ".x",
            "a:hover",
            "a.b.c d::e",
            "a[x]",
            "p:nth-of-type(0)",
            "a > > b",
        ] {
            assert!(Place::read(odd, None).is_err(), "{odd}");
        }
    }

    #[test]
    fn places_find_their_elements() {
        let (dom, _) = Parser::default()
            .parse("<div class='meta x'><p>a<p>b <a rel='author me'>c</a></div><p>d<a>e</a>");
        let found = |css: &str| {
            let place = Place::read(css, None).expect("a place");
            let all = dom.preorder(NodeId::DOCUMENT).filter(|&at| place.is_at(&dom, at));
            all.map(|at| dom.text_content(at).trim().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(found("div.meta > p"), ["a", "b c"]);
        assert_eq!(found("div.meta > p:nth-of-type(2)"), ["b c"]);
        assert_eq!(found("div.meta a"), ["c"]);
        assert_eq!(found("div.meta > a"), [""; 0]);
        assert_eq!(found("a[rel~=\"author\"]"), ["c"]);
        assert_eq!(found("p a"), ["c", "e"]);
    }
}
