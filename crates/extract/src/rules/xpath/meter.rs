//! Checks an expression and rewrites it with counters.
//!
//! The evaluator cannot be stopped from outside, but functions that it calls may end it with an error. So
//! each step of a path is preceded by `self::node()[dh-step(a)]`, which pays for the axis that follows. Node
//! sets that are converted to text, and texts that another function has made, are passed through `dh-text()`,
//! which pays for reading them. Before functions that look up every letter it is `dh-chars()`, which pays
//! more. `//p[1]` becomes
//! `/self::node()[dh-step(2)]/descendant-or-self::node()/self::node()[dh-step(1)]/child::p[1]`.

use super::lexer::{Token, tokens};
use crate::rules::error::Flaw;

/// Maximum length of an expression, in bytes.
const MAX_BYTES: usize = 2000;
/// Maximum number of tokens of an expression.
const MAX_TOKENS: usize = 400;
/// Maximum nesting depth of parentheses and predicates.
const MAX_NESTED: usize = 16;

/// Type of the value of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Nodes,
    Text,
    Number,
    Truth,
}

/// A checked expression, rewritten with counters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Metered {
    /// The rewritten expression, for the evaluator.
    pub(crate) text: String,
    pub(crate) kind: Kind,
}

/// A part of an expression, rewritten with counters.
struct Rewritten {
    text: String,
    kind: Kind,
    /// Whether it uses `position()` or `last()` of the node for which it is evaluated.
    positional: bool,
    /// Whether its value is written out in the expression. The length of the expression then bounds the length of the value.
    literal: bool,
}

impl Rewritten {
    fn new(text: String, kind: Kind) -> Rewritten {
        Rewritten {
            text,
            kind,
            positional: false,
            literal: false,
        }
    }

    fn literal(text: String, kind: Kind) -> Rewritten {
        Rewritten {
            literal: true,
            ..Rewritten::new(text, kind)
        }
    }

    /// Returns the expression as an operand whose text or number is used.
    fn metered_text(self) -> String {
        self.metered_by(TEXT)
    }

    /// Returns the expression wrapped in one of the counting functions, if its value may be long.
    fn metered_by(self, counter: &str) -> String {
        match self.kind {
            Kind::Nodes | Kind::Text if !self.literal => format!("{counter}({})", self.text),
            _ => self.text,
        }
    }
}

/// Names of the counting functions.
pub(super) const STEP: &str = "dh-step";
pub(super) const TEXT: &str = "dh-text";
pub(super) const CHARS: &str = "dh-chars";

/// Cost class of each axis: the argument of `dh-step`.
pub(super) const AXES: &[(&str, u32)] = &[
    ("child", 1),
    ("descendant", 2),
    ("descendant-or-self", 2),
    ("self", 0),
    ("parent", 0),
    ("attribute", 0),
    ("ancestor", 3),
    ("ancestor-or-self", 3),
    ("following-sibling", 4),
    ("preceding-sibling", 4),
    ("following", 5),
    ("preceding", 5),
];

/// Functions: name, minimum and maximum number of arguments, type of the value, and whether node arguments are converted to text.
const FUNCTIONS: &[(&str, usize, usize, Kind, bool)] = &[
    ("last", 0, 0, Kind::Number, false),
    ("position", 0, 0, Kind::Number, false),
    ("count", 1, 1, Kind::Number, false),
    ("local-name", 0, 1, Kind::Text, true),
    ("name", 0, 1, Kind::Text, true),
    ("string", 0, 1, Kind::Text, true),
    ("concat", 2, usize::MAX, Kind::Text, true),
    ("starts-with", 2, 2, Kind::Truth, true),
    ("contains", 2, 2, Kind::Truth, true),
    ("substring-before", 2, 2, Kind::Text, true),
    ("substring-after", 2, 2, Kind::Text, true),
    ("substring", 2, 3, Kind::Text, true),
    ("string-length", 0, 1, Kind::Number, true),
    ("normalize-space", 0, 1, Kind::Text, true),
    ("translate", 3, 3, Kind::Text, true),
    ("boolean", 1, 1, Kind::Truth, false),
    ("not", 1, 1, Kind::Truth, false),
    ("true", 0, 0, Kind::Truth, false),
    ("false", 0, 0, Kind::Truth, false),
    ("number", 0, 1, Kind::Number, true),
    ("sum", 1, 1, Kind::Number, true),
    ("floor", 1, 1, Kind::Number, true),
    ("ceiling", 1, 1, Kind::Number, true),
    ("round", 1, 1, Kind::Number, true),
];

/// Binary operators with the type of their value, lowest precedence first.
const OPERATORS: &[(&[&str], Kind)] = &[
    (&["or"], Kind::Truth),
    (&["and"], Kind::Truth),
    (&["=", "!="], Kind::Truth),
    (&["<=", "<", ">=", ">"], Kind::Truth),
    (&["+", "-"], Kind::Number),
    (&["*", "div", "mod"], Kind::Number),
];

