//! html5ever's tokenizer and tree builder, building the tree of this crate.
//!
//! html5ever has no limits and is quadratic in nesting depth and in the list of active formatting elements,
//! so a limiter between its tokenizer and its tree builder bounds both. html5ever gives no source offsets:
//! texts that it passes on unchanged are recognized by their address in memory, and all other texts are
//! copied.

mod limiter;
mod sink;

use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::{ElementFlags, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{QualName, TokenizerResult, ns};

use self::limiter::Limiter;
use self::sink::Sink;
use super::options::ParseOptions;
use crate::budget::Budget;
use crate::narrow;
use crate::tree::{Dom, Namespace, TreeBuffers};
use crate::warning::Warning;

/// Number of bytes that are fed and charged per step.
const PIECE: usize = 64 << 10;

/// Parses a whole document, or a fragment, whose nodes become children of an `html` element.
pub(super) fn parse<'s>(
    buffers: TreeBuffers,
    source: &'s str,
    options: &ParseOptions,
    context: Option<(Namespace, &str)>,
    budget: &Budget,
) -> (Dom<'s>, Vec<Warning>) {
    let input = StrTendril::from_slice(source);
    let sink = Sink::new(buffers, source, input.as_ptr() as usize, options.limits);
    let tree = TreeBuilderOpts {
        scripting_enabled: options.scripting,
        ..TreeBuilderOpts::default()
    };
    let mut state = None;
    let tree = match context {
        None => TreeBuilder::new(sink, tree),
        Some((namespace, name)) => {
            let namespace = match namespace {
                Namespace::Html => ns!(html),
                Namespace::Svg => ns!(svg),
                Namespace::MathMl => ns!(mathml),
            };
            let context = QualName::new(None, namespace, name.into());
            let element = sink.create_element(context, Vec::new(), ElementFlags::default());
            let tree = TreeBuilder::new_for_fragment(sink, element, None, tree);
            state = Some(tree.tokenizer_state_for_context_elem(options.scripting));
            tree
        }
    };
    let tokenizer_options = TokenizerOpts {
        initial_state: state,
        ..TokenizerOpts::default()
    };
    let tokenizer = Tokenizer::new(Limiter::new(tree), tokenizer_options);
    let queue = BufferQueue::default();
    let mut at = 0;
    while at < source.len() {
        if at > 0 && !budget.charge("parsing", PIECE) {
            let stopped = budget.spent().map(|(why, _)| (why, at));
            tokenizer.sink.tree.sink.limits_hit.borrow_mut().stopped = stopped;
            break;
        }
        let mut end = (at + PIECE).min(source.len());
        while !source.is_char_boundary(end) {
            end += 1;
        }
        // A piece shares the memory of `input`, so texts in it can be recognized by their address.
        queue.push_back(input.subtendril(narrow::to_u32(at), narrow::to_u32(end - at)));
        // The tokenizer pauses at scripts, which are not run, and at charset declarations, which are already settled.
        while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
        at = end;
    }
    tokenizer.end();
    let sink = tokenizer.sink.tree.sink;
    let (mut builder, mut limits_hit) = (sink.builder.into_inner(), sink.limits_hit.into_inner());
    limits_hit.names = builder.names_past_limit;
    // The sink does not know which nodes may be metadata, so all are listed.
    builder.dom.metadata.extend(builder.dom.tree.ids());
    (builder.dom, limits_hit.warnings(&options.limits, source.len()))
}
