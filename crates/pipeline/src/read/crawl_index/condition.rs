//! Conditions on the rows of an index of captures: the small part of SQL that the setting `where` takes.
//!
//! ```text
//! condition   = and-part { OR and-part }
//! and-part    = part { AND part }
//! part        = NOT part | ( condition ) | column test
//! test        = ( = | == | != | <> | < | <= | > | >= ) value
//!             | [NOT] IN ( value, ... ) | [NOT] LIKE 'pattern' | IS [NOT] NULL
//! value       = 'text' | number
//! column      = name | "name"
//! ```
//!
//! Keywords may have any case. A quote in a text is doubled. As in SQL, a test of a missing value is
//! neither true nor false, and only rows for which the condition is true are selected.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use super::names::is_time;

/// Deepest nesting of parentheses and `not`.
const MAX_DEPTH: usize = 64;

/// A parsed condition.
#[derive(Clone, Debug)]
pub struct Condition {
    text: String,
    /// Names of the columns, each once. Tests refer to them by number.
    columns: Vec<String>,
    root: Node,
}

#[derive(Clone, Debug)]
enum Node {
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    Compare(usize, Comparison, Literal),
    In(usize, Vec<Literal>),
    Like(usize, Vec<Step>),
    IsNull(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

#[derive(Clone, PartialEq, Debug)]
enum Literal {
    Text(String),
    Number(f64),
}

/// A part of a pattern of `like`.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Step {
    /// This character.
    One(char),
    /// Any one character: `_`.
    AnyOne,
    /// Any number of characters: `%`.
    AnyRun,
}

impl Condition {
    /// Returns the names of the columns that it tests.
    pub(crate) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Returns `true` if a row fulfills the condition. `value` returns the value of a column by its number
    /// in [`columns`](Self::columns), or `None` if it is missing.
    pub(super) fn holds<'v>(&self, value: &dyn Fn(usize) -> Option<&'v str>) -> bool {
        holds(&self.root, value) == Some(true)
    }

    /// Returns bounds of the texts that a column has in rows that fulfill the condition. The first bound is
    /// at most the smallest text, the second is greater than every text; `None` means no bound. Rows within
    /// the bounds need not fulfill the condition.
    pub(super) fn bounds(&self, column: usize) -> (Option<String>, Option<String>) {
        let (mut least, mut above): (Option<String>, Option<String>) = (None, None);
        // Every part of a top-level `and` must hold, so each of them bounds all rows. `or` and `not` bound
        // nothing.
        let parts = match &self.root {
            Node::All(parts) => parts.as_slice(),
            single => std::slice::from_ref(single),
        };
        for part in parts {
            let (from, until) = match part {
                Node::Compare(of, how, Literal::Text(text)) if *of == column => match how {
                    // `text\0` is the smallest text greater than `text`.
                    Comparison::Equal => (Some(text.clone()), Some(format!("{text}\0"))),
                    Comparison::Less => (None, Some(text.clone())),
                    Comparison::AtMost => (None, Some(format!("{text}\0"))),
                    Comparison::Greater | Comparison::AtLeast => (Some(text.clone()), None),
                    Comparison::Unequal => (None, None),
                },
                Node::Like(of, steps) if *of == column => {
                    let fixed = steps.iter().map_while(|step| match step {
                        Step::One(c) => Some(*c),
                        _ => None,
                    });
                    let prefix: String = fixed.collect();
                    // U+10FFFF is a noncharacter, so real texts with this prefix sort below it. A leading
                    // `%` leaves no prefix and no upper bound.
                    let until = (!prefix.is_empty()).then(|| format!("{prefix}{}", char::MAX));
                    (Some(prefix), until)
                }
                _ => continue,
            };
            // `None` sorts below any text, so `max` takes the greater of two lower bounds.
            least = least.max(from);
            above = match (above, until) {
                (Some(one), Some(two)) => Some(one.min(two)),
                (one, two) => one.or(two),
            };
        }
        (least, above)
    }
}

