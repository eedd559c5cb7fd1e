//! Clusters of duplicates that a run found.

use dehusk_pipeline::Error;
use dehusk_pipeline::markup::Html;

use super::changes::lines;
use super::shell::{self, count, form, hidden};
use super::sites::more;
use crate::changes;
use crate::clusters::{Clusters, Document, Member, Pair, Parts};
use crate::fields::Fields;
use crate::reply::Reply;
use crate::workshop::Workshop;

/// Number of clusters per page of the list.
const ON_A_PAGE: usize = 200;
/// Number of members that are shown with the left one by default.
const SHOWN: usize = 12;

/// Returns the clusters of the opened run.
fn opened(workshop: &Workshop) -> Result<&Clusters, Error> {
    workshop.clusters.as_ref().ok_or_else(|| {
        Error::usage("no run was opened")
            .with_help("name the folder of a run beside the crawl: dehusk serve CRAWL RUN")
    })
}

/// Shows the list of clusters.
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

/// Writes the button that writes the labelled set, if clusters were judged.
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

/// Shows a cluster: one member in comparison with the others.
pub(crate) fn one(workshop: &Workshop, fields: &Fields) -> Result<Reply, Error> {
    let (clusters, name) = (opened(workshop)?, fields.text("name"));
    let members = clusters.members(name);
    let named = |field: &str| {
        members
            .iter()
            .find(|member| Some(member.id.as_str()) == fields.get(field))
    };
    // An unknown cluster has no members, so it ends here.
    let Some(left) = named("a").or(members.first()) else {
        return Err(Error::usage(format!("there is no cluster `{name}`")));
    };
    let marks = workshop.marks();
    let cluster = Shown {
        clusters,
        name,
        members,
        parts: marks.get(name),
        left,
        document: clusters.document(&left.id).unwrap_or_default(),
    };
    let shown = match fields.get("all") {
        Some(_) => members.len(),
        None => SHOWN,
    };
    let right: Vec<&Member> = match named("b") {
        Some(right) => vec![right],
        None => members.iter().collect(),
    };
    let right = right.into_iter().filter(|member| member.id != left.id);
    let trail = [("Duplicates", workshop.link("/clusters", &[]))];
    Ok(Reply::Page(shell::page(workshop, "A cluster", &trail, |html| {
        told(html, left, &cluster.document);
        if cluster.parts.is_none() {
            form(
                html,
                &workshop.link("/mark", &[]),
                &[("cluster", name)],
                &[("verdict", "right", "All of these belong together")],
            );
        }
        choose(html, workshop, &cluster, fields.text("b"));
        for member in right.take(shown) {
            beside(html, workshop, &cluster, member);
        }
        // One of the members is the left one.
        if members.len() > shown + 1 && named("b").is_none() {
            let to = workshop.link("/cluster", &[("name", name), ("a", &left.id), ("all", "1")]);
            html.element("a", &[("href", &to)], format!("Show all {}", members.len()));
        }
    })))
}

/// A cluster with the member with which others are compared.
struct Shown<'c> {
    clusters: &'c Clusters,
    name: &'c str,
    members: &'c [Member],
    /// Judgment about the cluster.
    parts: Option<&'c Parts>,
    left: &'c Member,
    document: Document,
}

/// Writes the form that selects two members of a cluster.
fn choose(html: &mut Html, workshop: &Workshop, cluster: &Shown<'_>, right: &str) {
    let to = workshop.link("/cluster", &[]);
    html.within("form", &[("action", &to), ("class", &"search")], |html| {
        hidden(html, &[("name", cluster.name)]);
        for (field, label, chosen) in [("a", "Compare", cluster.left.id.as_str()), ("b", "with", right)] {
            html.within("label", &[], |html| {
                html.text(format!("{label} "));
                html.within("select", &[("name", &field)], |html| {
                    if field == "b" {
                        html.element("option", &[("value", &"")], "all others");
                    }
                    for member in cluster.members {
                        option(html, &member.id, member.id == chosen);
                    }
                });
            });
        }
        html.element("button", &[], "Show");
    });
}

/// Writes a member as a choice in a list.
fn option(html: &mut Html, id: &str, is_chosen: bool) {
    match is_chosen {
        true => html.element("option", &[("value", &id), ("selected", &"")], id),
        false => html.element("option", &[("value", &id)], id),
    }
}

/// Writes a member in comparison with the left one.
fn beside(html: &mut Html, workshop: &Workshop, cluster: &Shown<'_>, member: &Member) {
    let document = cluster.clusters.document(&member.id).unwrap_or_default();
    // Documents belong together if they are in the same part. Without a judgment, all are in one.
    let part = |id: &str| cluster.parts.map_or(0, |parts| parts.of(id));
    html.within("section", &[("class", &"member")], |html| {
        html.within("h2", &[], |html| {
            html.prose(document.title.as_deref().unwrap_or(&member.id), 200);
        });
        told(html, member, &document);
        evidence(html, cluster, &member.id);
        let is_apart = part(&member.id) != part(&cluster.left.id);
        if is_apart {
            html.element("p", &[("class", &"badge")], "Marked: these two are no duplicates");
        }
        let button = match is_apart {
            true => ("verdict", "belongs", "These two are duplicates after all"),
            false => ("verdict", "wrong", "These two are no duplicates"),
        };
        let fields = [
            ("cluster", cluster.name),
            ("a", cluster.left.id.as_str()),
            ("member", member.id.as_str()),
        ];
        form(html, &workshop.link("/mark", &[]), &fields, &[button]);
        lines(html, &changes::lines(&cluster.document.text, &document.text));
    });
}

/// Writes the address or id of a document, and the verdict about it.
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

/// Writes the pair of a member and the left one, or else the pairs that connect the member with the
/// cluster.
fn evidence(html: &mut Html, cluster: &Shown<'_>, id: &str) {
    let left = cluster.left.id.as_str();
    let of_both = |pair: &&Pair| pair.a == left || pair.b == left;
    let pairs = cluster.clusters.pairs(cluster.name).iter();
    let own: Vec<&Pair> = pairs.filter(|pair| pair.a == id || pair.b == id).collect();
    html.within("ul", &[("class", &"health")], |html| {
        let direct: Vec<&Pair> = own.iter().copied().filter(of_both).collect();
        if direct.is_empty() {
            html.element(
                "li",
                &[],
                "No pair of these two is listed: they have one text, or came together by others.",
            );
        }
        for pair in if direct.is_empty() { &own } else { &direct }.iter().take(5) {
            let other = if pair.a == id { &pair.b } else { &pair.a };
            html.within("li", &[], |html| {
                html.text(format!("{} {:.3} with ", pair.method, pair.similarity));
                html.prose(other, 200);
            });
        }
    });
}

/// Shows the result of writing the labelled set.
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
