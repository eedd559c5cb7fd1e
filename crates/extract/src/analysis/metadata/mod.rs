//! Metadata of a page: title, authors, date and others.
//!
//! Each source reads one part of the page and gives candidates. A candidate has a value, its place, the
//! member or mark that gives it, and the share of right values among such candidates ([`candidate`],
//! `sources`). Then one decision for each field takes a candidate, or none (`decide`). The other candidates
//! are kept beside it.

mod address_words;
mod byline_phrases;
pub mod candidate;
mod clean_text;
pub(crate) mod date;
mod decide;
mod elements;
pub(crate) mod kind;
mod kind_evidence;
mod licence;
mod name_words;
mod names;
mod page_fields;
mod person;
mod sources;
pub mod structured;
mod surroundings;
mod tags;
mod title;
pub(crate) mod values;

use std::borrow::Cow;
use std::collections::BTreeMap;

use self::address_words::AddressWords;
use self::candidate::{Candidate, Candidates, Field};
pub use self::date::DatePrecision;
pub(crate) use self::date::iso as date;
pub use self::kind::PageKind;
pub(crate) use self::kind::is_article_type;
pub(crate) use self::page_fields::{PageFields, PageReading, PlacedValue, StatedTitles};
pub(crate) use self::person::{has_byline_phrase, without_byline};
use self::sources::annotations::Annotations;
use self::sources::facts::{Facts, Received};
use self::sources::json_ld;
use self::sources::meta::Meta;
use self::structured::StructuredData;
use self::surroundings::Surroundings;
use crate::analysis::address::{KnownAddress, PageAddress};
use crate::analysis::blocks::table::BlockTable;
use crate::warning::Warning;
use dehusk_html::budget::Budget;
use dehusk_html::tree::{Dom, NodeId, Tag};
use dehusk_html::url::{Base, is_web};

/// The metadata of a page, as far as the page gives them.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Metadata {
    /// Title without the site's name.
    pub title: Option<String>,
    /// Authors, joined by `; `.
    pub author: Option<String>,
    /// Authors: names of persons, without roles and phrases around them. An organization if no person is named.
    pub authors: Vec<String>,
    /// Date of publication as ISO 8601 writes it, as exactly as the page gives it: `2024`, `2024-03`, `2024-03-05`,
    /// `2024-03-05T10:30` or `2024-03-05T10:30:15`, times with a zone such as `+03:00` if the page gives one.
    pub date: Option<String>,
    /// How much of [`date`](Metadata::date) is known.
    pub date_precision: Option<DatePrecision>,
    /// Language as ISO 639-1 code if there is one, else ISO 639-3: the declared language unless the text
    /// contradicts it, else the detected language.
    pub language: Option<String>,
    /// Name of the site.
    pub site_name: Option<String>,
    /// Summary of the page by the page itself.
    pub description: Option<String>,
    /// Date of the last change, in the forms of [`date`](Metadata::date).
    pub modified: Option<String>,
    /// The address that the page declares as its own, absolute.
    pub canonical_url: Option<String>,
    /// Address of the image that represents the page, absolute.
    pub image: Option<String>,
    /// Subjects that the page names, in its order, without duplicates: from one source, at most 50.
    pub tags: Vec<String>,
    /// Sections and categories of the site that contain the page, in its order.
    pub categories: Vec<String>,
    /// Publisher of the page, if the page names one.
    pub publisher: Option<String>,
    /// Licence of the text: names such as `CC BY-SA 4.0` for Creative Commons, else an SPDX identifier.
    pub licence: Option<String>,
    /// Kind of the page: the declared one, or by its parts.
    pub kind: Option<PageKind>,
    /// Data in JSON-LD, microdata and RDFa in one form; `None` unless requested by
    /// [`Options::with_structured`](crate::Options::with_structured).
    pub structured: Option<StructuredData>,
    /// Candidates of all sources, in the order of reading. Chosen candidates are marked.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub candidates: Vec<Candidate>,
    /// Data stated in the head of the page, which extractors compare with its lines.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) stated: Stated,
    /// Bodies of the articles in JSON-LD, unchanged, in document order.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) bodies: Vec<String>,
    /// How the page writes dates in numbers.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) reading: PageReading,
    /// Fields that rules and templates of the site give, until [`Metadata::complete`] decides with them.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) of_site: PageFields,
    /// Texts that titles are compared with.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) titles: StatedTitles,
}

