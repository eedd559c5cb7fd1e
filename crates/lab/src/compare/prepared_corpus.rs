//! Documents that are read and prepared once, for all methods.

use std::collections::HashMap;
use std::sync::Arc;

use dehusk_pipeline::dedup::sign::Method;
use dehusk_pipeline::dedup::{
    Context, DescriptiveWords, DescriptiveWordsBuilder, Document, Rows, Shingler, Statistics,
    StatisticsBuilder, Tokens, content_hash,
};
use dehusk_pipeline::narrow;
use dehusk_pipeline::record::{DocumentRecord, RejectedCounts};
use dehusk_pipeline::{Error, Job, Reads, RecordKind, SymbolRule, Tokenizer, Worker};
use rayon::prelude::*;

/// The tokens of many documents in one string, with their sentences. One allocation instead of one for each
/// document.
#[derive(Default)]
struct TokenTexts {
    text: String,
    /// The end of each document in `text`, and the end of its sentences in `sentences`.
    ends: Vec<(usize, usize)>,
    /// Number of tokens of each sentence.
    sentences: Vec<u32>,
}

impl TokenTexts {
    /// Adds a document.
    fn push(&mut self, tokens: &Tokens) {
        self.text.push_str(tokens.text());
        let lengths = tokens.sentences().map(|sentence| narrow::to_u32(sentence.len()));
        self.sentences.extend(lengths);
        self.ends.push((self.text.len(), self.sentences.len()));
    }

    /// Adds the documents of another value.
    fn append(&mut self, other: &Self) {
        let (text, sentences) = (self.text.len(), self.sentences.len());
        self.text.push_str(&other.text);
        self.sentences.extend_from_slice(&other.sentences);
        // The ends of `other` count from its own beginning.
        let moved = other.ends.iter().map(|(a, b)| (a + text, b + sentences));
        self.ends.extend(moved);
    }

    /// Start and end of a document in `text` and in `sentences`.
    fn bounds(&self, number: usize) -> [(usize, usize); 2] {
        // A document begins where the previous document ends.
        let start = number.checked_sub(1).map_or((0, 0), |before| self.ends[before]);
        [start, self.ends[number]]
    }

    /// The tokens of a document, joined by spaces.
    fn text(&self, number: usize) -> &str {
        let [(start, _), (end, _)] = self.bounds(number);
        &self.text[start..end]
    }

    /// Replaces `tokens` by the tokens and sentences of a document.
    fn fill(&self, number: usize, tokens: &mut Tokens) {
        tokens.clear();
        let [(_, start), (_, end)] = self.bounds(number);
        let mut words = self.text(number).split(' ');
        for &length in &self.sentences[start..end] {
            for word in words.by_ref().take(length as usize) {
                tokens.push(word);
            }
            tokens.end_sentence();
        }
    }
}

/// Documents, and the data that all methods read. Documents with equal tokens are one distinct text, which
/// is signed only once.
pub struct PreparedCorpus {
    /// The id of each document.
    pub ids: Vec<String>,
    /// Number of bytes of text that were read.
    pub bytes: u64,
    /// Counts of records that were rejected.
    pub rejected: RejectedCounts,
    /// The distinct text of each document; `None` for an empty document.
    pub(super) distinct_of: Vec<Option<u32>>,
    /// Documents of each distinct text.
    pub(super) members: Vec<Vec<u32>>,
    pub(super) contents: Vec<u128>,
    /// Number of tokens of each distinct text.
    pub(super) lengths: Vec<u32>,
    pub(super) shingles: Rows,
    tokens: TokenTexts,
    terms: TokenTexts,
    statistics: Option<Arc<Statistics>>,
    descriptive: Option<Arc<DescriptiveWords>>,
}

/// The documents of one or several chunks, cut into tokens.
#[derive(Default)]
struct TokenizedDocuments {
    ids: Vec<String>,
    tokens: TokenTexts,
    terms: TokenTexts,
    bytes: u64,
    rejected: RejectedCounts,
}

impl TokenizedDocuments {
    /// Adds the documents of a later chunk.
    fn append(&mut self, other: Self) {
        self.ids.extend(other.ids);
        self.tokens.append(&other.tokens);
        self.terms.append(&other.terms);
        self.bytes += other.bytes;
        self.rejected.merge(&other.rejected);
    }
}

/// Cuts documents into tokens, on one thread.
struct DocumentTokenizer {
    tokenizer: Tokenizer,
    documents: TokenizedDocuments,
}