/// Columns and nodes are parsed from the text, so equal texts mean equal conditions.
impl PartialEq for Condition {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Evaluates a part. `None` is SQL's unknown: neither true nor false. Recursion is bounded by
/// [`MAX_DEPTH`].
fn holds<'v>(node: &Node, value: &dyn Fn(usize) -> Option<&'v str>) -> Option<bool> {
    match node {
        Node::All(parts) => joined(parts, value, false),
        Node::Any(parts) => joined(parts, value, true),
        Node::Not(part) => holds(part, value).map(|is| !is),
        Node::Compare(column, how, with) => value(*column).and_then(|found| compare(found, *how, with)),
        Node::In(column, list) => {
            let found = value(*column)?;
            // A number against text cannot be compared and counts as unequal, so `in` is unknown only for
            // missing values.
            let equal = |with: &Literal| compare(found, Comparison::Equal, with) == Some(true);
            Some(list.iter().any(equal))
        }
        Node::Like(column, steps) => value(*column).map(|found| is_like(found, steps)),
        Node::IsNull(column) => Some(value(*column).is_none()),
    }
}

/// Joins parts by `or` if `decisive` is `true`, by `and` if it is `false`. A decisive part decides regardless of the others.
fn joined<'v>(parts: &[Node], value: &dyn Fn(usize) -> Option<&'v str>, decisive: bool) -> Option<bool> {
    let mut is_known = true;
    for part in parts {
        match holds(part, value) {
            Some(is) if is == decisive => return Some(decisive),
            Some(_) => {}
            None => is_known = false,
        }
    }
    // No known part is decisive. An unknown one might have been, so the result is unknown too.
    is_known.then_some(!decisive)
}

/// Compares a value with a literal: numerically if the literal is a number, else by the bytes of the text.
/// `None` if the literal is a number and the value is not.
fn compare(found: &str, how: Comparison, with: &Literal) -> Option<bool> {
    let order = match with {
        Literal::Text(text) => found.cmp(text.as_str()),
        Literal::Number(number) => found.trim().parse::<f64>().ok()?.partial_cmp(number)?,
    };
    Some(match how {
        Comparison::Equal => order == Ordering::Equal,
        Comparison::Unequal => order != Ordering::Equal,
        Comparison::Less => order == Ordering::Less,
        Comparison::AtMost => order != Ordering::Greater,
        Comparison::Greater => order == Ordering::Greater,
        Comparison::AtLeast => order != Ordering::Less,
    })
}

/// Matches a pattern of `like` against a whole text. Time is at most the product of both lengths: after a
/// mismatch only the last `%` takes one more character.
fn is_like(text: &str, steps: &[Step]) -> bool {
    let (mut rest, mut at) = (text.chars(), 0);
    let mut retry: Option<(std::str::Chars<'_>, usize)> = None;
    loop {
        let mut after = rest.clone();
        match (steps.get(at), after.next()) {
            // `%` matches nothing at first. Remember the place, so that it can take more after a mismatch.
            (Some(Step::AnyRun), _) => {
                at += 1;
                retry = Some((rest.clone(), at));
                continue;
            }
            (None, None) => return true,
            (Some(Step::AnyOne), Some(_)) => {
                (rest, at) = (after, at + 1);
                continue;
            }
            (Some(Step::One(wanted)), Some(found)) if *wanted == found => {
                (rest, at) = (after, at + 1);
                continue;
            }
            _ => {}
        }
        // Let the last `%` take one more character. Earlier ones need no retry: the last one can take
        // whatever they could.
        let Some((from, next)) = &mut retry else {
            return false;
        };
        if from.next().is_none() {
            return false;
        }
        (rest, at) = (from.clone(), *next);
    }
}

/// Returns the steps of a pattern of `like`. A backslash before `%`, `_` or another backslash makes it
/// literal.
fn steps(pattern: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        let step = match c {
            '\\' => Step::One(
                chars
                    .next_if(|next| ['%', '_', '\\'].contains(next))
                    .unwrap_or('\\'),
            ),
            '%' => Step::AnyRun,
            '_' => Step::AnyOne,
            other => Step::One(other),
        };
        // Adjacent `%` match what one of them matches.
        if step != Step::AnyRun || steps.last() != Some(&Step::AnyRun) {
            steps.push(step);
        }
    }
    steps
}

