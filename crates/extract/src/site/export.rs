//! Templates written as rules, for a person to edit.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::learn::roles::Role;
use super::template::Template;
use crate::rules::escape_name as escaped;
use crate::rules::pattern;
use crate::rules::set::{FIELDS, FORMAT};

/// Maximum number of classes or ids in one list of a step.
const MAX_NAMED: usize = 6;
/// Maximum number of siblings from which a part without a class of its own is distinguished.
const MAX_SIBLINGS: usize = 500;

/// Parts of a template by their names, so that a selector is made without looking at all of them.
struct Index<'t> {
    list: &'t [Role],
    by_tag: BTreeMap<&'t str, Vec<usize>>,
    by_class: BTreeMap<&'t str, Vec<usize>>,
    by_id: BTreeMap<&'t str, Vec<usize>>,
    siblings: BTreeMap<(Option<u32>, &'t str), Vec<usize>>,
}

impl<'t> Index<'t> {
    fn new(list: &'t [Role]) -> Self {
        let mut index = Index {
            list,
            by_tag: BTreeMap::new(),
            by_class: BTreeMap::new(),
            by_id: BTreeMap::new(),
            siblings: BTreeMap::new(),
        };
        for (i, role) in list.iter().enumerate() {
            index.by_tag.entry(&role.tag).or_default().push(i);
            index
                .siblings
                .entry((role.parent, &role.tag))
                .or_default()
                .push(i);
            if let Some(id) = &role.id {
                index.by_id.entry(id).or_default().push(i);
            }
            for class in &role.classes {
                index.by_class.entry(class).or_default().push(i);
            }
        }
        index
    }

    /// Returns a superset of the parts that a step selects, in order.
    fn candidates(&self, step: &Step<'_>) -> Vec<usize> {
        let of = |map: &BTreeMap<&str, Vec<usize>>, name: &str| map.get(name).cloned().unwrap_or_default();
        // The index of the strictest condition: the id, any of the classes `any`, the rarest of the classes
        // `all`, or the tag.
        if let Some(id) = step.id {
            return of(&self.by_id, id);
        }
        if !step.any.is_empty() {
            let all: BTreeSet<usize> = step
                .any
                .iter()
                .flat_map(|class| of(&self.by_class, class))
                .collect();
            return all.into_iter().collect();
        }
        let lists = step.all.iter().filter_map(|class| self.by_class.get(class));
        match lists.min_by_key(|list| list.len()) {
            Some(list) => list.clone(),
            None => of(&self.by_tag, step.tag),
        }
    }

    /// Returns the siblings of a part with its tag, the part included.
    fn siblings(&self, role: &'t Role) -> &[usize] {
        let key = (role.parent, role.tag.as_str());
        self.siblings.get(&key).map_or(&[], Vec::as_slice)
    }
}

/// A step of a path, as a condition on an element.
struct Step<'t> {
    tag: &'t str,
    id: Option<&'t str>,
    /// The element has at least one of these classes. Empty: no condition.
    any: Vec<&'t str>,
    /// The element has all of these classes.
    all: Vec<&'t str>,
    /// The element has none of these classes, and none of `none_ids` as its id.
    none: Vec<&'t str>,
    none_ids: Vec<&'t str>,
    /// Position among its siblings, from 1; number of siblings; and whether no other kind of sibling has its tag.
    place: Option<(u32, u32, bool)>,
    /// Text of the element, and (`under`) of the heading whose section it is in.
    text: Option<&'t str>,
    under: Option<&'t str>,
}

/// Returns the part of the parent elements of a part. Sections are skipped, since they have no elements.
fn above(list: &[Role], i: usize) -> Option<usize> {
    let mut at = list[i].parent.map(|parent| parent as usize);
    while let Some(section) = at.filter(|&i| list[i].is_section()) {
        at = list[section].parent.map(|parent| parent as usize);
    }
    at
}

/// Returns the heading of the section in which a part is; `None` if it is in none, or is a heading itself.
fn section_of<'t>(list: &'t [Role], role: &Role) -> Option<&'t str> {
    let section = &list[role.parent? as usize];
    // The heading of a section is known by its own text.
    let is_heading = matches!(role.tag.as_bytes(), [b'h', b'1'..=b'6']);
    section
        .text
        .as_deref()
        .filter(|_| section.is_section() && !is_heading)
}

