//! The side of a page process.

use std::io::{self, BufReader, Read, Write};

use serde::Serialize;

use super::content::ContentReceiver;
use super::fingerprint::Fingerprint;
use super::frame;
use super::memory::MemoryLimit;
use super::request::Request;
use crate::error::Error;
use crate::exec::panic_guard::catch_panic;
use crate::record::{PageRecord, Reason, Rejection};

/// Works on pages until there are no more: each message of standard input is a page, and is answered on standard output by what `work`
/// makes of it. The first message tells the fingerprint.
///
/// # Errors
/// If messages cannot be read or written, as the parent is gone.
pub(crate) fn serve<M: Serialize>(
    fingerprint: Fingerprint,
    work: impl Fn(&PageRecord<'_>) -> Result<M, Rejection>,
) -> Result<(), Error> {
    let limit = MemoryLimit::new();
    let begin_page = |bytes| limit.begin_page(bytes);
    let input = BufReader::new(io::stdin().lock());
    answers()
        .and_then(|output| answer(input, output, fingerprint, begin_page, work))
        .map_err(|e| Error::failed(format!("a page process lost its parent: {e}")))
}

/// Standard output without the buffer of the library, which looks for lines.
#[cfg(unix)]
fn answers() -> io::Result<impl Write> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned().map(std::fs::File::from)
}

#[cfg(not(unix))]
fn answers() -> io::Result<impl Write> {
    Ok(io::stdout().lock())
}

/// `begin_page` is told how many bytes the next page has.
fn answer<M: Serialize>(
    mut input: impl Read,
    mut output: impl Write,
    fingerprint: Fingerprint,
    begin_page: impl Fn(usize),
    work: impl Fn(&PageRecord<'_>) -> Result<M, Rejection>,
) -> io::Result<()> {
    frame::write(&mut output, &fingerprint.0.to_le_bytes())?;
    let contents = ContentReceiver::agree(&mut input, &mut output)?;
    let (mut message, mut content) = (Vec::new(), Vec::new());
    while frame::read(&mut input, &mut message)? && contents.receive(&mut input, &mut content)? {
        begin_page(message.len() + content.len());
        let request: Request<'_> = postcard::from_bytes(&message).map_err(io::Error::other)?;
        let page = request.page(&content);
        let made =
            catch_panic(|| work(&page)).unwrap_or_else(|panic| Err(Rejection::new(Reason::Panic, panic)));
        output.write_all(&frame::encode(&made).map_err(io::Error::other)?)?;
        output.flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::record::Content;

    #[test]
    fn pages_are_answered_in_order_and_a_panic_is_an_answer() {
        let mut input = Vec::new();
        frame::write(&mut input, b"/no/memory").unwrap();
        for text in ["one", "boom", "three"] {
            let page = PageRecord::new(Content::Text(text.into()));
            frame::write(&mut input, &postcard::to_stdvec(&Request::of(&page)).unwrap()).unwrap();
            frame::write(&mut input, Request::content(&page)).unwrap();
        }
        let work = |page: &PageRecord<'_>| match &page.content {
            Content::Text(text) if text == "boom" => panic!("no boom please"),
            Content::Text(text) => Ok(text.len()),
            _ => Err(Rejection::new(Reason::MissingContent, "not a text")),
        };
        let mut output = Vec::new();
        let pages = Cell::new(0);
        let begin_page = |bytes| pages.set(pages.get() + usize::from(bytes > 3));
        answer(input.as_slice(), &mut output, Fingerprint(7), begin_page, work).unwrap();
        assert_eq!(pages.get(), 3);

        let (mut from, mut message) = (output.as_slice(), Vec::new());
        assert!(frame::read(&mut from, &mut message).unwrap());
        assert_eq!(message, 7_u64.to_le_bytes());
        assert!(frame::read(&mut from, &mut message).unwrap());
        assert_eq!(message, [0]);
        let mut got = Vec::new();
        while frame::read(&mut from, &mut message).unwrap() {
            let made: Result<usize, Rejection> = postcard::from_bytes(&message).unwrap();
            got.push(made.map_err(|rejection| (rejection.reason, rejection.message)));
        }
        assert_eq!(
            got,
            [Ok(3), Err((Reason::Panic, "no boom please".to_owned())), Ok(5)]
        );
    }
}
