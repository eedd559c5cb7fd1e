use std::sync::Arc;

use super::*;
use crate::keep::facts::DocumentFacts;
use crate::keep::field_value::FieldValue;
use crate::keep::keeper::{Keeper, Member};
use crate::keep::preferred::Preferred;
use crate::worked_examples::{
    assert_close, assert_settings, assert_table_matches_folder, example, list, text,
};

#[test]
fn table_matches_folder() {
    assert_table_matches_folder::<dyn Keeper>("keep/methods");
}

#[test]
fn every_parameter_takes_its_default_and_refuses_nonsense() {
    assert_settings::<dyn Keeper>("last-seen", "first-seen");
}

/// The example breaks ties of `first_seen` by the order of the input, and other ties by the shorter address. Members
/// are numbered accordingly. Its `first_seen` is by date, so it is tested with [`Oldest`].
#[test]
fn orders_of_the_example() {
    let group = example("main_document");
    let input = list(&group["input"]);
    let url = |row: &usize| text(&input[*row]["url"]);
    let as_given: Vec<usize> = (0..input.len()).collect();
    let mut by_address = as_given.clone();
    by_address.sort_by_key(|row| (url(row).len(), url(row)));
    let members = |rows: &[usize]| -> Vec<Member<'_>> {
        let facts = rows.iter().map(|row| &input[*row]).map(|row| DocumentFacts {
            url: text(&row["url"]),
            date: row["first_seen"].as_i64(),
            popularity: row["popularity"].as_f64(),
            ad_share: row["ad_share"].as_f64().unwrap(),
            boilerplate_share: row["boilerplate_share"].as_f64().unwrap(),
            ..DocumentFacts::default()
        });
        (0..)
            .zip(facts)
            .map(|(document, facts)| Member { document, facts })
            .collect()
    };
    let check = |keeper: &dyn Keeper, rows: &[usize], name: &str, reason: &str| {
        let mut ordered = members(rows);
        assert_eq!(keeper.order(&mut ordered), reason);
        let ids: Vec<&str> = ordered
            .iter()
            .map(|member| text(&input[rows[member.document as usize]]["id"]))
            .collect();
        assert_eq!(serde_json::json!(ids), group["expected"][name], "{name}");
    };
    check(&Oldest, &as_given, "first_seen", "earliest date");
    check(&Popularity, &by_address, "popularity", "highest popularity");
    check(&Cleanest, &by_address, "cleanest", "first in the input");
    check(
        &Weighted::DEFAULT,
        &by_address,
        "weighted",
        "highest weighted score",
    );
    let scores = Weighted::DEFAULT.scores(&members(&as_given));
    for (score, row) in scores.into_iter().zip(input) {
        assert_close(score, &group["expected"]["weighted_scores"][text(&row["id"])]);
    }
}

fn member<'a>(document: u32, facts: DocumentFacts<'a>) -> Member<'a> {
    Member { document, facts }
}

#[test]
fn canonical_counts_what_others_say() {
    let page = |url, canonical: Option<&'static str>| DocumentFacts {
        url,
        field: canonical.map(FieldValue::Text),
        ..DocumentFacts::default()
    };
    let mut members = [
        member(0, page("http://a/1", Some("http://a/1"))),
        member(1, page("http://a/2", Some("http://b/long"))),
        member(2, page("http://b/long", None)),
    ];
    assert_eq!(Canonical.order(&mut members), "named as canonical by others");
    assert_eq!(members.map(|member| member.document), [2, 0, 1]);
    // Documents without an address cannot be named by others.
    let mut members = [
        member(0, page("", Some("http://a/1"))),
        member(1, page("", Some(""))),
    ];
    assert_eq!(Canonical.order(&mut members), "first in the input");
    assert_eq!(members.map(|member| member.document), [0, 1]);
}

#[test]
fn first_seen_is_the_order_of_the_input_whatever_is_known() {
    let facts = |url, date, popularity| DocumentFacts {
        url,
        date,
        popularity,
        ..DocumentFacts::default()
    };
    let mut members = [
        member(9, facts("http://a/", Some(1), Some(9.0))),
        member(3, facts("http://much.longer/z", None, None)),
        member(7, facts("", Some(0), Some(10.0))),
    ];
    assert_eq!(FirstSeen.order(&mut members), "first in the input");
    assert_eq!(members.map(|member| member.document), [3, 7, 9]);
}

