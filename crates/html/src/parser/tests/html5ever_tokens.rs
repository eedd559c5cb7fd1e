//! html5ever's tokenizer on the same suite.

use std::cell::RefCell;

use ::html5ever::buffer_queue::BufferQueue;
use ::html5ever::tendril::StrTendril;
use ::html5ever::tokenizer::states::{RawKind, State};
use ::html5ever::tokenizer::{TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

use super::super::whatwg::tokens::PlainToken;

#[derive(Default)]
struct Collected(RefCell<Vec<PlainToken>>);

impl Collected {
    fn characters(&self, text: &str) {
        let mut tokens = self.0.borrow_mut();
        match tokens.last_mut() {
            Some(PlainToken::Characters(before)) => before.push_str(text),
            _ if text.is_empty() => {}
            _ => tokens.push(PlainToken::Characters(text.to_owned())),
        }
    }
}

impl TokenSink for Collected {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let token = match token {
            Token::DoctypeToken(doctype) => PlainToken::Doctype {
                name: doctype.name.map(String::from),
                public: doctype.public_id.map(String::from),
                system: doctype.system_id.map(String::from),
                correct: !doctype.force_quirks,
            },
            Token::TagToken(tag) if tag.kind == TagKind::EndTag => PlainToken::End(tag.name.to_string()),
            Token::TagToken(tag) => PlainToken::Start {
                name: tag.name.to_string(),
                attributes: tag
                    .attrs
                    .iter()
                    .map(|a| (a.name.local.to_string(), a.value.to_string()))
                    .collect(),
                self_closing: tag.self_closing,
            },
            Token::CommentToken(text) => PlainToken::Comment(text.into()),
            Token::CharacterTokens(text) => {
                self.characters(&text);
                return TokenSinkResult::Continue;
            }
            Token::NullCharacterToken => {
                self.characters("\0");
                return TokenSinkResult::Continue;
            }
            Token::EOFToken | Token::ParseError(_) => return TokenSinkResult::Continue,
        };
        self.0.borrow_mut().push(token);
        TokenSinkResult::Continue
    }
}

/// All tokens of a source, starting in the named state.
pub(super) fn tokens(source: &str, state: &str, last_start_tag: Option<&str>) -> Vec<PlainToken> {
    let initial_state = match state {
        "RCDATA state" => State::RawData(RawKind::Rcdata),
        "RAWTEXT state" => State::RawData(RawKind::Rawtext),
        "Script data state" => State::RawData(RawKind::ScriptData),
        "PLAINTEXT state" => State::Plaintext,
        "CDATA section state" => State::CdataSection,
        _ => State::Data,
    };
    let options = TokenizerOpts {
        discard_bom: false,
        initial_state: Some(initial_state),
        last_start_tag_name: last_start_tag.map(str::to_owned),
        ..TokenizerOpts::default()
    };
    let tokenizer = Tokenizer::new(Collected::default(), options);
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(source));
    // html5ever stops after every script with input left.
    while !queue.is_empty() {
        let _ = tokenizer.feed(&queue);
    }
    tokenizer.end();
    tokenizer.sink.0.into_inner()
}