/// A token of the language.
#[derive(Clone, PartialEq, Debug)]
enum Token<'t> {
    /// A name, or a word of the language.
    Word(&'t str),
    /// A name in double quotes.
    Name(String),
    Text(String),
    Number(f64),
    Sign(&'static str),
}

/// Signs of the language. The first match is taken, so longer signs precede their own prefixes.
const SIGNS: &[&str] = &["<>", "<=", ">=", "!=", "==", "=", "<", ">", "(", ")", ","];

/// A token with its offset in bytes.
type Placed<'t> = (usize, Token<'t>);

/// Splits a condition into tokens. The error names the first character that belongs to no token.
fn tokens(text: &str) -> Result<Vec<Placed<'_>>, String> {
    let (mut tokens, mut at) = (Vec::new(), 0);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (length, token) = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if first == '\'' || first == '"' {
            let (length, quoted) =
                quoted(rest, first).ok_or_else(|| wrong(text, at, &format!("the {first} has no end")))?;
            let token = match first {
                '"' => Token::Name(quoted),
                _ => Token::Text(quoted),
            };
            (length, token)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (sign.len(), Token::Sign(sign))
        } else if first.is_alphabetic() || first == '_' {
            // Column names may hold dashes and dots: `mime-detected`.
            let end = rest.find(|c: char| !(c.is_alphanumeric() || "_-.".contains(c)));
            let word = &rest[..end.unwrap_or(rest.len())];
            (word.len(), Token::Word(word))
        } else {
            let end = rest.find(|c: char| !(c.is_ascii_digit() || "+-.eE".contains(c)));
            let number = &rest[..end.unwrap_or(rest.len())];
            // A literal such as `1e999` overflows to infinity and is rejected.
            match number.parse::<f64>() {
                Ok(value) if value.is_finite() => (number.len(), Token::Number(value)),
                _ => return Err(wrong(text, at, &format!("`{first}` is not expected here"))),
            }
        };
        tokens.push((at, token));
        at += length;
    }
    Ok(tokens)
}

/// Returns the length of a quoted text with its quotes, and its content with doubled quotes reduced. `None`
/// if it does not end.
fn quoted(text: &str, quote: char) -> Option<(usize, String)> {
    let mut content = String::new();
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        // `next_if` consumes the second quote of a pair, so that one is pushed.
        if c == quote && chars.next_if(|(_, next)| *next == quote).is_none() {
            return Some((at + 1, content));
        }
        content.push(c);
    }
    None
}

/// Returns an error message that names the character at byte `at`, counted from 1.
fn wrong(text: &str, at: usize, why: &str) -> String {
    let column = text[..at].chars().count() + 1;
    format!("character {column} of `{text}`: {why}")
}

/// A recursive descent parser. `at` is the number of the next token.
struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Placed<'t>>,
    at: usize,
    columns: Vec<String>,
}

impl<'t> Parser<'t> {
    /// Returns an error at the next token, or at the end of the text.
    fn fail<T>(&self, why: &str) -> Result<T, String> {
        let at = self.tokens.get(self.at).map_or(self.text.len(), |(at, _)| *at);
        Err(wrong(self.text, at, why))
    }

    /// Consumes a keyword and returns `true`, if it is next.
    fn word(&mut self, word: &str) -> bool {
        let is = matches!(self.tokens.get(self.at), Some((_, Token::Word(found))) if found.eq_ignore_ascii_case(word));
        self.at += usize::from(is);
        is
    }