#[test]
fn unknown_dates_come_last_for_the_oldest_and_the_newest() {
    let dated = |date| DocumentFacts {
        date,
        ..DocumentFacts::default()
    };
    let mut members = [
        member(0, dated(None)),
        member(1, dated(Some(5))),
        member(2, dated(Some(-5))),
        member(3, dated(None)),
        member(4, dated(Some(5))),
    ];
    assert_eq!(Oldest.order(&mut members), "earliest date");
    assert_eq!(members.map(|member| member.document), [2, 1, 4, 0, 3]);
    assert_eq!(Newest.order(&mut members), "first in the input");
    assert_eq!(members.map(|member| member.document), [1, 4, 2, 0, 3]);
}

#[test]
fn a_field_orders_by_its_value_and_what_lacks_it_comes_last() {
    let with = |field| DocumentFacts {
        field,
        ..DocumentFacts::default()
    };
    let mut members = [
        member(0, with(None)),
        member(1, with(Some(FieldValue::Text("b")))),
        member(2, with(Some(FieldValue::Integer(2)))),
        member(3, with(Some(FieldValue::Real(f64::NAN)))),
        member(4, with(Some(FieldValue::Real(10.0)))),
        member(5, with(Some(FieldValue::Text("a")))),
        member(6, with(Some(FieldValue::Integer(2)))),
    ];
    let (largest, smallest) = (Field::largest("score"), Field::smallest("score"));
    assert_eq!(largest.order(&mut members), "largest value of the field");
    assert_eq!(members.map(|member| member.document), [4, 2, 6, 1, 5, 0, 3]);
    assert_eq!(smallest.order(&mut members), "first in the input");
    assert_eq!(members.map(|member| member.document), [2, 6, 4, 5, 1, 0, 3]);
    let mut one_has_it = [members[6], members[0]];
    assert_eq!(smallest.order(&mut one_has_it), "only one with the field");
    let mut two = [members[2], members[0]];
    assert_eq!(smallest.order(&mut two), "smallest value of the field");
}

#[test]
fn the_field_is_named_behind_the_keeper() {
    let parsed = |text: &str| <dyn Keeper>::parse(text);
    for (text, field, argument) in [
        ("field:score", "score", "score:max"),
        ("field:meta.score:min", "meta.score", "meta.score:min"),
        ("field:dc:date:max", "dc:date", "dc:date:max"),
        ("field:a=b,c", "a=b,c", "a=b,c:max"),
    ] {
        let keeper = parsed(text).ok().unwrap();
        assert_eq!(
            (keeper.field(), keeper.argument().as_deref()),
            (Some(field), Some(argument)),
            "{text}"
        );
        let again = parsed(&format!("field:{argument}")).ok().unwrap();
        assert_eq!(again.argument(), keeper.argument());
    }
    for text in ["field", "field:", "field::min", "field:meta.", "field:.a:max"] {
        let error = parsed(text).err().unwrap();
        assert_eq!(error.parameter(), Some("field"));
        assert!(error.to_string().contains("field:meta.score:min"), "{error}");
    }
    assert!(parsed("first-seen:score").is_err());
}

fn preferred(keeper: &dyn Keeper) -> Preferred {
    Preferred(CloneKeeper::boxed(keeper).into())
}

#[test]
fn preferred_sources_come_before_the_order_of_any_keeper() {
    let facts = |preference, chars| DocumentFacts {
        preference,
        chars,
        ..DocumentFacts::default()
    };
    let members = [
        member(0, facts(None, 90)),
        member(1, facts(Some(1), 70)),
        member(2, facts(Some(0), 10)),
        member(3, facts(Some(0), 20)),
        member(4, facts(None, 80)),
    ];
    let order = |keeper: &dyn Keeper, members: &[Member<'_>]| {
        let mut ordered = members.to_vec();
        let reason = preferred(keeper).order(&mut ordered);
        let documents: Vec<u32> = ordered.iter().map(|member| member.document).collect();
        (documents, reason)
    };
    assert_eq!(order(&Longest, &members), (vec![3, 2, 1, 0, 4], "longest text"));
    assert_eq!(
        order(&FirstSeen, &members),
        (vec![2, 3, 1, 0, 4], "first in the input")
    );
    assert_eq!(order(&Longest, &members[..2]), (vec![1, 0], "preferred source"));
    for keeper in ALL {
        let (documents, _) = order(*keeper, &members);
        let mut groups = [
            documents[..2].to_vec(),
            documents[2..3].to_vec(),
            documents[3..].to_vec(),
        ];
        groups.iter_mut().for_each(|group| group.sort_unstable());
        assert_eq!(groups, [vec![2, 3], vec![1], vec![0, 4]], "{}", keeper.name());
        // Without preferences the order is that of the keeper alone.
        let plain = members.map(|plain| member(plain.document, facts(None, plain.facts.chars)));
        let mut wanted = plain;
        let reason = keeper.order(&mut wanted);
        assert_eq!(
            order(*keeper, &plain),
            (wanted.map(|member| member.document).to_vec(), reason)
        );
    }
}

