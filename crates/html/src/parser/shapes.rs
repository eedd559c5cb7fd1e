//! Hostile documents of any length, for tests and benchmarks of growth: inputs on which other parsers are
//! quadratic, and other constructs that could make work or memory grow faster than the page.

/// Name of a kind of document, and a function that makes one of about the given number of bytes.
#[allow(unreachable_pub)] // public with the feature only
pub type Shape = (&'static str, fn(usize) -> String);

/// Repeats `part` to about `bytes` bytes.
pub fn repeat(part: &str, bytes: usize) -> String {
    part.repeat(bytes / part.len() + 1)
}

/// Concatenates parts made from consecutive numbers to about `bytes` bytes.
pub fn numbered(bytes: usize, part: impl Fn(usize) -> String) -> String {
    let mut out = String::new();
    let mut i = 0;
    while out.len() < bytes {
        out.push_str(&part(i));
        i += 1;
    }
    out
}

/// All shapes.
#[rustfmt::skip]
#[allow(unreachable_pub)] // public with the feature only
pub const SHAPES: &[Shape] = &[
    // Constructs on which html5ever is quadratic.
    ("nested div", |n| repeat("<div>", n)),
    ("nested div, closed", |n| repeat("<div>", n * 5 / 11) + &repeat("</div>", n * 6 / 11)),
    ("nested lists", |n| repeat("<ul><li>", n)),
    ("a around div", |n| repeat("<a><div>", n)),
    ("nobr", |n| repeat("<nobr>", n)),
    ("b around div, closed", |n| repeat("<b><div></b>", n)),
    ("font of many colors", |n| numbered(n, |i| format!("<font color={i}><p>x"))),
    ("one tag of many attributes", |n| format!("<p {}>", numbered(n, |i| format!("a{i} ")))),
    // Formatting elements.
    ("64 fonts, then paragraphs", |n| numbered(n, |i| if i < 64 { format!("<font color={i}>") } else { "<p>x".into() })),
    ("unclosed b in paragraphs", |n| repeat("<p><b></p>", n)),
    ("a, 500 div, many ends", |n| repeat(&["<a>", &"<div>".repeat(500), &"</a>".repeat(64), &"</div>".repeat(500)].concat(), n)),
    ("adoption of four", |n| repeat("<b><i><u><s><p></b></i></u></s>", n)),
    ("adoption, text between", |n| repeat("<b><div>x</b>y", n)),
    ("adoption below five", |n| numbered(n, |i| format!("<b class={i}><i><u><em><s><div></b>"))),
    ("b of rotated attributes", |n| numbered(n, |j| format!("<b {}>", numbered(120, |i| format!("a{} ", (i + j) % 33))))),
    ("b of 40 attributes", |n| repeat(&format!("<b {}>", numbered(160, |i| format!("a{i} "))), n)),
    // Attributes.
    ("the same attribute", |n| format!("<p {}>", repeat("a ", n))),
    ("1,000 attributes each", |n| repeat(&format!("<p {}>", numbered(4900, |i| format!("a{i} "))), n)),
    ("html, an attribute each", |n| numbered(n, |i| format!("<html a{i}>"))),
    ("html, known attributes", |n| format!("<html {}>", numbered(4900, |i| format!("a{i} "))) + &repeat("<html a999>", n)),
    ("body, an attribute each", |n| numbered(n, |i| format!("<body a{i}><p x>"))),
    ("unclosed quotes", |n| repeat("<a b='", n)),
    // Scopes under a deep stack.
    ("p under 480 spans", |n| "<p><object>".to_owned() + &"<span>".repeat(480) + &repeat("<hr>", n)),
    ("li under 480 divs", |n| "<li><ul>".to_owned() + &"<div>".repeat(480) + &repeat("<li></li>", n)),
    ("end tags under 490 elements", |n| "<y><div>".to_owned() + &"<x>".repeat(490) + &repeat("</y>", n)),
    ("end tags under 500 g", |n| "<svg>".to_owned() + &"<g>".repeat(500) + &repeat("</x>", n)),
    ("deep, then siblings", |n| "<div>".repeat(600) + &repeat("<p>x</p><b>y</b>", n)),
    ("deep, leaves of all kinds", |n| "<div>".repeat(600) + &repeat("<table><tr><td>x</table><form></form><svg><g></svg>", n)),
    ("deep, never closed", |n| "<div>".repeat(600) + &repeat("<i><table><a></i>", n)),
    // Tokens that do not end.
    ("less-than", |n| repeat("<", n)),
    ("less-than soup", |n| repeat("<a <b ", n)),
    ("unclosed comments", |n| repeat("<!--", n)),
    ("comment of dashes", |n| "<!--".to_owned() + &repeat("-", n)),
    ("comment of ends", |n| "<!--".to_owned() + &repeat("->", n)),
    ("unclosed titles", |n| repeat("<title>", n)),
    ("nearly ended title", |n| "<title>".to_owned() + &repeat("</titl", n)),
    ("script escapes", |n| repeat("<script><!--<script>", n)),
    ("script escapes, closed", |n| "<script>".to_owned() + &repeat("<!---->", n)),
    ("scripts in a script", |n| "<script><!--".to_owned() + &repeat("<script></script>", n)),
    ("empty end tags", |n| repeat("</>", n)),
    ("empty end tags in a table", |n| "<table>".to_owned() + &repeat("</> ", n)),
    ("one long name", |n| format!("<{}>", "a".repeat(n))),
    ("digits", |n| "&#".to_owned() + &repeat("1", n)),
    // Tables, templates, foreign content, controls.
    ("tables", |n| repeat("<table>", n)),
    ("nested cells", |n| repeat("<table><td>", n)),
    ("cells", |n| "<table>".to_owned() + &repeat("<td>", n)),
    ("text in rows", |n| "<table>".to_owned() + &repeat("x<tr>", n)),
    ("bold text in rows", |n| "<table>".to_owned() + &repeat("<b>x<tr>", n)),
    ("links in rows", |n| "<table>".to_owned() + &repeat("<a>x</a><tr><td>y", n)),
    ("templates", |n| repeat("<template>", n)),
    ("templates that leave markers", |n| repeat("<template><td></template>", n)),
    ("templates of fonts", |n| numbered(n, |i| format!("<template><font a={i}><td><b></template>"))),
    ("selects", |n| repeat("<select>", n)),
    ("options", |n| "<select>".to_owned() + &repeat("<option>", n)),
    ("options around div", |n| "<select>".to_owned() + &repeat("<option><div>", n)),
    ("svg", |n| repeat("<svg>", n)),
    ("g", |n| "<svg>".to_owned() + &repeat("<g>", n)),
    ("svg around p", |n| repeat("<svg><p>", n)),
    ("svg desc", |n| repeat("<svg><desc>", n)),
    ("math", |n| repeat("<math><mi>", n)),
    ("gradients", |n| "<svg>".to_owned() + &repeat("<linearGradient/>", n)),
    ("cdata", |n| "<svg>".to_owned() + &repeat("<![CDATA[x]]>", n)),
    ("forms that stay open", |n| repeat("<form><div></form>", n)),
    ("buttons", |n| repeat("<button><p>", n)),
    ("objects", |n| repeat("<object><b></object>", n)),
    ("ruby", |n| repeat("<ruby><rt>", n)),
    ("framesets", |n| repeat("<frameset>", n)),
    // Trees whose nodes are moved many times.
    ("b around 500 divs, closed inside", |n| repeat(&["<b>", &"<div>x".repeat(500), "</b>", &"</div>".repeat(500)].concat(), n)),
    ("a in each div, never closed", |n| repeat("<a href=x><div>y", n)),
    ("a in cells", |n| "<table>".to_owned() + &repeat("<tr><td><a>x<td><a>y</table><table>", n)),
    ("nobr around tables", |n| repeat("<nobr><table><nobr>", n)),
    ("eight formats across blocks", |n| repeat("<b><i><u><s><tt><em><big><code><p>x</b></i></u></s></tt></em></big></code>", n)),
    ("b with many children, closed", |n| "<b><div>".to_owned() + &repeat("x<br>", n) + "</b>"),
    ("ends of formats that are not open", |n| "<p><b>".to_owned() + &repeat("</i>x", n)),
    ("foster parents in turn", |n| repeat("<table><b>x<tr>y</table>", n)),
    ("one table, fostered elements", |n| "<table>".to_owned() + &repeat("<div>x</div>", n)),
    ("one table, fostered and nested", |n| "<table>".to_owned() + &repeat("<p>x<div>", n)),
    ("fonts in a table, then cells", |n| "<table>".to_owned() + &numbered(n, |i| format!("<font a={i}><td>x</td>"))),
    ("headings under 480 spans", |n| "<h1><object>".to_owned() + &"<span>".repeat(480) + &repeat("</h2>", n)),
    ("captions", |n| "<table>".to_owned() + &repeat("<caption><b>x<tr>", n)),
    ("column groups", |n| "<table>".to_owned() + &repeat("<colgroup><col> <x>", n)),
    ("white space in a table", |n| "<table>".to_owned() + &repeat(" </><!-- -->", n)),
    ("bodies and html in turn", |n| repeat("</body></html>x", n)),
    ("frames", |n| "<frameset>".to_owned() + &repeat("x <frame>y", n)),
    ("select in select, options open", |n| repeat("<select><optgroup><option><b>x", n)),
    ("foreign content left and entered", |n| repeat("<svg><foreignObject><p><math><mi><b>x</svg>", n)),
    ("end tags that leave svg", |n| "<svg>".to_owned() + &"<g>".repeat(480) + &repeat("</p>", n)),
    ("templates in svg in templates", |n| repeat("<template><svg><template>", n)),
    ("doctypes", |n| repeat("<!doctype html>", n)),
    ("processing instructions", |n| repeat("<?x", n)),
    ("unclosed textareas", |n| repeat("<textarea>\n</textare", n)),
    ("carriage returns", |n| repeat("a\r\r\n", n)),
    ("references that are none", |n| repeat("&notit&x;&#;&#x;", n)),
    ("one long reference", |n| "&".to_owned() + &repeat("a", n)),
    ("references in attributes", |n| format!("<p a='{}'>", repeat("&amp;&lt=", n))),
    ("one long value", |n| format!("<p a={}>", "x".repeat(n))),
    ("one long attribute name", |n| format!("<p {}>", "x".repeat(n))),
    ("slashes in a tag", |n| format!("<p {}>", "/".repeat(n))),
    ("equals signs in a tag", |n| format!("<p {}>", repeat("= ", n))),
    ("long names alike", |n| numbered(n, |i| format!("<{}{i}>", "x".repeat(200)))),
    ("names past the table", |n| numbered(n, |i| format!("<{i:x}q{i}><x{i:x}>")) + &numbered(n, |i| format!("<z{i}>"))),
    // Names and characters.
    ("names", |n| numbered(n, |i| format!("<x{i}>"))),
    ("names, closed", |n| numbered(n, |i| format!("<x-{i}></x-{i}>"))),
    ("one custom element", |n| repeat("<x-very-long-custom-element></x-very-long-custom-element>", n)),
    ("NUL", |n| repeat("\0x", n)),
    ("NUL between tags", |n| repeat("\0<b>", n)),
    ("NUL in a table", |n| "<table>".to_owned() + &repeat("\0 </>", n)),
    ("references", |n| repeat("&nbsp;<br>", n)),
    ("headings", |n| repeat("<h1>", n)),
    ("plain page", |n| repeat("<p class='a b' id=x>text &amp; <a href='/x?y'>more</a></p>\r\n", n)),
];
