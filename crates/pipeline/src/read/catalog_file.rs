//! A page catalog as bytes, to open the same inputs faster the next time.

use std::borrow::Cow;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::read::address::Addresses;
use crate::read::asset_list::KeptAsset;
use crate::read::chunk::{Bounds, StartAt};
use crate::read::columns::Columns;
use crate::read::input_state::{InputState, states};
use crate::read::inputs::Inputs;

/// Version of the encoding. The program version is included, because another version may find other pages.
const FORMAT: (u32, &str) = (1, env!("CARGO_PKG_VERSION"));
/// Age below which a file is not trusted: it may change again without a change of its modification time.
const SETTLED: Duration = Duration::from_secs(2);

/// Everything that the pages of a catalog depend on.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Origin {
    inputs: Vec<InputState>,
    formats: Vec<String>,
    columns: Columns,
    url: Option<String>,
    base: Option<String>,
    page_bytes: u64,
}

impl Origin {
    /// Returns the origin of pages read from these inputs now, and whether any later change of the inputs is certain to be detected.
    pub(crate) fn of(inputs: &Inputs, bounds: Bounds, addresses: Addresses<'_>) -> (Origin, bool) {
        let (states, latest) = states(inputs);
        let settled = SystemTime::now().checked_sub(SETTLED);
        let origin = Origin {
            inputs: states,
            formats: inputs.formats().map(|(_, format)| format.to_owned()).collect(),
            columns: inputs.columns().clone(),
            url: addresses.url.map(str::to_owned),
            base: addresses.base.map(|base| base.as_str().to_owned()),
            page_bytes: bounds.page_bytes as u64,
        };
        (origin, latest < settled)
    }
}

/// Position at which a page is found again.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) enum Spot {
    /// The page is the whole file.
    File,
    /// The page begins at this place. The text is its `WARC-Record-ID`, for archives.
    At(StartAt, Option<Box<str>>),
    /// Chunk number in the file and page number in the chunk, both from 0.
    Chunk(u64, usize),
}

/// Stored form of a catalog.
#[derive(Serialize, Deserialize)]
pub(crate) struct Kept<'k> {
    pub(crate) origin: Cow<'k, Origin>,
    #[serde(borrow)]
    pub(crate) pages: Vec<KeptPage<'k>>,
    pub(crate) assets: Vec<KeptAsset>,
    /// Rejected records as JSON.
    pub(crate) rejected: Vec<String>,
}

/// Stored form of a page.
#[derive(Serialize, Deserialize)]
pub(crate) struct KeptPage<'k> {
    pub(crate) id: &'k str,
    pub(crate) url: Option<&'k str>,
    /// Number of its file.
    pub(crate) file: u64,
    pub(crate) spot: Cow<'k, Spot>,
}

impl<'k> Kept<'k> {
    /// Encodes the catalog: version, content, and a hash of both at the end. `None` if it cannot be
    /// encoded.
    pub(crate) fn to_bytes(&self) -> Option<Vec<u8>> {
        let mut bytes = postcard::to_stdvec(&(FORMAT, self)).ok()?;
        let hash = xxh3_64(&bytes);
        bytes.extend(hash.to_le_bytes());
        Some(bytes)
    }

    /// Decodes a stored catalog. Returns `None` if it is damaged, has another version, or has another origin.
    pub(crate) fn read(bytes: &'k [u8], origin: &Origin) -> Option<Kept<'k>> {
        let (content, hash) = bytes.split_last_chunk()?;
        if xxh3_64(content) != u64::from_le_bytes(*hash) {
            return None;
        }
        // The format is decoded first, because the rest depends on it.
        let (format, rest): ((u32, &str), &[u8]) = postcard::take_from_bytes(content).ok()?;
        let kept: Kept<'k> = (format == FORMAT).then(|| postcard::from_bytes(rest).ok())??;
        (*kept.origin == *origin).then_some(kept)
    }
}
