//! One attempt at a page: its flags, its copy of the tree, and what it removed from the tree.

use crate::analysis::blocks::table::BlockTable;
use crate::label::labels::Verdict;
use crate::label::methods::readability::page_context::PageContext;
use crate::label::methods::readability::text_stat::TextStat;
use dehusk_html::tree::{NodeId, Tree};

/// Steps that an attempt takes. Each retry switches off one more of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flags {
    pub(crate) strip_unlikely: bool,
    pub(crate) weight_classes: bool,
    pub(crate) clean_conditionally: bool,
}

impl Flags {
    /// Switches off the first flag that is on. Returns false if all are off.
    pub(crate) fn relax(&mut self) -> bool {
        for flag in [
            &mut self.strip_unlikely,
            &mut self.weight_classes,
            &mut self.clean_conditionally,
        ] {
            if std::mem::take(flag) {
                return true;
            }
        }
        false
    }
}

/// Reason for removing a node from the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RemovalReason {
    Hidden,
    Byline,
    RepeatsTitle,
    Unlikely,
    Role,
    Control,
    Share,
    Cleaned,
    Heading,
}

impl RemovalReason {
    pub(crate) fn reason(self) -> &'static str {
        match self {
            RemovalReason::Hidden => "hidden",
            RemovalReason::Byline => "byline",
            RemovalReason::RepeatsTitle => "repeats-title",
            RemovalReason::Unlikely => "unlikely-class-or-id",
            RemovalReason::Role => "role-of-boilerplate",
            RemovalReason::Control => "form-control-or-embed",
            RemovalReason::Share => "share-bar",
            RemovalReason::Cleaned => "cleaned-conditionally",
            RemovalReason::Heading => "heading-with-negative-class",
        }
    }
}

/// One attempt at a page.
pub(crate) struct Attempt<'p, 'v> {
    pub(crate) page: &'p PageContext<'v>,
    pub(crate) flags: Flags,
    pub(crate) tree: Tree,
    pub(crate) removed: Vec<(NodeId, RemovalReason)>,
    /// The article: a new element that contains the best candidate and the siblings that belong to it.
    pub(crate) article: Option<NodeId>,
    pub(crate) best: Option<NodeId>,
}

impl<'p, 'v> Attempt<'p, 'v> {
    pub(crate) fn new(page: &'p PageContext<'v>, flags: Flags) -> Self {
        // Leaves room for the elements that the steps add.
        let tree = page.dom.tree();
        let tree = tree.with_room(tree.len() / 16 + 16);
        Attempt {
            page,
            flags,
            tree,
            removed: Vec::new(),
            article: None,
            best: None,
        }
    }

    /// Detaches a node with its subtree, and notes the reason.
    pub(crate) fn remove(&mut self, id: NodeId, why: RemovalReason) {
        self.tree.detach(id);
        self.removed.push((id, why));
    }

    /// Returns the weight of class and id, or 0 if this attempt ignores them.
    pub(crate) fn class_weight(&self, id: NodeId) -> f64 {
        if self.flags.weight_classes {
            self.page.names(id).weight()
        } else {
            0.0
        }
    }

    /// Returns the number of characters of the article.
    pub(crate) fn chars(&self) -> u32 {
        let Some(article) = self.article else { return 0 };
        let mut all = TextStat::default();
        for id in self.tree.preorder(article) {
            if self.tree.is_text(id) {
                all = all.then(self.page.text(id));
            }
        }
        all.chars
    }

    /// Returns a verdict for each block. The majority of its characters decides.
    pub(crate) fn verdicts(&self, table: &BlockTable) -> Vec<Verdict> {
        const OUTSIDE: Verdict = Verdict {
            kept: false,
            reason: "outside-best-candidate",
        };
        let nodes = self.page.dom.len();
        let mut fate = vec![OUTSIDE; nodes];
        for &(root, why) in &self.removed {
            // Elements that the steps added have no number in the page.
            for id in self.tree.preorder(root).filter(|id| id.index() < nodes) {
                fate[id.index()] = Verdict::drop(why.reason());
            }
        }
        for child in self.article.into_iter().flat_map(|a| self.tree.children(a)) {
            let verdict = Verdict::keep(if Some(child) == self.best {
                "in-best-candidate"
            } else {
                "sibling-of-best"
            });
            for id in self.tree.preorder(child).filter(|id| id.index() < nodes) {
                fate[id.index()] = verdict;
            }
        }
        let decide = |block| {
            let (mut kept, mut dropped) = (None, OUTSIDE);
            // Characters of kept nodes minus those of dropped ones. In a tie the block is kept.
            let mut balance = 0_i64;
            for &node in table.nodes(block) {
                let verdict = fate[node.index()];
                let chars = i64::from(self.page.text(node).chars);
                balance += if verdict.kept { chars } else { -chars };
                if verdict.kept {
                    kept = Some(verdict);
                } else {
                    dropped = verdict;
                }
            }
            kept.filter(|_| balance >= 0).unwrap_or(dropped)
        };
        table.blocks().iter().map(decide).collect()
    }
}
