//! The side of the parent, which hands out pages.

use std::io::{self, BufReader, Read};
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use serde::de::DeserializeOwned;

use super::content::ContentSender;
use super::fingerprint::Fingerprint;
use super::frame;
use super::request::{Answer, Ask, Request, Told};
use crate::error::Error;
use crate::record::{PageRecord, Reason, Rejection};

/// Starts a page process for the named work: the running program, with arguments that make it call the function `serve` of the same verb.
///
/// Its standard input, output and error are pipes, and signals to the process group of the program do not reach it.
pub type Launch<'a> = dyn Fn(&str) -> io::Result<Child> + Sync + 'a;

/// Size in bytes of the read buffer for answers.
const ANSWERS: usize = 64 << 10;

/// Maximum number of bytes kept of the error output of a process that died.
const LAST_WORDS: u64 = 2000;

/// The page processes of a run. Their number is the number of threads that use one at the same time, up to a maximum.
pub(crate) struct PageProcesses<'a> {
    launch: &'a Launch<'a>,
    /// Name of the work of the processes.
    work: String,
    fingerprint: Fingerprint,
    /// Number of further processes that may start to work now.
    free: Mutex<usize>,
    freed: Condvar,
    /// Processes that wait for a page.
    idle: Mutex<Vec<PageProcess>>,
    /// Processes that were started ahead and have not reported that they are ready.
    ahead: Mutex<Vec<io::Result<Child>>>,
}

/// Permit for one process to work, returned on drop.
struct Turn<'p>(&'p PageProcesses<'p>);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *locked(&self.0.free) += 1;
        self.0.freed.notify_one();
    }
}

/// Result of handing a page to a process.
enum Outcome {
    Made(PageProcess, Vec<u8>),
    /// The process died; the text describes how.
    Died(String),
}

impl<'a> PageProcesses<'a> {
    /// Starts at least one and at most `ahead` processes without waiting for them. At most `most` processes will work at the same time.
    pub(crate) fn launch(
        launch: &'a Launch<'a>,
        work: &str,
        fingerprint: Fingerprint,
        (ahead, most): (usize, usize),
    ) -> Self {
        PageProcesses {
            launch,
            work: work.to_owned(),
            fingerprint,
            free: Mutex::new(most.max(1)),
            freed: Condvar::new(),
            idle: Mutex::default(),
            // A process that cannot be started is reported when it is needed.
            ahead: Mutex::new((0..ahead.max(1)).map(|_| launch(work)).collect()),
        }
    }

    /// Waits for the first process, to verify that page processes can be started.
    ///
    /// # Errors
    /// If it cannot be started, or has other settings.
    pub(crate) fn ready(&self) -> Result<(), Error> {
        let first = self.start().map_err(|e| {
            Error::failed(format!("cannot start a process for pages: {e}"))
                .with_option("in-process")
                .with_help("with `--in-process` pages are worked on in the program itself")
        })?;
        self.idle().push(first);
        Ok(())
    }

