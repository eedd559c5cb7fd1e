//! The supported selectors: all of the standard except namespaces, states (`:hover`) and pseudo-elements
//! (`::before`).

use std::fmt;

use cssparser::{ToCss, serialize_identifier};
use dehusk_html::fnv;
use precomputed_hash::PrecomputedHash;
use selectors::parser::{self, SelectorImpl, SelectorParseErrorKind};

/// Parser for selectors of this grammar.
#[derive(Clone, Debug)]
pub(super) struct Grammar;

impl<'i> parser::Parser<'i> for Grammar {
    type Impl = Grammar;
    type Error = SelectorParseErrorKind<'i>;

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }
}

impl SelectorImpl for Grammar {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Name;
    type Identifier = Name;
    type LocalName = Name;
    type NamespaceUrl = Name;
    type NamespacePrefix = Name;
    type BorrowedNamespaceUrl = Name;
    type BorrowedLocalName = Name;
    type NonTSPseudoClass = Unknown;
    type PseudoElement = Unknown;
}

/// A name or a value in a selector.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Name(Box<str>);

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Name {
    fn from(name: &str) -> Name {
        Name(name.into())
    }
}

impl ToCss for Name {
    fn to_css<W: fmt::Write>(&self, to: &mut W) -> fmt::Result {
        serialize_identifier(&self.0, to)
    }
}

impl PrecomputedHash for Name {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "both halves of the hash are folded into its low half"
    )]
    fn precomputed_hash(&self) -> u32 {
        let bytes = self.0.bytes();
        let hash = bytes.fold(fnv::START, |hash, byte| fnv::extend(hash, byte.into()));
        (hash ^ (hash >> 32)) as u32
    }
}

/// A state or a pseudo-element. None is supported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Unknown {}

impl ToCss for Unknown {
    fn to_css<W: fmt::Write>(&self, _: &mut W) -> fmt::Result {
        match *self {}
    }
}

impl parser::NonTSPseudoClass for Unknown {
    type Impl = Grammar;

    fn is_active_or_hover(&self) -> bool {
        match *self {}
    }

    fn is_user_action_state(&self) -> bool {
        match *self {}
    }
}

impl parser::PseudoElement for Unknown {
    type Impl = Grammar;
}
