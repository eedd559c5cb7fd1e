//! Clusters of duplicates that a run found.

use dehusk_pipeline::Error;
use dehusk_pipeline::markup::Html;

use super::changes::lines;
use super::shell::{self, count, form};
use super::sites::more;
use crate::changes;
use crate::clusters::{Clusters, Document, Member};
use crate::fields::Fields;
use crate::reply::Reply;
use crate::workshop::Workshop;

/// Clusters on a page of the list.
const ON_A_PAGE: usize = 200;
/// Members that are shown beside the one that stays, unless more are asked for.
const SHOWN: usize = 12;

fn opened(workshop: &Workshop) -> Result<&Clusters, Error> {
    workshop.clusters.as_ref().ok_or_else(|| {
        Error::usage("no run was opened")
            .with_help("name the folder of a run beside the crawl: dehusk serve CRAWL RUN")
    })
}

pub(crate) fn list(workshop: &Workshop, fields: &Fields) -> Result<Reply, Error> {
    let clusters = opened(workshop)?;
    let from = fields.number("from").unwrap_or(0);
    let marks = workshop.marks();
    Ok(Reply::Page(shell::page(workshop, "Duplicates", &[], |html| {
        let all = clusters.all().len();
        html.element(
            "p",
            &[("class", &"note")],
            format!("{} of two documents or more", count(all, "cluster", "clusters")),
        );
        labelled(html, workshop, marks.len());
        html.within("ol", &[("class", &"pages"), ("start", &(from + 1))], |html| {
            for (name, members) in clusters.all().iter().skip(from).take(ON_A_PAGE) {
                html.within("li", &[], |html| {
                    let to = workshop.link("/cluster", &[("name", name)]);
                    html.within("a", &[("href", &to)], |html| html.prose(name, 200));
                    html.text(format!(" {} documents", members.len()));
                    if marks.contains_key(name) {
                        html.element("span", &[("class", &"badge")], "looked at");
                    }
                });
            }
        });
        more(html, all, from, |from| {
            workshop.link("/clusters", &[("from", &from.to_string())])
        });
    })))
}

fn labelled(html: &mut Html, workshop: &Workshop, marked: usize) {
    if marked == 0 {
        return;
    }
    html.element(
        "p",
        &[],
        format!(
            "{} looked at. They leave as a labelled set, in the folder of rules below labels/duplicates.",
            count(marked, "cluster was", "clusters were")
        ),
    );
    form(
        html,
        &workshop.link("/labelled", &[]),
        &[],
        &[("set", "write", "Write the labelled set")],
    );
}

pub(crate) fn one(workshop: &Workshop, fields: &Fields) -> Result<Reply, Error> {
    let (clusters, name) = (opened(workshop)?, fields.text("name"));
    let members = clusters.members(name);
    let Some(stays) = members.first() else {
        return Err(Error::usage(format!("there is no cluster `{name}`")));
    };
    let marks = workshop.marks();
    let wrong = marks.get(name);
    let first = clusters.document(&stays.id).unwrap_or_default();
    let shown = if fields.get("all").is_some() {
        members.len()
    } else {
        SHOWN
    };
    let trail = [("Duplicates", workshop.link("/clusters", &[]))];
    Ok(Reply::Page(shell::page(workshop, "A cluster", &trail, |html| {
        told(html, stays, &first);
        if wrong.is_none() {
            form(
                html,
                &workshop.link("/mark", &[]),
                &[("cluster", name)],
                &[("verdict", "right", "All of these belong together")],
            );
        }
        for member in members.iter().skip(1).take(shown) {
            html.within("section", &[("class", &"member")], |html| {
                let document = clusters.document(&member.id).unwrap_or_default();
                html.within("h2", &[], |html| {
                    html.prose(document.title.as_deref().unwrap_or(&member.id), 200);
                });
                told(html, member, &document);
                evidence(html, clusters, name, (&stays.id, &member.id));
                let is_wrong = wrong.is_some_and(|wrong| wrong.contains(&member.id));
                let (verdict, text) = match is_wrong {
                    true => ("belongs", "It belongs here after all"),
                    false => ("wrong", "It is no duplicate of the first"),
                };
                if is_wrong {
                    html.element("p", &[("class", &"badge")], "Marked: no duplicate");
                }
                let fields = [("cluster", name), ("member", member.id.as_str())];
                form(
                    html,
                    &workshop.link("/mark", &[]),
                    &fields,
                    &[("verdict", verdict, text)],
                );
                lines(html, &changes::lines(&first.text, &document.text));
            });
        }
        if members.len() > shown + 1 {
            let to = workshop.link("/cluster", &[("name", name), ("all", "1")]);
            html.element("a", &[("href", &to)], format!("Show all {}", members.len()));
        }
    })))
}

/// Which document it is, and what became of it.
fn told(html: &mut Html, member: &Member, document: &Document) {
    html.within("p", &[], |html| {
        match &document.url {
            Some(url) => html.address(url, 300),
            None => html.exact(&member.id, 300),
        }
        let verdict = if member.kept { "kept" } else { "dropped" };
        html.text(" ");
        html.element(
            "span",
            &[("class", &format_args!("b {verdict}"))],
            format!("{verdict}: {}", member.reason),
        );
    });
}

/// The pairs by which a document belongs to the cluster.
fn evidence(html: &mut Html, clusters: &Clusters, cluster: &str, (first, id): (&str, &str)) {
    html.within("ul", &[("class", &"health")], |html| {
        let pairs = clusters.pairs(cluster).iter();
        let mut own: Vec<_> = pairs.filter(|pair| pair.a == id || pair.b == id).collect();
        own.sort_by_key(|pair| pair.a != first && pair.b != first);
        for pair in own.iter().take(5) {
            let other = if pair.a == id { &pair.b } else { &pair.a };
            html.within("li", &[], |html| {
                html.text(format!("{} {:.3} with ", pair.method, pair.similarity));
                html.prose(other, 200);
            });
        }
        if own.is_empty() {
            html.element(
                "li",
                &[],
                "No pair of its own is listed: it has the text of another, or came by others.",
            );
        }
    });
}

/// What writing the labelled set came to.
pub(crate) fn written(workshop: &Workshop, folder: &str) -> Reply {
    let trail = [("Duplicates", workshop.link("/clusters", &[]))];
    Reply::Page(shell::page(
        workshop,
        "The labelled set is written",
        &trail,
        |html| {
            html.within("p", &[("role", &"status")], |html| html.exact(folder, 500));
            html.within("p", &[], |html| {
            html.exact("dehusk compare labels/duplicates/documents.jsonl --truth labels/duplicates/truth.jsonl --out out/", 200);
        });
        },
    ))
}