    /// Waits until one more process may work.
    fn turn(&self) -> Turn<'_> {
        let free = self.freed.wait_while(locked(&self.free), |free| *free == 0);
        *free.unwrap_or_else(PoisonError::into_inner) -= 1;
        Turn(self)
    }

    /// Returns a process without a page: one that was started ahead, or a new one.
    fn start(&self) -> io::Result<PageProcess> {
        let ahead = locked(&self.ahead).pop();
        let started = ahead.unwrap_or_else(|| (self.launch)(&self.work));
        PageProcess::start(started, self.fingerprint)
    }

    /// Returns the result of a process for a page.
    ///
    /// # Errors
    /// The rejection that the process returned, or [`Reason::Killed`] if two processes died over the page.
    pub(crate) fn work<M: DeserializeOwned>(&self, page: &PageRecord<'_>) -> Result<M, Rejection> {
        // The message is encoded before a process is taken for it.
        let message = frame::encode(&Ask::Page(Request::of(page)))
            .map_err(|e| killed(format!("cannot be sent: {e}")))?;
        let turn = self.turn();
        let waiting = self.idle().pop();
        let first = waiting.map(|process| process.ask(&message, page));
        let done = match first {
            Some(Outcome::Made(process, made)) => Outcome::Made(process, made),
            // No process was idle, or it died: a fresh one gets the page.
            _ => self
                .start()
                .map_err(|e| killed(format!("no process could be started for the page: {e}")))?
                .ask(&message, page),
        };
        match done {
            Outcome::Made(process, made) => {
                self.idle().push(process);
                // Another thread may use the process while this one decodes the result.
                drop(turn);
                postcard::from_bytes(&made)
                    .map_err(|e| killed(format!("the answer of its process cannot be read: {e}")))?
            }
            Outcome::Died(how) => Err(killed(format!("the process that worked on the page died: {how}"))),
        }
    }

    /// Processes all pages of `lines`, or, if `lines` is empty, of the lines in a file that `known`
    /// describes. Returns `true` if all pages were processed.
    ///
    /// `tell` is called with the end of lines that were read in a file as soon as it is known. Once the process is free for other work,
    /// `tell` is called with each record in order, and with the notes on the lines.
    ///
    /// If `false` is returned, the process has died, perhaps over the next page. That page and the following ones must be handed out one by
    /// one.
    pub(crate) fn work_lines<M: DeserializeOwned>(
        &self,
        known: &[u8],
        lines: &[u8],
        tell: &mut dyn FnMut(Told<M>),
    ) -> bool {
        let Ok(message) = frame::encode(&Ask::Lines(known)) else {
            return false;
        };
        let turn = self.turn();
        let waiting = self.idle().pop();
        let process = waiting.map_or_else(|| self.start(), Ok);
        let Ok(mut process) = process else { return false };
        // Answers are decoded only after the process is free for other work.
        let mut later = Vec::new();
        let ended = process.answer_lines(&message, lines, tell, &mut later);
        match ended {
            Some(()) => self.idle().push(process),
            None => process.end(),
        }
        drop(turn);
        for answer in later {
            let Some(told) = told(&answer) else { return false };
            tell(told);
        }
        ended.is_some()
    }

    /// Lets all processes end, which takes a moment. Dropping the value waits for them.
    pub(crate) fn end(&mut self) {
        let idle = self.idle.get_mut().unwrap_or_else(PoisonError::into_inner);
        // All inputs are closed first, so that the processes end in parallel.
        idle.iter_mut().for_each(|process| process.pages = None);
    }

    fn idle(&self) -> MutexGuard<'_, Vec<PageProcess>> {
        locked(&self.idle)
    }
}