    /// Consumes a sign and returns `true`, if it is next.
    fn sign(&mut self, sign: &str) -> bool {
        let is = matches!(self.tokens.get(self.at), Some((_, Token::Sign(found))) if *found == sign);
        self.at += usize::from(is);
        is
    }

    /// Parses parts joined by `or`.
    fn any(&mut self, depth: usize) -> Result<Node, String> {
        let mut parts = vec![self.all(depth)?];
        while self.word("or") {
            parts.push(self.all(depth)?);
        }
        Ok(single(parts, Node::Any))
    }

    /// Parses parts joined by `and`, which binds more tightly than `or`.
    fn all(&mut self, depth: usize) -> Result<Node, String> {
        let mut parts = vec![self.part(depth)?];
        while self.word("and") {
            parts.push(self.part(depth)?);
        }
        Ok(single(parts, Node::All))
    }

    /// Parses a negated part, a condition in parentheses, or a test.
    fn part(&mut self, depth: usize) -> Result<Node, String> {
        // The parser and `holds` recurse once per level, so the limit protects the stack.
        if depth > MAX_DEPTH {
            return self.fail(&format!("more than {MAX_DEPTH} levels of parentheses and `not`"));
        }
        if self.word("not") {
            return Ok(Node::Not(Box::new(self.part(depth + 1)?)));
        }
        if self.sign("(") {
            let inner = self.any(depth + 1)?;
            return match self.sign(")") {
                true => Ok(inner),
                false => self.fail("a `)` is missing"),
            };
        }
        self.test()
    }

    /// Parses a test of a column.
    fn test(&mut self) -> Result<Node, String> {
        let name = match self.tokens.get(self.at) {
            Some((_, Token::Name(name))) => name.clone(),
            Some((_, Token::Word(word))) if !is_reserved(word) => (*word).to_owned(),
            _ => return self.fail("a column is expected"),
        };
        self.at += 1;
        let is_time = is_time(&name);
        // Columns are numbered by their first use.
        let column = match self.columns.iter().position(|known| *known == name) {
            Some(column) => column,
            None => {
                self.columns.push(name);
                self.columns.len() - 1
            }
        };
        if self.word("is") {
            let not = self.word("not");
            return match self.word("null") {
                true => Ok(negated(not, Node::IsNull(column))),
                false => self.fail("`null` is expected"),
            };
        }
        let not = self.word("not");
        if self.word("in") {
            if !self.sign("(") {
                return self.fail("a list in parentheses is expected");
            }
            let mut list = vec![self.literal(is_time)?];
            while self.sign(",") {
                list.push(self.literal(is_time)?);
            }
            return match self.sign(")") {
                true => Ok(negated(not, Node::In(column, list))),
                false => self.fail("a `,` or a `)` is expected"),
            };
        }
        if self.word("like") {
            let Some((_, Token::Text(pattern))) = self.tokens.get(self.at) else {
                return self.fail("a pattern in quotes is expected");
            };
            let steps = steps(pattern);
            self.at += 1;
            return Ok(negated(not, Node::Like(column, steps)));
        }
        if not {
            return self.fail("`in` or `like` is expected");
        }
        let known = [
            ("=", Comparison::Equal),
            ("==", Comparison::Equal),
            ("!=", Comparison::Unequal),
            ("<>", Comparison::Unequal),
            ("<", Comparison::Less),
            ("<=", Comparison::AtMost),
            (">", Comparison::Greater),
            (">=", Comparison::AtLeast),
        ];
        let found = known.iter().find(|(sign, _)| self.sign(sign));
        let Some((_, how)) = found else {
            return self.fail("a comparison, `in`, `like` or `is null` is expected");
        };
        Ok(Node::Compare(column, *how, self.literal(is_time)?))
    }