/// Data stated in the head of a page.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Stated {
    pub(crate) title: Option<String>,
    pub(crate) kind: Option<PageKind>,
}

impl Metadata {
    /// Returns, by field name in records, the source of each value with the member or mark that gives it,
    /// such as `json-ld: datePublished`.
    pub fn sources(&self) -> BTreeMap<&'static str, String> {
        let chosen = self.candidates.iter().filter(|candidate| candidate.chosen);
        chosen
            .map(|candidate| {
                (
                    candidate.field.name(),
                    format!("{}: {}", candidate.source, candidate.told),
                )
            })
            .collect()
    }

    /// Replaces everything but the language by the metadata of the page, and decides again about the fields
    /// for which rules and templates of the site give values. The language stays: it is that of the kept
    /// texts, which is surer than the declared one.
    pub(crate) fn complete(&mut self, page: Metadata) {
        let Metadata {
            language, of_site, ..
        } = std::mem::take(self);
        *self = Metadata {
            language,
            bodies: Vec::new(),
            ..page
        };
        self.decide_with(&of_site);
    }

    /// Decides again about the fields for which rules or templates give values. A rule overrides all other candidates.
    fn decide_with(&mut self, fields: &PageFields) {
        let mut found = Candidates::from_inner(std::mem::take(&mut self.candidates));
        for source in sources::OF_SITE {
            source(fields, &mut found);
        }
        for field in values::PLACED {
            if fields.has(field) {
                found.forget_choice(field);
                let values = match found.by_rule(field) {
                    Some(at) => found.choose(at),
                    None => self.decided(field, &mut found),
                };
                self.set(field, values);
            }
        }
        self.candidates = found.into_inner();
    }

    /// Decides about one of the placed fields among all candidates.
    fn decided(&self, field: Field, found: &mut Candidates) -> Vec<String> {
        let (site, publisher) = (self.site_name.as_deref(), self.publisher.as_deref());
        let decision = match field {
            Field::Title => {
                let facts = decide::TitleFacts {
                    site,
                    site_heading: self.titles.site_heading.as_deref(),
                    element: self.titles.element.as_deref(),
                    stated: self.stated.title.as_deref(),
                    is_top: self.titles.is_top,
                    address: &self.titles.address,
                };
                decide::title(found, &facts)
            }
            Field::Authors => decide::authors(
                found,
                &decide::SiteNames {
                    site,
                    publisher,
                    address: &self.titles.address,
                },
            ),
            _ => decide::date(found, field),
        };
        decision.values
    }

    /// Sets a placed field, and the fields that follow from it.
    fn set(&mut self, field: Field, values: Vec<String>) {
        let first = values.first().cloned();
        match field {
            Field::Title => self.title = first,
            Field::Authors => {
                self.author = (!values.is_empty()).then(|| values.join("; "));
                self.authors = values;
            }
            Field::Date => {
                self.date_precision = first.as_deref().and_then(DatePrecision::of);
                self.date = first;
            }
            Field::Modified => self.modified = first,
            _ => debug_assert!(false, "{field:?} has no place"),
        }
    }
}

/// Knowledge of a page besides its tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownPage<'a> {
    pub(crate) address: KnownAddress<'a>,
    /// Time at which the page was fetched, from its record.
    pub(crate) captured: Option<&'a str>,
    /// The HTTP header `Last-Modified`.
    pub(crate) last_modified: Option<&'a str>,
}

/// Optional parts of the metadata; none by default.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wanted {
    /// Paths of candidates.
    pub(crate) paths: bool,
    /// Structured data.
    pub(crate) structured: bool,
}