/// Writes templates of one part of a site as a file of rules: one rule per template, in order. Templates are
/// skipped if their site has no valid host, or if they found no main text.
///
/// In each rule, selectors name the parts that are main text and the parts that are removed from it, each
/// followed by its reason. The file is meant to be edited.
///
/// A selector names the elements of a part by tag, id and the classes that distinguish them from their
/// siblings. Rules cannot express two properties of templates: that a part is on most pages only, and that
/// nearly equal sets of classes match.
pub fn to_rules(templates: &[&Template]) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "# Learnt by dehusk {} from pages of {}. Parts that are main text, and parts that are taken out of them.\n\nformat = {}",
        env!("CARGO_PKG_VERSION"),
        comment(templates.first().map_or("", |t| &t.origin.site)),
        FORMAT
    );
    for template in templates {
        rule(&mut out, template);
    }
    out
}

/// Writes a template as a rule; nothing if its site has no valid host or it keeps no part.
fn rule(out: &mut String, template: &Template) {
    let origin = &template.origin;
    let Some((host, path)) = pattern::split(&origin.site) else {
        return;
    };
    let parts = template.parts();
    if !parts.iter().any(|part| part.container) {
        return;
    }
    // In a path pattern a star matches any characters.
    let paths = if path.contains('*') {
        format!("re:^{}", regex::escape(path))
    } else {
        format!("{path}*")
    };
    let pages = f64::from(template.pages().max(1));
    let index = Index::new(&template.roles.list);
    let _ = writeln!(
        out,
        "\n[[rule]]\nname = {}\nhosts = [{}]\npaths = [{}]",
        text(&format!("{}, layout {}", origin.site, origin.layout)),
        text(&host),
        text(&paths),
    );
    let mut list = |name: &str, selects: &dyn Fn(usize) -> bool| {
        let _ = writeln!(out, "{name} = [");
        for (i, part) in parts.iter().enumerate().filter(|(i, _)| selects(*i)) {
            // A comment for the reader: the reason of a removal, and how common the part is.
            let share = 100.0 * f64::from(part.pages) / pages;
            let why = if part.kept {
                String::new()
            } else {
                format!("{}, ", part.reason)
            };
            let _ = writeln!(
                out,
                "  {{ {} }}, # {why}on {share:.0} % of pages",
                selector(&index, i)
            );
        }
        let _ = writeln!(out, "]");
    };
    // A section has no element of its own, so the parts in it are listed instead.
    let roles = &template.roles.list;
    let is_kept_above = |i: usize| above(roles, i).is_some_and(|above| parts[above].kept);
    list("extract", &|i| {
        parts[i].kept && !roles[i].is_section() && !is_kept_above(i)
    });
    list("remove", &|i| {
        !parts[i].kept && !roles[i].is_section() && is_kept_above(i)
    });
    for placed in &template.fields {
        // Rules have no key for this field.
        let Some((key, _)) = FIELDS.iter().find(|(_, field)| *field == placed.field) else {
            continue;
        };
        let attribute = placed.place.attribute.as_deref();
        let attribute = attribute.map_or_else(String::new, |name| format!(", attribute = {}", text(name)));
        let share = 100.0 * f64::from(placed.counts.pages) / pages;
        let _ = writeln!(
            out,
            "{key} = {{ css = {}{attribute} }} # on {share:.0} % of pages, such as {}",
            text(&placed.place.css()),
            comment(&placed.example)
        );
    }
    let _ = writeln!(out, "usual_words = {:.0}", template.kept_tokens() / pages);
}

/// Returns the selector of a part: the shortest suffix of its path that matches no other part of the site.
fn selector(index: &Index<'_>, part: usize) -> String {
    let list = index.list;
    let above = |i: usize| above(list, i);
    // Parts that the steps so far select, each with the ancestor that the next step must match.
    let first = index.candidates(&step(index, part));
    let mut selected: Vec<(usize, Option<usize>)> = first.into_iter().map(|i| (i, Some(i))).collect();
    let (mut steps, mut at) = (Vec::new(), Some(part));
    // Steps are added from the part upwards until no other part is selected.
    while let Some(i) = at.filter(|i| steps.is_empty() || list[*i].tag != "html") {
        let step = step(index, i);
        // A part stays if its ancestor at this level meets the step.
        selected.retain_mut(|(_, place)| {
            let fits = place.is_some_and(|i| step.selects(list, i));
            *place = place.and_then(above);
            fits
        });
        steps.push(step);
        if selected.iter().all(|(selected, _)| *selected == part) {
            break;
        }
        at = above(i);
    }
    steps.reverse();
    // CSS counts positions among siblings of one tag only, and cannot test texts.
    let by_type = steps
        .iter()
        .all(|step| step.place.is_none_or(|(_, _, alone)| alone) && step.text.or(step.under).is_none());
    if by_type {
        let css: Vec<String> = steps.iter().map(Step::css).collect();
        format!("css = {}", text(&css.join(" > ")))
    } else {
        let xpath: Vec<String> = steps.iter().map(Step::xpath).collect();
        format!("xpath = {}", text(&format!("//{}", xpath.join("/"))))
    }
}

