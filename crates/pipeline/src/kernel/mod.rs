//! Pure functions: pages to documents, texts to tokens and signatures, facts of documents, pairs to verdicts.
//!
//! They read and write no files and start no threads. Verbs call them on their own threads.

pub(crate) mod apart;
pub(crate) mod asked_facts;
pub(crate) mod cut;
pub(crate) mod document_table;
pub(crate) mod extract;
pub(crate) mod host;
mod id_set;
pub(crate) mod known_documents;
pub(crate) mod known_passages;
pub(crate) mod lexicon;
pub(crate) mod repetition;
pub(crate) mod same_url;
pub(crate) mod sign;
pub(crate) mod tokens;
pub(crate) mod units;
pub(crate) mod verdict;
pub(crate) mod words;

pub use dehusk_dedup::{Matcher, VerifiedPairs};

pub use extract::{ExtractPage, Extractor, page};
pub use lexicon::LanguageCode;
pub use sign::{SignedText, Signer, SignerMaker};
pub use tokens::{Reads, SymbolRule, Tokenizer};
pub use words::{Cutter, Tokens};
