//! Steps 1 to 4: rewrites the tree and collects the elements to score.

use std::collections::HashSet;

use crate::label::methods::readability::attempt::{Attempt, RemovalReason};
use crate::label::methods::readability::constants::TITLE_SIMILARITY;
use dehusk_html::tree::{NodeId, Tag};

impl Attempt<'_, '_> {
    /// Step 1: removes scripts and styles, turns runs of `br` into paragraphs, and `font` into `span`.
    pub(crate) fn prepare(&mut self) {
        let (mut breaks, mut gone) = (Vec::new(), Vec::new());
        for id in self.tree.preorder(NodeId::DOCUMENT) {
            match self.tree.html_tag(id) {
                Some(Tag::SCRIPT | Tag::NOSCRIPT | Tag::STYLE | Tag::TEMPLATE) => gone.push(id),
                Some(Tag::BR) => breaks.push(id),
                _ => {}
            }
        }
        for id in gone {
            self.tree.detach(id);
        }
        for id in self.tree.ids() {
            if self.tree.tag(id) == Some(Tag::FONT) {
                self.tree.set_tag(id, Tag::SPAN);
            }
        }
        let stats = self.stats(NodeId::DOCUMENT);
        for br in breaks {
            self.replace_breaks(br, &|id| stats.get(id).phrasing);
        }
    }

    /// Replaces a run of `br` by a paragraph with the phrasing content up to the next run.
    fn replace_breaks(&mut self, br: NodeId, phrasing: &dyn Fn(NodeId) -> bool) {
        let Some(parent) = self.tree.parent(br) else {
            return;
        };
        let mut replaced = false;
        // Blank texts between the `br` stay in place and are skipped only once.
        let mut from = self.tree.next_sibling(br);
        while let Some(next) = self.next_not_blank(from) {
            if self.tree.html_tag(next) != Some(Tag::BR) {
                break;
            }
            replaced = true;
            from = self.tree.next_sibling(next);
            self.tree.detach(next);
        }
        // A single `br` breaks a line, not a paragraph.
        if !replaced {
            return;
        }
        let p = self.tree.push_element(Tag::P);
        self.tree.replace(br, p);
        // Takes the nodes up to the next run of `br`, or to the first node that is not phrasing content.
        while let Some(next) = self.tree.next_sibling(p) {
            if self.tree.html_tag(next) == Some(Tag::BR) {
                let after = self.next_not_blank(self.tree.next_sibling(next));
                if after.is_some_and(|id| self.tree.html_tag(id) == Some(Tag::BR)) {
                    break;
                }
            }
            // Paragraphs made for earlier runs precede this place, so the counts of the original tree still
            // apply here.
            if !phrasing(next) {
                break;
            }
            self.tree.detach(next);
            self.tree.append(p, next);
        }
        self.trim_end(p);
        // A paragraph cannot contain another one.
        if self.tree.html_tag(parent) == Some(Tag::P) {
            self.tree.set_tag(parent, Tag::DIV);
        }
    }

    /// Returns the first of `from` and its following siblings that is not a blank text.
    fn next_not_blank(&self, from: Option<NodeId>) -> Option<NodeId> {
        let mut at = from;
        while let Some(id) = at {
            if !(self.tree.is_text(id) && self.page.text(id).chars == 0) {
                return at;
            }
            at = self.tree.next_sibling(id);
        }
        None
    }

    /// Returns whether a node is a blank text or a `br`.
    fn is_blank(&self, id: NodeId) -> bool {
        (self.tree.is_text(id) && self.page.text(id).chars == 0) || self.tree.html_tag(id) == Some(Tag::BR)
    }

    /// Removes blank nodes from the end of a paragraph.
    fn trim_end(&mut self, p: NodeId) {
        while let Some(last) = self.tree.last_child(p).filter(|&id| self.is_blank(id)) {
            self.tree.detach(last);
        }
    }

    /// Steps 3 and 4: removes what cannot be content, makes paragraphs, and collects the elements to score.
    pub(crate) fn strip(&mut self) -> Vec<NodeId> {
        let stats = self.stats(NodeId::DOCUMENT);
        let mut to_score = Vec::new();
        let mut title = Some(WordSet::of(self.page.title));
        let mut byline_pending = true;
        let order: Vec<NodeId> = self.tree.preorder(NodeId::DOCUMENT).collect();
        // Inside tables and code, the names of elements do not count; see `reject`.
        let sheltered = self.inside(&order, |this, id| {
            matches!(this.tree.html_tag(id), Some(Tag::TABLE | Tag::CODE))
        });
        let mut at = self.tree.first_child(NodeId::DOCUMENT);
        while let Some(id) = at {
            if !self.tree.is_element(id) {
                at = self.tree.after(NodeId::DOCUMENT, id);
                continue;
            }
            let tag = self.tree.html_tag(id);
            let inside = sheltered.get(id.index()).copied().unwrap_or(false);
            let counts = stats.get(id);
            let pending = (&mut title, &mut byline_pending);
            if let Some(why) = self.reject(id, tag, counts.text.chars, inside, pending) {
                at = self.tree.after_subtree(NodeId::DOCUMENT, id);
                self.remove(id, why);
                continue;
            }
            // Sections and headings without text or children, other than line breaks and rules, are removed.
            let hollow = matches!(tag, Some(Tag::DIV | Tag::SECTION | Tag::HEADER))
                || tag.is_some_and(|t| t.heading_level().is_some());
            if hollow && counts.text.chars == 0 && (counts.children == 0 || counts.children == counts.rules) {
                at = self.tree.after_subtree(NodeId::DOCUMENT, id);
                self.tree.detach(id);
                continue;
            }
            if matches!(
                tag,
                Some(
                    Tag::SECTION
                        | Tag::H2
                        | Tag::H3
                        | Tag::H4
                        | Tag::H5
                        | Tag::H6
                        | Tag::P
                        | Tag::TD
                        | Tag::PRE
                )
            ) {
                to_score.push(id);
            }
            // The walk goes on from the paragraph that replaces a `div`.
            let mut next_from = id;
            if tag == Some(Tag::DIV) {
                let wrapped = self.wrap_phrasing(id, &|n| stats.get(n).phrasing);
                // A `div` with a single paragraph is that paragraph, and one without block elements becomes a
                // paragraph.
                if let Some(only) = self.only_paragraph(id).filter(|_| counts.link_density() < 0.25) {
                    self.tree.detach(only);
                    self.tree.replace(id, only);
                    to_score.push(only);
                    next_from = only;
                } else if !wrapped && !counts.block_below {
                    self.tree.set_tag(id, Tag::P);
                    to_score.push(id);
                }
            }
            at = self.tree.after(NodeId::DOCUMENT, next_from);
        }
        to_score
    }