/// Returns the conditions that distinguish the elements of a part from their siblings.
fn step<'t>(index: &Index<'t>, i: usize) -> Step<'t> {
    let list = index.list;
    let role = &list[i];
    // Siblings with the same signature differ in position only.
    let is_other = |j: usize| j != i && (list[j].id != role.id || list[j].classes != role.classes);
    let is_sibling = |j: usize| list[j].parent == role.parent && list[j].tag == role.tag;
    let siblings = index.siblings(role);
    let is_alone = || !siblings.iter().any(|&j| is_other(j));
    let mut out = Step {
        tag: &role.tag,
        id: role.id.as_deref(),
        any: Vec::new(),
        all: Vec::new(),
        none: Vec::new(),
        none_ids: Vec::new(),
        place: role.position.map(|(at, of)| (at, of, is_alone())),
        text: role.text.as_deref(),
        under: section_of(list, role),
    };
    // An id needs no classes beside it.
    if role.id.is_some() {
        return out;
    }
    let is_taken = |class: &str| {
        let having = index.by_class.get(class).map_or(&[][..], Vec::as_slice);
        having.iter().any(|&j| is_sibling(j) && is_other(j))
    };
    // Classes that no sibling of another signature has: one of them suffices.
    let classes = role.classes.iter().map(String::as_str);
    out.any = classes.filter(|class| !is_taken(class)).collect();
    if out.any.is_empty() {
        // Otherwise all classes, without the siblings that have one more class or an id.
        out.all = role.classes.iter().map(String::as_str).collect();
        let others = siblings.iter().filter(|&&j| is_other(j)).take(MAX_SIBLINGS);
        for other in others.map(|&j| &list[j]) {
            match &other.id {
                Some(id) => out.none_ids.push(id),
                None => {
                    let more = other.classes.iter().find(|class| !role.classes.contains(class));
                    out.none.extend(more.map(String::as_str));
                }
            }
        }
    }
    for names in [&mut out.any, &mut out.none, &mut out.none_ids] {
        names.sort_unstable();
        names.dedup();
        names.truncate(MAX_NAMED);
    }
    out
}

