use dehusk_pipeline::extract::rules::RuleSet;

use super::*;

const HOST: &str = "a.example";

fn read(text: &str) -> RuleFile {
    RuleFile::read(text).expect("TOML")
}

fn check(file: &RuleFile) -> String {
    let text = file.text();
    RuleSet::read([("a.toml", text.as_str())]).expect("rules");
    text
}

#[test]
fn a_new_file_is_one_that_a_person_would_write() {
    let mut file = read("");
    file.decide(HOST, &Scope::SITE, Action::Drop, ".share", None);
    file.decide(HOST, &Scope::SITE, Action::Drop, ".related", None);
    let text = check(&file);
    assert_eq!(
        text,
        "format = 1\n\n[[rule]]\nname = \"a.example\"\nhosts = [\"a.example\"]\nremove = [\n    { css = \".share\" },\n    { css = \".related\" },\n]\n"
    );
}

#[test]
fn comments_and_rules_of_others_stay() {
    let before = "# Mine.\nformat = 1\n\n[[rule]] # of the whole host\nhosts = [\"a.example\"]\nremove = [{ css = \".ad\" }] # sold\n\n[[rule]]\nhosts = [\"b.example\"]\nremove = [{ css = \".x\" }]\n";
    let mut file = read(before);
    file.decide(HOST, &Scope::SITE, Action::Drop, ".share", None);
    let text = check(&file);
    for kept in ["# Mine.", "# of the whole host", "# sold", ".ad", "b.example"] {
        assert!(text.contains(kept), "{text}");
    }
    let rules = RuleSet::read([("a.toml", text.as_str())]).expect("rules");
    assert_eq!(rules.rules().len(), 2);
}

#[test]
fn narrow_rules_begin_as_broad_ones_and_learn_what_these_learn() {
    let mut file = read("");
    file.decide(HOST, &Scope::SITE, Action::Drop, ".share", None);
    file.decide(HOST, &Scope::below("/news/"), Action::Drop, ".teaser", None);
    file.decide(HOST, &Scope::page("/news/1"), Action::Drop, "#poll", None);
    file.decide(HOST, &Scope::SITE, Action::Drop, ".ad", None);
    file.decide(HOST, &Scope::page("/about"), Action::Only, ".about", None);
    check(&file);
    let of = |scope: &Scope| {
        let rules = file.document["rule"].as_array_of_tables().expect("rules");
        let rule = rules
            .iter()
            .find(|rule| scope_of(rule, HOST).as_ref() == Some(scope));
        let rule = rule.expect("a rule").to_string();
        [".share", ".teaser", "#poll", ".ad", ".about"]
            .map(|selector| rule.contains(&format!("\"{selector}\"")))
    };
    assert_eq!(of(&Scope::SITE), [true, false, false, true, false]);
    assert_eq!(of(&Scope::below("/news/")), [true, true, false, true, false]);
    assert_eq!(of(&Scope::page("/news/1")), [true, true, true, true, false]);
    assert_eq!(of(&Scope::page("/about")), [true, false, false, true, true]);
}

#[test]
fn what_is_kept_stays_when_more_is() {
    let mut file = read("");
    file.decide(HOST, &Scope::SITE, Action::Keep, ".note", Some("article"));
    let text = check(&file);
    assert!(
        text.contains("{ css = \"article\" },\n    { css = \".note\" },"),
        "{text}"
    );
    file.decide(HOST, &Scope::SITE, Action::Drop, ".note", None);
    let text = check(&file);
    assert!(
        text.contains("extract = [\n    { css = \"article\" },\n]"),
        "{text}"
    );
    assert!(text.contains("remove = [\n    { css = \".note\" },\n]"), "{text}");
    file.decide(HOST, &Scope::SITE, Action::Only, "main", None);
    assert!(!check(&file).contains("article"));
}

#[test]
fn patterns_with_stars_are_literal() {
    assert_eq!(Scope::page("/a*b.c").pattern.as_deref(), Some(r"re:^/a\*b\.c$"));
    assert_eq!(Scope::below("/a/").pattern.as_deref(), Some("/a/*"));
    assert_eq!(Scope::below("/"), Scope::SITE);
    let mut file = read("");
    file.decide(HOST, &Scope::page("/a*b.c"), Action::Drop, ".x", None);
    let text = check(&file);
    let rules = RuleSet::read([("a.toml", text.as_str())]).expect("rules");
    assert!(rules.find("http://a.example/a*b.c").is_some());
    assert!(rules.find("http://a.example/azb.c").is_none());
}