    /// Step 3: returns why an element cannot be content; `None` if it can.
    fn reject(
        &self,
        id: NodeId,
        tag: Option<Tag>,
        chars: u32,
        in_table_or_code: bool,
        (title, byline_pending): (&mut Option<WordSet>, &mut bool),
    ) -> Option<RemovalReason> {
        let names = self.page.names(id);
        if names.hidden || names.modal {
            return Some(RemovalReason::Hidden);
        }
        let byline = names.byline && (1..100).contains(&chars) && !matches!(tag, Some(Tag::HTML | Tag::BODY));
        // Only the first byline is removed.
        if byline && std::mem::take(byline_pending) {
            return Some(RemovalReason::Byline);
        }
        // Titles are shorter than the bound. Without it, reading nested long elements would take quadratic time.
        let heading = matches!(tag, Some(Tag::H1 | Tag::H2)) && chars < 500;
        if heading && title.as_ref().is_some_and(|title| self.repeats(title, id)) {
            *title = None;
            return Some(RemovalReason::RepeatsTitle);
        }
        if self.flags.strip_unlikely {
            let safe = in_table_or_code || matches!(tag, Some(Tag::BODY | Tag::A | Tag::HTML));
            if !safe && names.unlikely() {
                return Some(RemovalReason::Unlikely);
            }
            if names.unlikely_role {
                return Some(RemovalReason::Role);
            }
        }
        None
    }

    /// Returns whether the text of a heading repeats the title.
    fn repeats(&self, title: &WordSet, id: NodeId) -> bool {
        title.share_of(&self.page.dom.text_content(id)) > TITLE_SIMILARITY
    }

    /// Wraps every run of phrasing content of a `div` in a paragraph. Returns whether it made one.
    fn wrap_phrasing(&mut self, div: NodeId, phrasing: &dyn Fn(NodeId) -> bool) -> bool {
        let (mut p, mut wrapped) = (None, false);
        let mut at = self.tree.first_child(div);
        while let Some(child) = at {
            // Read before the child moves into a paragraph, which changes its siblings.
            at = self.tree.next_sibling(child);
            if phrasing(child) {
                if let Some(p) = p {
                    self.tree.detach(child);
                    self.tree.append(p, child);
                } else if !self.is_blank(child) {
                    let new = self.tree.push_element(Tag::P);
                    self.tree.replace(child, new);
                    self.tree.append(new, child);
                    (p, wrapped) = (Some(new), true);
                }
            } else if let Some(p) = p.take() {
                self.trim_end(p);
            }
        }
        if let Some(p) = p {
            self.trim_end(p);
        }
        wrapped
    }

    /// Returns the single paragraph of an element that contains nothing else.
    fn only_paragraph(&self, id: NodeId) -> Option<NodeId> {
        let mut only = None;
        for child in self.tree.children(id) {
            if self.tree.is_element(child) {
                if only.is_some() || self.tree.html_tag(child) != Some(Tag::P) {
                    return None;
                }
                only = Some(child);
            } else if self.page.text(child).chars > 0 {
                return None;
            }
        }
        only
    }
}

/// The words of a text that is compared with many other texts.
pub(crate) struct WordSet(HashSet<String>);

impl WordSet {
    pub(crate) fn of(text: &str) -> Self {
        WordSet(words(&text.to_lowercase()).map(str::to_owned).collect())
    }

    /// Returns the share of the words of a text that are in the set, by characters including the spaces between words; 0 if either has no
    /// words.
    pub(crate) fn share_of(&self, text: &str) -> f64 {
        let text = text.to_lowercase();
        let (mut all, mut other) = (Joined::default(), Joined::default());
        for word in words(&text) {
            all.add(word);
            if !self.0.contains(word) {
                other.add(word);
            }
        }
        if self.0.is_empty() || all.words == 0 {
            return 0.0;
        }
        1.0 - other.chars() as f64 / all.chars() as f64
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

/// Counts of words joined by spaces.
#[derive(Default)]
struct Joined {
    words: usize,
    letters: usize,
}

impl Joined {
    fn add(&mut self, word: &str) {
        self.words += 1;
        self.letters += word.chars().count();
    }

    fn chars(&self) -> usize {
        self.letters + self.words.saturating_sub(1)
    }
}