impl Step<'_> {
    /// Returns whether elements of a role meet the conditions of the step.
    fn selects(&self, list: &[Role], i: usize) -> bool {
        let role = &list[i];
        let has = |class: &&str| role.classes.iter().any(|own| own == class);
        let is_not = |id: &&str| role.id.as_deref() != Some(*id);
        role.tag == self.tag
            && self.id.is_none_or(|id| role.id.as_deref() == Some(id))
            && (self.any.is_empty() || self.any.iter().any(has))
            && self.all.iter().all(has)
            && !self.none.iter().any(has)
            && self.none_ids.iter().all(is_not)
            && self
                .place
                .is_none_or(|(at, of, _)| role.position == Some((at, of)))
            && self.text.is_none_or(|text| role.text.as_deref() == Some(text))
            && self
                .under
                .is_none_or(|under| section_of(list, role) == Some(under))
    }

    /// Writes the step as a CSS compound selector. `text` and `under` have no form in CSS.
    fn css(&self) -> String {
        let mut out = escaped(self.tag);
        let class = |name: &&str| format!(".{}", escaped(name));
        if let Some(id) = self.id {
            let _ = write!(out, "#{}", escaped(id));
        }
        match self.any.as_slice() {
            [] => {}
            [one] => out.push_str(&class(one)),
            any => {
                let _ = write!(
                    out,
                    ":is({})",
                    any.iter().map(class).collect::<Vec<_>>().join(", ")
                );
            }
        }
        out.extend(self.all.iter().map(class));
        let without = self
            .none
            .iter()
            .map(class)
            .chain(self.none_ids.iter().map(|id| format!("#{}", escaped(id))));
        let without: Vec<String> = without.collect();
        if !without.is_empty() {
            let _ = write!(out, ":not({})", without.join(", "));
        }
        match self.place {
            // The last position also stands for surplus siblings, as when roles are assigned.
            Some((at, of, _)) if at == of => {
                let _ = write!(out, ":nth-of-type(n+{at})");
            }
            Some((at, ..)) => {
                let _ = write!(out, ":nth-of-type({at})");
            }
            None => {}
        }
        out
    }

    /// Writes the step as a step of an XPath, without its axis.
    fn xpath(&self) -> String {
        // XPath has no escapes for names.
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let mut out =
            match self.tag.chars().all(plain) && self.tag.starts_with(|c: char| c.is_ascii_alphabetic()) {
                true => self.tag.to_owned(),
                false => format!("*[name() = {}]", quoted(self.tag)),
            };
        // The usual test for one class among several: XPath 1.0 knows attributes as whole strings only.
        let class = |name: &&str| {
            format!(
                "contains(concat(' ', normalize-space(@class), ' '), {})",
                quoted(&format!(" {name} "))
            )
        };
        if let Some(id) = self.id {
            let _ = write!(out, "[@id={}]", quoted(id));
        }
        if !self.any.is_empty() {
            let _ = write!(
                out,
                "[{}]",
                self.any.iter().map(class).collect::<Vec<_>>().join(" or ")
            );
        }
        for name in &self.all {
            let _ = write!(out, "[{}]", class(name));
        }
        let without = self
            .none
            .iter()
            .map(class)
            .chain(self.none_ids.iter().map(|id| format!("@id={}", quoted(id))));
        let without: Vec<String> = without.collect();
        if !without.is_empty() {
            let _ = write!(out, "[not({})]", without.join(" or "));
        }
        match self.place {
            Some((at, of, _)) if at == of => {
                let _ = write!(out, "[position() >= {at}]");
            }
            Some((at, ..)) => {
                let _ = write!(out, "[{at}]");
            }
            None => {}
        }
        // The nearest heading before the element, of any level.
        if let Some(text) = self.text {
            let _ = write!(out, "[{}]", has_text(text));
        }
        if let Some(heading) = self.under {
            let headings = (1..=6).map(|level| format!("self::h{level}"));
            let headings = headings.collect::<Vec<_>>().join(" or ");
            let _ = write!(
                out,
                "[preceding-sibling::*[{headings}][1][{}]]",
                has_text(heading)
            );
        }
        out
    }
}

/// Returns the condition that an element has a text, up to digits.
fn has_text(text: &str) -> String {
    // Repeated texts may differ in their numbers.
    if text.bytes().any(|b| b.is_ascii_digit()) {
        let rest = text.replace(|c: char| c.is_ascii_digit(), "");
        format!(
            "translate(normalize-space(.), '0123456789', '') = {}",
            quoted(&rest)
        )
    } else {
        format!("normalize-space(.) = {}", quoted(text))
    }
}

/// Quotes a string for XPath. XPath has no escapes, so that a text with both kinds of quotes is joined from parts with one kind each.
fn quoted(text: &str) -> String {
    match (text.contains('\''), text.contains('"')) {
        (false, _) => format!("'{text}'"),
        (true, false) => format!("\"{text}\""),
        (true, true) => {
            let parts = text.split('\'').map(|part| format!("'{part}'"));
            format!("concat({})", parts.collect::<Vec<_>>().join(", \"'\", "))
        }
    }
}

/// Quotes a string for TOML, as a literal string if possible.
fn text(text: &str) -> String {
    if text.contains('\'') || text.chars().any(char::is_control) {
        toml::Value::from(text).to_string()
    } else {
        format!("'{text}'")
    }
}

/// Removes control characters, so that a text fits in a comment.
fn comment(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_both_kinds_of_quotes_are_joined() {
        assert_eq!(quoted("plain"), "'plain'");
        assert_eq!(quoted("reader's"), "\"reader's\"");
        assert_eq!(
            quoted("the reader's \"own\""),
            "concat('the reader', \"'\", 's \"own\"')"
        );
    }
}
