//! The panic guard: a record on which the code panics costs that record, never the run.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Returns `true` if the calling thread processes a record whose panic will be caught and reported as a
/// rejected record. A panic hook may then stay silent.
pub fn guarded() -> bool {
    DEPTH.with(Cell::get) > 0
}

/// Runs `work`, and catches a panic.
///
/// State that `work` changed before the panic stays changed: callers pass only state that they reset before its next use.
///
/// # Errors
/// The message of the panic.
pub fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // Guarded calls may be nested, so their depth is counted.
    DEPTH.with(|depth| depth.set(depth.get() + 1));
    let result = catch_unwind(AssertUnwindSafe(work));
    DEPTH.with(|depth| depth.set(depth.get() - 1));
    result.map_err(|payload| message(payload.as_ref()))
}

/// Returns the message of a panic.
fn message(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        "panic without a message".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_message() {
        assert_eq!(catch_panic(|| 7), Ok(7));
        assert_eq!(
            catch_panic(|| -> u8 { panic!("at {}", 7) }),
            Err("at 7".to_owned())
        );
        assert_eq!(catch_panic(|| -> u8 { panic!("plain") }), Err("plain".to_owned()));
        assert!(!guarded());
        assert_eq!(catch_panic(guarded), Ok(true));
    }
}
