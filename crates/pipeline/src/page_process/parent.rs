//! The side of the program that hands out pages.

use std::io::{self, BufReader, Read};
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::de::DeserializeOwned;

use super::content::ContentSender;
use super::fingerprint::Fingerprint;
use super::frame;
use super::request::{Answer, Ask, Request, Told};
use crate::error::Error;
use crate::record::{PageRecord, Reason, Rejection};

/// What starts a page process for work of this name: the program that is running, with arguments that make it call the function
/// `serve` of the same verb. Its standard input, output and error are pipes, and signals to the program's group do not reach it.
pub type Launch<'a> = dyn Fn(&str) -> io::Result<Child> + Sync + 'a;

/// Bytes of answers that are read at once.
const ANSWERS: usize = 64 << 10;

/// Most bytes that are kept of what a process says before it dies.
const LAST_WORDS: u64 = 2000;

/// The page processes of a run; there are as many as threads ask at the same time.
pub(crate) struct PageProcesses<'a> {
    launch: &'a Launch<'a>,
    /// Name of what the processes do.
    work: String,
    fingerprint: Fingerprint,
    /// Processes that wait for a page.
    idle: Mutex<Vec<PageProcess>>,
}

/// What came of handing a page to a process.
enum Outcome {
    Made(PageProcess, Vec<u8>),
    /// The process is dead; how it died.
    Died(String),
}

impl<'a> PageProcesses<'a> {
    /// Starts the first process, so that it is known that it can be started.
    ///
    /// # Errors
    /// If it cannot, or works by other settings.
    pub(crate) fn start(launch: &'a Launch<'a>, work: &str, fingerprint: Fingerprint) -> Result<Self, Error> {
        let first = PageProcess::start(launch(work), fingerprint).map_err(|e| {
            Error::failed(format!("cannot start a process for pages: {e}"))
                .with_option("in-process")
                .with_help("with `--in-process` pages are worked on in the program itself")
        })?;
        Ok(PageProcesses {
            launch,
            work: work.to_owned(),
            fingerprint,
            idle: Mutex::new(vec![first]),
        })
    }

    /// What a process makes of a page.
    ///
    /// # Errors
    /// What the process gave as the reason; or [`Reason::Killed`] if two processes died over it.
    pub(crate) fn work<M: DeserializeOwned>(&self, page: &PageRecord<'_>) -> Result<M, Rejection> {
        let message = frame::encode(&Ask::Page(Request::of(page)))
            .map_err(|e| killed(format!("cannot be sent: {e}")))?;
        let waiting = self.idle().pop();
        let first = waiting.map(|process| process.ask(&message, page));
        let done = match first {
            Some(Outcome::Made(process, made)) => Outcome::Made(process, made),
            _ => PageProcess::start((self.launch)(&self.work), self.fingerprint)
                .map_err(|e| killed(format!("no process could be started for the page: {e}")))?
                .ask(&message, page),
        };
        match done {
            Outcome::Made(process, made) => {
                self.idle().push(process);
                postcard::from_bytes(&made)
                    .map_err(|e| killed(format!("the answer of its process cannot be read: {e}")))?
            }
            Outcome::Died(how) => Err(killed(format!("the process that worked on the page died: {how}"))),
        }
    }

    /// What a process makes of all pages of these lines, or of those that `known` tells to be in a file; it tells all there is to know of
    /// them. `tell` is called with each record in turn, and before with the end of lines that were read in a file. Tells whether there were no more. If not, the process has died, perhaps of the next page, and that one and the others
    /// are to be handed out one by one.
    pub(crate) fn work_lines<M: DeserializeOwned>(
        &self,
        known: &[u8],
        lines: &[u8],
        tell: &mut dyn FnMut(Told<M>),
    ) -> bool {
        let Ok(message) = frame::encode(&Ask::Lines(known)) else {
            return false;
        };
        let waiting = self.idle().pop();
        let process = waiting.map_or_else(
            || PageProcess::start((self.launch)(&self.work), self.fingerprint),
            Ok,
        );
        let Ok(mut process) = process else { return false };
        let done = process.answer_lines(&message, lines, tell);
        match done {
            Some(()) => self.idle().push(process),
            None => process.end(),
        }
        done.is_some()
    }

    /// Lets all processes end, which takes a moment. They are waited for when this is dropped.
    pub(crate) fn end(&mut self) {
        let idle = self.idle.get_mut().unwrap_or_else(PoisonError::into_inner);
        // All end at the same time, and not one after another while it is waited for.
        idle.iter_mut().for_each(|process| process.pages = None);
    }

