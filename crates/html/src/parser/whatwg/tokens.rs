//! Plain tokens, for the tests of the tokenizer.

use super::doctype::Doctype;
use super::state::ParserState;
use super::token::{Form, Run, Token};
use super::tokenization::raw_text::RawKind;
use super::tokenization::tags::Tokens;
use crate::limits::Limits;
use crate::parser::options::ParseOptions;
use crate::tree::TreeBuffers;

/// A token in the notation of html5lib-tests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PlainToken {
    Doctype {
        name: Option<String>,
        public: Option<String>,
        system: Option<String>,
        correct: bool,
    },
    Start {
        name: String,
        attributes: Vec<(String, String)>,
        self_closing: bool,
    },
    End(String),
    Comment(String),
    Characters(String),
}

/// All tokens of a source, starting in the named state.
pub(crate) fn tokens(source: &str, state: &str, last_start_tag: Option<&str>) -> Vec<PlainToken> {
    let options = ParseOptions {
        scripting: false,
        repairs: false,
        limits: Limits::default(),
    };
    let mut parser = ParserState::new(TreeBuffers::default(), source, &options);
    let mut out = Vec::new();
    let kind = match state {
        "RCDATA state" => Some(RawKind::Rcdata),
        "RAWTEXT state" => Some(RawKind::Rawtext),
        "Script data state" => Some(RawKind::Script),
        "PLAINTEXT state" => {
            parser.plaintext = Some(Form::Raw);
            None
        }
        "CDATA section state" => {
            if let Token::Text(run) = parser.cdata_section(0) {
                push_characters(&parser, run, &mut out);
            }
            None
        }
        _ => None,
    };
    if let Some(kind) = kind {
        // Without a start tag no end tag is appropriate, so use a name that no tag can have.
        let name = last_start_tag.unwrap_or(" ");
        let run = parser.raw_text_of_state(kind, name);
        push_characters(&parser, run.0, &mut out);
        if run.1 {
            out.push(PlainToken::End(name.to_owned()));
        }
    }
    let mut all = Collected { source, tokens: out };
    loop {
        let more = match parser.plaintext {
            None => parser.next_token(&mut all),
            Some(form) => {
                let token = parser.plaintext_token(form);
                token.map(|token| all.take(&mut parser, token)).is_some()
            }
        };
        if !more {
            return all.tokens;
        }
    }
}

/// Collects tokens.
struct Collected<'s> {
    source: &'s str,
    tokens: Vec<PlainToken>,
}

impl Tokens for Collected<'_> {
    fn take(&mut self, parser: &mut ParserState<'_>, token: Token) {
        let out = &mut self.tokens;
        match token {
            Token::Text(run) => push_characters(parser, run, out),
            Token::Start(token) => {
                let dom = &parser.builder.dom;
                let attrs = &dom.attrs[token.attrs.0 as usize..token.attrs.1 as usize];
                let attributes = attrs
                    .iter()
                    .map(|a| {
                        (
                            dom.slice(a.name.0, a.name.1).to_ascii_lowercase(),
                            dom.attr_value(a).into_owned(),
                        )
                    })
                    .collect();
                let name = dom.tag_name(token.tag).to_owned();
                out.push(PlainToken::Start {
                    name,
                    attributes,
                    self_closing: token.self_closing,
                });
            }
            Token::End(token) => out.push(PlainToken::End(parser.builder.dom.tag_name(token.tag).to_owned())),
            Token::Comment(lo, hi) => {
                let text = parser
                    .read(Run {
                        lo,
                        hi,
                        form: Form::Raw,
                        may_hold_nul: true,
                    })
                    .replace('\0', "\u{FFFD}");
                out.push(PlainToken::Comment(text));
            }
            Token::Doctype(lo, hi) => {
                let doctype = Doctype::read(&self.source[lo as usize..hi as usize]);
                out.push(PlainToken::Doctype {
                    name: doctype.name,
                    public: doctype.public_id,
                    system: doctype.system_id,
                    correct: !doctype.force_quirks,
                });
            }
        }
    }
}

fn push_characters(parser: &ParserState<'_>, run: Run, out: &mut Vec<PlainToken>) {
    let text = parser.read(run);
    match out.last_mut() {
        _ if text.is_empty() => {}
        Some(PlainToken::Characters(before)) => before.push_str(&text),
        _ => out.push(PlainToken::Characters(text.into_owned())),
    }
}

impl ParserState<'_> {
    /// The text of a raw text state, and whether an end tag follows it. U+0000 has been replaced.
    fn raw_text_of_state(&mut self, kind: RawKind, name: &str) -> (Run, bool) {
        let run = self.raw_text(kind, name.as_bytes());
        let ended =
            (run.hi as usize) < self.bytes.len() && self.last_end_tag_was_closed(run.hi as usize, name);
        (self.with_replacements(run), ended)
    }

    fn last_end_tag_was_closed(&self, at: usize, name: &str) -> bool {
        // The position is after the `>` unless the source ended inside of the tag.
        self.bytes[..self.pos].ends_with(b">") && self.pos > at + 2 + name.len()
    }
}
