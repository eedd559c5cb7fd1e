use proptest::prelude::*;

use super::*;
use crate::label::tests::worked_example;

fn ids(text: &str) -> Vec<u32> {
    text.chars().map(u32::from).collect()
}

fn is_common(pairs: &[(u32, u32)], a: &[u32], b: &[u32]) -> bool {
    let rising = pairs.windows(2).all(|w| w[0].0 < w[1].0 && w[0].1 < w[1].1);
    rising && pairs.iter().all(|&(i, j)| a[i as usize] == b[j as usize])
}

#[test]
fn the_worked_examples() {
    let pair = worked_example("lcs_pair");
    let text = |i: usize| ids(pair["input"][i].as_str().expect("text"));
    let (a, b) = (text(0), text(1));
    for algorithm in ALL {
        assert_eq!(
            algorithm.length(&a, &b) as u64,
            pair["expected"]["length_dp"],
            "{}",
            algorithm.name()
        );
    }
    assert_eq!(matching_pairs(&a, &b), pair["expected"]["matching_pairs_r"]);
    let differences = a.len() + b.len() - 2 * Myers.length(&a, &b);
    assert_eq!(differences as u64, pair["expected"]["myers_D"]);
    let found: String = Dynamic
        .pairs(&a, &b)
        .iter()
        .filter_map(|p| char::from_u32(a[p.0 as usize]))
        .collect();
    assert_eq!(found, pair["expected"]["lcs"]);

    let unique = worked_example("lcs_patience");
    let list =
        |value: &serde_json::Value| -> Vec<u32> { serde_json::from_value(value.clone()).expect("numbers") };
    let pairs = patience(&list(&unique["input"][0]), &list(&unique["input"][1]));
    let expected: Vec<(u32, u32)> =
        serde_json::from_value(unique["expected"]["pairs"].clone()).expect("pairs");
    assert_eq!(pairs, expected);
}

#[test]
fn the_choice_follows_the_input() {
    let distinct: Vec<u32> = (0..2000).collect();
    let mut shuffled: Vec<u32> = (0..2000).map(|i| i * 7 % 2000).collect();
    assert_eq!(choose(&distinct, &shuffled).name(), "hunt-szymanski");
    shuffled.clone_from(&distinct);
    shuffled[1000] = 9999;
    assert_eq!(choose(&distinct, &shuffled).name(), "myers");
    let repeats = |n: u32| -> Vec<u32> { (0..300).map(|i| i * n % 3).collect() };
    assert_eq!(choose(&repeats(1), &repeats(2)).name(), "bit-parallel");
    assert_eq!(choose(&[], &[]).length(&[], &[]), 0);
}

#[test]
fn the_table_has_distinct_names() {
    let names: std::collections::BTreeSet<_> = ALL.iter().map(|a| a.name()).collect();
    assert_eq!(names.len(), ALL.len());
}

proptest! {
    #[test]
    fn all_algorithms_agree_with_dynamic_programming(
        a in prop::collection::vec(0_u32..9, 0..150),
        b in prop::collection::vec(0_u32..9, 0..150),
    ) {
        let longest = Dynamic.length(&a, &b);
        for algorithm in ALL {
            let pairs = algorithm.pairs(&a, &b);
            prop_assert!(is_common(&pairs, &a, &b), "{}", algorithm.name());
            prop_assert_eq!(pairs.len(), longest, "{}", algorithm.name());
            prop_assert_eq!(algorithm.length(&a, &b), longest, "{}", algorithm.name());
        }
        let differences = a.len() + b.len() - 2 * longest;
        for most in [0, 1, 7, differences.saturating_sub(1), differences, differences + 1] {
            prop_assert_eq!(myers::within(&a, &b, most), differences <= most, "{}", most);
        }
        prop_assert!(is_common(&patience(&a, &b), &a, &b));
        prop_assert!(patience(&a, &b).len() <= longest);
    }

    #[test]
    fn vectors_that_differ_little(a in prop::collection::vec(0_u32..400, 0..300), edits in prop::collection::vec((0_usize..300, 0_u32..400), 0..9)) {
        let mut b = a.clone();
        for (at, x) in edits {
            let at = at.min(b.len());
            if x % 2 == 0 || at == b.len() { b.insert(at, x); } else { b.remove(at); }
        }
        for algorithm in ALL {
            prop_assert_eq!(algorithm.length(&a, &b), Dynamic.length(&a, &b), "{}", algorithm.name());
        }
    }
}
