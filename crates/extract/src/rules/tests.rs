use proptest::prelude::*;

use super::*;
use crate::extracted::Extracted;
use crate::label::tests::worked_example;
use crate::options::Options;
use crate::overrides::Overrides;
use crate::page::Page;
use crate::pipeline::extract;
use crate::pipeline::extract_with;
use crate::warning::WarningKind;

/// Reads a file of the rules that are shipped with the project.
fn shipped(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules/sites/");
    std::fs::read_to_string(format!("{folder}{name}")).unwrap()
}

fn rules(body: &str) -> RuleSet {
    let text = format!("format = 1\n[[rule]]\nhosts = [\"a.example\"]\n{body}\n");
    RuleSet::read([("a.toml", text.as_str())]).unwrap()
}

fn found(body: &str, html: &str) -> Extracted {
    let set = rules(body);
    let page = Page::decoded(html).with_url(Some("http://a.example/"));
    extract_with(
        &page,
        &Options::default(),
        &Overrides::default().with_rules(Some(&set)),
    )
}

fn check(body: &str, html: &str, expected: &str) {
    let got = found(body, html);
    let lines: Vec<&str> = got.text.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.join("\n"), expected, "{body}");
    assert_eq!(got.method, NAME);
    assert!(got.warnings.is_empty(), "{:?}", got.warnings);
}

