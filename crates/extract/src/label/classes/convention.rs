//! Inclusion of parts whose membership in the main text is a matter of convention: the title, captions, bylines.

use crate::label::classes::class::BlockClass;
use crate::label::classes::classify::classes;
use crate::label::extractor::PageView;
use crate::label::labels::{Labels, Verdict};

/// Whether a part of the page that only some conventions count as main text is included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum Inclusion {
    /// The extractor decides.
    #[default]
    Auto,
    /// Include it if it is near the text.
    Keep,
    /// Exclude it.
    Drop,
}

/// Inclusion of each part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Convention {
    /// The title.
    pub(crate) title: Inclusion,
    /// Captions. If captions are dropped, so are credits.
    pub(crate) captions: Inclusion,
    /// Bylines and dates.
    pub(crate) byline: Inclusion,
}

/// Maximum number of blocks between the text and a title or byline that belongs to it.
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

    /// Keeps and drops blocks by their class. A page without main text is unchanged.
    pub(crate) fn apply(self, view: &PageView<'_>, labels: &mut Labels) {
        if self == Convention::default() || !view.budget.charge("the classes of blocks", view.dom.len()) {
            return;
        }
        let kept = labels.kept_blocks();
        let is_text = |i: &usize| kept[*i];
        // A part is included only if it is inside the text or at most `NEAR` blocks before it.
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
                    // Teasers and menus contain copies of a title. One copy is kept.
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
