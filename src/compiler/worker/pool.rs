//! A fixed number of workers shared by threads. Whoever needs one takes it, and it comes back when the closure is left,
//! by a panic too.

use std::sync::{Condvar, Mutex, PoisonError};

use super::{Reply, Worker, WorkerError, WorkerLimits};
use crate::compiler::outcome::Outcome;
use crate::compiler::protocol::{RunRequest, WorkerRequest};
use crate::compiler::wheel::Installation;

/// Workers of one installation.
#[derive(Debug)]
pub struct Pool {
    idle: Mutex<Vec<Worker>>,
    returned: Condvar,
    size: usize,
}

struct Lease<'a> {
    pool: &'a Pool,
    worker: Option<Worker>,
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        if let Some(worker) = self.worker.take() {
            self.pool.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
            self.pool.returned.notify_one();
        }
    }
}

impl Pool {
    /// Starts `size` workers (at least one) at once.
    ///
    /// # Errors
    /// The first worker that cannot be started.
    pub fn start(installation: &Installation, limits: WorkerLimits, size: usize) -> Result<Pool, WorkerError> {
        Pool::start_in(installation, limits, &[], size)
    }

    /// The same with variables added to the workers' environment.
    ///
    /// # Errors
    /// The first worker that cannot be started.
    pub fn start_in(
        installation: &Installation,
        limits: WorkerLimits,
        environment: &[(String, String)],
        size: usize,
    ) -> Result<Pool, WorkerError> {
        let size = size.max(1);
        let idle = std::thread::scope(|scope| {
            let starting: Vec<_> =
                (0..size).map(|_| scope.spawn(|| Worker::start_in(installation, limits, environment))).collect();
            starting
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect::<Result<Vec<_>, _>>()
        })?;
        Ok(Pool { idle: Mutex::new(idle), returned: Condvar::new(), size })
    }

    /// The number of workers.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Waits for a worker and lends it.
    pub fn with<R>(&self, use_it: impl FnOnce(&mut Worker) -> R) -> R {
        let mut lease = Lease { pool: self, worker: None };
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = loop {
            match idle.pop() {
                Some(worker) => break worker,
                None => idle = self.returned.wait(idle).unwrap_or_else(PoisonError::into_inner),
            }
        };
        drop(idle);
        use_it(lease.worker.insert(worker))
    }

    /// [`Worker::ask`] with whichever worker is free.
    ///
    /// # Errors
    /// A broken environment.
    pub fn ask<Q: WorkerRequest>(&self, request: &Q) -> Result<Reply<Q::Answer>, WorkerError> {
        self.with(|worker| worker.ask(request))
    }

    /// [`Worker::run`] with whichever worker is free.
    ///
    /// # Errors
    /// A broken environment, or a run that cannot be set up.
    pub fn run(&self, run: &RunRequest) -> Result<Outcome, WorkerError> {
        self.with(|worker| worker.run(run))
    }
}
