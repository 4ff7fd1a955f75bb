//! One interestingness test for all tools: does this text still fail the same way? Asked of a real wheel, through a socket.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tritonsmith::compiler::protocol::{Keep, Options, Passes};
use tritonsmith::compiler::wheel::install;
use tritonsmith::compiler::worker::{Pool, WorkerLimits};
use tritonsmith::compiler::{Compile, Compiler};
use tritonsmith::corpus::Case;
use tritonsmith::ir;
use tritonsmith::judge::{Signature, SignatureMatch, Verdict};
use tritonsmith::reduce::{Effort, ReductionJob, SameFailure, minimise};

/// What is reduced, and what runs on each candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// The module just before the failing pass, with that pass.
    Pass,
    /// The module as given, with all passes.
    Whole,
}

impl Level {
    /// The word for it on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Level::Pass => "pass",
            Level::Whole => "whole",
        }
    }

    /// The words for it in a table.
    pub fn title(self) -> &'static str {
        match self {
            Level::Pass => "just before the failing pass",
            Level::Whole => "whole pipeline",
        }
    }
}

/// A module, and what it is asked.
#[derive(Debug)]
pub struct Reduction {
    /// The module.
    pub text: String,
    pool: Arc<Pool>,
    compile: Compile,
    signature: Signature,
}

/// What was asked while a tool ran.
#[derive(Debug, Default, Clone)]
pub struct Tally {
    /// Queries.
    pub queries: u64,
    /// Those about text that Triton does not parse.
    pub invalid: u64,
    /// The query whose text was the last to be smaller than all that fail before it.
    pub last_smaller: u64,
    /// That text.
    pub smallest: Option<String>,
}

/// A test that waits for queries.
#[derive(Debug)]
pub struct Listening<'a> {
    tally: Arc<Mutex<Tally>>,
    over: Arc<AtomicBool>,
    path: &'a Path,
    thread: std::thread::JoinHandle<()>,
}

const LIMIT: Duration = Duration::from_secs(20);

impl Reduction {
    /// Makes the module of a case and level with the wheel that fails on it.
    pub fn prepare(case: &str, version: &str, target: &str, level: Level) -> Reduction {
        let installation = install(&version.parse().unwrap(), &AtomicBool::new(false), &mut |_| {}).unwrap();
        let pool = Arc::new(Pool::start(&installation, WorkerLimits::default(), 2).unwrap());
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(case);
        let (compile, text) = if path.is_dir() {
            let (case, _) = Case::read(&path).unwrap();
            (case.compile().unwrap(), std::fs::read_to_string(path.join(&case.module)).unwrap())
        } else {
            let options = Options::from([("num_warps".to_owned(), 4.into()), ("num_stages".to_owned(), 2.into())]);
            let compile = Compile { target: target.parse().unwrap(), options, passes: Passes::stage("ttgir") };
            (compile, std::fs::read_to_string(path).unwrap())
        };
        let job = ReductionJob {
            level: match level {
                Level::Pass => tritonsmith::reduce::Level::Pass,
                Level::Whole => tritonsmith::reduce::Level::Ttir,
            },
            effort: Effort { max_queries: Some(1), ..Effort::default() },
            ..ReductionJob::new(compile, text)
        };
        let start = minimise(&*pool, &job, &mut |_| {}).unwrap();
        Reduction { text: start.text, pool, compile: start.compile, signature: start.located.judgement.signature }
    }

    fn verdict(&self, text: &str) -> (bool, bool) {
        let compiler: &dyn Compiler = &*self.pool;
        let test =
            SameFailure { compiler, compile: &self.compile, signature: &self.signature, keep: SignatureMatch::Exact };
        let judgement = test.judge(text, LIMIT).unwrap();
        (
            self.signature.matches(&judgement.signature, SignatureMatch::Exact),
            judgement.verdict == Verdict::RejectedInput,
        )
    }

    /// Whether a text fails the same way.
    pub fn shows(&self, text: &str) -> bool {
        self.verdict(text).0
    }

    /// Operations inside the functions of a text as Triton reads it; `None` where it does not.
    pub fn operations(&self, text: &str) -> Option<usize> {
        let run = Compile { passes: Passes::Texts { texts: Vec::new() }, ..self.compile.clone() }
            .run(text, Keep { last: true, ..Keep::default() });
        let outcome = self.pool.run(&run).ok()?;
        Some(ir::parse(outcome.last_module()?).ok()?.size())
    }

    /// Answers on a socket until it is stopped.
    pub fn listen<'a>(&self, path: &'a Path) -> Listening<'a> {
        let listener = UnixListener::bind(path).unwrap();
        let (tally, over) = (Arc::new(Mutex::new(Tally::default())), Arc::new(AtomicBool::new(false)));
        let own = Reduction {
            text: String::new(),
            pool: self.pool.clone(),
            compile: self.compile.clone(),
            signature: self.signature.clone(),
        };
        let thread = std::thread::spawn({
            let (tally, over) = (tally.clone(), over.clone());
            move || {
                std::thread::scope(|scope| {
                    for stream in listener.incoming().flatten() {
                        if over.load(Ordering::Relaxed) {
                            break;
                        }
                        scope.spawn(|| own.answer(stream, &tally));
                    }
                });
            }
        });
        Listening { tally, over, path, thread }
    }

    fn answer(&self, mut stream: UnixStream, tally: &Mutex<Tally>) {
        let mut bytes = Vec::new();
        if stream.read_to_end(&mut bytes).is_err() {
            return;
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (shows, invalid) = self.verdict(&text);
        {
            let mut tally = tally.lock().unwrap();
            tally.queries += 1;
            tally.invalid += u64::from(invalid);
            if shows && tally.smallest.as_ref().is_none_or(|smallest| text.len() < smallest.len()) {
                tally.last_smaller = tally.queries;
                tally.smallest = Some(text);
            }
        }
        // The tool may be gone by now.
        let _ = stream.write_all(if shows { b"yes" } else { b"no" });
        let _ = stream.shutdown(Shutdown::Both);
    }
}

impl Listening<'_> {
    /// Ends, and tells what was asked.
    pub fn stop(self) -> Tally {
        self.over.store(true, Ordering::Relaxed);
        // A last connection wakes the thread.
        let _ = UnixStream::connect(self.path);
        self.thread.join().unwrap();
        self.tally.lock().unwrap().clone()
    }
}
