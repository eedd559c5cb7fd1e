//! The evidence for each role: how it recurs, links and reads, and what the page level says of it, as features of a few trees.
//!
//! The trees are grown on labelled sites by `cargo xtask train --sites` (gradient boosting: Friedman, 2001) and give the log odds that
//! the lines of a role are main text. They know no site, no language and no name: what classes are called has been tried and bought nothing.

use std::sync::LazyLock;

use super::roles::Roles;
use super::stats::{LineSums, RoleStats, SiteStats, log_odds};
use crate::label::model::row::{BATCH, KeyRow, Row, RowBuffers};
use crate::label::model::tree_walk::WalkBuffers;
use crate::label::model::trees::Trees;
use crate::site::tags;

/// Share of the pages that must have a role for it to be a slot, and how often it may occur on a page.
const SLOT_PAGES: f64 = 0.8;
const SLOT_COUNT: f64 = 1.25;

/// The model, as the build script compiled `sites.model`.
const MODEL: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/sites.trees"));

/// Trees that tell the log odds of roles.
#[derive(Debug)]
pub struct SiteTrees(Trees);

impl SiteTrees {
    /// The trees of this version, read on first use.
    pub(crate) fn usual() -> &'static SiteTrees {
        static TREES: LazyLock<SiteTrees> = LazyLock::new(|| {
            let trees = Trees::compiled(MODEL);
            SiteTrees(trees.unwrap_or_else(|| panic!("a model, which tests read too")))
        });
        &TREES
    }

    /// Reads trees as `cargo xtask train --sites` writes them.
    ///
    /// # Errors
    /// If the text is no model, or one of other columns; the message has the line.
    pub fn parse(text: &str) -> Result<SiteTrees, String> {
        let trees = Trees::parse(text)?;
        let columns = columns();
        if trees.columns != columns {
            return Err(format!("columns {:?}, not {columns:?}", trees.columns));
        }
        Ok(SiteTrees(trees))
    }
}

/// What is known of a role, as shares of the weight of its lines unless said otherwise.
#[derive(Clone, Copy, Default)]
struct Role {
    /// Mean page-level log odds, and their standard deviation.
    odds: f64,
    spread: f64,
    /// Lines that at least half of the other pages have: in long runs of such lines, and in short ones.
    menu: f64,
    label: f64,
    /// Lines that fewer pages have.
    some: f64,
    linked: f64,
    /// Share of the page's words before it.
    place: f64,
}

impl Role {
    fn of(stats: &RoleStats) -> (Role, f64) {
        let [all, most, some] = stats.sums();
        let share = |part: f64| if all.weight > 0.0 { part / all.weight } else { 0.0 };
        let odds = share(all.odds);
        let menu = stats.runs.min(most.weight);
        let role = Role {
            odds,
            spread: (share(all.odds_squared) - odds * odds).max(0.0).sqrt(),
            menu: share(menu),
            label: share(most.weight - menu),
            some: share(some.weight),
            linked: share(all.linked),
            place: share(all.place),
        };
        (role, all.tokens)
    }
}

/// The evidence about all roles of a site.
pub(crate) struct Evidence<'s> {
    roles: &'s Roles,
    stats: &'s SiteStats,
    own: Vec<Role>,
    tokens: Vec<f64>,
    /// Words of the whole site.
    total: f64,
    /// How many roles are around each.
    depth: Vec<u32>,
    /// Mean page-level odds of what is main text most of all.
    sure: f64,
}