    /// Parses a literal. For columns of times, its digits are taken as text, because times are compared by
    /// their digits.
    fn literal(&mut self, is_time: bool) -> Result<Literal, String> {
        let literal = match self.tokens.get(self.at) {
            Some((_, Token::Text(text))) if is_time => {
                Literal::Text(text.chars().filter(char::is_ascii_digit).collect())
            }
            Some((_, Token::Text(text))) => Literal::Text(text.clone()),
            // Times of up to 15 digits are exact in `f64`, and its `Display` writes no exponent.
            Some((_, Token::Number(number))) if is_time => Literal::Text(number.to_string()),
            Some((_, Token::Number(number))) => Literal::Number(*number),
            _ => return self.fail("a text in single quotes or a number is expected"),
        };
        self.at += 1;
        Ok(literal)
    }
}

fn is_reserved(word: &str) -> bool {
    let reserved = ["and", "or", "not", "in", "like", "is", "null"];
    reserved.iter().any(|known| word.eq_ignore_ascii_case(known))
}

fn negated(not: bool, node: Node) -> Node {
    match not {
        true => Node::Not(Box::new(node)),
        false => node,
    }
}

/// Returns the only part, or joins all parts.
fn single(mut parts: Vec<Node>, join: fn(Vec<Node>) -> Node) -> Node {
    match parts.len() {
        1 => parts.remove(0),
        _ => join(parts),
    }
}

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parser = Parser {
            text,
            tokens: tokens(text)?,
            at: 0,
            columns: Vec::new(),
        };
        let root = parser.any(0)?;
        if parser.at < parser.tokens.len() {
            return parser.fail("`and`, `or` or the end is expected");
        }
        Ok(Condition {
            text: text.to_owned(),
            columns: parser.columns,
            root,
        })
    }
}

