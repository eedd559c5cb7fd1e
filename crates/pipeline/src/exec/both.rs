//! Running two closures in parallel.

use std::thread;

use crate::error::Error;
use crate::exec::panic_guard::catch_panic;

/// Runs two closures and returns both results: with `at_once` in parallel, otherwise the second after the first has succeeded.
///
/// # Errors
/// The error of the first closure, or else of the second. Also if no thread can be started, or one panics. In parallel, both have ended
/// when this returns.
pub(crate) fn both<A, B: Send>(
    at_once: bool,
    first: impl FnOnce() -> Result<A, Error>,
    second: impl FnOnce() -> Result<B, Error> + Send,
) -> Result<(A, B), Error> {
    if !at_once {
        return Ok((first()?, second()?));
    }
    thread::scope(|scope| {
        let second = thread::Builder::new()
            .spawn_scoped(scope, || catch_panic(second))
            .map_err(|e| Error::failed(format!("cannot start a thread: {e}")).with_option("threads"))?;
        let first = first();
        let second = match second.join() {
            Ok(Ok(second)) => second,
            Ok(Err(panic)) => Err(Error::failed(format!("a worker thread failed: {panic}"))),
            // Panics that the guard did not catch.
            Err(_) => Err(Error::failed("a worker thread failed")),
        };
        // Both have ended here, whichever error is returned.
        Ok((first?, second?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn both_are_done_and_errors_of_each_are_told() {
        let fails = |why: &str| Err::<u8, Error>(Error::failed(why));
        for at_once in [false, true] {
            assert_eq!(both(at_once, || Ok(1), || Ok(2)).unwrap(), (1, 2));
            let error = |result: Result<(u8, u8), Error>| result.unwrap_err().to_string();
            assert!(error(both(at_once, || fails("one"), || fails("two"))).contains("one"));
            assert!(error(both(at_once, || Ok(1), || fails("two"))).contains("two"));
        }
        let panics = both(
            true,
            || Ok(1),
            || -> Result<u8, Error> { panic!("no two please") },
        );
        assert!(panics.unwrap_err().to_string().contains("no two please"));
    }

    /// Each closure waits for the other.
    #[test]
    fn at_once_means_side_by_side() {
        let ((to_second, from_first), (to_first, from_second)) = (channel(), channel());
        let done = both(
            true,
            move || {
                to_second.send(1).unwrap();
                Ok(from_second.recv().unwrap())
            },
            move || {
                to_first.send(2).unwrap();
                Ok(from_first.recv().unwrap())
            },
        );
        assert_eq!(done.unwrap(), (2, 1));
    }
}
