//! § "reset the insertion mode appropriately" (section 13.2.4.1), and fragments (section 13.5).

use super::insertion::NO_ATTRIBUTES;
use crate::parser::whatwg::elements::{FOREIGN, categories_of};
use crate::parser::whatwg::state::{Context, Mode, ParserState};
use crate::parser::whatwg::token::Form;
use crate::parser::whatwg::tokenization::raw_text::RawKind;
use crate::tree::{Namespace, Tag};

impl ParserState<'_> {
    pub(crate) fn reset_insertion_mode(&mut self) {
        self.mode = self.appropriate_mode();
    }

    fn appropriate_mode(&self) -> Mode {
        for (i, open) in self.stack.as_slice().iter().enumerate().rev() {
            let last = i == 0;
            let (tag, categories) = match &self.context {
                Some(context) if last => (context.tag, context.categories),
                _ => (open.tag, open.categories),
            };
            // A foreign element decides no mode.
            if categories & FOREIGN != 0 {
                continue;
            }
            match tag {
                // § A cell that is the context of a fragment has the rules of the body.
                Tag::TD | Tag::TH if !last => return Mode::InCell,
                Tag::TR => return Mode::InRow,
                Tag::TBODY | Tag::THEAD | Tag::TFOOT => return Mode::InTableBody,
                Tag::CAPTION => return Mode::InCaption,
                Tag::COLGROUP => return Mode::InColumnGroup,
                Tag::TABLE => return Mode::InTable,
                Tag::TEMPLATE => {
                    debug_assert!(!self.template_modes.is_empty(), "an open template has a mode");
                    return self.template_modes.last().copied().unwrap_or(Mode::InTemplate);
                }
                Tag::HEAD if !last => return Mode::InHead,
                Tag::BODY => return Mode::InBody,
                Tag::FRAMESET => return Mode::InFrameset,
                Tag::HTML if self.head.is_none() => return Mode::BeforeHead,
                Tag::HTML => return Mode::AfterHead,
                _ => {}
            }
        }
        Mode::InBody
    }

    /// § "HTML fragment parsing algorithm": prepares for the contents of a context element, which become
    /// children of an `html` element.
    pub(crate) fn enter_fragment(&mut self, namespace: Namespace, name: &str) {
        let tag = self.builder.tag(name);
        let categories = match namespace {
            Namespace::Html => categories_of(tag),
            _ => self.foreign_categories(namespace == Namespace::Svg, &name.to_ascii_lowercase()),
        };
        self.context = Some(Context { tag, categories });
        if namespace == Namespace::Html {
            // § "If the context element is a template": the mode must be there before it is reset.
            if tag == Tag::TEMPLATE {
                self.template_modes.push(Mode::InTemplate);
            }
            // Without a start tag, no end tag is appropriate, so raw text extends to the end of the source.
            self.plaintext = match self.raw_text_kind(tag) {
                Some(RawKind::Rcdata) => Some(Form::Encoded),
                Some(_) => Some(Form::Raw),
                None => (tag == Tag::PLAINTEXT).then_some(Form::Raw),
            };
        }
        self.insert_root(NO_ATTRIBUTES);
        self.reset_insertion_mode();
    }
}