#[test]
fn longest_comes_first() {
    let mut members = [
        member(
            0,
            DocumentFacts {
                chars: 10,
                ..DocumentFacts::default()
            },
        ),
        member(
            1,
            DocumentFacts {
                chars: 30,
                ..DocumentFacts::default()
            },
        ),
        member(
            2,
            DocumentFacts {
                chars: 30,
                date: Some(5),
                ..DocumentFacts::default()
            },
        ),
    ];
    assert_eq!(Longest.order(&mut members), "earliest date");
    assert_eq!(members.map(|member| member.document), [2, 1, 0]);
}

#[test]
fn nothing_and_one_member_have_no_rival() {
    for keeper in ALL {
        assert_eq!(keeper.order(&mut []), "only member");
        let mut one = [member(3, DocumentFacts::default())];
        assert_eq!(keeper.order(&mut one), "only member");
        assert_eq!(preferred(*keeper).order(&mut one), "only member");
    }
}

const URLS: [&str; 3] = ["", "http://x/", "http://x/y"];

/// Facts with many equal values and some unusual ones.
fn some_facts() -> impl proptest::strategy::Strategy<Value = DocumentFacts<'static>> {
    use proptest::prelude::*;
    let number = || prop::sample::select(vec![f64::NAN, f64::INFINITY, -1.0, -0.0, 0.0, 0.25, 1.0, 3.0]);
    let value = prop_oneof![
        (-2..3_i64).prop_map(FieldValue::Integer),
        Just(FieldValue::Integer(i64::MAX)),
        number().prop_map(FieldValue::Real),
        prop::sample::select(URLS.to_vec()).prop_map(FieldValue::Text),
    ];
    let date = prop::sample::select(vec![i64::MIN, -1, 0, 1, i64::MAX]);
    (
        prop::sample::select(URLS.to_vec()),
        prop::option::of(date),
        prop::option::of(number()),
        number(),
        number(),
        0..3_u64,
        (prop::option::of(value), prop::option::of(0..3_u32)),
    )
        .prop_map(
            |(url, date, popularity, ad_share, boilerplate_share, chars, (field, preference))| {
                DocumentFacts {
                    url,
                    date,
                    popularity,
                    ad_share,
                    boilerplate_share,
                    chars,
                    field,
                    preference,
                }
            },
        )
}

proptest::proptest! {
    /// Properties that every keeper must have: the order is total for any facts and any order of members, and equal
    /// members are in the order of the input. If the keeper compares members alone, the order of two members does not
    /// depend on others.
    #[test]
    fn every_order_is_total(facts in proptest::collection::vec(some_facts(), 1..12), by in 0..12_usize) {
        let members: Vec<Member<'_>> = (0..).zip(facts).map(|(document, facts)| member(document, facts)).collect();
        let named: [Arc<dyn Keeper>; 2] = [Arc::new(Field::largest("x")), Arc::new(Field::smallest("x"))];
        for keeper in ALL.iter().map(|keeper| keeper.shared()).chain(named) {
            for keeper in [Arc::clone(&keeper), Arc::new(Preferred(keeper))] {
                let order = |members: &[Member<'_>]| {
                    let mut ordered = members.to_vec();
                    let reason = keeper.order(&mut ordered);
                    (ordered.iter().map(|member| member.document).collect::<Vec<_>>(), reason)
                };
                let wanted = order(&members);
                let mut other = members.clone();
                other.rotate_left(by % members.len());
                proptest::prop_assert_eq!(&order(&other), &wanted, "{}", keeper.name());
                other.reverse();
                proptest::prop_assert_eq!(&order(&other), &wanted, "{}", keeper.name());
                let equal: Vec<Member<'_>> = (0..).zip(&members).map(|(document, _)| member(document, members[0].facts)).collect();
                proptest::prop_assert!(order(&equal).0.is_sorted(), "{}", keeper.name());
                if keeper.compares_alone() {
                    let key = |document: &u32| {
                        let mut key = Vec::new();
                        keeper.key(&members[*document as usize].facts, &mut key);
                        (key, *document)
                    };
                    proptest::prop_assert!(wanted.0.is_sorted_by_key(key), "{}", keeper.name());
                    for (place, a) in wanted.0.iter().enumerate() {
                        for b in &wanted.0[place + 1..] {
                            let two = [members[*b as usize], members[*a as usize]];
                            proptest::prop_assert_eq!(&order(&two).0, &[*a, *b], "{}", keeper.name());
                        }
                    }
                }
            }
        }
    }
}
