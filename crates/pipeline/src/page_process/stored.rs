//! Pages serialized to bytes, to be read later.

use super::request::Request;
use crate::record::PageRecord;

/// Size in bytes of the length prefix of the fields. The content follows the fields.
const LENGTH: usize = 8;

/// Returns a page as bytes.
pub(crate) fn to_bytes(page: &PageRecord<'_>) -> Vec<u8> {
    // Texts and numbers always serialize. A path in the content would not if it is not Unicode.
    let fields = postcard::to_stdvec(&Request::of(page));
    debug_assert!(fields.is_ok(), "texts and numbers always serialize");
    let fields = fields.unwrap_or_default();
    let content = Request::content(page);
    let mut bytes = Vec::with_capacity(LENGTH + fields.len() + content.len());
    bytes.extend_from_slice(&(fields.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&fields);
    bytes.extend_from_slice(content);
    bytes
}

/// Reads a page back from its bytes; `None` if they are not a serialized page.
pub(crate) fn of_bytes(bytes: &[u8]) -> Option<PageRecord<'_>> {
    let (length, rest) = bytes.split_first_chunk::<LENGTH>()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (fields, content) = rest.split_at_checked(length)?;
    let fields: Request<'_> = postcard::from_bytes(fields).ok()?;
    Some(fields.page(content))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Content;

    #[test]
    fn a_page_comes_back() {
        let mut page = PageRecord::new(Content::Bytes((&b"<p>\xff"[..]).into()));
        (page.url, page.charset) = (Some("http://a.example/".into()), Some("koi8-r".into()));
        let bytes = to_bytes(&page);
        assert_eq!(format!("{:?}", of_bytes(&bytes)), format!("{:?}", Some(&page)));
        for cut in 0..LENGTH + 3 {
            assert!(of_bytes(&bytes[..cut]).is_none(), "{cut}");
        }
    }
}