/// Checks an expression and rewrites it with counters.
pub(crate) fn meter(text: &str) -> Result<Metered, Flaw> {
    if text.len() > MAX_BYTES {
        let message = format!("longer than {MAX_BYTES} bytes");
        return Err(Flaw::new(MAX_BYTES, message, "part it into several expressions"));
    }
    let tokens = tokens(text)?;
    if let Some((at, _)) = tokens.get(MAX_TOKENS) {
        let message = format!("more than {MAX_TOKENS} parts");
        return Err(Flaw::new(*at, message, "part it into several expressions"));
    }
    let mut parser = Parser {
        tokens,
        end: text.len(),
        at: 0,
        nested: 0,
    };
    let whole = parser.expression()?;
    if parser.at < parser.tokens.len() {
        return Err(parser.flaw(
            "nothing more was expected here",
            "take the rest out, or join it with `|`",
        ));
    }
    Ok(Metered {
        text: whole.text,
        kind: whole.kind,
    })
}

struct Parser {
    tokens: Vec<(usize, Token)>,
    end: usize,
    at: usize,
    nested: usize,
}

impl Parser {
    /// Creates an error at the current token.
    fn flaw(&self, message: impl Into<String>, remedy: impl Into<String>) -> Flaw {
        let at = self.tokens.get(self.at).map_or(self.end, |(at, _)| *at);
        Flaw::new(at, message, remedy)
    }

