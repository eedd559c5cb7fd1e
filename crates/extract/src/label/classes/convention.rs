//! What counts as main text where people differ: the title, captions, bylines.

use crate::label::classes::class::BlockClass;
use crate::label::classes::classify::classes;
use crate::label::extractor::PageView;
use crate::label::labels::{Labels, Verdict};

/// Whether a part of the page that some count as main text and others do not is in the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum Inclusion {
    /// As the extractor decides.
    #[default]
    Auto,
    /// In the text, where it stands at the text.
    Keep,
    /// Not in the text.
    Drop,
}

/// What to do with each part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Convention {
    /// The title.
    pub(crate) title: Inclusion,
    /// Captions; credits go with them when they are dropped.
    pub(crate) captions: Inclusion,
    /// Bylines and dates.
    pub(crate) byline: Inclusion,
}

/// Blocks between the text and a title or a byline that belongs to it, at most.
const NEAR: usize = 12;

impl Convention {
    fn of(self, class: BlockClass) -> Inclusion {
        match class {
            BlockClass::Title => self.title,
            BlockClass::Caption => self.captions,
            BlockClass::Credit if self.captions == Inclusion::Drop => Inclusion::Drop,
            BlockClass::Byline | BlockClass::Date => self.byline,
            _ => Inclusion::Auto,
        }
    }

    /// Keeps and drops blocks by their class. A page without main text stays without.
    pub(crate) fn apply(self, view: &PageView<'_>, labels: &mut Labels) {
        if self == Convention::default() || !view.budget.charge("the classes of blocks", view.dom.len()) {
            return;
        }
        let kept = labels.kept_blocks();
        let is_text = |i: &usize| kept[*i];
        let (Some(first), Some(last)) = ((0..kept.len()).find(is_text), (0..kept.len()).rfind(is_text))
        else {
            return;
        };
        let mut title_kept = false;
        for (i, class) in classes(view, &kept).into_iter().enumerate() {
            let verdict = &mut labels.verdicts[i];
            let reason = class.name();
            match self.of(class) {
                Inclusion::Drop if verdict.kept => *verdict = Verdict::drop(reason),
                Inclusion::Keep if class == BlockClass::Title => {
                    // Copies of a title stand in teasers and menus: one is enough.
                    if !title_kept
                        && !verdict.kept
                        && !view.table.blocks()[i].hidden
                        && i + NEAR >= first
                        && i <= last
                    {
                        *verdict = Verdict::keep(reason);
                    }
                    title_kept |= verdict.kept;
                }
                Inclusion::Keep
                    if !verdict.kept
                        && !view.table.blocks()[i].hidden
                        && (first.saturating_sub(NEAR)..=last).contains(&i) =>
                {
                    *verdict = Verdict::keep(reason);
                }
                _ => {}
            }
        }
    }
}
