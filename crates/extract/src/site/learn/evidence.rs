//! The evidence for each role, as features of a few trees: recurrence, links, text statistics, and the page-level odds.
//!
//! The trees are grown on labelled sites by `cargo xtask train --sites` (gradient boosting: Friedman, 2001).
//! They return the log odds that the lines of a role are main text. They know no site, no language and no
//! name: features of class names were tried without gain.

use std::sync::LazyLock;

use super::roles::Roles;
use super::stats::{LineSums, RoleStats, SiteStats, log_odds};
use crate::label::model::row::{BATCH, KeyRow, Row, RowBuffers};
use crate::label::model::tree_walk::WalkBuffers;
use crate::label::model::trees::Trees;
use crate::site::tags;

/// Share of the pages that must have a role for it to be a slot. `SLOT_COUNT`: maximum mean number of its elements per page.
const SLOT_PAGES: f64 = 0.8;
const SLOT_COUNT: f64 = 1.25;

/// Minimum weight of a word of a role with few words per page, see [`around`].
const MIN_WEIGHT: f64 = 0.1;

/// The model that the build script compiled from `sites.model`.
const MODEL: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/sites.trees"));

/// Trees that return the log odds of roles.
#[derive(Debug)]
pub struct SiteTrees(Trees);

impl SiteTrees {
    /// Returns the trees of this version, loading them on first use.
    pub(crate) fn usual() -> &'static SiteTrees {
        static TREES: LazyLock<SiteTrees> = LazyLock::new(|| {
            let trees = Trees::compiled(MODEL);
            SiteTrees(trees.unwrap_or_else(|| panic!("a model, which tests read too")))
        });
        &TREES
    }

    /// Parses trees in the format of `cargo xtask train --sites`.
    ///
    /// # Errors
    /// If the text is not a model, or has other columns. The message contains the line.
    pub fn parse(text: &str) -> Result<SiteTrees, String> {
        let trees = Trees::parse(text)?;
        let columns = columns();
        if trees.columns != columns {
            return Err(format!("columns {:?}, not {columns:?}", trees.columns));
        }
        Ok(SiteTrees(trees))
    }
}

/// Features of a role. They are shares of the weight of its lines unless stated otherwise.
#[derive(Clone, Copy, Default)]
struct Role {
    /// Mean page-level log odds; `spread`: their standard deviation.
    odds: f64,
    spread: f64,
    /// Lines that at least half of the other pages have, in long runs of such lines; `label`: in short runs.
    menu: f64,
    label: f64,
    /// Lines that some other pages have, but fewer than half.
    some: f64,
    linked: f64,
    /// Mean share of the page's words before its lines.
    place: f64,
    /// Lines whose text occurs several times on pages that have it.
    again: f64,
}

impl Role {
    /// Returns the features of a role that depend on its own lines, and its number of words.
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
            again: share(again(stats)),
        };
        (role, all.tokens)
    }
}

/// Returns the weight of the lines of a role whose text occurs at least twice on each page where it occurs.
fn again(stats: &RoleStats) -> f64 {
    let often = |sums: &LineSums, pages: u32| {
        // Lines of one text have one number of words: n lines of t words weigh n * sqrt(t).
        let lines = sums.weight * sums.weight / sums.tokens.max(0.3);
        lines > f64::from(pages) + 0.5
    };
    let texts = stats.texts.values().filter(|text| often(&text.sums, text.pages));
    texts.map(|text| text.sums.weight).sum()
}

/// Surroundings of a role within its parent: the parent's own lines, and the sibling roles with their descendants.
#[derive(Clone, Copy, Default)]
struct Around {
    /// Share of the words of the parent, 0 to 1.
    share: f64,
    /// Mean page-level log odds.
    odds: f64,
    /// Share of its words in lines that repeat or link, 0 to 1.
    repeated: f64,
}

/// Weighted sums over a role and all that is in it: the weight, and the weighted odds and share of lines that repeat or link.
type Sums = [f64; 3];

/// Measures the surroundings of each role. All values are 0 for roles without a parent, or without anything
/// else in it.
fn around(roles: &Roles, own: &[Role], tokens: &[f64], pages: u32) -> Vec<Around> {
    let pages = f64::from(pages.max(1));
    let own = own.iter().zip(tokens).map(|(role, tokens)| -> Sums {
        // Parts of few words count less than their words, since one line is enough for a wrong figure.
        let weight = tokens.sqrt() * (tokens / pages).sqrt().max(MIN_WEIGHT);
        let repeated = (role.menu + role.label).max(role.linked);
        [weight, weight * role.odds, weight * repeated]
    });
    let mut sums: Vec<Sums> = own.collect();
    // Iterates from the end, so that a role has the sums of all its descendants before it is added to its
    // parent.
    for i in (0..sums.len()).rev() {
        if let Some(parent) = roles.list[i].parent {
            let inside = sums[i];
            for (sum, inside) in sums[parent as usize].iter_mut().zip(inside) {
                *sum += inside;
            }
        }
    }
    let of = |(i, role): (usize, &super::roles::Role)| {
        let Some(parent) = role.parent else {
            return Around::default();
        };
        let ([all, all_odds, all_repeated], [inside, odds, repeated]) = (sums[parent as usize], sums[i]);
        let rest = all - inside;
        // The rest of a parent without anything else is a rounding error.
        if rest <= 1e-6 {
            return Around::default();
        }
        Around {
            share: rest / all,
            odds: (all_odds - odds) / rest,
            repeated: (all_repeated - repeated) / rest,
        }
    };
    roles.list.iter().enumerate().map(of).collect()
}