impl Drop for PageProcesses<'_> {
    fn drop(&mut self) {
        self.end();
        for mut child in locked(&self.ahead).drain(..).flatten() {
            // The process has no work. If it cannot be killed, it has already ended.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn locked<T>(list: &Mutex<T>) -> MutexGuard<'_, T> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Decodes an answer about lines; `None` for the end or an unreadable answer.
fn told<M: DeserializeOwned>(answer: &[u8]) -> Option<Told<M>> {
    Some(match postcard::from_bytes(answer).ok()? {
        Answer::Read(end) => Told::Read(end),
        Answer::Noted(notes) => Told::Noted(notes),
        Answer::Made(made) => Told::Record(Ok(made)),
        Answer::Rejected(rejected) => Told::Record(Err(serde_json::from_str(&rejected).ok()?)),
        Answer::End => return None,
    })
}

/// Returns the rejection of a page whose process failed.
fn killed(message: String) -> Rejection {
    Rejection::new(Reason::Killed, message)
}

/// A page process.
struct PageProcess {
    child: Child,
    /// Its standard input; `None` once closed.
    pages: Option<ChildStdin>,
    contents: ContentSender,
    answers: BufReader<ChildStdout>,
}

impl PageProcess {
    /// Sets up a started process: its pipes, the comparison of fingerprints, and shared memory.
    fn start(started: io::Result<Child>, fingerprint: Fingerprint) -> io::Result<PageProcess> {
        let mut child = started?;
        let (Some(mut pages), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        // Errors are ignored, because pipes of the default size work, too.
        #[cfg(target_os = "linux")]
        let _ = rustix::pipe::fcntl_setpipe_size(&pages, frame::PIPE_BYTES)
            .and_then(|_| rustix::pipe::fcntl_setpipe_size(&answers, frame::PIPE_BYTES));
        let (mut answers, mut contents) = (BufReader::with_capacity(ANSWERS, answers), ContentSender::new());
        let mut hello = Vec::new();
        let mut said = frame::read(&mut answers, &mut hello);
        let same = hello == fingerprint.0.to_le_bytes();
        if let (Ok(true), true) = (&said, same) {
            said = contents.agree(&mut pages, &mut answers).map(|()| true);
        }
        let process = PageProcess {
            child,
            pages: Some(pages),
            contents,
            answers,
        };
        match said {
            Ok(true) if same => Ok(process),
            Ok(true) => Err(io::Error::other(
                "its settings, rules or templates are others: they were changed while the program was running",
            )),
            Ok(false) | Err(_) => Err(io::Error::other(process.death())),
        }
    }

    /// Hands over a page. `message` holds its fields, with the length of the message.
    fn ask(mut self, message: &[u8], page: &PageRecord<'_>) -> Outcome {
        let mut made = Vec::new();
        let sent = self
            .pages
            .as_mut()
            .map(|pages| self.contents.send(pages, message, Request::content(page)));
        match sent {
            Some(Ok(())) if matches!(frame::read(&mut self.answers, &mut made), Ok(true)) => {
                self.contents.done(Request::content(page));
                Outcome::Made(self, made)
            }
            _ => Outcome::Died(self.death()),
        }
    }

    /// Hands over lines, and collects the answers in `later`. If the first answer is the end of the lines
    /// in a file, `tell` is called with it. Returns `None` if the answers end too early or the process
    /// cannot be reached.
    fn answer_lines<M: DeserializeOwned>(
        &mut self,
        message: &[u8],
        lines: &[u8],
        tell: &mut dyn FnMut(Told<M>),
        later: &mut Vec<Vec<u8>>,
    ) -> Option<()> {
        // The end is recognized by its bytes, because answers are decoded later.
        let end = postcard::to_stdvec(&Answer::<()>::End).ok()?;
        self.contents.send(self.pages.as_mut()?, message, lines).ok()?;
        let mut is_first = true;
        loop {
            let mut answer = Vec::new();
            if !frame::read(&mut self.answers, &mut answer).ok()? || answer.is_empty() {
                return None;
            }
            if answer == end {
                self.contents.done(lines);
                return Some(());
            }
            match is_first.then(|| told(&answer)).flatten() {
                Some(read @ Told::Read(_)) => tell(read),
                _ => later.push(answer),
            }
            is_first = false;
        }
    }

    /// Kills a process that may be blocked on writing answers.
    fn end(mut self) {
        // If it cannot be killed, it has already ended.
        let _ = self.child.kill();
    }

    /// Returns a description of how a process died whose messages ended.
    fn death(mut self) -> String {
        // A process that still runs ends at the end of its input.
        self.pages = None;
        let mut said = Vec::new();
        if let Some(stderr) = self.child.stderr.take() {
            // The process is dead or dying. Unreadable error output is ignored.
            let _ = stderr.take(LAST_WORDS).read_to_end(&mut said);
        }
        let status = self.child.wait();
        let said = String::from_utf8_lossy(&said);
        // Only the first line goes into the message.
        let said = said
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty())
            .unwrap_or("");
        let how = status.map_or_else(|e| e.to_string(), |status| cause(&status));
        match said {
            "" => how,
            said => format!("{how}: {said}"),
        }
    }
}

impl Drop for PageProcess {
    fn drop(&mut self) {
        // Closing its input ends the process.
        self.pages = None;
        let _ = self.child.wait();
    }
}

/// Returns a description of an exit status.
fn cause(status: &ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(status) {
        let name = match signal {
            4 => " (illegal instruction)",
            6 => " (abort)",
            7 | 10 => " (bus error)",
            9 => " (kill)",
            11 => " (segmentation fault)",
            _ => "",
        };
        return format!("signal {signal}{name}");
    }
    match status.code() {
        Some(code) => format!("exit code {code}"),
        None => "no exit code".to_owned(),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;
    use crate::record::Content;

    fn started(program: &str, script: &str) -> io::Result<Child> {
        let mut command = Command::new(program);
        command.args(["-c", script]).stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
    }

    /// A script that acts as a page process. It first sends the hello of fingerprint 7, then the answer that it shares no memory.
    fn script(rest: &str) -> impl Fn(&str) -> io::Result<Child> + Sync {
        let hello = r"printf '\010\0\0\0\0\0\0\0\007\0\0\0\0\0\0\0'";
        let script = format!(r"{hello}; head -c 9 >/dev/null; printf '\001\0\0\0\0\0\0\0\0'; {rest}");
        move |_| started("sh", &script)
    }

    fn ready<'a>(launch: &'a Launch<'a>) -> PageProcesses<'a> {
        let processes = PageProcesses::launch(launch, "test", Fingerprint(7), (1, 2));
        processes.ready().expect("a process");
        processes
    }

    fn page() -> PageRecord<'static> {
        PageRecord::new(Content::Text("<p>x".into()))
    }

    #[test]
    fn a_process_that_dies_costs_the_page_and_says_why() {
        for (rest, told) in [
            ("kill -SEGV $$", "signal 11 (segmentation fault)"),
            ("echo out of it >&2; kill -ABRT $$", "signal 6 (abort): out of it"),
            ("head -c 9 >/dev/null; exit 3", "exit code 3"),
            ("head -c 9 >/dev/null; printf 'a'", "exit code 0"),
        ] {
            let launch = script(rest);
            let processes = ready(&launch);
            for _ in 0..3 {
                let rejection = processes.work::<u8>(&page()).unwrap_err();
                assert_eq!(rejection.reason, Reason::Killed);
                assert!(rejection.message.ends_with(told), "{rest}: {}", rejection.message);
            }
        }
    }

    #[test]
    fn a_process_that_dies_once_costs_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let mark = dir.path().join("mark");
        let rest = format!(
            r"if [ -e {0} ]; then printf '\002\0\0\0\0\0\0\0\0\5'; cat >/dev/null; else : >{0}; kill -KILL $$; fi",
            mark.display()
        );
        let launch = script(&rest);
        let processes = ready(&launch);
        assert_eq!(processes.work::<u8>(&page()).map_err(|r| r.message), Ok(5));
    }

    #[test]
    fn what_came_back_of_lines_stays_when_the_process_dies() {
        let read = r"printf '\003\0\0\0\0\0\0\0\0\7\2'";
        let made = r"printf '\002\0\0\0\0\0\0\0\1\5'";
        let end = r"printf '\001\0\0\0\0\0\0\0\003'";
        let odd = r"printf '\001\0\0\0\0\0\0\0\077'";
        for (rest, told, all) in [
            (format!("{made}; {made}; {end}; cat >/dev/null"), "55", true),
            (format!("{end}; cat >/dev/null"), "", true),
            (format!("{read}; {made}; {end}; cat >/dev/null"), "(7:2)5", true),
            (format!("{read}; kill -KILL $$"), "(7:2)", false),
            (format!("{made}; kill -KILL $$"), "5", false),
            (format!("{made}; printf 'a'"), "5", false),
            // The script keeps writing answers that are never read.
            (format!("{made}; {odd}; cat /dev/zero"), "5", false),
        ] {
            // The script reads all input first: message and content, with their lengths.
            let rest = format!("head -c 25 >/dev/null; {rest}");
            let launch = script(&rest);
            let processes = ready(&launch);
            let mut got = String::new();
            let done = processes.work_lines(b"known", b"{}", &mut |what: Told<u8>| match what {
                Told::Read(end) => got += &format!("({}:{})", end.offset, end.line),
                Told::Record(row) => got += &row.unwrap().to_string(),
                Told::Noted(_) => got += "(noted)",
            });
            assert_eq!((got.as_str(), done), (told, all), "{rest}");
            assert_eq!(processes.idle().len(), usize::from(all));
        }
    }

    #[test]
    fn a_process_that_cannot_be_started_or_has_other_settings_is_told_before_the_work() {
        let start = |launch: &Launch<'_>| {
            let processes = PageProcesses::launch(launch, "test", Fingerprint(7), (1, 2));
            processes.ready().err().map(|e| e.to_string())
        };
        let missing = |_: &str| started("/nowhere/at/all", "");
        assert!(start(&missing).is_some_and(|e| e.contains("cannot start a process")));
        let other = |_: &str| started("sh", r"printf '\010\0\0\0\0\0\0\0\010\0\0\0\0\0\0\0'");
        assert!(start(&other).is_some_and(|e| e.contains("settings")));
    }

    #[test]
    fn processes_that_were_started_ahead_are_used_before_others_and_end_unused() {
        let (count, made) = (
            std::sync::atomic::AtomicUsize::new(0),
            r"printf '\002\0\0\0\0\0\0\0\0\5'",
        );
        let rest = format!("{made}; cat >/dev/null");
        let start = script(&rest);
        let launch = |work: &str| {
            count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            start(work)
        };
        let processes = PageProcesses::launch(&launch, "test", Fingerprint(7), (3, 3));
        processes.ready().unwrap();
        assert_eq!(processes.work::<u8>(&page()).map_err(|r| r.message), Ok(5));
        assert_eq!((processes.idle().len(), locked(&processes.ahead).len()), (1, 2));
        let (first, second) = (processes.idle().pop(), processes.start().unwrap());
        assert_eq!(
            (
                locked(&processes.ahead).len(),
                count.load(std::sync::atomic::Ordering::Relaxed)
            ),
            (1, 3)
        );
        drop((first, second, processes));
    }
}
