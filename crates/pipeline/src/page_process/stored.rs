//! Pages as bytes, to be read later.

use super::request::Request;
use crate::record::PageRecord;

/// Bytes of the length of the fields, which stand before the content.
const LENGTH: usize = 8;

/// A page as bytes.
pub(crate) fn to_bytes(page: &PageRecord<'_>) -> Vec<u8> {
    // Texts and numbers always can be written.
    let fields = postcard::to_stdvec(&Request::of(page)).unwrap_or_default();
    let content = Request::content(page);
    let mut bytes = Vec::with_capacity(LENGTH + fields.len() + content.len());
    bytes.extend_from_slice(&(fields.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&fields);
    bytes.extend_from_slice(content);
    bytes
}

/// The page that was made these bytes; `None` if none was.
pub(crate) fn of_bytes(bytes: &[u8]) -> Option<PageRecord<'_>> {
    let (length, rest) = bytes.split_first_chunk::<LENGTH>()?;
    let (fields, content) = rest.split_at_checked(u64::from_le_bytes(*length) as usize)?;
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
