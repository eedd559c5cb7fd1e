use serde_json::Value;

use super::xml_blocks::blocks;
use super::*;
use crate::analyze::analyze_page;
use crate::label::tests::worked_example;
use crate::options::Options;
use crate::page::Page;

fn text(value: &Value) -> String {
    value.as_str().expect("text").to_owned()
}

fn list(value: &Value) -> Vec<String> {
    value.as_array().expect("a list").iter().map(text).collect()
}

fn tree(html: &str) -> ElementTree {
    analyze_page(&Page::decoded(html), &Options::default(), |view, _, _| {
        ElementTree::from_dom(view.dom)
    })
}

fn close(a: f64, b: &Value) {
    let b = b.as_f64().expect("a number");
    assert!((a - b).abs() < 1e-6, "{a} is not {b}");
}

#[test]
fn blocks_and_template_of_the_worked_example() {
    let example = worked_example("infholder_template");
    let pages = list(&example["input"]);
    let of = |html: &String| {
        analyze_page(&Page::decoded(html), &Options::default(), |view, _, _| {
            blocks(view.dom, 20)
        })
    };
    let blocks: Vec<Vec<Block>> = pages.iter().map(of).collect();
    for (found, expected) in blocks
        .iter()
        .zip(example["expected"]["blocks"].as_array().expect("a list"))
    {
        let expected = expected.as_array().expect("a list");
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert_eq!(found.xml, text(&expected["xml"]));
            assert_eq!(found.text, text(&expected["text"]));
            assert_eq!(format!("{:#010x}", found.crc32()), text(&expected["crc32"]));
        }
    }
    let contents = list(&example["expected"]["content"]);
    for hash in [BlockHash::Crc32, BlockHash::Hash64] {
        for form in [Consensus::Voting, Consensus::Progressive, Consensus::Frequency] {
            let rules = InfholderOptions {
                share: 0.7,
                hash,
                form,
                ..InfholderOptions::default()
            };
            let inputs: Vec<Page<'_>> = pages.iter().map(|p| Page::decoded(p)).collect();
            assert_eq!(
                Infholder(rules).texts(&inputs, &Options::default()),
                contents,
                "{form:?}"
            );
        }
    }
}

#[test]
fn many_vectors_of_the_worked_example() {
    let example = worked_example("multi_lcs");
    let vectors: Vec<Vec<u32>> = list(&example["input"])
        .iter()
        .map(|v| v.chars().map(u32::from).collect())
        .collect();
    let string = |ids: &[u32]| -> String { ids.iter().filter_map(|&c| char::from_u32(c)).collect() };
    let expected = &example["expected"];
    assert_eq!(string(&progressive(&vectors)), text(&expected["progressive"]));
    let masks = voting(&vectors, 0.6);
    let mask = |m: &Vec<bool>| -> String { m.iter().map(|&t| if t { '1' } else { '0' }).collect() };
    assert_eq!(
        masks.iter().map(mask).collect::<Vec<_>>(),
        list(&expected["voting_template_mask"])
    );
    let rest = |(v, m): (&Vec<u32>, &Vec<bool>)| -> String {
        let left: Vec<u32> = v.iter().zip(m).filter(|(_, t)| !**t).map(|(x, _)| *x).collect();
        string(&left)
    };
    assert_eq!(
        vectors.iter().zip(&masks).map(rest).collect::<Vec<_>>(),
        list(&expected["voting_content"])
    );
    let often: Vec<String> = frequent(&vectors, 0.6).iter().map(|v| string(v)).collect();
    assert_eq!(often, list(&expected["freq_filtered"]));
    assert_eq!(
        progressive(&vectors[..1]),
        Vec::<u32>::new(),
        "one page has no template"
    );
    assert!(voting(&vectors[..1], 0.6)[0].iter().all(|t| !t));
}

#[test]
fn near_equal_pages_keep_their_text_and_numbers_can_be_masked() {
    let page = |n: usize| {
        format!("<div>The same long text stands on all of these pages.</div><p>Printed {n} times</p>")
    };
    let pages: Vec<String> = (0..4).map(page).collect();
    let inputs: Vec<Page<'_>> = pages.iter().map(|p| Page::decoded(p)).collect();
    let texts = |mask_numbers, near_equal| {
        let rules = InfholderOptions {
            mask_numbers,
            near_equal,
            ..InfholderOptions::default()
        };
        Infholder(rules).texts(&inputs, &Options::default())
    };
    assert_eq!(texts(false, 1.0)[2], "Printed 2 times");
    assert_eq!(texts(true, 1.0)[2], "");
    assert!(texts(true, 0.9)[2].contains("The same long text"));
}

