//! Templates as files: human-readable TOML.

use std::collections::BTreeMap;
use std::fmt;

use dehusk_html::narrow;
use serde::{Deserialize, Serialize};

use super::learn::decide::{self, Decision, SecondChoice};
use super::learn::fields::{FieldCounts, PlacedField};
use super::learn::roles::{Role, Roles};
use super::learn::stats::{LineSums, LineText, RoleStats, SUMS, SiteStats};
use super::place::Place;
use super::template::{Origin, Template};
use crate::analysis::metadata::candidate::Field;
use crate::analysis::metadata::values::PLACED;

/// Version of the file format. Files of version 2, which lack `sure`, of version 3, which lack `field`, of
/// version 4, whose parts have no `text`, and of version 5, which lack `second`, are read too. Files of other
/// versions are rejected.
pub const FORMAT: u32 = 6;

/// Oldest version that is read.
const OLDEST: u32 = 2;

/// Error: a template file could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TemplateError(String);

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TemplateError {}

/// A template file: a summary for people, the parts as programs read them, and, apart from both, the sums
/// that the learner needs to add pages.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: u32,
    tool: String,
    site: String,
    layout: u32,
    method: String,
    pages: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    newest: Option<String>,
    learnt_from: Vec<String>,
    /// Share of leave-out samples that choose the same parts; missing in files of version 2, and for templates of fewer than three pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sure: Option<f64>,
    /// Share of leave-out samples that make the second choice, which keeps other parts; see `second` of the
    /// parts. Missing before version 6, and if all samples agree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    second_sure: Option<f64>,
    /// Whether the template is not applied because `sure` is too small. A person who has checked the parts
    /// removes the line.
    #[serde(default, skip_serializing_if = "is_false")]
    unsure: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    abstains: bool,
    /// Summaries of the parts that are main text, and (`cut`) of the parts that are cut from them, for
    /// people. Readers of the file use `part` only.
    #[serde(default)]
    main_text: Vec<String>,
    #[serde(default)]
    cut: Vec<String>,
    /// Ids and classes that are names of the site.
    names: Vec<String>,
    /// Where the pages have title, authors and dates; missing before version 4. A person may change `css` and
    /// `attribute`, and remove tables.
    #[serde(default, rename = "field", skip_serializing_if = "Vec::is_empty")]
    fields: Vec<FieldRow>,
    #[serde(default, rename = "part")]
    parts: Vec<PartRow>,
    /// Sums of each part, in the same order.
    #[serde(default)]
    sums: Vec<SumsRow>,
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

/// The place of a field, and the evidence for it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FieldRow {
    /// Name in records.
    name: String,
    css: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    attribute: Option<String>,
    pages: u32,
    values: u32,
    most: u32,
    agree: u32,
    against: u32,
    support: f64,
    #[serde(default)]
    example: String,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct PartRow {
    /// For people; ignored by readers.
    #[serde(default)]
    path: String,
    keep: bool,
    /// Whether the second choice keeps the part, if it differs from `keep`. To take the second choice, a
    /// person copies these values to `keep`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    second: Option<bool>,
    why: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<u32>,
    tag: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    classes: Vec<String>,
    /// Position among its siblings, from 1, and their number.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<[u32; 2]>,
    /// Text of its only line, which most pages have. With an empty tag, the part is the section below a heading of this text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct SumsRow {
    pages: u32,
    elements: u32,
    squares: f64,
    runs: f64,
    odds: f64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    example: String,
    /// Sums of lines that are on one page only.
    single: [f64; SUMS],
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lines: Vec<LineRow>,
}

/// Beginning of the text, its hash in hexadecimal, its number of pages, and its sums.
type LineRow = (String, String, u32, [f64; SUMS]);

/// Rounds to three decimals: precise enough for sums of words, and readable.
fn round(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}

