use std::time::Instant;

use serde_json::{Value, json};

use super::*;
use crate::cluster::center_rule::Preference;
use crate::cluster::clustering::{Clustering, Edge, sort_edges};
use crate::cluster::clusters::Clusters;
use crate::numeric::random::SplitMix64;
use crate::worked_examples::{assert_close, assert_settings, assert_table_matches_folder, example, list};

#[test]
fn table_matches_folder() {
    assert_table_matches_folder::<dyn Clustering>("cluster/methods");
}

#[test]
fn every_parameter_takes_its_default_and_refuses_nonsense() {
    assert_settings::<dyn Clustering>("star-trek", "merge-center");
}

/// The graph of an example: the copies of each vertex, and the edges of at least this similarity.
fn graph(example: &Value, at_least: f64) -> (Vec<u32>, Vec<Edge>) {
    let mut edges: Vec<Edge> = list(&example["input"]["edges"])
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
    (vec![1; list(&example["input"]["nodes"]).len()], edges)
}

#[track_caller]
fn check(clustering: &dyn Clustering, example: &Value, at_least: f64, expected: &Value) {
    let (copies, edges) = graph(example, at_least);
    let clusters = clustering.cluster(&copies, &edges);
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
    check(
        &Components::DEFAULT,
        &first,
        0.0,
        &expected["connected_components"],
    );
    check(
        &Components::DEFAULT,
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

#[track_caller]
fn check_with(expected: &Value, chosen_name: &str, (chosen, clusters): (Vec<u32>, Clusters)) {
    assert_eq!(json!(clusters.iter().collect::<Vec<_>>()), expected["clusters"]);
    assert_eq!(json!(chosen), expected[chosen_name]);
}

#[test]
fn stars_of_the_examples() {
    let first = example("clusterings");
    let stars = |star: Star, at_least| {
        let (copies, edges) = graph(&first, at_least);
        star.stars(&copies, &edges)
    };
    let expected = &first["expected"];
    check_with(&expected["star"], "centers", stars(Star::DEFAULT, 0.0));
    check_with(
        &expected["star_theta_0.75"],
        "centers",
        stars(Star::DEFAULT, 0.75),
    );
    check_with(
        &expected["star_no_overlap"],
        "centers",
        stars(Star::DEFAULT.with_overlap(false), 0.0),
    );
    check_with(
        &expected["star_ave"],
        "centers",
        stars(Star::DEFAULT.with_centrality(Centrality::Average), 0.0),
    );

    let second = example("clusterings_2");
    let (copies, edges) = graph(&second, 0.0);
    check_with(
        &second["expected"]["star"],
        "centers",
        Star::DEFAULT.stars(&copies, &edges),
    );
}

#[test]
fn ricochets_of_the_examples() {
    for name in ["clusterings", "clusterings_2"] {
        let example = example(name);
        let (copies, edges) = graph(&example, 0.0);
        let expected = &example["expected"];
        check_with(
            &expected["ricochet_sr"],
            "seeds",
            RicochetSr.seeds(&copies, &edges),
        );
        check_with(
            &expected["ricochet_bsr"],
            "seeds",
            RicochetBsr.seeds(&copies, &edges),
        );
        check_with(
            &expected["ricochet_cr"],
            "seeds",
            RicochetCr.seeds(&copies, &edges),
        );
        check_with(
            &expected["ricochet_ocr"],
            "seeds",
            RicochetOcr.seeds(&copies, &edges),
        );
        let averages = crate::cluster::graph::Graph::new(&copies, &edges).averages();
        for (vertex, average) in averages.into_iter().enumerate() {
            assert_close(average, &expected["ave"][vertex.to_string()]);
        }
    }
}

#[test]
fn articulation_points_of_the_examples() {
    for name in ["clusterings", "clusterings_2"] {
        let example = example(name);
        let (copies, edges) = graph(&example, 0.0);
        let (points, clusters) = Articulation.points(&copies, &edges);
        assert_eq!(json!(points), example["expected"]["articulation_points"]);
        assert_eq!(
            json!(clusters.iter().collect::<Vec<_>>()),
            example["expected"]["biconnected_components"]
        );
    }
}

#[test]
fn greedy_clusters_of_the_example() {
    let first = example("clusterings");
    check(&Leader, &first, 0.75, &first["expected"]["greedy_leader_by_id"]);
    check(
        &GreedyDegree,
        &first,
        0.75,
        &first["expected"]["greedy_max_degree"],
    );
}

/// Removing an articulation point increases the number of components.
#[test]
fn articulation_points_by_definition() {
    let mut random = SplitMix64::new(11);
    for _ in 0..300 {
        let vertices = (random.number() % 10) as u32;
        let copies = vec![1; vertices as usize];
        let edges = random_graph(&mut random, vertices, 30);
        let components = |edges: &[Edge]| Components::DEFAULT.cluster(&copies, edges).len();
        let expected: Vec<u32> = (0..vertices)
            .filter(|&vertex| {
                let rest: Vec<Edge> = edges
                    .iter()
                    .copied()
                    .filter(|edge| edge.u != vertex && edge.v != vertex)
                    .collect();
                // Without its edges the vertex itself is one more component, unless it was a component before.
                let alone = rest.len() == edges.len();
                components(&rest) > components(&edges) + usize::from(!alone)
            })
            .collect();
        assert_eq!(Articulation.points(&copies, &edges).0, expected);
    }
}

/// The sequential Ricochet algorithms, step by step as described, without the optimizations of the implementation.
fn ricochet_by_definition(copies: &[u32], edges: &[Edge], balanced: bool) -> Clusters {
    let vertices = copies.len() as u32;
    let graph = crate::cluster::graph::Graph::new(copies, edges);
    let averages = graph.averages();
    let similarity = |a: u32, b: u32| {
        graph
            .neighbors(a)
            .iter()
            .find(|other| other.vertex == b)
            .map_or(0.0, |other| other.similarity)
    };
    let order = graph.connected_by(&averages);
    let Some((&first, rest)) = order.split_first() else {
        return Clusters::from_labels(&(0..vertices).collect::<Vec<_>>());
    };
    let mut seeds = vec![first];
    let mut seed_of: Vec<u32> = (0..vertices).collect();
    for &vertex in &order {
        seed_of[vertex as usize] = first;
    }
    let mut left = rest.to_vec();
    while !left.is_empty() {
        let ratio = |vertex: u32| {
            let near: f64 = seeds.iter().map(|&seed| similarity(vertex, seed)).sum();
            if near > 0.0 {
                averages[vertex as usize] / near
            } else {
                f64::INFINITY
            }
        };
        let vertex = if balanced {
            let best = |a: &u32, b: &u32| {
                let by_ratio = ratio(*b).total_cmp(&ratio(*a));
                by_ratio
                    .then(averages[*b as usize].total_cmp(&averages[*a as usize]))
                    .then(a.cmp(b))
            };
            left.iter().copied().min_by(best).unwrap()
        } else {
            left[0]
        };
        left.retain(|&other| other != vertex);
        let moved: Vec<u32> = (0..vertices)
            .filter(|&other| !seeds.contains(&other) && similarity(vertex, other) > 0.0)
            .filter(|&other| similarity(vertex, other) > similarity(other, seed_of[other as usize]))
            .collect();
        if moved.is_empty() {
            if balanced {
                break;
            }
            continue;
        }
        seeds.push(vertex);
        for other in moved.into_iter().chain([vertex]) {
            seed_of[other as usize] = vertex;
        }
        let mut sorted = seeds.clone();
        sorted.sort_unstable();
        for seed in sorted {
            let alone = order
                .iter()
                .filter(|&&other| seed_of[other as usize] == seed)
                .count()
                == 1;
            let others = seeds.iter().copied().filter(|&other| other != seed);
            let nearest = |a: &u32, b: &u32| {
                similarity(seed, *b)
                    .total_cmp(&similarity(seed, *a))
                    .then(a.cmp(b))
            };
            if let Some(best) = others
                .min_by(nearest)
                .filter(|&best| alone && similarity(seed, best) > 0.0)
            {
                seed_of[seed as usize] = best;
                seeds.retain(|&other| other != seed);
            }
        }
    }
    for &vertex in &order {
        let placed =
            |vertex: u32| seeds.contains(&vertex) || similarity(vertex, seed_of[vertex as usize]) > 0.0;
        if placed(vertex) {
            continue;
        }
        let neighbors = graph.neighbors(vertex);
        if let Some(seed) = neighbors.iter().find(|other| seeds.contains(&other.vertex)) {
            seed_of[vertex as usize] = seed.vertex;
        } else if let Some(other) = neighbors.iter().find(|other| placed(other.vertex)) {
            seed_of[vertex as usize] = seed_of[other.vertex as usize];
        } else {
            seed_of[vertex as usize] = vertex;
            seeds.push(vertex);
        }
    }
    Clusters::from_labels(&seed_of)
}

#[test]
fn ricochets_by_definition() {
    let mut random = SplitMix64::new(17);
    for round in 0..600 {
        let vertices = (random.number() % 14) as u32;
        let copies = vec![1; vertices as usize];
        let edges = random_graph(&mut random, vertices, 15 + round % 40);
        assert_eq!(
            RicochetSr.seeds(&copies, &edges).1,
            ricochet_by_definition(&copies, &edges, false),
            "{edges:?}"
        );
        assert_eq!(
            RicochetBsr.seeds(&copies, &edges).1,
            ricochet_by_definition(&copies, &edges, true),
            "{edges:?}"
        );
    }
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

/// Properties that every clustering must have.
#[test]
fn conformance() {
    let mut random = SplitMix64::new(3);
    for _ in 0..300 {
        let vertices = (random.number() % 12) as u32;
        let copies = vec![1; vertices as usize];
        let edges = random_graph(&mut random, vertices, 30);
        let copies: Vec<u32> = copies.iter().map(|_| (random.number() % 3) as u32 + 1).collect();
        let connected = Components::DEFAULT.cluster(&copies, &edges);
        for clustering in ALL {
            let name = clustering.name();
            let clusters = clustering.cluster(&copies, &edges);
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

/// A vertex with copies is treated like that many vertices, except by the Ricochet algorithms, which document the
/// difference.
#[test]
fn copies_are_as_vertices_spelled_out() {
    let mut random = SplitMix64::new(29);
    let center = |by| Center::DEFAULT.with_preference(by);
    let clusterings: [&dyn Clustering; 14] = [
        &Components::DEFAULT,
        &Center::DEFAULT,
        &Center::DEFAULT.with_strict(true),
        &center(Preference::Average),
        &MergeCenter::DEFAULT,
        &MergeCenter::DEFAULT.with_merge_centers(false),
        &MergeCenter::DEFAULT.with_preference(Preference::Average),
        &Star::DEFAULT,
        &Star::DEFAULT.with_centrality(Centrality::Average),
        &Star::DEFAULT.with_overlap(false),
        &RicochetSr,
        &Articulation,
        &Leader,
        &GreedyDegree,
    ];
    for round in 0..600 {
        let vertices = (random.number() % 10) as u32;
        let mut edges = random_graph(&mut random, vertices, 15 + round % 40);
        for (number, edge) in (0..).zip(&mut edges) {
            edge.similarity = edge.similarity * 0.99 - f64::from(number) * 1e-7; // avoids ties
        }
        sort_edges(&mut edges);
        let copies: Vec<u32> = (0..vertices)
            .map(|_| (random.number() % 8).saturating_sub(4) as u32 + 1)
            .collect();
        let starts: Vec<u32> = copies
            .iter()
            .scan(0, |start, copies| {
                *start += copies;
                Some(*start - copies)
            })
            .collect();
        let range = |vertex: u32| starts[vertex as usize]..starts[vertex as usize] + copies[vertex as usize];
        let mut spelled = Vec::new();
        for vertex in 0..vertices {
            for u in range(vertex) {
                let others = u + 1..range(vertex).end;
                spelled.extend(others.map(|v| Edge {
                    u,
                    v,
                    similarity: 1.0,
                }));
            }
        }
        for edge in &edges {
            for u in range(edge.u) {
                let similarity = edge.similarity;
                spelled.extend(range(edge.v).map(|v| Edge { u, v, similarity }));
            }
        }
        sort_edges(&mut spelled);
        let alone = vec![1; copies.iter().sum::<u32>() as usize];
        for clustering in clusterings {
            let folded = clustering.cluster(&copies, &edges);
            let unfolded = folded
                .iter()
                .map(|group| group.iter().flat_map(|&vertex| range(vertex)).collect());
            assert_eq!(
                Clusters::from_groups(unfolded.collect()),
                clustering.cluster(&alone, &spelled),
                "{}: {copies:?} {edges:?}",
                clustering.name()
            );
        }
    }
}

/// Large chains and stars finish quickly and without deep recursion.
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
            let clusters = clustering.cluster(&vec![1; n as usize], edges);
            assert!(!clusters.is_empty());
            assert!(start.elapsed().as_secs() < 20, "{}", clustering.name());
        }
    }
}

#[test]
fn clusters_may_be_bounded() {
    let chain: Vec<Edge> = (1..100)
        .map(|v| Edge {
            u: v - 1,
            v,
            similarity: 0.9,
        })
        .collect();
    for clustering in [
        &Components::DEFAULT.with_max_size(10) as &dyn Clustering,
        &MergeCenter::DEFAULT.with_max_size(10),
    ] {
        let clusters = clustering.cluster(&[1; 100], &chain);
        assert!(
            clusters.iter().all(|group| group.len() <= 10),
            "{}",
            clustering.name()
        );
        assert!(clusters.len() <= 50);
    }
    assert_eq!(
        Components::DEFAULT
            .with_max_size(1)
            .cluster(&[1; 100], &chain)
            .len(),
        100
    );
}

/// Two graphs without an edge between them: clustered together and separately.
#[test]
fn what_says_that_it_is_local_decides_by_what_edges_connect() {
    let mut random = SplitMix64::new(23);
    let mut differ = Vec::new();
    for round in 0..200_u64 {
        let half = 3 + (round % 9) as u32;
        let mut edges = Vec::new();
        for (start, odds) in [(0, 2), (half, 3)] {
            for u in start..start + half {
                for v in u + 1..start + half {
                    if random.number().is_multiple_of(odds) {
                        let similarity = 0.5 + (random.number() % 20) as f64 / 40.0;
                        edges.push(Edge { u, v, similarity });
                    }
                }
            }
        }
        sort_edges(&mut edges);
        let copies: Vec<u32> = (0..2 * half)
            .map(|_| 1 + (random.number() % 5 / 4) as u32)
            .collect();
        let part = |start: u32| -> (Vec<u32>, Vec<Edge>) {
            let range = start..start + half;
            let of_part = edges.iter().filter(|edge| range.contains(&edge.u));
            let moved = of_part.map(|edge| Edge {
                u: edge.u - start,
                v: edge.v - start,
                ..*edge
            });
            let copies = &copies[start as usize..(start + half) as usize];
            (copies.to_vec(), moved.collect())
        };
        for &clustering in ALL {
            let whole = clustering.cluster(&copies, &edges);
            let mut apart = Vec::new();
            for start in [0, half] {
                let (copies, edges) = part(start);
                let clusters = clustering.cluster(&copies, &edges);
                apart.extend(
                    clusters
                        .iter()
                        .map(|group| group.iter().map(|member| member + start).collect()),
                );
            }
            if whole == Clusters::from_groups(apart) {
                continue;
            }
            assert!(!clustering.is_local(), "{} in round {round}", clustering.name());
            differ.push(clustering.name());
        }
    }
    differ.sort_unstable();
    differ.dedup();
    let others = ALL.iter().filter(|clustering| !clustering.is_local());
    let mut others: Vec<&str> = others.map(|clustering| clustering.name()).collect();
    others.sort_unstable();
    assert_eq!(differ, others, "what says that it is not local is seen to be so");
}