#[test]
fn keys_of_the_worked_example() {
    let example = worked_example("style_inbreeding_options");
    let trees: Vec<ElementTree> = list(&example["input"]).iter().map(|h| tree(h)).collect();
    for (name, key) in [
        ("dom", ElementKey::Dom),
        ("dom+size", ElementKey::Size),
        ("dom+content", ElementKey::Content),
    ] {
        let keys = StyleInbreeding::usual(key, false).keys(&trees);
        let shared = keys[0]
            .iter()
            .enumerate()
            .filter(|(_, known)| keys[1].contains(known));
        let text = |(i, (_, more)): (usize, &(u32, u32))| match key {
            ElementKey::Dom => trees[0].path(i),
            ElementKey::Size => format!("{}|{more}", trees[0].path(i)),
            ElementKey::Content => format!("{}|{more:#010x}", trees[0].path(i)),
        };
        let mut shared: Vec<String> = shared.map(text).collect();
        shared.sort();
        assert_eq!(shared, list(&example["expected"][name]), "{name}");
    }
}

#[test]
fn tree_matching_of_the_worked_example() {
    let example = worked_example("simple_tree_matching");
    let trees: Vec<ElementTree> = list(&example["input"]).iter().map(|h| tree(h)).collect();
    assert_eq!((trees[0].elements.len(), trees[1].elements.len()), (9, 9));
    close(
        similarity(&trees[0], &trees[1]),
        &example["expected"]["similarity"],
    );
    assert!((similarity(&trees[0], &trees[0]) - 1.0).abs() < 1e-9);
    assert_eq!(similarity(&trees[0], &ElementTree::default()), 0.0);
}

#[test]
fn importance_of_the_worked_example() {
    let example = worked_example("sst_importance");
    let pages = 4;
    let leaf = |name: &str| -> f64 {
        let counts: Vec<Vec<u32>> = serde_json::from_value(example["input"][name].clone()).expect("counts");
        let found = leaf_importance(counts, pages);
        close(found, &example["expected"][name]);
        found
    };
    let leaves = [leaf("leaf_same"), leaf("leaf_unique"), leaf("leaf_mixed")];
    let shares: Vec<f64> = serde_json::from_value(example["input"]["style_probs"].clone()).expect("shares");
    let own = node_importance(&shares, pages);
    close(own, &example["expected"]["node_imp"]);
    let parts: Vec<(f64, f64)> = shares.into_iter().zip(leaves).collect();
    close(
        composite(own, &parts, 0.9),
        &example["expected"]["comp_imp_parent"],
    );
}

#[test]
fn every_method_bears_any_group() {
    let pages = [
        "",
        "<p>one",
        "<div><a href=/>Home</a></div><p>Some words that stand here alone.</p>",
        &"<div><b>".repeat(900),
    ];
    for method in ALL {
        assert!(!method.name().is_empty() && !method.summary().is_empty());
        for n in 0..=pages.len() {
            let inputs: Vec<Page<'_>> = pages[..n].iter().map(|p| Page::decoded(p)).collect();
            assert_eq!(
                method.texts(&inputs, &Options::default()).len(),
                n,
                "{}",
                method.name()
            );
        }
    }
}

#[test]
fn methods_are_chosen_by_name_and_parameters() {
    for method in ALL {
        for parameter in method.parameters() {
            let text = |value: &str| format!("{}:{}={value}", method.name(), parameter.name);
            assert!(
                matches!(find(&text(parameter.default)), Some(Ok(_))),
                "{}",
                parameter.name
            );
            let error = find(&text("much"))
                .and_then(Result::err)
                .expect("an error")
                .to_string();
            assert!(
                error.contains("much") && error.contains(parameter.name),
                "{error}"
            );
        }
    }
    assert!(find("nobody").is_none());
    let error = |text: &str| find(text).and_then(Result::err).expect("an error").to_string();
    assert_eq!(error("site:x=1"), "`site` has no parameter `x`; it has: none");
    assert!(error("style-tree:gama=1").ends_with("it has: threshold, gamma"));
    assert_eq!(
        error("infholder:form=all"),
        "`infholder`, `form`: `all` is none of voting, progressive, frequency"
    );
}