impl Template {
    /// Serializes the template as a TOML file. Lines that only one page has are summed up, without their texts.
    pub fn to_toml(&self) -> String {
        let n = self.roles.list.len();
        // Removed from a kept part, rather than outside of all.
        let is_cut = |i: &usize| {
            let above = self.roles.list[*i].parent.map(|p| &self.decisions[p as usize]);
            above.is_some_and(|above| above.kept) && !self.decisions[*i].kept
        };
        // The first text in each part. Parts without text of their own get that of a part inside.
        let mut texts: Vec<&str> = self
            .stats
            .roles
            .iter()
            .map(|stats| stats.example.as_str())
            .collect();
        // Iterates from the end, children before their parents. The first part inside is visited last, so its
        // text stays.
        for i in (0..n).rev() {
            if let Some(parent) = self.roles.list[i].parent.map(|p| p as usize)
                && self.stats.roles[parent].example.is_empty()
            {
                texts[parent] = texts[i];
            }
        }
        let told = |i: usize| self.told(i, texts[i]);
        let main_text: Vec<String> = (0..n).filter(|i| self.is_container(*i)).map(told).collect();
        let cut: Vec<String> = (0..n).filter(is_cut).map(told).collect();
        let file = File {
            format: FORMAT,
            tool: format!("dehusk {}", env!("CARGO_PKG_VERSION")),
            site: self.origin.site.clone(),
            layout: self.origin.layout,
            method: self.origin.method.clone(),
            pages: self.pages(),
            newest: self.origin.newest.clone(),
            // This list and the two below are written by `with_list`, one entry per line.
            learnt_from: Vec::new(),
            sure: self.sure.map(round),
            second_sure: self.second.as_ref().map(|second| round(second.sure)),
            unsure: self.unsure,
            abstains: self.abstains,
            main_text: Vec::new(),
            cut: Vec::new(),
            names: self.roles.names().into_iter().map(str::to_owned).collect(),
            fields: self.fields.iter().map(field_row).collect(),
            parts: (0..n).map(|i| self.part_row(i)).collect(),
            sums: (0..n).map(|i| self.sums_row(i)).collect(),
        };
        // The values are strings, finite numbers and lists, which TOML can express.
        let text = toml::to_string(&file);
        debug_assert!(text.is_ok(), "{:?}", text.err());
        let text = text.unwrap_or_default();
        let text = with_list(&text, "learnt_from", &self.origin.learnt_from);
        let text = with_list(&with_list(&text, "main_text", &main_text), "cut", &cut);
        text.replacen("\n[[sums]]\n", SUMS_HEAD, 1)
    }

    /// Summarizes a part for people: its path, its number of pages, the reason if it is cut, and an example.
    fn told(&self, i: usize, example: &str) -> String {
        let (stats, decision) = (&self.stats.roles[i], &self.decisions[i]);
        let mut out = format!(
            "{}: on {} of {} pages",
            self.roles.path(narrow::to_u32(i)),
            stats.pages,
            self.pages()
        );
        if !decision.kept {
            out.push_str(", ");
            out.push_str(decision.reason);
        }
        if !example.is_empty() {
            out.push_str(": ");
            out.push_str(example);
        }
        out
    }

    fn part_row(&self, i: usize) -> PartRow {
        let (role, decision) = (&self.roles.list[i], &self.decisions[i]);
        PartRow {
            path: self.roles.path(narrow::to_u32(i)),
            keep: decision.kept,
            second: self
                .second
                .as_ref()
                .map(|second| second.kept[i])
                .filter(|kept| *kept != decision.kept),
            why: decision.reason.to_owned(),
            parent: role.parent,
            tag: role.tag.clone(),
            id: role.id.clone(),
            classes: role.classes.clone(),
            place: role.position.map(|(at, of)| [at, of]),
            text: role.text.clone(),
        }
    }

    fn sums_row(&self, i: usize) -> SumsRow {
        let stats = &self.stats.roles[i];
        // Texts of one page are not written: `single` has their sums.
        let mut single = stats.rest;
        for text in stats.texts.values().filter(|text| text.pages < 2) {
            single.add(&text.sums);
        }
        let line = |(hash, text): (&u64, &LineText)| {
            let sums = text.sums.row().map(round);
            (text.sample.clone(), format!("{hash:016x}"), text.pages, sums)
        };
        SumsRow {
            pages: stats.pages,
            elements: stats.elements,
            squares: stats.squares,
            runs: round(stats.runs),
            odds: round(self.decisions[i].odds),
            example: stats.example.clone(),
            single: single.row().map(round),
            lines: stats
                .texts
                .iter()
                .filter(|(_, text)| text.pages >= 2)
                .map(line)
                .collect(),
        }
    }

