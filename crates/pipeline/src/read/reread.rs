//! Reading lines a second time, to copy those that stay.

use std::path::Path;
use std::sync::Arc;

use crate::error::Error;
use crate::read::format::each_line;
use crate::read::format::{Body, Bounds, Chunk, Format, Jsonl, Source};
use crate::record::Reason;

/// Hears the number and the bytes of a line.
pub(crate) type Visit<'a> = dyn FnMut(u32, &[u8]) -> Result<(), Error> + 'a;

/// Calls `visit` with the number and the bytes of every line of a file that this run wrote.
pub(crate) fn reread(path: &Path, visit: &mut Visit<'_>) -> Result<(), Error> {
    let source = Source {
        name: path.display().to_string(),
        label: String::new(),
        path: Some(path.to_owned()),
        format: &Jsonl,
        singly: false,
    };
    let mut chunks = Jsonl.open(
        &Arc::new(source),
        &Bounds {
            page_bytes: usize::MAX / 4,
        },
    );
    let mut number = 0;
    while let Some(chunk) = chunks.next() {
        if let Some(message) = unreadable(&chunk) {
            return Err(
                Error::failed(format!("cannot read `{}` again: {message}", path.display())).with_path(path),
            );
        }
        let mut result = Ok(());
        each_line(&chunk, &mut |place, _| {
            if result.is_ok() {
                result = visit(number, place.raw);
            }
            number += 1;
        });
        result?;
    }
    Ok(())
}

/// Why a chunk could not be read, if it could not.
pub(crate) fn unreadable(chunk: &Chunk) -> Option<&str> {
    match &chunk.body {
        Body::Rejected(rejection) if rejection.reason != Reason::LineTooLong => Some(&rejection.message),
        _ => None,
    }
}