#[test]
fn shipped_examples_hold() {
    let files = ["examples.toml", "read-the-docs.toml"].map(|name| (name, shipped(name)));
    let set = RuleSet::read(files.iter().map(|(name, text)| (*name, text.as_str()))).unwrap();
    assert!(set.rules().iter().all(|rule| !rule.examples().is_empty()));
    let failures = set.check(&Options::default());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn an_example_that_does_not_hold_is_told() {
    let text = |expected: &str| {
        format!(
            "format = 1\n[[rule]]\nhosts = [\"a.example\"]\nextract = [{{ css = \"p\" }}]\n[[rule.example]]\nurl = \
             \"http://a.example/\"\nhtml = \"<p>One</p>\"\ntext = \"{expected}\"\n"
        )
    };
    let check = |text: &str| {
        RuleSet::read([("a.toml", text)])
            .unwrap()
            .check(&Options::default())
    };
    assert!(check(&text("One")).is_empty());
    let failures = check(&text("Two"));
    assert_eq!(
        failures,
        ["a.toml:2: `a.example`, example http://a.example/: line 1 is \"One\", expected \"Two\""]
    );
}

#[test]
fn worked_examples_of_xpath() {
    for name in ["xpath_seed_rule", "xpath_remove_rule"] {
        let example = worked_example(name);
        let (html, params) = (example["input"].as_str().unwrap(), &example["params"]);
        let list = |key: &str| {
            let one = |xpath: &serde_json::Value| format!("{{ xpath = '''{}''' }}", xpath.as_str().unwrap());
            let all: Vec<String> = match &params[key] {
                serde_json::Value::Array(all) => all.iter().map(one).collect(),
                serde_json::Value::Null => Vec::new(),
                single => vec![one(single)],
            };
            format!("{key} = [{}]\n", all.join(", "))
        };
        let got = found(&format!("{}{}", list("extract"), list("remove")), html);
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let expected = match &example["expected"] {
            serde_json::Value::String(text) => text.clone(),
            other => other
                .as_array()
                .unwrap()
                .iter()
                .map(|t| t.as_str().unwrap())
                .collect::<Vec<_>>()
                .join(" "),
        };
        assert_eq!(words(&got.text), words(&expected), "{name}");
    }
}

#[test]
fn removal_comes_first_and_order_is_that_of_the_page() {
    let html = "<div id=b><p>One</p><p class=ad>Ad</p><p>Two</p></div><div id=a><p>Three</p></div>";
    check(
        "extract = [{ css = '#a' }, { xpath = '//p' }]",
        html,
        "One\nAd\nTwo\nThree",
    );
    // The second paragraph is a different one after the first is removed.
    let remove = "remove = [{ css = '.ad' }]\n";
    check(
        &format!("{remove}extract = [{{ xpath = '//div[1]/p[2]' }}]"),
        html,
        "Two",
    );
    check(
        &format!("{remove}extract = [{{ css = '#b p:nth-child(2)' }}]"),
        html,
        "Two",
    );
    check(
        &format!("{remove}extract = [{{ css = 'div' }}]"),
        html,
        "One\nTwo\nThree",
    );
}

#[test]
fn axes_functions_and_values() {
    let html = "<html><body><div class='x y'><h2>Head</h2><p>One <b>bold</b></p><p lang=en>Two</p></div><ul><li>1<li>22\
                <li>333</ul><img alt='A map'>";
    for (xpath, expected) in [
        ("//h2/following-sibling::p", "One bold\nTwo"),
        ("//p[@lang]/preceding-sibling::*", "Head\nOne bold"),
        ("//p[@lang='en']", "Two"),
        ("//b/ancestor::p", "One bold"),
        ("//b/parent::node()", "One bold"),
        ("//b/..", "One bold"),
        ("/html/body/div/p[last()]", "Two"),
        ("//li[position() > 1][1]", "- 22"),
        ("(//li)[position() > 1][1]", "- 22"),
        ("//li[string-length() = 3]", "- 333"),
        ("//li[. > 20 and not(. = 333)]", "- 22"),
        (
            "//*[contains(concat(' ', normalize-space(@class), ' '), ' y ')]/h2",
            "Head",
        ),
        ("//p[count(*) = 1] | //h2", "Head\nOne bold"),
        ("//li[number(.) mod 2 = 0]", "- 22"),
        ("//li[-. < -- 0 - 300]", "- 333"),
        ("//p[starts-with(., 'Two')]/self::p", "Two"),
        ("//div/descendant::text()[. = 'Head']", "Head"),
        ("//img/@alt", "A map"),
        ("//p[translate(., 'OT', 'ot') = 'two']", "Two"),
        (".//p[2]", "Two"),
        ("//div[p]/p[1]", "One bold"),
    ] {
        check(&format!("extract = [{{ xpath = \"{xpath}\" }}]"), html, expected);
    }
}

#[test]
fn parts_of_a_line_go_and_come() {
    let html = "<p>One <b>bold</b> and <i>thin</i> line<img alt=x></p><p>Two</p>";
    check(
        "extract = [{ css = 'p' }]\nremove = [{ css = 'b' }]",
        html,
        "One and thin line\nTwo",
    );
    check("extract = [{ xpath = '//p/b/text() | //i' }]", html, "bold thin");
}

#[test]
fn fields_come_before_the_pages_own() {
    let body = "extract = [{ css = 'p' }]\ntitle = { xpath = \"substring-after(//h1, ': ')\" }\nauthor = { css = 'i', \
                regex = 'by (\\w+)' }\ndate = { css = 'time', attribute = 'datetime' }\n";
    let html = "<title>Other</title><h1>News: Rivers</h1><i>x</i><i>by Ann</i><time datetime='3 May 2024'></time><p>One</p>";
    let got = found(body, html);
    assert_eq!(got.metadata.title.as_deref(), Some("Rivers"));
    assert_eq!(got.metadata.author.as_deref(), Some("Ann"));
    assert_eq!(got.metadata.date.as_deref(), Some("2024-05-03"));
    assert_eq!(
        found(body, "<title>Other</title><p>One</p>")
            .metadata
            .title
            .as_deref(),
        Some("Other")
    );
}

#[test]
fn a_rule_that_finds_nothing_leaves_the_page_alone() {
    let html = "<p>A text of some length, with a few commas, that the page-level method keeps as it is, all of it.</p>";
    let got = found("extract = [{ css = '.gone' }]\nremove = [{ css = 'p' }]", html);
    assert_eq!(got.text, extract(&Page::decoded(html), &Options::default()).text);
    assert_eq!(got.warnings[0].kind, WarningKind::RuleSilent);
    assert!(
        got.warnings[0]
            .message
            .starts_with("the rule at a.toml:2 found nothing; "),
        "{:?}",
        got.warnings
    );
}

#[test]
fn hidden_parts_go_unless_nothing_else_is_there() {
    check(
        "extract = [{ css = 'div' }]",
        "<div>One<p hidden>Two</p></div>",
        "One",
    );
    check(
        "extract = [{ css = 'p' }]",
        "<div>One<p hidden>Two</p></div>",
        "Two",
    );
}

#[test]
fn the_most_specific_path_wins() {
    let text = "format = 1\n[[rule]]\nname = \"below\"\nhosts = [\"*.example\"]\nremove = [{ css = \"a\" }]\n[[rule]]\nname = \
                \"host\"\nhosts = [\"a.example\"]\nremove = [{ css = \"a\" }]\n[[rule]]\nname = \"path\"\nhosts = [\"*.example\"]\n\
                paths = [\"/b/*\"]\nremove = [{ css = \"a\" }]\n[[rule]]\nname = \"later\"\nhosts = [\"a.example\"]\nremove = \
                [{ css = \"a\" }]\n";
    let set = RuleSet::read([("a.toml", text)]).unwrap();
    let name = |url: &str| set.find(url).map_or("none", Rule::name);
    assert_eq!(name("http://x.b.example/"), "below");
    assert_eq!(name("http://example/"), "below");
    assert_eq!(name("http://A.example/"), "host");
    assert_eq!(name("https://a.example:81/b/c"), "path");
    assert_eq!(name("http://a.examples/"), "none");
    assert_eq!(name("a.example/"), "none");
}

#[test]
fn errors_name_place_and_remedy() {
    for (body, at, message, remedy) in [
        (
            "extract = [{ xpath = '//div[@a=' }]",
            "4:32",
            "ends too early",
            "complete",
        ),
        (
            "extract = [{ xpath = '//p[matches(., 1)]' }]",
            "4:27",
            "unknown function `matches`",
            "known: last, ",
        ),
        (
            "extract = [{ xpath = '//svg:g' }]",
            "4:28",
            "no meaning",
            "prefixes",
        ),
        (
            "extract = [{ xpath = '$x' }]",
            "4:23",
            "`$` has no meaning",
            "variables",
        ),
        (
            "extract = [{ xpath = 'up::p' }]",
            "4:23",
            "unknown axis `up`",
            "known: child",
        ),
        (
            "extract = [{ xpath = 'count(//p)' }]",
            "4:23",
            "finds no part",
            "path",
        ),
        ("extract = [{ xpath = '//p)' }]", "4:26", "nothing more", "`|`"),
        (
            "extract = [{ xpath = \"//p['a]\" }]",
            "4:27",
            "does not end",
            "close",
        ),
        (
            "extract = [{ xpath = '//p[contains(.)]' }]",
            "4:27",
            "1 arguments, it wants 2",
            "",
        ),
        (
            "extract = [{ css = 'p >' }]",
            "4:24",
            "nothing follows",
            "such as",
        ),
        (
            "extract = [{ css = 'p:hover' }]",
            "4:23",
            "`hover` is not known",
            "state",
        ),
        ("extract = [{ }]", "4:12", "one of `css` and `xpath`", "write"),
        (
            "extract = [{ css = 'p', regex = 'a' }]",
            "4:33",
            "not a text",
            "title, author",
        ),
        (
            "title = { css = 'p', regex = '(' }",
            "4:31",
            "unclosed group",
            "linear",
        ),
        (
            "paths = ['x']\nremove = [{ css = 'p' }]",
            "4:11",
            "no path",
            "begins with",
        ),
        ("extrat = []", "4:1", "unknown field `extrat`", "[[rule]]"),
        ("extract = [", "4:", "", "[[rule]]"),
        ("", "2:1", "does nothing", "extract"),
    ] {
        let text = format!("format = 1\n[[rule]]\nhosts = [\"a.example\"]\n{body}\n");
        let error = RuleSet::read([("a.toml", text.as_str())])
            .map(|_| body)
            .unwrap_err();
        let told = error.to_string();
        assert!(told.starts_with(&format!("a.toml:{at}")), "{body}: {told}");
        assert!(told.contains(message), "{body}: {told}");
        assert!(error.remedy().contains(remedy), "{body}: {}", error.remedy());
    }
    let error = RuleSet::read([("b", "format = 2\n")]).unwrap_err();
    assert_eq!(error.to_string(), "b:1:10: format 2, this version reads format 1");
}

#[test]
fn expressions_are_bounded() {
    for (xpath, message) in [
        (
            format!("{}p{}", "(".repeat(30), ")".repeat(30)),
            "nested more than",
        ),
        (format!("p{}", "[p".repeat(30)), "nested more than"),
        (format!("//{}", "p/".repeat(500)), "more than 400 parts"),
        ("p".repeat(3000), "longer than"),
    ] {
        let text = format!("format = 1\n[[rule]]\nhosts = [\"a\"]\nextract = [{{ xpath = '{xpath}' }}]\n");
        let error = RuleSet::read([("a", text.as_str())])
            .map(|_| ())
            .unwrap_err()
            .to_string();
        assert!(error.contains(message), "{error}");
    }
    let deep = format!("{}p{}", ":not(".repeat(30), ")".repeat(30));
    let text = format!("format = 1\n[[rule]]\nhosts = [\"a\"]\nextract = [{{ css = '{deep}' }}]\n");
    assert!(RuleSet::read([("a", text.as_str())]).is_err());
}

#[test]
fn a_rule_that_would_take_too_long_is_given_up() {
    let html = format!("<div>{}</div>", "<p>text <b>of</b> a page</p>".repeat(4000));
    for body in [
        "extract = [{ xpath = '//*[//*[//*[//p = .]]]' }]",
        "extract = [{ xpath = \"//*[contains(string(/), 'nowhere')]\" }]",
        "extract = [{ xpath = '//p[following::p[following::p[preceding::i]]]' }]",
        "extract = [{ xpath = '//p[//b = //p]' }]",
        "extract = [{ css = 'p ~ p ~ p ~ p ~ p ~ p ~ p ~ i' }]",
        "extract = [{ css = 'div:has(p ~ p ~ p ~ i) b' }]",
        "extract = [{ css = 'p:NTH-LAST-CHILD(2), p:Nth-Child(3), p:Only-Of-Type' }]",
        "extract = [{ xpath = \"//p[translate(translate(translate(/, 'a', 'b'), 'b', 'c'), 'c', 'd') = '']\" }]",
        "extract = [{ xpath = '//p[normalize-space(normalize-space(normalize-space(/))) = 1]' }]",
        "extract = [{ xpath = '//p[concat(concat(., .), concat(., .)) = concat(/, concat(/, /))]' }]",
    ] {
        let start = std::time::Instant::now();
        let got = found(body, &html);
        let mut kinds = got.warnings.iter().map(|warning| warning.kind);
        assert!(
            kinds.any(|kind| kind == WarningKind::RuleLimit),
            "{body}: {:?}",
            got.warnings
        );
        assert!(got.text.contains("text of a page"), "{body}");
        assert!(start.elapsed().as_secs() < 20, "{body}: {:?}", start.elapsed());
    }
    let many = "<p>a</p>".repeat(10_001);
    let got = found("extract = [{ css = 'p' }]", &many);
    let mut messages = got.warnings.iter().map(|warning| &warning.message);
    assert!(
        messages.any(|message| message.contains("found 10001 nodes")),
        "{:?}",
        got.warnings
    );
}

#[test]
fn deep_pages_do_not_overflow() {
    let html = format!("{}<p>End</p>", "<div><span>".repeat(100_000));
    // The depth is limited, which causes warnings: only the text is compared.
    let work = move || {
        for expression in ["{ xpath = \"//p[contains(., 'End')]\" }", "{ css = 'div p' }"] {
            let got = found(&format!("extract = [{expression}]"), &html);
            assert_eq!(got.text.trim(), "End", "{expression}");
        }
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10);
    thread.spawn(work).unwrap().join().unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_bytes_are_rules_or_an_error(seed in any::<u64>(), flips in 1_usize..12) {
        let name = ["examples.toml", "read-the-docs.toml"][(seed % 2) as usize];
        let text = shipped(name);
        let mut bytes = text.as_bytes().to_vec();
        let mut random = seed;
        for _ in 0..flips {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = (random >> 33) as usize % bytes.len();
            match random % 3 {
                0 => bytes[at] = (random >> 8) as u8,
                1 => { bytes.remove(at); }
                _ => bytes.insert(at, b"[](){}'\"/|:*@.,=\n"[(random >> 16) as usize % 17]),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        match RuleSet::read([(name, &*text)]) {
            Ok(set) => drop(set.check(&Options::default())),
            Err(error) => prop_assert!(error.line() > 0 && error.column() > 0 && !error.to_string().is_empty()),
        }
    }

    #[test]
    fn any_expression_is_sound_or_an_error(
        parts in proptest::collection::vec(
            prop_oneof![
                Just("//"), Just("/"), Just("p"), Just("*"), Just("["), Just("]"), Just("("), Just(")"), Just("@"), Just("."),
                Just(".."), Just("text()"), Just("|"), Just("="), Just("<"), Just("'a'"), Just("2"), Just("-"), Just(" and "),
                Just(" div "), Just("last()"), Just("not("), Just("count("), Just(","), Just("ancestor::"), Just("concat("),
            ],
            1..14,
        )
    ) {
        let xpath = parts.concat();
        let text = format!("format = 1\n[[rule]]\nhosts = [\"a.example\"]\nextract = [{{ xpath = \"{xpath}\" }}]\n");
        if let Ok(set) = RuleSet::read([("a", text.as_str())]) {
            let page = Page::decoded("<div><p>One</p><p>Two <b>2</b></p></div>").with_url(Some("http://a.example/"));
            let got = extract_with(&page, &Options::default(), &Overrides::default().with_rules(Some(&set)));
            // Every accepted expression is understood by the evaluator.
            prop_assert!(got.warnings.iter().all(|w| w.kind != WarningKind::RuleLimit), "{xpath}: {:?}", got.warnings);
        }
    }
}