/// Returns a time as 14 digits, the form used by indexes of lines: `2024-05-01T02:03:04Z` becomes
/// `20240501020304`. Digits alone are returned unchanged.
pub(super) fn digits_of_time(text: &str) -> Cow<'_, str> {
    match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.chars().filter(char::is_ascii_digit).take(14).collect()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Evaluates a condition on a row with the columns `a`, `b` and, without a value, `n`.
    fn check(condition: &str, a: &str, b: &str) -> bool {
        let condition: Condition = condition.parse().unwrap();
        let columns = condition.columns().to_vec();
        condition.holds(&|column| match columns[column].as_str() {
            "a" => Some(a),
            "b" => Some(b),
            _ => None,
        })
    }

    #[test]
    fn conditions_choose_rows() {
        for (condition, expected) in [
            ("a = 'x' and b = 200", true),
            ("a = 'x' AND b > 200", false),
            ("a == 'y' or b >= 2e2", true),
            ("a <> 'y' and a != 'z'", true),
            ("b < 1000", true),
            // Texts are compared by their bytes, numbers by their values.
            ("b < '1000'", false),
            ("a < 5", false),
            ("not a < 5", false),
            ("b in (1, 200) and a not in ('y','z')", true),
            ("b in ('200')", true),
            ("a like '_' and a not like '%y%'", true),
            ("n is null and a is not null", true),
            ("n = 'x'", false),
            ("n <> 'x' or not n = 'x'", false),
            ("not (n = 'x' and a = 'y')", true),
            ("a = 'x' or n = 1", true),
            ("not (a = 'y' or (b = 1 and a = 'x'))", true),
            ("\"a\" = 'x'", true),
            ("a = 'x''y'", false),
        ] {
            assert_eq!(check(condition, "x", "200"), expected, "{condition}");
        }
    }

    #[test]
    fn patterns_have_two_wildcards() {
        for (pattern, text, expected) in [
            ("%.example/%", "http://a.example/b", true),
            ("%.example/%", "http://a.examples/b", false),
            ("", "", true),
            ("%", "", true),
            ("a_c", "abc", true),
            ("a_c", "aéc", true),
            ("a_c", "ac", false),
            ("%a%b%c", "xaxbxcabc", true),
            ("%a%b%c", "xaxbxcab", false),
            ("100\\%", "100%", true),
            ("100\\%", "1000", false),
            ("a\\b", "a\\b", true),
        ] {
            assert_eq!(is_like(text, &steps(pattern)), expected, "{pattern} {text}");
        }
        // Many wildcards on a long text take no exponential time.
        let pattern = "%a".repeat(200) + "b";
        assert!(!is_like(&"a".repeat(5000), &steps(&pattern)));
    }

    #[test]
    fn errors_name_the_place() {
        let deep = "(".repeat(100) + "a = 1";
        for (condition, told) in [
            ("", "character 1 of ``: a column is expected"),
            ("a", "character 2 of `a`: a comparison"),
            (
                "a = b",
                "character 5 of `a = b`: a text in single quotes or a number",
            ),
            ("a = 'x", "character 5 of `a = 'x`: the ' has no end"),
            (
                "a = 1 b = 2",
                "character 7 of `a = 1 b = 2`: `and`, `or` or the end",
            ),
            ("(a = 1", "character 7 of `(a = 1`: a `)` is missing"),
            ("a in 1", "a list in parentheses"),
            ("a not = 1", "`in` or `like`"),
            ("a like 3", "a pattern in quotes"),
            ("a is 3", "`null` is expected"),
            ("a = 1; drop", "`;` is not expected here"),
            ("and = 1", "a column is expected"),
            (deep.as_str(), "more than 64 levels"),
        ] {
            let error = condition.parse::<Condition>().unwrap_err();
            assert!(error.contains(told), "{condition}: {error}");
        }
    }

    #[test]
    fn times_are_compared_by_their_digits() {
        let condition: Condition = "timestamp >= '2024-05-01' and fetch_time < '2024-06-01T00:00:00Z'"
            .parse()
            .unwrap();
        for (time, expected) in [("20240501000000", true), ("20240601000000", false)] {
            let is_taken = condition.holds(&|_| Some(time));
            assert_eq!(is_taken, expected, "{time}");
        }
        assert_eq!(digits_of_time("2024-05-01T02:03:04.567Z"), "20240501020304");
    }

    #[test]
    fn bounds_hold_all_rows_that_are_taken() {
        let bounds = |condition: &str| condition.parse::<Condition>().unwrap().bounds(0);
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(bounds("k = 'b'"), (text("b"), text("b\0")));
        assert_eq!(
            bounds("k like 'ru,%' and k > 'ru,d'"),
            (text("ru,d"), text("ru,\u{10ffff}"))
        );
        assert_eq!(bounds("k >= 'a' or k = 'b'"), (None, None));
        assert_eq!(bounds("not k = 'a'"), (None, None));
    }

    proptest! {
        #[test]
        fn any_text_is_a_condition_or_an_error(text in "[a-c' \"()=<>!,%0-9nortikeslu-]{0,40}") {
            if let Ok(condition) = text.parse::<Condition>() {
                condition.holds(&|_| Some("a"));
                condition.holds(&|_| None);
            }
        }

        #[test]
        fn a_row_that_is_taken_lies_within_the_bounds(
            parts in prop::collection::vec(("=|<|<=|>|>=", "[ab]{0,3}"), 1..4),
            like in prop::option::of("[ab%_]{0,3}"),
            value in "[ab]{0,4}",
        ) {
            let mut tests: Vec<String> = parts.iter().map(|(how, text)| format!("k {how} '{text}'")).collect();
            tests.extend(like.map(|pattern| format!("k like '{pattern}'")));
            let condition: Condition = tests.join(" and ").parse().unwrap();
            if condition.holds(&|_| Some(&value)) {
                let (least, above) = condition.bounds(0);
                prop_assert!(least.is_none_or(|least| value >= least));
                prop_assert!(above.is_none_or(|above| value < above));
            }
        }
    }
}