impl DocumentTokenizer {
    /// Adds a document. Its id is the first of id, URL and path that is not empty.
    fn add(&mut self, document: &DocumentRecord<'_>) {
        let (tokens, terms) = self.tokenizer.read(&document.text);
        let names = [&document.id, &document.url, &document.path];
        let id = names.into_iter().flatten().find(|name| !name.is_empty());
        let documents = &mut self.documents;
        documents
            .ids
            .push(id.map_or_else(String::new, ToString::to_string));
        documents.tokens.push(tokens);
        documents.terms.push(terms);
        documents.bytes += document.text.len() as u64;
    }
}

impl Worker for DocumentTokenizer {
    type Sum = TokenizedDocuments;

    fn take_sum(&mut self) -> TokenizedDocuments {
        std::mem::take(&mut self.documents)
    }

    fn recover(&mut self) {
        // The tokenizer may hold a part of the document that failed.
        self.tokenizer.reset();
    }
}

/// Number of distinct texts in a task of one thread.
pub(super) const PORTION: usize = 512;

impl PreparedCorpus {
    /// Reads the documents of the inputs.
    ///
    /// # Errors
    /// If an input is missing.
    pub fn read(job: &Job<'_>, shingler: Shingler) -> Result<Self, Error> {
        let inputs = job.open(RecordKind::Documents)?;
        let (profile, symbols) = (job.settings.profile(), SymbolRule::of(job.settings));
        let reads = Reads {
            stems: true,
            sentences: true,
        };
        let mut all = TokenizedDocuments::default();
        job.pass("reading documents", &inputs).documents(
            || DocumentTokenizer {
                tokenizer: Tokenizer::new(profile.clone(), reads, symbols),
                documents: TokenizedDocuments::default(),
            },
            |worker, item| worker.add(&item.record),
            |worked| {
                all.append(worked.sum);
                for rejected in worked.rows.iter().filter_map(|row| row.as_ref().err()) {
                    all.rejected.add(rejected.reason);
                }
                Ok(())
            },
        )?;
        // The truth refers to documents by id. Missing and repeated ids get the number of the document.
        let mut seen = HashMap::new();
        for (number, id) in all.ids.iter_mut().enumerate() {
            if id.is_empty() || seen.contains_key(id.as_str()) {
                *id = format!("{id}#{}", number + 1);
            }
            seen.insert(id.clone(), ());
        }
        Ok(Self::prepared(all, shingler))
    }

    /// Groups documents by content, and cuts distinct texts into shingles.
    fn prepared(part: TokenizedDocuments, shingler: Shingler) -> Self {
        let documents = part.ids.len();
        let mut collection = Self {
            distinct_of: Vec::with_capacity(documents),
            members: Vec::new(),
            contents: Vec::new(),
            lengths: Vec::new(),
            shingles: Rows::new(),
            tokens: TokenTexts::default(),
            terms: TokenTexts::default(),
            statistics: None,
            descriptive: None,
            ids: part.ids,
            bytes: part.bytes,
            rejected: part.rejected,
        };
        let contents: Vec<u128> = (0..documents)
            .into_par_iter()
            .map(|number| content_hash(part.tokens.text(number)))
            .collect();
        // Distinct texts are numbered in the order of their first document, whatever the number of threads.
        let mut distinct: HashMap<u128, u32> = HashMap::new();
        let mut first = Vec::new();
        for (number, &content) in contents.iter().enumerate() {
            if part.tokens.text(number).is_empty() {
                // Documents without tokens have no text to compare.
                collection.distinct_of.push(None);
                continue;
            }
            let next = narrow::to_u32(collection.members.len());
            let distinct = *distinct.entry(content).or_insert(next);
            if distinct == next {
                collection.members.push(Vec::new());
                collection.contents.push(content);
                first.push(number);
            }
            collection.members[distinct as usize].push(narrow::to_u32(number));
            collection.distinct_of.push(Some(distinct));
        }
        let mut tokens = Tokens::new();
        // Only the first document of each distinct text is kept.
        for &number in &first {
            part.tokens.fill(number, &mut tokens);
            collection.tokens.push(&tokens);
            collection.lengths.push(narrow::to_u32(tokens.len()));
            part.terms.fill(number, &mut tokens);
            collection.terms.push(&tokens);
        }
        // The tokens of copies are freed before shingles take memory.
        drop(part.tokens);
        drop(part.terms);
        collection.shingles = collection.gather(|distinct, tokens, _, row| {
            collection.tokens.fill(distinct, tokens);
            shingler.shingle(tokens, row);
        });
        collection
    }

