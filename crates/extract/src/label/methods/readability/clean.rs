//! Step 9: cleans the article.

use crate::label::methods::readability::attempt::{Attempt, RemovalReason};
use crate::label::methods::readability::constants::SHARE_CHARS;
use crate::label::methods::readability::stats::{SubtreeCounts, Sums};
use dehusk_html::tree::{NodeId, Tag};

impl Attempt<'_, '_> {
    /// Step 9: removes clutter from the article.
    pub(crate) fn clean(&mut self) {
        let Some(article) = self.article else { return };
        // Data tables are found first: their cells must not be judged one by one.
        let tables = self.data_tables(article);
        self.clean_conditionally(article, Tag::FORM, &tables);
        self.clean_conditionally(article, Tag::FIELDSET, &tables);
        self.remove_where(article, RemovalReason::Control, |this, id, tag| match tag {
            Tag::OBJECT | Tag::EMBED | Tag::IFRAME => !this.page.names(id).video,
            Tag::FOOTER | Tag::LINK | Tag::ASIDE => true,
            _ => false,
        });
        self.remove_share_bars(article);
        self.remove_where(article, RemovalReason::Control, |_, _, tag| {
            matches!(tag, Tag::INPUT | Tag::TEXTAREA | Tag::SELECT | Tag::BUTTON)
        });
        self.remove_where(article, RemovalReason::Heading, |this, id, tag| {
            matches!(tag, Tag::H1 | Tag::H2) && this.class_weight(id) < 0.0
        });
        // Last, since the removals above change the content by which these are judged.
        self.clean_conditionally(article, Tag::TABLE, &tables);
        self.clean_conditionally(article, Tag::UL, &tables);
        self.clean_conditionally(article, Tag::DIV, &tables);
        // The original also removes empty paragraphs. They contain no text, so the result would not change.
    }

    /// Removes the elements inside the article that `test` accepts.
    fn remove_where(
        &mut self,
        article: NodeId,
        why: RemovalReason,
        test: impl Fn(&Self, NodeId, Tag) -> bool,
    ) {
        let mut at = self.tree.first_child(article);
        while let Some(id) = at {
            let gone = self.tree.html_tag(id).is_some_and(|tag| test(self, id, tag));
            // The next node is found while the subtree is still attached.
            at = if gone {
                self.tree.after_subtree(article, id)
            } else {
                self.tree.after(article, id)
            };
            if gone {
                self.remove(id, why);
            }
        }
    }

    /// Removes small elements named `share`, except the top-level parts of the article.
    fn remove_share_bars(&mut self, article: NodeId) {
        if !self.tree.preorder(article).any(|id| self.page.names(id).share) {
            return;
        }
        let stats = self.stats(article);
        self.remove_where(article, RemovalReason::Share, |this, id, _| {
            let chosen = this.tree.parent(id) == Some(article);
            this.page.names(id).share && !chosen && stats.get(id).text.chars < SHARE_CHARS
        });
    }

    /// Removes the elements with tag `tag` that are clutter, innermost first. Each is judged by its remaining content.
    fn clean_conditionally(&mut self, article: NodeId, tag: Tag, tables: &[bool]) {
        if !self.flags.clean_conditionally {
            return;
        }
        let order: Vec<NodeId> = self.tree.preorder(article).collect();
        if !order.iter().any(|&id| self.tree.html_tag(id) == Some(tag)) {
            return;
        }
        // The counts are summed while elements are removed, so that a removed element does not count for the
        // elements around it.
        let mut sums = Sums::new(&self.tree, &order);
        let safe = self.inside(&order, |this, id| {
            this.tree.html_tag(id) == Some(Tag::CODE) || tables.get(id.index()).copied().unwrap_or(false)
        });
        let in_figure = self.inside(&order, |this, id| this.tree.html_tag(id) == Some(Tag::FIGURE));
        for &id in order.iter().rev() {
            let mut counts = sums.finish(&self.tree, self.page, id);
            let is_data_table = tables.get(id.index()).copied().unwrap_or(false);
            // The article is the last node in reverse order, and is never removed itself.
            if id == article {
                break;
            }
            let own = self.tree.html_tag(id) == Some(tag);
            if own
                && !safe[id.index()]
                && !is_data_table
                && !counts.data_table
                && self.is_clutter(id, tag, &counts, in_figure[id.index()])
            {
                self.remove(id, RemovalReason::Cleaned);
                continue;
            }
            counts.data_table |= is_data_table;
            let name = self.element_tag(id);
            if let Some(parent) = self.tree.parent(id) {
                sums.prepend(parent, &counts, name);
            }
        }
    }

    /// Returns, per node, whether `test` holds for one of its ancestors.
    pub(crate) fn inside(&self, order: &[NodeId], test: impl Fn(&Self, NodeId) -> bool) -> Vec<bool> {
        let mut inside = vec![false; self.tree.len()];
        for &id in order {
            if let Some(parent) = self.tree.parent(id) {
                inside[id.index()] = inside[parent.index()] || test(self, parent);
            }
        }
        inside
    }