/// Reads the metadata and the address of a page. The language is the declared one.
pub(crate) fn read<'a>(
    dom: &Dom<'_>,
    table: &BlockTable,
    known: KnownPage<'a>,
    wanted: Wanted,
    budget: &Budget,
    warnings: &mut Vec<Warning>,
) -> (Metadata, PageAddress<'a>) {
    // The head first: its titles identify the headline, and its site name shortens the titles.
    let mut meter = budget.meter("reading metadata");
    let elements = elements::MetadataElements::of(dom, &mut meter);
    let meta = Meta::read(dom, &elements, &mut meter);
    let mut found = Candidates::default();
    let ld = json_ld::read(dom, &elements, &mut meter, warnings, &mut found);
    let html = dom
        .children(NodeId::DOCUMENT)
        .find(|&c| dom.html_tag(c) == Some(Tag::HTML));
    let lang = html
        .and_then(|h| dom.attr(h, "lang").or_else(|| dom.attr(h, "xml:lang")))
        .map(Cow::into_owned);
    let language = lang.filter(|l| !l.trim().is_empty()).or_else(|| meta.language());
    let locale = meta.first(&["og:locale"]);
    let reading = reading(language.as_deref(), locale.as_deref());
    let annotations = Annotations::read(dom, &elements, reading, &mut found);
    meta.candidates(reading, &mut found);
    // The address is settled before anything is compared with its words.
    let stated = [annotations.canonical.clone(), meta.first(&["og:url"])];
    let address = known.address.settled(dom.source(), stated);
    let url = address.url.as_deref();
    // A name below this confidence is often the subject of the page, and stays in the title.
    let named = found
        .best(Field::SiteName)
        .and_then(|at| found.get(at))
        .filter(|site| site.confidence > NAMED_SITE);
    let named = named.and_then(|site| site.values.first().cloned());
    let stated_title = title::choose(dom, table, &meta, &ld, named.as_deref(), url, elements.title);
    let place = elements.title;
    let bare = stated_title
        .as_deref()
        .map(|title| title::before_bar(title).to_owned());
    found.one(
        Field::Title,
        bare,
        (decide::HEAD, "without the site's name"),
        place,
        0.82,
    );
    let element = elements.title.map(|title| dom.text_below(title));
    let titles: Vec<&str> = [element.as_deref(), stated_title.as_deref()]
        .into_iter()
        .flatten()
        .collect();
    // The headline and the lines around the text, found by the titles of the head.
    let surroundings = Surroundings::find(dom, table, &titles, &mut meter);
    let headline = surroundings
        .headline_text(dom, table, &titles)
        .filter(|_| surroundings.stated);
    // The part of `<title>` after the headline is a name of the site.
    let rest = element.as_deref().zip(headline.as_deref());
    let rest = rest.and_then(|(title, headline)| title::rest(title, headline));
    found.one(
        Field::SiteName,
        rest,
        (decide::HEAD, "rest of the title"),
        place,
        0.6,
    );
    let address_words = AddressWords::of(url);
    let part = element
        .as_deref()
        .and_then(|title| title::host_part(title, &address_words));
    let by_host = (decide::HEAD, "part of the title that names the host");
    found.one(Field::SiteName, part, by_host, place, 0.72);
    let site_name = decide::best(&mut found, Field::SiteName).one();
    let site_name = site_name.map(|name| title::without_motto(&name, &address_words).to_owned());
    let received = Received::of(known.captured, known.last_modified);
    let facts = Facts {
        dom,
        table,
        elements: &elements,
        surroundings: &surroundings,
        url,
        reading,
        received: &received,
        titles: &titles,
    };
    // The sources of the visible page.
    for source in sources::ALL {
        if !meter.step(table.blocks().len() / 64) {
            break;
        }
        source(&facts, &mut found);
    }
    let reads_names = meter.step(table.all_names().len() / 2);
    let shape = if reads_names {
        names::shape(table.all_names())
    } else {
        names::Shape::default()
    };
    let structured = wanted
        .structured
        .then(|| structured::read(dom, &elements, &mut meter));
    drop(meter);
    // After all sources of the page, since this changes the confidence in their dates.
    if let Some(captured) = &received.captured {
        decide::doubt_later(&mut found, captured);
    }
    let base = Base::from_element(dom, elements.base, url);
    let web = |address: String| base.resolve(&address).filter(|found| is_web(found));
    let canonical_url = annotations.canonical.and_then(web);
    let canonical_url = canonical_url.or_else(|| meta.first(&["og:url"]).and_then(web));
    // The decisions. Site and publisher come first, since authors are compared with them.
    let publisher = decide::best(&mut found, Field::Publisher).one();
    let site_names = decide::SiteNames {
        site: site_name.as_deref(),
        publisher: publisher.as_deref(),
        address: &address_words,
    };
    let authors = decide::authors(&mut found, &site_names).values;
    // OpenGraph comes last: it knows few kinds.
    let stated_kind = ld.kind.or(annotations.kind).or_else(|| {
        let name = meta.first(&["og:type"])?;
        PageKind::of_open_graph(&name)
    });
    // A sure date or writer is evidence of an article, whether it is chosen or not.
    let dated = |field: Field| {
        found
            .of(field)
            .any(|(_, candidate)| candidate.confidence >= KIND_EVIDENCE)
    };
    let evidence = kind_evidence::KindEvidence::of(table, url, shape);
    let signed = dated(Field::Date) || dated(Field::Authors);
    let kind = evidence.decide(stated_kind, signed);
    let told = if kind == stated_kind {
        "stated"
    } else {
        "by its parts"
    };
    found.one(
        Field::Kind,
        kind.map(|kind| kind.name().to_owned()),
        ("page", told),
        None,
        0.8,
    );
    // Marks the candidate as chosen; its value is known already.
    decide::best(&mut found, Field::Kind);
    let date = decide::date(&mut found, Field::Date).one();
    let is_top = surroundings
        .heading
        .is_some_and(|heading| dom.html_tag(heading) == Some(Tag::H1));
    let titles_known = decide::TitleFacts {
        site: site_name.as_deref(),
        site_heading: surroundings.site_heading.as_deref(),
        element: element.as_deref(),
        stated: stated_title.as_deref(),
        is_top,
        address: &address_words,
    };
    let page_reading = PageReading::of(reading);
    let metadata = Metadata {
        title: decide::title(&mut found, &titles_known).one(),
        author: (!authors.is_empty()).then(|| authors.join("; ")),
        authors,
        date_precision: date.as_deref().and_then(DatePrecision::of),
        date,
        language,
        site_name,
        description: decide::best(&mut found, Field::Description).one(),
        modified: decide::date(&mut found, Field::Modified).one(),
        canonical_url,
        image: decide::best(&mut found, Field::Image).one().and_then(web),
        tags: decide::best(&mut found, Field::Tags).values,
        categories: decide::best(&mut found, Field::Categories).values,
        publisher,
        licence: decide::best(&mut found, Field::Licence).one(),
        kind,
        structured,
        candidates: found.into_vec(dom, wanted.paths),
        bodies: ld.bodies,
        reading: page_reading,
        of_site: PageFields::default(),
        titles: StatedTitles {
            site_heading: surroundings.site_heading.clone(),
            element: element.map(Cow::into_owned),
            is_top,
            address: address_words,
        },
        stated: Stated {
            title: stated_title,
            kind: stated_kind,
        },
    };
    (metadata, address)
}

/// Minimum confidence, exclusive, of a site name that is removed from titles: the publisher of an article
/// is often its subject.
const NAMED_SITE: f32 = 0.6;

/// Minimum confidence of a date or a writer that make a page an article.
const KIND_EVIDENCE: f32 = 0.7;

/// Returns the reading of numeric dates for a page of this language. The month comes first in American English.
fn reading<'a>(language: Option<&'a str>, locale: Option<&str>) -> date::Reading<'a> {
    let tag = language.unwrap_or_default().trim();
    let end = tag.find(['-', '_']).unwrap_or(tag.len());
    let region = |tag: &str| tag.split(['-', '_']).nth(1).map(str::to_ascii_uppercase);
    let region = region(tag).or_else(|| region(locale.unwrap_or_default()));
    // English without a region counts as American.
    let american = matches!(region.as_deref(), None | Some("US" | "PH" | "CA"));
    let language = &tag[..end];
    date::Reading {
        language,
        month_first: language.eq_ignore_ascii_case("en") && american,
    }
}

#[cfg(test)]
mod date_tests;
#[cfg(test)]
mod evidence_tests;
#[cfg(test)]
mod tests;