    /// Sign that is `ahead` tokens after the current one; `None` for other tokens and at the end.
    fn sign(&self, ahead: usize) -> Option<&'static str> {
        match self.tokens.get(self.at + ahead) {
            Some((_, Token::Sign(sign))) => Some(sign),
            _ => None,
        }
    }

    /// Name that is `ahead` tokens after the current one; `None` for other tokens and at the end.
    fn name(&self, ahead: usize) -> Option<&str> {
        match self.tokens.get(self.at + ahead) {
            Some((_, Token::Name(name))) => Some(name),
            _ => None,
        }
    }

    /// Skips the current token if it is this sign; returns whether it was.
    fn accept(&mut self, sign: &str) -> bool {
        let is = self.sign(0) == Some(sign);
        self.at += usize::from(is);
        is
    }

    /// Leaves parentheses or a predicate, which `sign` must close.
    fn close(&mut self, sign: &str) -> Result<(), Flaw> {
        self.nested -= 1;
        if self.accept(sign) {
            return Ok(());
        }
        Err(self.flaw(
            format!("`{sign}` was expected here"),
            format!("close it with `{sign}`"),
        ))
    }

    /// Enters parentheses or a predicate. Bounds the recursion of the parser and of the evaluator.
    fn open(&mut self) -> Result<(), Flaw> {
        self.nested += 1;
        if self.nested > MAX_NESTED {
            let message = format!("nested more than {MAX_NESTED} deep");
            return Err(self.flaw(message, "part it into several expressions"));
        }
        Ok(())
    }

    fn expression(&mut self) -> Result<Rewritten, Flaw> {
        self.binary(0)
    }

    /// Parses operators of this precedence level and higher. The recursion is bounded: it calls itself with
    /// the next level only, and [`Parser::open`] bounds the nesting.
    fn binary(&mut self, level: usize) -> Result<Rewritten, Flaw> {
        let Some((signs, kind)) = OPERATORS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        while let Some(sign) = self.operator(signs) {
            self.at += 1;
            // One level higher, so that operators of one level group from the left.
            let right = self.binary(level + 1)?;
            let positional = left.positional || right.positional;
            // `and` and `or` only test whether there are nodes, so their operands are not converted to text.
            let text = if level < 2 {
                format!("{} {sign} {}", left.text, right.text)
            } else {
                format!("{} {sign} {}", left.metered_text(), right.metered_text())
            };
            left = Rewritten {
                positional,
                ..Rewritten::new(text, *kind)
            };
        }
        Ok(left)
    }

    /// Current token if it is one of these operators. `and`, `or`, `div` and `mod` are names to the lexer.
    fn operator(&self, signs: &[&'static str]) -> Option<&'static str> {
        let here = self.sign(0).or(self.name(0));
        signs.iter().copied().find(|sign| here == Some(sign))
    }

    /// Parses an operand with any number of minus signs before it.
    fn unary(&mut self) -> Result<Rewritten, Flaw> {
        let mut minus = 0;
        while self.accept("-") {
            minus += 1;
        }
        let inner = self.union()?;
        if minus == 0 {
            return Ok(inner);
        }
        let positional = inner.positional;
        // Two minus signs cancel, but the result is a number.
        let text = inner.metered_text();
        let text = if minus % 2 == 1 {
            format!("(0 - {text})")
        } else {
            format!("(0 + {text})")
        };
        Ok(Rewritten {
            positional,
            ..Rewritten::new(text, Kind::Number)
        })
    }

    /// Parses paths joined by `|`, or another single operand.
    fn union(&mut self) -> Result<Rewritten, Flaw> {
        let start = self.at;
        let mut left = self.path()?;
        while self.sign(0) == Some("|") {
            if left.kind != Kind::Nodes {
                self.at = start;
                return Err(self.flaw("`|` joins paths only", "use `or`"));
            }
            self.at += 1;
            let second = self.at;
            let right = self.path()?;
            if right.kind != Kind::Nodes {
                self.at = second;
                return Err(self.flaw("`|` joins paths only", "use `or`"));
            }
            left.text = format!("{} | {}", left.text, right.text);
            left.positional |= right.positional;
        }
        Ok(left)
    }

    /// Parses a path, or an operand that may have predicates and steps after it.
    fn path(&mut self) -> Result<Rewritten, Flaw> {
        if let Some(sign @ ("/" | "//")) = self.sign(0) {
            self.at += 1;
            // A single slash is the root.
            if sign == "/" && !self.at_step() {
                return Ok(Rewritten::new("/self::node()".to_owned(), Kind::Nodes));
            }
            return self.steps(String::new(), sign == "//");
        }
        let Some(mut start) = self.primary()? else {
            return self.steps("self::node()".to_owned(), false).map(|mut path| {
                // Relative paths begin with the node itself, which is not a step.
                if let Some(rest) = path.text.strip_prefix("self::node()/") {
                    path.text = rest.to_owned();
                }
                path
            });
        };
        while self.sign(0) == Some("[") {
            self.of_nodes(&start)?;
            let predicate = self.predicate()?;
            // `dh-text` pays for the nodes for which the predicate is evaluated.
            start.text = format!("{TEXT}({})[{}]", start.text, predicate.text);
        }
        match self.sign(0) {
            Some(sign @ ("/" | "//")) => {
                self.of_nodes(&start)?;
                self.at += 1;
                let mut path = self.steps(start.text, sign == "//")?;
                path.positional = start.positional;
                Ok(path)
            }
            _ => Ok(start),
        }
    }

    /// Fails if the part before a predicate or slash does not yield nodes.
    fn of_nodes(&self, piece: &Rewritten) -> Result<(), Flaw> {
        if piece.kind == Kind::Nodes {
            return Ok(());
        }
        Err(self.flaw(
            "only nodes have this, and what stands before it gives none",
            "take it out",
        ))
    }

    /// Whether a step of a path begins here.
    fn at_step(&self) -> bool {
        self.name(0).is_some() || matches!(self.sign(0), Some("." | ".." | "@" | "*"))
    }

    /// Parses the steps of a path after its first slash.
    fn steps(&mut self, start: String, mut deep: bool) -> Result<Rewritten, Flaw> {
        let mut text = start;
        let add = |text: &mut String, cost: u32, step: &str| {
            text.push_str(&format!("/self::node()[{STEP}({cost})]/{step}"));
        };
        loop {
            let (axis, step, positional) = self.step()?;
            match axis {
                // `//p` is `descendant::p`, unless a predicate uses the position among siblings.
                "child" if deep && !positional => add(&mut text, 2, &format!("descendant::{step}")),
                _ => {
                    if deep {
                        add(&mut text, 2, "descendant-or-self::node()");
                    }
                    // `step` returns only axes of this table.
                    let cost = AXES
                        .iter()
                        .find(|(name, _)| *name == axis)
                        .map_or(5, |(_, cost)| *cost);
                    add(&mut text, cost, &format!("{axis}::{step}"));
                }
            }
            match self.sign(0) {
                Some(sign @ ("/" | "//")) => deep = sign == "//",
                _ => return Ok(Rewritten::new(text, Kind::Nodes)),
            }
            self.at += 1;
        }
    }

    /// Parses a step: its axis, its test with predicates, and whether a predicate uses the position on the axis.
    fn step(&mut self) -> Result<(&'static str, String, bool), Flaw> {
        if self.accept(".") {
            return Ok(("self", "node()".to_owned(), false));
        }
        if self.accept("..") {
            return Ok(("parent", "node()".to_owned(), false));
        }
        let axis = if self.accept("@") {
            "attribute"
        } else if self.sign(1) == Some("::") {
            let named = self.name(0).unwrap_or("");
            let Some((axis, _)) = AXES.iter().find(|(name, _)| *name == named) else {
                let known: Vec<&str> = AXES.iter().map(|(name, _)| *name).collect();
                let remedy = format!("known: {}", known.join(", "));
                return Err(self.flaw(format!("unknown axis `{named}`"), remedy));
            };
            self.at += 2;
            axis
        } else {
            "child"
        };
        let mut text = self.test()?;
        let mut positional = false;
        while self.sign(0) == Some("[") {
            let predicate = self.predicate()?;
            // A number as a predicate is a position: `p[1]` means `p[position() = 1]`.
            positional |= predicate.positional || predicate.kind == Kind::Number;
            text.push_str(&format!("[{}]", predicate.text));
        }
        Ok((axis, text, positional))
    }

    /// Parses the test of a step: a name, `*`, `text()` or `node()`.
    fn test(&mut self) -> Result<String, Flaw> {
        if self.accept("*") {
            return Ok("*".to_owned());
        }
        let Some(name) = self.name(0).map(str::to_owned) else {
            let remedy = "write the name of an element, `*`, `text()`, `@name`, `.` or `..`";
            return Err(self.flaw("a step of a path was expected here", remedy));
        };
        if self.sign(1) != Some("(") {
            self.at += 1;
            return Ok(name);
        }
        if !matches!(name.as_str(), "text" | "node") {
            let remedy = "within a path there are `text()` and `node()`; a function stands around a path: `string(//h1)`";
            return Err(self.flaw(format!("`{name}()` is no step of a path"), remedy));
        }
        self.at += 2;
        if !self.accept(")") {
            return Err(self.flaw("`)` was expected here", format!("write `{name}()`")));
        }
        Ok(format!("{name}()"))
    }

    /// Parses a predicate at its opening bracket. Returns the expression in it.
    fn predicate(&mut self) -> Result<Rewritten, Flaw> {
        self.at += 1; // `[`, which the caller has checked
        self.open()?;
        let inner = self.expression()?;
        self.close("]")?;
        Ok(inner)
    }

    /// Parses a string, a number, a function or parentheses. Returns `None` at the beginning of a path.
    fn primary(&mut self) -> Result<Option<Rewritten>, Flaw> {
        let Some((_, token)) = self.tokens.get(self.at).cloned() else {
            return Err(self.flaw("the expression ends too early", "complete it"));
        };
        let piece = match token {
            Token::Literal(text) => Rewritten::literal(text, Kind::Text),
            Token::Number(text) => Rewritten::literal(text, Kind::Number),
            Token::Sign("(") => {
                self.at += 1;
                self.open()?;
                let inner = self.expression()?;
                self.close(")")?;
                return Ok(Some(Rewritten {
                    text: format!("({})", inner.text),
                    ..inner
                }));
            }
            // `text()` and `node()` are steps of a path, not functions.
            Token::Name(name) if self.sign(1) == Some("(") && !matches!(name.as_str(), "text" | "node") => {
                return self.function(&name).map(Some);
            }
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some(piece))
    }

    /// Parses a call of a function, and wraps its arguments in counting functions.
    fn function(&mut self, name: &str) -> Result<Rewritten, Flaw> {
        let Some(&(_, fewest, most, kind, texts)) = FUNCTIONS.iter().find(|known| known.0 == name) else {
            let known: Vec<&str> = FUNCTIONS.iter().map(|known| known.0).collect();
            let remedy = format!("known: {}", known.join(", "));
            return Err(self.flaw(format!("unknown function `{name}`"), remedy));
        };
        let start = self.at;
        self.at += 2;
        self.open()?;
        let mut arguments: Vec<String> = Vec::new();
        let mut positional = matches!(name, "position" | "last");
        if self.sign(0) != Some(")") {
            loop {
                let argument = self.expression()?;
                if matches!(name, "count" | "sum" | "name" | "local-name") && argument.kind != Kind::Nodes {
                    self.at = start;
                    return Err(self.flaw(format!("`{name}` wants nodes"), "give it a path"));
                }
                positional |= argument.positional;
                arguments.push(match name {
                    // `translate` looks up each letter in a table.
                    "translate" => argument.metered_by(CHARS),
                    _ if texts => argument.metered_text(),
                    _ => argument.text,
                });
                if !self.accept(",") {
                    break;
                }
            }
        }
        self.close(")")?;
        if !(fewest..=most).contains(&arguments.len()) {
            self.at = start;
            let wanted = match (fewest, most) {
                (a, b) if a == b => a.to_string(),
                (a, usize::MAX) => format!("{a} or more"),
                (a, b) => format!("{a} to {b}"),
            };
            let message = format!("`{name}` has {} arguments, it wants {wanted}", arguments.len());
            return Err(self.flaw(message, ""));
        }
        // Without an argument these functions read the text of the context node, which must be paid for.
        if arguments.is_empty() && matches!(name, "string" | "normalize-space" | "string-length" | "number") {
            arguments.push(format!("{TEXT}(self::node())"));
        }
        Ok(Rewritten {
            positional,
            ..Rewritten::new(format!("{name}({})", arguments.join(", ")), kind)
        })
    }
}