    /// Parses a template from a TOML file. The verdicts of its parts may have been edited. Adding pages recomputes all verdicts.
    ///
    /// # Errors
    ///
    /// If the file is not TOML, is of another [`FORMAT`], or its parts do not form a tree. The message
    /// contains line and column if the parser gives them.
    pub fn from_toml(text: &str) -> Result<Template, TemplateError> {
        #[derive(Deserialize)]
        struct Head {
            format: u32,
        }
        let invalid = |error: toml::de::Error| no_template(text, &error);
        let read = toml::from_str::<File>(text);
        let is_known = |format: u32| (OLDEST..=FORMAT).contains(&format);
        if !read.as_ref().is_ok_and(|file| is_known(file.format)) {
            // For a file of another format, report the format rather than the first unknown field.
            let head: Head = toml::from_str(text).map_err(invalid)?;
            if !is_known(head.format) {
                let message = format!(
                    "format {}, this version reads formats {OLDEST} to {FORMAT}",
                    head.format
                );
                return Err(TemplateError(message));
            }
        }
        let file = read.map_err(invalid)?;
        let fields = file
            .fields
            .into_iter()
            .map(placed_field)
            .collect::<Result<Vec<_>, _>>()?;
        // Parts and sums are two lists of one order.
        if file.sums.len() != file.parts.len() {
            let message = format!(
                "{} parts, but {} tables of sums",
                file.parts.len(),
                file.sums.len()
            );
            return Err(TemplateError(message));
        }
        let (mut list, mut role_stats, mut decisions) = (Vec::new(), Vec::new(), Vec::new());
        let mut second: Vec<bool> = Vec::new();
        for (i, (row, sums)) in file.parts.into_iter().zip(file.sums).enumerate() {
            // Every pass over the parts relies on parents before their children.
            if row.parent.is_some_and(|p| p as usize >= i) {
                let message = format!("part {i} (`{}`): its parent must come before it", row.path);
                return Err(TemplateError(message));
            }
            // Another reason was written by a person.
            let known = decide::REASONS.iter().find(|reason| **reason == row.why);
            decisions.push(Decision {
                kept: row.keep,
                odds: sums.odds,
                reason: known.copied().unwrap_or(decide::BY_HAND),
            });
            second.push(row.second.unwrap_or(row.keep));
            role_stats.push(stats_of(&row.path, sums)?);
            list.push(Role {
                parent: row.parent,
                tag: row.tag,
                id: row.id,
                classes: row.classes,
                position: row.place.map(|[at, of]| (at, of)),
                text: row.text,
            });
        }
        Ok(Template {
            origin: Origin {
                site: file.site,
                layout: file.layout,
                method: file.method,
                learnt_from: file.learnt_from,
                newest: file.newest,
            },
            roles: Roles::new(list, file.names),
            stats: SiteStats {
                pages: file.pages,
                roles: role_stats,
            },
            decisions,
            sure: file.sure,
            second: file.second_sure.map(|sure| SecondChoice { kept: second, sure }),
            unsure: file.unsure,
            abstains: file.abstains,
            fields,
        })
    }
}

/// Comment in the file before the first table of sums.
const SUMS_HEAD: &str =
    "\n# What the learner needs to add pages: one table for each part, in their order.\n\n[[sums]]\n";

/// Replaces the empty list of `key` in a file by these texts, one per line if there are several.
fn with_list(file: &str, key: &str, texts: &[String]) -> String {
    let quoted = texts
        .iter()
        .map(|text| toml::Value::from(text.as_str()).to_string());
    let list: String = match texts.len() {
        0 | 1 => quoted.collect(),
        _ => {
            let lines: String = quoted.map(|text| format!("    {text},\n")).collect();
            format!("\n{lines}")
        }
    };
    // Values contain no raw line breaks, so the first match is the line of the key.
    file.replacen(&format!("\n{key} = []\n"), &format!("\n{key} = [{list}]\n"), 1)
}

/// Converts an error of the parser, with its position. The line itself is not included, since it may be of any length.
fn no_template(text: &str, error: &toml::de::Error) -> TemplateError {
    let message = error.message().trim().replace('\n', "; ");
    let Some(before) = error.span().and_then(|span| text.get(..span.start)) else {
        return TemplateError(message);
    };
    let line = 1 + before.matches('\n').count();
    let column = 1 + before.chars().rev().take_while(|c| *c != '\n').count();
    TemplateError(format!("line {line}, column {column}: {message}"))
}

fn field_row(placed: &PlacedField) -> FieldRow {
    let counts = &placed.counts;
    FieldRow {
        name: placed.field.name().to_owned(),
        css: placed.place.css(),
        attribute: placed.place.attribute.clone(),
        pages: counts.pages,
        values: counts.values,
        most: counts.most,
        agree: counts.agree,
        against: counts.against,
        support: round(counts.support),
        example: placed.example.clone(),
    }
}

/// Reads the place of a field. Fails for an unknown field, or a selector that is not a place.
fn placed_field(row: FieldRow) -> Result<PlacedField, TemplateError> {
    let field = PLACED.iter().copied().find(|field| field.name() == row.name);
    let field = field.ok_or_else(|| {
        let names = PLACED.map(Field::name).join("`, `");
        TemplateError(format!("field `{}` has no place; `{names}` have", row.name))
    })?;
    let place = Place::read(&row.css, row.attribute)
        .map_err(|why| TemplateError(format!("field `{}`: {why}", row.name)))?;
    Ok(PlacedField {
        field,
        place,
        counts: FieldCounts {
            pages: row.pages,
            values: row.values,
            most: row.most,
            agree: row.agree,
            against: row.against,
            support: row.support,
        },
        example: row.example,
    })
}

/// Reads the sums of a part; `path` names it in errors.
fn stats_of(path: &str, row: SumsRow) -> Result<RoleStats, TemplateError> {
    let mut texts = BTreeMap::new();
    for (sample, hash, pages, sums) in row.lines {
        let hash = u64::from_str_radix(&hash, 16)
            .map_err(|_| TemplateError(format!("`{path}`: hash `{hash}` is no hexadecimal number")))?;
        let text = LineText {
            pages,
            sums: LineSums::of_row(sums),
            sample,
        };
        texts.insert(hash, text);
    }
    Ok(RoleStats {
        pages: row.pages,
        elements: row.elements,
        squares: row.squares,
        texts,
        rest: LineSums::of_row(row.single),
        example: row.example,
        runs: row.runs,
    })
}
