//! Positions in archives of the resources that pages request: style sheets, images.

use std::sync::Arc;

use dehusk_archive::Answer;
use dehusk_html::url::{Base, without_scheme};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::read::chunk::{Body, Bounds, Chunk, Place, Source, StartAt};

/// Largest number of redirects followed for an address, and of records tried for each of them.
const MAX_MOVES: usize = 5;

/// Positions of resources, without their content.
#[derive(Default)]
pub(crate) struct AssetList {
    places: Vec<AssetPlace>,
}

/// Position of a resource.
pub(crate) struct AssetPlace {
    /// Hash of the address without its scheme.
    hash: u64,
    source: Arc<Source>,
    /// Number of the file.
    file: u64,
    spot: Spot,
}

/// Stored form of a position: hash of the address, number of the file, position in the file.
pub(crate) type KeptAsset = (u64, u64, Spot);

#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) enum Spot {
    /// Byte offset at which the resource, or its compressed member, begins.
    At(u64),
    /// Number of the chunk of the file, from 0.
    Chunk(u64),
}

/// Returns the part of an address that identifies it: the address without its scheme.
fn key(url: &str) -> &str {
    without_scheme(url).unwrap_or(url)
}

impl AssetPlace {
    /// Returns the position of a record in chunk `number` of file `file`. `None` if the record is not a resource.
    pub(crate) fn new(chunk: &Chunk, file: u64, number: u64, place: &Place<'_>) -> Option<AssetPlace> {
        let source = &chunk.source;
        let at_once = source.kept.is_none() && source.path.is_some();
        Some(AssetPlace {
            hash: xxh3_64(key(place.asset?).as_bytes()),
            source: Arc::clone(source),
            file,
            spot: match at_once {
                true => Spot::At(place.offset),
                false => Spot::Chunk(number),
            },
        })
    }

    /// Reads the resource with this address from its file.
    fn read(&self, url: &str, bounds: &Bounds) -> Option<Answer<'static>> {
        let format = self.source.format;
        let at = |offset| format.open_at(&self.source, bounds, StartAt { offset, line: 1 });
        if let Spot::At(offset) = self.spot
            && let Some(mut chunks) = at(offset)
        {
            // A record may lie after the start of its compressed member.
            while let Some(chunk) = chunks.next() {
                if let Some(found) = in_chunk(&chunk, url) {
                    return Some(found);
                }
            }
            return None;
        }
        // Chunks and offsets of streams that cannot be opened in the middle are found by reading from the
        // start.
        let mut chunks = format.open(&self.source, bounds);
        let mut number = 0;
        while let Some(chunk) = chunks.next() {
            match self.spot {
                Spot::Chunk(wanted) if number < wanted => {
                    if let Body::Archive(piece) = &chunk.body {
                        // Visiting a piece passes its reader on to the next one.
                        piece.each(&mut |_| {});
                    }
                }
                // The wanted chunk; or any chunk, if the format could not be opened at the offset.
                _ => {
                    let found = in_chunk(&chunk, url);
                    if found.is_some() || matches!(self.spot, Spot::Chunk(_)) {
                        return found;
                    }
                }
            }
            number += 1;
        }
        None
    }
}

/// Returns the resource with this address in a chunk.
fn in_chunk(chunk: &Chunk, url: &str) -> Option<Answer<'static>> {
    let mut found = None;
    chunk.source.format.assets(chunk, &mut |asset| {
        if found.is_none() && key(&asset.url) == key(url) {
            found = Some(asset.into_owned());
        }
    });
    found
}

impl AssetList {
    pub(crate) fn push(&mut self, place: AssetPlace) {
        self.places.push(place);
    }

    /// Sorts the positions for lookup, once all are added. Of several records with one address the first one is preferred.
    pub(crate) fn finish(&mut self) {
        // The sort is stable, so records of one address stay in the order of the inputs.
        self.places.sort_by_key(|place| place.hash);
        self.places.shrink_to_fit();
    }

    /// Returns the positions in their stored form.
    pub(crate) fn kept(&self) -> Vec<KeptAsset> {
        let places = self.places.iter();
        places.map(|place| (place.hash, place.file, place.spot)).collect()
    }

    /// Restores stored positions for these files. `None` if a file number is out of range.
    pub(crate) fn restore(kept: &[KeptAsset], files: &[Arc<Source>]) -> Option<AssetList> {
        let places = kept.iter().map(|&(hash, file, spot)| {
            let source = Arc::clone(files.get(usize::try_from(file).ok()?)?);
            Some(AssetPlace {
                hash,
                source,
                file,
                spot,
            })
        });
        let mut list = AssetList {
            places: places.collect::<Option<_>>()?,
        };
        list.finish();
        Some(list)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns the resource stored for an address. Redirects are followed.
    pub(crate) fn get(&self, url: &str, bounds: &Bounds) -> Option<Answer<'static>> {
        let mut url = url.to_owned();
        for _ in 0..=MAX_MOVES {
            let hash = xxh3_64(key(&url).as_bytes());
            let from = self.places.partition_point(|place| place.hash < hash);
            // Different addresses may share a hash, and one address may have several records. `read`
            // compares addresses; the limit bounds the number of files opened for one request.
            let same = self.places[from..].iter().take_while(|place| place.hash == hash);
            let asset = same.take(MAX_MOVES).find_map(|place| place.read(&url, bounds))?;
            match &asset.location {
                None => return Some(asset),
                Some(location) => url = Base::of_url(&url).resolve(location)?,
            }
        }
        // Too many redirects, perhaps in a circle.
        None
    }
}
