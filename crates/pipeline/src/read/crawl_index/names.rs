//! Names of the columns of indexes, which differ by their kind.

/// Names of one column in indexes of different kinds. The setting `where` takes any of them for each kind.
/// The first seven are in the order of the column numbers `FILE` to `TYPE`.
pub(super) const SAME: &[&[&str]] = &[
    &["filename", "warc_filename"],
    &["offset", "warc_record_offset"],
    &["length", "warc_record_length"],
    &["url", "original"],
    &["timestamp", "fetch_time"],
    &["status", "statuscode", "fetch_status"],
    &["mime", "mimetype", "content_mime_type"],
    &["mime-detected", "content_mime_detected"],
    &["languages", "content_languages"],
    &["charset", "content_charset"],
    &["digest", "content_digest"],
    &["truncated", "content_truncated"],
    &["redirect", "fetch_redirect"],
    &["urlkey", "url_surtkey"],
];

/// Returns `true` if a column of this name holds times.
pub(super) fn is_time(name: &str) -> bool {
    names("timestamp").any(|known| known == name)
}

/// Returns all names of the column with this name. The name itself comes first.
pub(super) fn names(name: &str) -> impl Iterator<Item = &str> {
    let same = SAME.iter().find(|same| same.contains(&name));
    let others = same.into_iter().flat_map(|same| same.iter().copied());
    std::iter::once(name).chain(others.filter(move |other| *other != name))
}
