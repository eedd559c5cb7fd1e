use dehusk_dedup::Action;

use super::*;
use crate::kernel::apart::Apart;
use crate::kernel::document_table::{DocumentFacts, DocumentTable};
use crate::kernel::verdict::decide;
use crate::record::Ranking;

/// Texts of sixty words. Texts of one family differ in their first `edits` words.
fn text(family: u32, edits: u32) -> String {
    (0..60)
        .map(|n| format!("w{family}x{n}y{} ", if n < edits { edits } else { 0 }))
        .collect()
}

fn decided<'k>(documents: &[(&str, String)], known: &'k mut DocumentTable) -> Verdicts<'k> {
    decided_by(dehusk_dedup::Options::default(), documents, known)
}

fn decided_by<'k>(
    options: dehusk_dedup::Options,
    documents: &[(&str, String)],
    known: &'k mut DocumentTable,
) -> Verdicts<'k> {
    let options = options.with_actions(Action::Delete, Action::Delete);
    let mut deduper = dehusk_dedup::Deduper::new(options).unwrap();
    for (id, text) in documents {
        deduper.add(text.split_whitespace()).unwrap();
        known.push(&DocumentFacts::new(
            (*id).to_owned(),
            None,
            &Ranking::default(),
            text,
        ));
    }
    let by = std::sync::Arc::clone(deduper.compiled());
    decide(
        deduper.finish(&*known).unwrap(),
        &by,
        known,
        (None, Apart::default()),
    )
}

#[test]
fn clusters_are_shown_largest_first_with_the_representative_on_top() {
    let documents = [
        ("z", text(1, 0)),
        ("y", text(1, 3)),
        ("x", text(1, 0)),
        ("b", text(2, 0)),
        ("a", text(2, 0)),
        ("single", text(3, 0)),
        ("short", "two words".to_owned()),
        ("empty", String::new()),
    ];
    let mut known = DocumentTable::default();
    let verdicts = decided(&documents, &mut known);
    let largest = verdicts.largest(50);
    let rows = |n: usize| -> Vec<(&str, Option<f64>, &str)> {
        let members = largest[n].0.members.iter();
        members
            .map(|row| (row.id.as_str(), row.similarity, row.reason.as_str()))
            .collect()
    };
    for (cluster, _) in &largest {
        assert_eq!(cluster.members.iter().filter(|row| row.kept).count(), 1);
    }
    assert_eq!(largest[0].0.id, "x");
    assert_eq!(rows(0)[0], ("z", Some(1.0), "representative"));
    assert_eq!(rows(0)[1], ("x", Some(1.0), "exact-duplicate"));
    // 57 shingles of four words each. Three edits at the start leave 54 common shingles out of 60.
    let (id, similarity, reason) = rows(0)[2];
    assert_eq!((id, reason), ("y", "near-duplicate"));
    assert!(
        similarity.is_some_and(|s| (0.8..=round(54.0 / 60.0)).contains(&s)),
        "{similarity:?}"
    );
    assert_eq!((&*largest[1].0.id, largest[1].0.size), ("a", 2));
    assert_eq!(verdicts.largest(1)[0].0.members.len(), 1);
    assert_eq!(verdicts.largest(1)[0].0.size, 3);

    let bins: Vec<_> = verdicts
        .size_bins()
        .iter()
        .map(|bin| (bin.from, bin.to, bin.clusters, bin.documents))
        .collect();
    assert_eq!(bins, [(1, 1, 2, 2), (2, 2, 1, 2), (3, 4, 1, 3)]);

    let mut counts = Counts {
        read: 8,
        ..Counts::default()
    };
    let found = verdicts.settle(&mut counts);
    assert!(counts.add_up(), "{counts:?}");
    assert_eq!(
        (counts.kept, found.short, found.clusters, found.clustered),
        (4, 1, 2, 5)
    );
}

/// All texts of a cluster are similar to each other. Pairs left out because of a cap must not count as dissimilar.
#[test]
fn pairs_that_were_not_compared_do_not_make_a_cluster_look_like_a_chain() {
    let ids: Vec<String> = (0..300).map(|n| format!("d{n}")).collect();
    let documents: Vec<(&str, String)> = (0..)
        .zip(&ids)
        .map(|(n, id)| (id.as_str(), format!("{}last{n}", text(1, 0))))
        .collect();
    let lsh = dehusk_dedup::candidates::Lsh::DEFAULT;
    for max_bucket in [1000, 40] {
        let mut known = DocumentTable::default();
        let options = dehusk_dedup::Options::default()
            .with_candidates(std::sync::Arc::new(lsh.with_max_bucket(max_bucket)));
        let verdicts = decided_by(options, &documents, &mut known);
        let all = verdicts.outcome.pairs.len() == 300 * 299 / 2;
        assert_eq!(
            all,
            max_bucket == 1000,
            "pairs are left out where groups are capped"
        );
        let found = verdicts.settle(&mut Counts::default());
        assert_eq!(found.capped_buckets > 0, max_bucket == 40);
        assert_eq!(found.large_clusters[0].texts, 300);
        assert_eq!(found.large_clusters[0].density, 1.0);
    }
}
