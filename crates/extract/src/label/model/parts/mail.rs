//! Letters to subscribers, as they are sent by mail and shown on the web: pages that consist of tables, one
//! below the other.
//!
//! The trees take their short sections for boilerplate, as they take the columns of old pages. But a letter
//! has neither menus nor columns: everything between its head and its foot is text. The foot says how to end
//! the subscription.

use super::Page;
use crate::label::model::lines::Line;
use crate::label::model::name_groups::bit;
use dehusk_html::narrow;
use dehusk_html::tree::Tag;

/// Words at the foot of a letter for ending the subscription.
const ENDS: &[&str] = &[
    "unsubscribe",
    "opt out",
    "abmelden",
    "abbestellen",
    "austragen",
    "désabonner",
    "désinscrire",
    "darse de baja",
    "darte de baja",
    "cancelar suscripción",
    "cancelar a subscrição",
    "cancelar inscrição",
    "disiscriv",
    "annulla l'iscrizione",
    "uitschrijven",
    "afmelden",
    "отписаться",
    "відписатися",
    "wypisz",
    "zrezygnuj",
    "avregistrera",
    "avmeld",
    "abonelikten",
    "配信停止",
    "配信解除",
    "退订",
    "退訂",
    "수신거부",
    "إلغاء الاشتراك",
];

impl Page<'_> {
    /// Returns the lines of a letter between its head and its foot. Empty if the page is not a letter.
    pub(super) fn mail_lines(&self) -> Vec<u32> {
        const MIN_TABLES: usize = 3;
        const MIN_SHARE: f32 = 0.9;
        let lines = &self.page.lines;
        let tables = self
            .page
            .elements
            .iter()
            .filter(|element| element.tag == Some(Tag::TABLE));
        if tables.take(MIN_TABLES).count() < MIN_TABLES {
            return Vec::new();
        }
        // Mail clients show no forms, so a letter has no fields.
        let tree = self.view.dom.tree();
        if [Tag::FORM, Tag::INPUT, Tag::SELECT]
            .into_iter()
            .any(|tag| tree.ids_of(tag).next().is_some())
        {
            return Vec::new();
        }
        let is_of_page = |i: usize| {
            matches!(
                self.tag(i),
                Some(Tag::NAV | Tag::HEADER | Tag::ASIDE | Tag::ARTICLE | Tag::MAIN)
            ) || self.groups(i) & (bit("nav") | bit("side")) != 0
        };
        let blocks = self.view.table.blocks();
        let in_table = |line: &Line| {
            blocks[line.blocks()]
                .first()
                .is_some_and(|block| block.tables > 0)
        };
        let (mut all, mut inside) = (0, 0);
        for line in lines.iter().filter(|line| !line.hidden) {
            all += line.counts.tokens;
            inside += if in_table(line) { line.counts.tokens } else { 0 };
        }
        if (inside as f32) < MIN_SHARE * all as f32 || (0..self.page.elements.len()).any(is_of_page) {
            return Vec::new();
        }
        let Some(foot) = self.foot_of_mail() else {
            return Vec::new();
        };
        // The head of a letter has links to its copy on the web and to the site of the sender.
        const MOSTLY: f32 = 0.8;
        let is_link = |line: &Line| line.link_density >= MOSTLY || line.hidden;
        let first = lines.iter().position(|line| !is_link(line) || line.heading > 0);
        // Empty if only links precede the foot.
        let letter = first.unwrap_or(foot)..foot.max(first.unwrap_or(foot));
        let shown = letter.filter(|&i| !lines[i].hidden);
        shown.map(narrow::to_u32).collect()
    }

    /// Returns the first line of the foot of a letter: of the outermost short element around the last link
    /// that ends the subscription. `None` without such a link, or if the foot is long.
    fn foot_of_mail(&self) -> Option<usize> {
        const MAX_TOKENS: f32 = 120.0;
        const MAX_SHARE: f32 = 0.5;
        let lines = &self.page.lines;
        let ends = |line: &Line| {
            let text = self.short_text(line).to_lowercase();
            ENDS.iter().any(|word| text.contains(word))
        };
        let last = lines
            .iter()
            .rposition(|line| !line.hidden && line.link_chars > 0 && ends(line))?;
        let element = lines[last].context as usize;
        let elements = &self.page.elements;
        let above = std::iter::successors(Some(element), |&at| elements[at].parent());
        // The outermost element around the link that is short and at most half of the page.
        let part = above
            .take_while(|&at| elements[at].sums.tokens <= MAX_TOKENS && self.share(at) <= MAX_SHARE)
            .last();
        let foot = part.map_or(last, |part| self.first_line[part] as usize);
        let behind = lines[foot..].iter().map(|line| line.counts.tokens).sum::<u32>();
        (behind as f32 <= MAX_TOKENS).then_some(foot)
    }
}