impl<'s> Evidence<'s> {
    pub(crate) fn new(roles: &'s Roles, stats: &'s SiteStats) -> Evidence<'s> {
        let (own, tokens): (Vec<Role>, Vec<f64>) = stats.roles.iter().map(Role::of).unzip();
        let mut depth: Vec<u32> = Vec::new();
        for role in &roles.list {
            let above = role.parent.map(|parent| parent as usize);
            depth.push(above.map_or(0, |parent| depth[parent] + 1));
        }
        Evidence {
            sure: sureness(&own, &tokens),
            total: tokens.iter().sum::<f64>().max(1.0),
            roles,
            stats,
            own,
            tokens,
            depth,
        }
    }

    /// Writes the features of a role, column by column.
    fn write(&self, role: usize, row: &mut impl Row) {
        let (own, stats, tree) = (&self.own[role], &self.stats.roles[role], &self.roles.list[role]);
        let flag = |is: bool| f32::from(u8::from(is));
        let slot =
            f64::from(stats.pages) >= SLOT_PAGES * f64::from(self.stats.pages) && stats.count() <= SLOT_COUNT;
        let bare = tree.id.is_none() && tree.classes.is_empty() && tags::is_text_tag(&tree.tag);
        for (name, value) in [
            ("odds", own.odds),
            ("spread", own.spread),
            ("menu", own.menu),
            ("label", own.label),
            ("some", own.some),
            ("linked", own.linked),
            ("place", own.place),
            (
                "length",
                (1.0 + self.tokens[role] / f64::from(stats.elements.max(1))).ln(),
            ),
            ("variation", stats.variation().min(1.0)),
            ("share", self.tokens[role] / self.total),
            ("sure", self.sure),
            ("depth", f64::from(self.depth[role])),
        ] {
            row.put(name, value as f32);
        }
        row.put("bare", flag(bare));
        row.put("slot", flag(slot));
        row.put("many", flag(stats.count() > SLOT_COUNT));
        row.put("slot-linked", flag(slot) * own.linked as f32);
        row.put("slot-repeated", flag(slot) * (own.menu + own.label) as f32);
    }

    /// The features of some roles, in the order of [`columns`], as the trees tell them apart.
    pub(crate) fn rows<'r>(&self, roles: &[usize], rows: &'r mut RowBuffers) -> &'r [KeyRow] {
        rows.fill(roles.len(), |row, i| self.write(roles[i], row))
    }

    /// Log odds that the lines of each role are main text.
    pub(crate) fn odds(&self, trees: &SiteTrees) -> Vec<f64> {
        let (mut out, mut chances) = (Vec::with_capacity(self.own.len()), Vec::new());
        let numbers: Vec<usize> = (0..self.own.len()).collect();
        let (mut rows, mut walk) = (RowBuffers::default(), WalkBuffers::default());
        for batch in numbers.chunks(BATCH) {
            chances.clear();
            trees
                .0
                .chances(self.rows(batch, &mut rows), false, &mut walk, &mut chances);
            // A role without lines has no evidence of its own.
            out.extend(batch.iter().zip(&chances).map(|(&role, &chance)| {
                let has_lines = self.stats.roles[role].sums()[0].weight > 0.0;
                if has_lines {
                    full_log_odds(f64::from(chance))
                } else {
                    0.0
                }
            }));
        }
        out
    }

    /// Words of each role's own lines.
    pub(crate) fn tokens(&self) -> &[f64] {
        &self.tokens
    }
}

/// How sure the page level is of what it thinks most of: the mean log odds of text that neither repeats nor links, by its probability.
fn sureness(own: &[Role], tokens: &[f64]) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (role, tokens) in own.iter().zip(tokens) {
        let free = tokens * (1.0 - role.menu - role.label - role.linked).max(0.0);
        let probability = 1.0 / (1.0 + (-role.odds).exp());
        sum += free * probability * probability;
        weights += free * probability;
    }
    if weights > 0.0 {
        log_odds(sum / weights)
    } else {
        0.0
    }
}

/// Log odds without a limit but that of the numbers.
fn full_log_odds(probability: f64) -> f64 {
    let probability = probability.clamp(1e-6, 1.0 - 1e-6);
    (probability / (1.0 - probability)).ln()
}

/// Names of the features, as the model has them.
pub(crate) fn columns() -> Vec<String> {
    struct Names(Vec<String>);
    impl Row for Names {
        fn put_named(&mut self, prefix: &str, name: &str, _: f32) {
            self.0.push(match prefix {
                "" => name.to_owned(),
                prefix => format!("{prefix}-{name}"),
            });
        }
    }
    let mut roles = Roles::new(Vec::new(), Vec::new());
    roles.push(super::roles::Role::default());
    let stats = SiteStats {
        pages: 1,
        roles: vec![RoleStats {
            rest: LineSums::default(),
            ..RoleStats::default()
        }],
    };
    let mut names = Names(Vec::new());
    Evidence::new(&roles, &stats).write(0, &mut names);
    names.0
}
