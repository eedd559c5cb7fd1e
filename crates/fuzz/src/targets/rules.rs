//! Hand-written rules: a file of rules is read or rejected with a position, and rules that were read can be
//! applied to pages.

use arbitrary::{Result, Unstructured};
use dehusk_pipeline::extract::rules::RuleSet;
use dehusk_pipeline::extract::{Options, Overrides, Page, extract_with};

const HTML: &str = "<title>Rivers</title><div id=top class='a b'><h1>Rivers</h1><p class=by>by <a href=/x>Ann Bell</a> \
    <time datetime=2024-05-01>1 May</time><p>One <b>river</b> rose, and <i>fell</i>.<ul><li>One<li>Two</ul>\
    <table><tr><td>1<td>2</table></div><div class=end>The end <!-- c --></div>";

/// Checks a file of rules. The input is the file, or if its first byte is 1 to 8 a recipe for one.
pub(super) fn check(input: &[u8]) {
    let text = match input.split_first() {
        Some((1..=8, recipe)) => file(&mut Unstructured::new(recipe)).unwrap_or_default(),
        _ => String::from_utf8_lossy(input).into_owned(),
    };
    match RuleSet::read([("rules.toml", text.as_str())]) {
        Err(error) => assert!(
            error.line() > 0 && error.column() > 0 && !error.to_string().is_empty(),
            "{error:?}"
        ),
        Ok(rules) => applied(&rules),
    }
}

/// Applies rules to a page under several addresses, some of them unusual, and checks the results.
fn applied(rules: &RuleSet) {
    let options = Options::default().with_markdown(true).with_blocks(true);
    rules.check(&options);
    for url in [
        "http://a.example/",
        "https://www.a.example/2024/x?y=z#t",
        "a.example",
        "",
        "http://[::1]:8/",
    ] {
        let page = Page::decoded(HTML).with_url(Some(url));
        let overrides = Overrides::default().with_rules(Some(rules));
        let got = extract_with(&page, &options, &overrides);
        let again = extract_with(&page, &options, &overrides);
        assert_eq!(got.text, again.text);
        assert!(got.kept_chars <= got.all_chars);
        // The number of rules that one address can try is bounded, whatever their patterns.
        assert!(rules.find_all(url).len() <= RuleSet::MAX_TRIED);
    }
}

/// Returns a file with one rule, whose expressions are random sequences of parts of CSS and XPath.
fn file(input: &mut Unstructured<'_>) -> Result<String> {
    let mut text = "format = 1\n[[rule]]\nhosts = ['a.example', '*.a.example']\n".to_owned();
    for key in ["extract", "remove"] {
        text.push_str(key);
        text.push_str(" = [");
        for _ in 0..input.int_in_range(0..=2)? {
            text.push_str(&expression(input, false)?);
            text.push(',');
        }
        text.push_str("]\n");
    }
    for key in ["title", "author", "date"] {
        if input.arbitrary()? {
            text.push_str(&format!("{key} = {}\n", expression(input, true)?));
        }
    }
    Ok(text)
}

/// Returns an expression. Only fields may have an attribute and a regular expression.
fn expression(input: &mut Unstructured<'_>, field: bool) -> Result<String> {
    let (language, parts) = *input.choose(&[("css", CSS), ("xpath", XPATH)])?;
    let mut out = format!("{{ {language} = \"");
    for _ in 0..input.int_in_range(1..=16)? {
        let part = input.choose(parts)?;
        // Seldom a part is repeated many times: deep nesting, long lists.
        let times = if input.ratio(1, 16)? {
            input.int_in_range(2..=120)?
        } else {
            1
        };
        for _ in 0..times {
            out.push_str(part);
        }
    }
    out.push('"');
    if field && input.arbitrary()? {
        out.push_str(", attribute = 'datetime'");
    }
    if field && input.arbitrary()? {
        out.push_str(&format!(", regex = '{}'", input.choose(REGEXES)?));
    }
    out.push_str(" }");
    Ok(out)
}

#[rustfmt::skip]
const CSS: &[&str] = &[
    "p", "div", "*", "#top", ".a", ".b.a", "[class]", "[class~=a]", "[href^='/']", "[x|y]", ":not(", ":has(", ":is(", ":where(", ")",
    ":first-child", ":nth-child(2n+1)", ":nth-last-of-type(", "n", "2", " ", " > ", " + ", " ~ ", ", ", ":root", ":empty", "::before",
    ":scope", "\\\\31 ", "|", "a|b", "'", "[", "]", "(", ":", "é", ":nth-child(999999999999n)",
];

#[rustfmt::skip]
const XPATH: &[&str] = &[
    "//", "/", "p", "*", "[", "]", "(", ")", "@", "@class", ".", "..", "text()", "node()", "comment()", "|", "=", "!=", "<", ">", "'a'",
    "2", "-", "+", " and ", " or ", " div ", " mod ", "last()", "position()", "not(", "count(", ",", "ancestor::", "preceding::",
    "following-sibling::", "descendant-or-self::", "self::", "attribute::", "namespace::", "concat(", "contains(", "substring(",
    "translate(", "string-length(", "normalize-space(", "sum(", "number(", "id(", "name()", "local-name()", "lang(", "true()", "$x",
    "x:y", "processing-instruction('a')", "1e9", "999999999999999999999", "0.5", "round(", "é", "starts-with(", "boolean(",
];

const REGEXES: &[&str] = &[
    "by (.+)",
    "(",
    "(a*)*b",
    "\\d{1000}",
    "(?P<x>.)",
    "\\p{L}+",
    "x{1,1000}{1,1000}",
    "",
    "(?i)É",
];
