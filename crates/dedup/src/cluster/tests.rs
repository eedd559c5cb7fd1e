use std::time::Instant;

use serde_json::{Value, json};

use super::*;
use crate::random::SplitMix64;
use crate::worked::{assert_table_matches_folder, example};

#[test]
fn table_matches_folder() {
    assert_table_matches_folder("cluster", ALL.iter().map(|clustering| clustering.name()));
}

#[test]
fn every_parameter_takes_its_default_and_refuses_nonsense() {
    for clustering in ALL {
        for parameter in clustering.parameters() {
            assert!(clustering.set(parameter.name, parameter.default).is_ok());
            assert!(clustering.set(parameter.name, "nonsense").is_err());
        }
        assert!(clustering.set("none-such", "1").is_err());
    }
    assert!(
        named("star-trek")
            .err()
            .unwrap()
            .to_string()
            .contains("merge-center")
    );
}

/// The graph of an example: its number of vertices, and its edges at or above a similarity.
fn graph(example: &Value, at_least: f64) -> (u32, Vec<Edge>) {
    let mut edges: Vec<Edge> = example["input"]["edges"]
        .as_array()
        .unwrap()
        .iter()
        .map(|edge| {
            let vertex = |place: usize| edge[place].as_u64().unwrap() as u32;
            Edge {
                u: vertex(0),
                v: vertex(1),
                similarity: edge[2].as_f64().unwrap(),
            }
        })
        .filter(|edge| edge.similarity >= at_least)
        .collect();
    sort_edges(&mut edges);
    (example["input"]["nodes"].as_array().unwrap().len() as u32, edges)
}

#[track_caller]
fn check(clustering: &dyn Clustering, example: &Value, at_least: f64, expected: &Value) {
    let (vertices, edges) = graph(example, at_least);
    let clusters = clustering.cluster(vertices, &edges);
    assert_eq!(
        json!(clusters.iter().collect::<Vec<_>>()),
        *expected,
        "{}",
        clustering.name()
    );
}

#[test]
fn partitions_of_the_examples() {
    let first = example("clusterings");
    let expected = &first["expected"];
    check(&Components, &first, 0.0, &expected["connected_components"]);
    check(
        &Components,
        &first,
        0.75,
        &expected["connected_components_theta_0.75"],
    );
    check(&Center::DEFAULT, &first, 0.0, &expected["center"]);
    check(
        &Center::DEFAULT.with_strict(true),
        &first,
        0.0,
        &expected["center_strict"],
    );
    check(&MergeCenter::DEFAULT, &first, 0.0, &expected["merge_center"]);
    let unmerged = MergeCenter::DEFAULT.with_merge_centers(false);
    check(&unmerged, &first, 0.0, &expected["merge_center_no_center_center"]);

    let second = example("clusterings_2");
    let expected = &second["expected"];
    check(&Center::DEFAULT, &second, 0.0, &expected["center"]);
    check(
        &Center::DEFAULT.with_strict(true),
        &second,
        0.0,
        &expected["center_strict"],
    );
    check(&MergeCenter::DEFAULT, &second, 0.0, &expected["merge_center"]);
    check(
        &unmerged,
        &second,
        0.0,
        &expected["merge_center_no_center_center"],
    );
}

fn random_graph(random: &mut SplitMix64, vertices: u32, share: u64) -> Vec<Edge> {
    let mut edges = Vec::new();
    for u in 0..vertices {
        for v in u + 1..vertices {
            if random.number() % 100 < share {
                edges.push(Edge {
                    u,
                    v,
                    similarity: (random.number() % 1000 + 1) as f64 / 1000.0,
                });
            }
        }
    }
    sort_edges(&mut edges);
    edges
}

/// What every clustering must do.
#[test]
fn conformance() {
    let mut random = SplitMix64::new(3);
    for _ in 0..300 {
        let vertices = (random.number() % 12) as u32;
        let edges = random_graph(&mut random, vertices, 30);
        let connected = Components.cluster(vertices, &edges);
        for clustering in ALL {
            let name = clustering.name();
            let clusters = clustering.cluster(vertices, &edges);
            let mut members: Vec<u32> = clusters.iter().flatten().copied().collect();
            members.sort_unstable();
            if clustering.overlaps() {
                members.dedup();
            }
            assert_eq!(
                members,
                (0..vertices).collect::<Vec<_>>(),
                "{name}: every vertex is somewhere"
            );
            for group in clusters.iter() {
                assert!(
                    !group.is_empty() && group.windows(2).all(|pair| pair[0] < pair[1]),
                    "{name}"
                );
                let inside = connected
                    .iter()
                    .any(|component| group.iter().all(|vertex| component.contains(vertex)));
                assert!(inside, "{name}: clusters do not cross components");
            }
        }
    }
}

/// Chains and stars of many vertices end in time and without deep recursion.
#[test]
fn large_graphs() {
    let n = 50_000;
    let chain: Vec<Edge> = (1..n)
        .map(|v| Edge {
            u: v - 1,
            v,
            similarity: 0.9,
        })
        .collect();
    let star: Vec<Edge> = (1..n)
        .map(|v| Edge {
            u: 0,
            v,
            similarity: 0.9,
        })
        .collect();
    for clustering in ALL {
        for edges in [&chain, &star] {
            let start = Instant::now();
            let clusters = clustering.cluster(n, edges);
            assert!(!clusters.is_empty());
            assert!(start.elapsed().as_secs() < 20, "{}", clustering.name());
        }
    }
}