    /// A row for each distinct text. `make` computes it from the first document with that text, in
    /// parallel.
    pub(super) fn rows_of(&self, make: impl Fn(usize, &Document<'_>, &mut Vec<u64>) + Sync) -> Rows {
        self.gather(|distinct, tokens, terms, row| {
            self.tokens.fill(distinct, tokens);
            self.terms.fill(distinct, terms);
            let document = Document {
                tokens,
                terms,
                shingles: self.shingles.row(distinct),
            };
            make(distinct, &document, row);
        })
    }

    /// A row for each distinct text, in their order. Buffers are reused within a task.
    fn gather(&self, make: impl Fn(usize, &mut Tokens, &mut Tokens, &mut Vec<u64>) + Sync) -> Rows {
        let parts: Vec<Rows> = portions(self.distinct())
            .into_par_iter()
            .map(|distinct| {
                let (mut tokens, mut terms) = (Tokens::new(), Tokens::new());
                let mut row = Vec::new();
                let mut rows = Rows::new();
                for distinct in distinct {
                    row.clear();
                    make(distinct, &mut tokens, &mut terms, &mut row);
                    rows.push(&row);
                }
                rows
            })
            .collect();
        // The parts are in the order of the distinct texts.
        let mut all = Rows::new();
        for part in parts {
            all.append(part);
        }
        all
    }

    /// Number of documents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// True if there are no documents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Number of distinct texts.
    #[must_use]
    pub fn distinct(&self) -> usize {
        self.members.len()
    }

    /// Number of documents of each distinct text.
    pub(super) fn copies(&self) -> Vec<u32> {
        self.members
            .iter()
            .map(|members| narrow::to_u32(members.len()))
            .collect()
    }

    /// The tokens of a distinct text, joined by spaces.
    pub(super) fn text(&self, distinct: u32) -> &str {
        self.tokens.text(distinct as usize)
    }

    /// Counts the terms of all documents if a method needs statistics and they were not counted before.
    pub(super) fn count(&mut self, methods: &[Arc<dyn Method>]) {
        let needed = methods
            .iter()
            .any(|method| method.needs_statistics() || method.needs_descriptive_words());
        if !needed || self.statistics.is_some() {
            return;
        }
        // Copies count as often as they occur, as in a search that does not join them.
        let each = |visit: &mut dyn FnMut(&Tokens), distinct: std::ops::Range<usize>| {
            let mut terms = Tokens::new();
            for distinct in distinct {
                self.terms.fill(distinct, &mut terms);
                for _ in &self.members[distinct] {
                    visit(&terms);
                }
            }
        };
        let parts: Vec<StatisticsBuilder> = portions(self.distinct())
            .into_par_iter()
            .map(|distinct| {
                let mut builder = StatisticsBuilder::new();
                each(&mut |terms| builder.add(terms), distinct);
                builder
            })
            .collect();
        let mut builder = StatisticsBuilder::new();
        parts.into_iter().for_each(|part| builder.merge(part));
        let statistics = builder.build();
        // Descriptive words need the finished statistics, so documents are visited again.
        let mut descriptive = None;
        if methods.iter().any(|method| method.needs_descriptive_words()) {
            let mut builder = DescriptiveWordsBuilder::new(&statistics);
            each(&mut |terms| builder.add(terms), 0..self.distinct());
            descriptive = Some(Arc::new(builder.build()));
        }
        self.statistics = Some(Arc::new(statistics));
        self.descriptive = descriptive;
    }

    /// The context for building methods: threshold, and statistics if they were counted.
    pub(super) fn context(&self, threshold: f64) -> Context {
        let mut context = Context::new(threshold);
        if let Some(statistics) = &self.statistics {
            context = context.with_statistics(Arc::clone(statistics));
        }
        if let Some(words) = &self.descriptive {
            context = context.with_descriptive_words(Arc::clone(words));
        }
        context
    }
}

/// Ranges of distinct texts, one for each task.
pub(super) fn portions(distinct: usize) -> Vec<std::ops::Range<usize>> {
    (0..distinct)
        .step_by(PORTION)
        .map(|start| start..(start + PORTION).min(distinct))
        .collect()
}