/// The evidence about all roles of a site.
pub(crate) struct Evidence<'s> {
    roles: &'s Roles,
    stats: &'s SiteStats,
    own: Vec<Role>,
    tokens: Vec<f64>,
    /// Number of words of the whole site.
    total: f64,
    /// Number of ancestors of each role.
    depth: Vec<u32>,
    /// Mean page-level log odds of the parts most likely to be main text; see [`sureness`].
    sure: f64,
    around: Vec<Around>,
}

impl<'s> Evidence<'s> {
    pub(crate) fn new(roles: &'s Roles, stats: &'s SiteStats) -> Evidence<'s> {
        let (own, tokens): (Vec<Role>, Vec<f64>) = stats.roles.iter().map(Role::of).unzip();
        let mut depth: Vec<u32> = Vec::new();
        for role in &roles.list {
            let above = role.parent.map(|parent| parent as usize);
            // A section has no element.
            let step = u32::from(!role.is_section());
            depth.push(above.map_or(0, |parent| depth[parent] + step));
        }
        Evidence {
            around: around(roles, &own, &tokens, stats.pages),
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
    #[expect(
        clippy::cast_possible_truncation,
        reason = "features are f32, as are the limits in the trees that compare them"
    )]
    fn write(&self, role: usize, row: &mut impl Row) {
        let (own, stats, tree) = (&self.own[role], &self.stats.roles[role], &self.roles.list[role]);
        let flag = |is: bool| f32::from(u8::from(is));
        // A slot: nearly every page has the part, and has it once.
        let slot =
            f64::from(stats.pages) >= SLOT_PAGES * f64::from(self.stats.pages) && stats.count() <= SLOT_COUNT;
        let bare = tree.id.is_none() && tree.classes.is_empty() && tags::is_text_tag(&tree.tag);
        // The columns of the model, in its order; `columns` reads their names from here.
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
        let around = &self.around[role];
        for (name, value) in [
            ("again", own.again),
            (
                "pages",
                f64::from(stats.pages) / f64::from(self.stats.pages.max(1)),
            ),
            ("count", (1.0 + stats.count()).ln()),
            ("around-share", around.share),
            ("around-odds", around.odds),
            ("around-repeated", around.repeated),
            ("beyond-sure", own.odds - self.sure),
        ] {
            row.put(name, value as f32);
        }
    }

    /// Returns the features of some roles, in the order of [`columns`], as keys for the trees.
    pub(crate) fn rows<'r>(&self, roles: &[usize], rows: &'r mut RowBuffers) -> &'r [KeyRow] {
        rows.fill(roles.len(), |row, i| self.write(roles[i], row))
    }

    /// Returns the log odds that the lines of each role are main text; `None` for roles without lines, which have no evidence of their own.
    pub(crate) fn odds(&self, trees: &SiteTrees) -> Vec<Option<f64>> {
        let (mut out, mut chances) = (Vec::with_capacity(self.own.len()), Vec::new());
        let numbers: Vec<usize> = (0..self.own.len()).collect();
        let (mut rows, mut walk) = (RowBuffers::default(), WalkBuffers::default());
        for batch in numbers.chunks(BATCH) {
            chances.clear();
            trees
                .0
                .chances(self.rows(batch, &mut rows), false, &mut walk, &mut chances);
            out.extend(batch.iter().zip(&chances).map(|(&role, &chance)| {
                let has_lines = self.stats.roles[role].sums()[0].weight > 0.0;
                has_lines.then(|| full_log_odds(f64::from(chance)))
            }));
        }
        out
    }

    /// Returns how sure the page level is of its most likely text on this site, as log odds.
    pub(crate) fn page_level_odds(&self) -> f64 {
        self.sure
    }

    /// Returns the number of words of each role's own lines.
    pub(crate) fn tokens(&self) -> &[f64] {
        &self.tokens
    }
}

/// Measures how sure the page level is about its most likely text: the mean probability of text that neither
/// repeats nor links, weighted by that probability, as log odds.
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

/// Returns the log odds of a probability, limited only for numeric reasons.
fn full_log_odds(probability: f64) -> f64 {
    let probability = probability.clamp(1e-6, 1.0 - 1e-6);
    (probability / (1.0 - probability)).ln()
}

/// Returns the names of the features, as used in the model.
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