#[test]
fn examples_are_replaced_by_address() {
    let mut file = read("");
    file.decide(HOST, &Scope::SITE, Action::Drop, ".share", None);
    for text in ["One.", "It's 'two'.\nThree."] {
        let example = Example {
            url: "http://a.example/1",
            html: "<p>One.</p>\n<p class=\"share\">Share</p>",
            text,
        };
        file.add_example(0, &example);
        file.add_example(7, &example);
    }
    let text = check(&file);
    let rules = RuleSet::read([("a.toml", text.as_str())]).expect("rules");
    let examples = rules.rules()[0].examples();
    assert_eq!(examples.len(), 1);
    assert_eq!(examples[0].text, "It's 'two'.\nThree.");
    assert!(file.has_host(HOST) && !file.has_host("b.example"));
}

#[test]
fn a_field_has_one_selector_and_narrow_rules_begin_with_it() {
    let mut file = read("");
    let field = |file: &mut RuleFile, scope: &Scope, key: &str, selector: &str| {
        let action = Action::named(key).expect("an action");
        file.decide(HOST, scope, action, selector, None);
    };
    field(&mut file, &Scope::SITE, "author", ".by");
    field(&mut file, &Scope::SITE, "author", ".byline a");
    field(&mut file, &Scope::SITE, "date", "time");
    let text = check(&file);
    assert_eq!(
        text,
        "format = 1\n\n[[rule]]\nname = \"a.example\"\nhosts = [\"a.example\"]\nauthor = { css = \".byline a\" }\ndate = { css = \"time\" }\n"
    );
    file.decide(HOST, &Scope::below("/news/"), Action::Drop, ".ad", None);
    let text = check(&file);
    assert_eq!(
        text.matches("author = { css = \".byline a\" }").count(),
        2,
        "{text}"
    );
    assert_eq!(Action::named("keywords"), None);
}

/// A candidate, as templates are written as rules.
fn parts(extract: &str, remove: &[&str], outer: Option<&str>, alone: bool) -> Parts {
    let removed: String = remove
        .iter()
        .map(|css| format!("  {{ css = '{css}' }}, # cut-repeated, on 90 % of pages\n"))
        .collect();
    let text = format!(
        "format = 1\n[[rule]]\nname = 'x'\nhosts = ['a.example']\npaths = ['/*']\nextract = [\n  {{ css = '{extract}' }}, # on 100 % of pages\n]\n\
         remove = [\n{removed}]\nusual_words = 120\n"
    );
    Parts::read(&text, outer, alone).expect("TOML")
}

#[test]
fn a_candidate_replaces_the_other_one_and_leaves_what_a_person_decided() {
    let mut file = read("");
    file.decide(HOST, &Scope::SITE, Action::Drop, ".share", None);
    let first = parts("div.page", &[".notes", ".foot"], None, true);
    let second = parts("div.story", &[".foot"], None, true);
    file.take(HOST, &Scope::SITE, &first, &second);
    let text = check(&file);
    for part in [
        "'div.page'",
        "'.notes'",
        "'.foot'",
        "\".share\"",
        "usual_words = 120",
        "on 90 %",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Taken twice, it is the same.
    file.take(HOST, &Scope::SITE, &first, &second);
    assert_eq!(check(&file), text);
    file.take(HOST, &Scope::SITE, &second, &first);
    let text = check(&file);
    assert!(
        text.contains("'div.story'") && text.contains("\".share\""),
        "{text}"
    );
    assert!(!text.contains("div.page") && !text.contains(".notes"), "{text}");
    assert_eq!(text.matches("[[rule]]").count(), 1, "{text}");
}

#[test]
fn candidates_of_two_layouts_of_one_folder_share_a_rule() {
    let mut file = read("");
    for (outer, extract) in [("body.single", "div.post"), ("body.page", "div.text")] {
        let taken = parts(extract, &[".foot"], Some(outer), false);
        let other = parts("div.other", &[], Some(outer), false);
        file.take(HOST, &Scope::SITE, &taken, &other);
    }
    let text = check(&file);
    for part in [
        "body.single div.post",
        "body.page div.text",
        "body.single .foot",
        "body.page .foot",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("usual_words"), "{text}");
}

#[test]
fn paths_of_xpath_are_restricted_like_selectors() {
    assert_eq!(
        within_xpath("body.a.b", "//p[1]"),
        "//body[contains(concat(' ', normalize-space(@class), ' '), ' a ')][contains(concat(' ', normalize-space(@class), ' '), ' b ')]//p[1]"
    );
    assert_eq!(within_xpath("div#main", "//p"), "//div[@id='main']//p");
    assert_eq!(within_xpath("body.a\\:b", "//p"), "//p");
}