    fn idle(&self) -> MutexGuard<'_, Vec<PageProcess>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for PageProcesses<'_> {
    fn drop(&mut self) {
        self.end();
    }
}

fn killed(message: String) -> Rejection {
    Rejection::new(Reason::Killed, message)
}

/// A process that works on pages.
struct PageProcess {
    child: Child,
    /// Its standard input, until it is closed.
    pages: Option<ChildStdin>,
    contents: ContentSender,
    answers: BufReader<ChildStdout>,
    /// Memory of the answer that was read last.
    answer: Vec<u8>,
}

impl PageProcess {
    fn start(started: io::Result<Child>, fingerprint: Fingerprint) -> io::Result<PageProcess> {
        let mut child = started?;
        let (Some(mut pages), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        // Pipes of the usual size work, too.
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
            answer: Vec::new(),
        };
        match said {
            Ok(true) if same => Ok(process),
            Ok(true) => Err(io::Error::other(
                "its settings, rules or templates are others: they were changed while the program was running",
            )),
            Ok(false) | Err(_) => Err(io::Error::other(process.death())),
        }
    }

    /// Hands over a page, whose fields are a message with its length.
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

    /// Hands over lines, and to `tell` what comes of them; `None` if the answers end too early, or cannot be read.
    fn answer_lines<M: DeserializeOwned>(
        &mut self,
        message: &[u8],
        lines: &[u8],
        tell: &mut dyn FnMut(Told<M>),
    ) -> Option<()> {
        self.contents.send(self.pages.as_mut()?, message, lines).ok()?;
        while frame::read(&mut self.answers, &mut self.answer).ok()? {
            tell(match postcard::from_bytes(&self.answer).ok()? {
                Answer::Read(end) => Told::Read(end),
                Answer::Made(made) => Told::Record(Ok(made)),
                Answer::Rejected(rejected) => Told::Record(Err(serde_json::from_str(&rejected).ok()?)),
                Answer::End => {
                    self.contents.done(lines);
                    return Some(());
                }
            });
        }
        None
    }

    /// Ends a process that may be waiting for somebody to read its answers.
    fn end(mut self) {
        // If it cannot be ended, it has.
        let _ = self.child.kill();
    }

    /// How a process died whose messages ended, in words.
    fn death(mut self) -> String {
        self.pages = None;
        let mut said = Vec::new();
        if let Some(stderr) = self.child.stderr.take() {
            // It is dead or dying; what cannot be read is not told.
            let _ = stderr.take(LAST_WORDS).read_to_end(&mut said);
        }
        let status = self.child.wait();
        let said = String::from_utf8_lossy(&said);
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
        // The end of its input ends it.
        self.pages = None;
        let _ = self.child.wait();
    }
}

/// Why a process ended.
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

    /// A script in the place of a page process. The hello of fingerprint 7 comes first, and the answer that it shares no memory.
    fn script(rest: &str) -> impl Fn(&str) -> io::Result<Child> + Sync {
        let hello = r"printf '\010\0\0\0\0\0\0\0\007\0\0\0\0\0\0\0'";
        let script = format!(r"{hello}; head -c 9 >/dev/null; printf '\001\0\0\0\0\0\0\0\0'; {rest}");
        move |_| started("sh", &script)
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
            let processes = PageProcesses::start(&launch, "test", Fingerprint(7)).unwrap();
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
        let processes = PageProcesses::start(&launch, "test", Fingerprint(7)).unwrap();
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
            // It goes on to write what nobody reads.
            (format!("{made}; {odd}; cat /dev/zero"), "5", false),
        ] {
            // All is read first: message, content, and a length before each.
            let rest = format!("head -c 25 >/dev/null; {rest}");
            let launch = script(&rest);
            let processes = PageProcesses::start(&launch, "test", Fingerprint(7)).unwrap();
            let mut got = String::new();
            let done = processes.work_lines(b"known", b"{}", &mut |what: Told<u8>| match what {
                Told::Read(end) => got += &format!("({}:{})", end.offset, end.line),
                Told::Record(row) => got += &row.unwrap().to_string(),
            });
            assert_eq!((got.as_str(), done), (told, all), "{rest}");
            assert_eq!(processes.idle().len(), usize::from(all));
        }
    }

    #[test]
    fn a_process_that_cannot_be_started_or_has_other_settings_is_told_before_the_work() {
        let start = |launch: &Launch<'_>| {
            PageProcesses::start(launch, "test", Fingerprint(7))
                .err()
                .map(|e| e.to_string())
        };
        let missing = |_: &str| started("/nowhere/at/all", "");
        assert!(start(&missing).is_some_and(|e| e.contains("cannot start a process")));
        let other = |_: &str| started("sh", r"printf '\010\0\0\0\0\0\0\0\010\0\0\0\0\0\0\0'");
        assert!(start(&other).is_some_and(|e| e.contains("settings")));
    }
}
