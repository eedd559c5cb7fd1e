//! A catalog of pages as bytes, for whoever opens the same inputs again.

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

/// Changes whenever the bytes mean something else. Another version of the program may find other pages, too.
const FORMAT: (u32, &str) = (1, env!("CARGO_PKG_VERSION"));
/// A file that was changed as shortly before as this may change again without its time telling.
const SETTLED: Duration = Duration::from_secs(2);

/// What the pages of a catalog depend on.
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
    /// The origin of what is read of these inputs now, and whether a later change of them is sure to be noticed.
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

/// How a page is found again.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) enum Spot {
    /// It is a file.
    File,
    /// It begins there.
    At(StartAt, Option<Box<str>>),
    /// It is that one of that chunk of the file; both count from 0.
    Chunk(u64, usize),
}

/// What is kept of a catalog.
#[derive(Serialize, Deserialize)]
pub(crate) struct Kept<'k> {
    pub(crate) origin: Cow<'k, Origin>,
    #[serde(borrow)]
    pub(crate) pages: Vec<KeptPage<'k>>,
    pub(crate) assets: Vec<KeptAsset>,
    /// Records that could not be used, as JSON.
    pub(crate) rejected: Vec<String>,
}

/// What is kept of a page.
#[derive(Serialize, Deserialize)]
pub(crate) struct KeptPage<'k> {
    pub(crate) id: &'k str,
    pub(crate) url: Option<&'k str>,
    /// Number of its file.
    pub(crate) file: u64,
    pub(crate) spot: Cow<'k, Spot>,
}

impl<'k> Kept<'k> {
    pub(crate) fn to_bytes(&self) -> Option<Vec<u8>> {
        let mut bytes = postcard::to_stdvec(&(FORMAT, self)).ok()?;
        let hash = xxh3_64(&bytes);
        bytes.extend(hash.to_le_bytes());
        Some(bytes)
    }

    /// What was kept, if it is of this version and undamaged, and of what has this origin.
    pub(crate) fn read(bytes: &'k [u8], origin: &Origin) -> Option<Kept<'k>> {
        let (content, hash) = bytes.split_last_chunk()?;
        if xxh3_64(content) != u64::from_le_bytes(*hash) {
            return None;
        }
        // The format first: what follows may be something else.
        let (format, rest): ((u32, &str), &[u8]) = postcard::take_from_bytes(content).ok()?;
        let kept: Kept<'k> = (format == FORMAT).then(|| postcard::from_bytes(rest).ok())??;
        (*kept.origin == *origin).then_some(kept)
    }
}
