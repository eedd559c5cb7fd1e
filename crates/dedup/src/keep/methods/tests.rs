use super::*;
use crate::keep::facts::DocumentFacts;
use crate::keep::keeper::{Keeper, Member};
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

#[test]
fn orders_of_the_example() {
    let group = example("main_document");
    let input = list(&group["input"]);
    let members: Vec<Member<'_>> = (0..)
        .zip(input)
        .map(|(document, row)| Member {
            document,
            facts: DocumentFacts {
                url: text(&row["url"]),
                date: row["first_seen"].as_i64(),
                popularity: row["popularity"].as_f64(),
                ad_share: row["ad_share"].as_f64().unwrap(),
                boilerplate_share: row["boilerplate_share"].as_f64().unwrap(),
                ..DocumentFacts::default()
            },
        })
        .collect();
    let check = |keeper: &dyn Keeper, name: &str, reason: &str| {
        let mut ordered = members.clone();
        assert_eq!(keeper.order(&mut ordered), reason);
        let ids: Vec<&str> = ordered
            .iter()
            .map(|member| text(&input[member.document as usize]["id"]))
            .collect();
        assert_eq!(serde_json::json!(ids), group["expected"][name], "{name}");
    };
    check(&FirstSeen, "first_seen", "earliest date");
    check(&Popularity, "popularity", "highest popularity");
    check(&Cleanest, "cleanest", "shortest URL");
    check(&Weighted::DEFAULT, "weighted", "highest weighted score");
    for (score, row) in Weighted::DEFAULT.scores(&members).into_iter().zip(input) {
        assert_close(score, &group["expected"]["weighted_scores"][text(&row["id"])]);
    }
}

fn member<'a>(document: u32, facts: DocumentFacts<'a>) -> Member<'a> {
    Member { document, facts }
}

#[test]
fn canonical_counts_what_others_say() {
    let page = |url, canonical| DocumentFacts {
        url,
        canonical,
        ..DocumentFacts::default()
    };
    let mut members = [
        member(0, page("http://a/1", Some("http://a/1"))),
        member(1, page("http://a/2", Some("http://b/long"))),
        member(2, page("http://b/long", None)),
    ];
    assert_eq!(Canonical.order(&mut members), "named as canonical by others");
    assert_eq!(members.map(|member| member.document), [2, 0, 1]);
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

/// What every keeper must do: the order is total, whatever the facts are.
#[test]
fn conformance() {
    let odd = [f64::NAN, f64::INFINITY, -1.0, 0.0, 3.0];
    let mut members: Vec<Member<'_>> = (0..)
        .zip(odd.iter().flat_map(|&x| odd.iter().map(move |&y| (x, y))))
        .map(|(document, (x, y))| {
            let date = (document % 3 == 0).then_some(i64::from(document) % 2 * i64::MAX);
            let canonical = (document % 4 == 0).then_some("http://x/");
            let popularity = Some(y);
            member(
                document,
                DocumentFacts {
                    date,
                    popularity,
                    ad_share: x,
                    boilerplate_share: y,
                    canonical,
                    ..DocumentFacts::default()
                },
            )
        })
        .collect();
    for keeper in ALL {
        let reason = keeper.order(&mut members);
        let once: Vec<u32> = members.iter().map(|member| member.document).collect();
        members.reverse();
        assert_eq!(keeper.order(&mut members), reason, "{}", keeper.name());
        let twice: Vec<u32> = members.iter().map(|member| member.document).collect();
        assert_eq!(once, twice, "{}", keeper.name());
        assert_eq!(keeper.order(&mut []), "only member");
        assert_eq!(keeper.order(&mut members[..1]), "only member");
    }
}