    /// Returns whether an element is clutter, judged by the counts of its remaining content.
    fn is_clutter(&self, id: NodeId, tag: Tag, counts: &SubtreeCounts, in_figure: bool) -> bool {
        let chars = counts.text.chars;
        let mut list = matches!(tag, Tag::UL | Tag::OL);
        if !list {
            list = f64::from(counts.in_lists) > 0.9 * f64::from(chars);
        }
        let weight = self.class_weight(id);
        if weight < 0.0 {
            return true;
        }
        if counts.text.commas() >= 10 || counts.video {
            return false;
        }
        if self.is_ad_word(id, chars) {
            return true;
        }
        let (p, img) = (f64::from(counts.paragraphs), f64::from(counts.images));
        let links = counts.link_density();
        let headings = if chars == 0 {
            0.0
        } else {
            f64::from(counts.in_headings) / f64::from(chars)
        };
        // The conditions of `_cleanConditionally` in Readability.js, in the same order.
        let clutter = (!in_figure && counts.images > 1 && p / img < 0.5)
            || (!list && f64::from(counts.items) - 100.0 > p)
            || counts.inputs > counts.paragraphs / 3
            || (!list
                && !in_figure
                && headings < 0.9
                && chars < 25
                && (counts.images == 0 || counts.images > 2)
                && links > 0.0)
            || (!list && weight < 25.0 && links > 0.2)
            || (weight >= 25.0 && links > 0.5)
            || (counts.embeds == 1 && chars < 75)
            || counts.embeds > 1
            || (counts.images == 0 && counts.textish == 0);
        // Lists of pictures are kept.
        clutter && !(list && !counts.wide_child && counts.images == counts.items)
    }

    /// Returns whether the whole text is a placeholder for an advertisement or for text that is still loading.
    fn is_ad_word(&self, id: NodeId, chars: u32) -> bool {
        const WORDS: &[&str] = &[
            "ad",
            "advertising",
            "advertisement",
            "pub",
            "publicité",
            "werb",
            "werbung",
            "广告",
            "реклама",
            "anuncio",
        ];
        const LOADING: &[&str] = &["loading", "正在加载", "загрузка", "chargement", "cargando"];
        if !(1..=16).contains(&chars) {
            return false;
        }
        // A placeholder consists of few nodes. The bound limits the work on hostile pages.
        let mut text = String::new();
        for node in self.tree.preorder(id).take(64).filter(|&n| self.tree.is_text(n)) {
            text.push_str(&self.page.dom.text(node));
        }
        let text = text.trim().to_lowercase();
        let letters = text
            .strip_suffix('…')
            .or_else(|| text.strip_suffix("..."))
            .unwrap_or(&text);
        WORDS.contains(&&*text) || LOADING.contains(&letters)
    }

    /// Returns, per node, whether it is a data table.
    pub(crate) fn data_tables(&self, article: NodeId) -> Vec<bool> {
        let mut out = vec![false; self.tree.len()];
        for id in self
            .tree
            .preorder(article)
            .filter(|&id| self.tree.html_tag(id) == Some(Tag::TABLE))
        {
            out[id.index()] = id.index() < self.page.dom.len() && self.is_data_table(id);
        }
        out
    }

    /// Returns whether a table holds data, rather than laying out the page.
    fn is_data_table(&self, table: NodeId) -> bool {
        let dom = self.page.dom;
        if dom.attr(table, "role").is_some_and(|v| v == "presentation") {
            return false;
        }
        if dom.attr(table, "datatable").is_some_and(|v| v == "0") {
            return false;
        }
        let mut shape = TableShape {
            summary: dom.attr(table, "summary").is_some_and(|v| !v.is_empty()),
            ..TableShape::default()
        };
        let number = |id, name| {
            dom.attr(id, name)
                .and_then(|v| v.trim().parse::<u32>().ok())
                .unwrap_or(1)
        };
        let mut columns = 0_u32;
        for id in self.tree.preorder(table).skip(1) {
            match self.tree.html_tag(id) {
                Some(Tag::CAPTION) => shape.header |= self.tree.first_child(id).is_some(),
                Some(Tag::COL | Tag::COLGROUP | Tag::TFOOT | Tag::THEAD | Tag::TH) => shape.header = true,
                Some(Tag::TABLE) => shape.nested = true,
                Some(Tag::TR) => {
                    // The cells of the previous row are complete.
                    shape.columns = shape.columns.max(columns);
                    columns = 0;
                    // 65,534 and 1,000 are the limits of `rowspan` and `colspan` in HTML.
                    shape.rows = shape.rows.saturating_add(number(id, "rowspan").min(65_534));
                }
                Some(Tag::TD) => columns = columns.saturating_add(number(id, "colspan").min(1000)),
                _ => {}
            }
        }
        shape.columns = shape.columns.max(columns);
        shape.holds_data()
    }
}

/// Properties that distinguish data tables from layout tables.
#[derive(Debug, Default)]
pub(crate) struct TableShape {
    pub(crate) summary: bool,
    /// Whether the table has a caption, column elements, a head, a foot or header cells.
    pub(crate) header: bool,
    pub(crate) nested: bool,
    pub(crate) rows: u32,
    pub(crate) columns: u32,
}

impl TableShape {
    /// Returns whether a table holds data, by the rules of `_markDataTables` in Readability.js.
    pub(crate) fn holds_data(&self) -> bool {
        match () {
            () if self.summary || self.header => true,
            () if self.nested => false,
            () if self.rows <= 1 || self.columns <= 1 => false,
            () if self.rows >= 10 || self.columns > 4 => true,
            () => u64::from(self.rows) * u64::from(self.columns) > 10,
        }
    }
}
