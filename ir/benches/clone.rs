//! What a candidate of a reduction costs before anything is asked about it: the copy of a module, and the copy with one
//! type more, as an edit that shrinks a tensor leaves it.
//!
//!     cargo bench -p tritonsmith-ir --bench clone -- FILE.mlir…

use std::hint::black_box;
use std::time::{Duration, Instant};
use tritonsmith_ir::{Module, Type, parse};

const ROUNDS: u32 = 2_000;

/// What the quickest tenth of so many runs takes at most: other programs make the rest slower.
fn quick(mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 10]
}

fn with_one_type_more(module: &Module, size: u64) -> Module {
    let mut copy = module.clone();
    let element = copy.interners.plain("f32");
    copy.interners.ty(Type::Tensor { shape: vec![Some(size)], element, encoding: None });
    copy
}

fn main() {
    let files: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a file that can be read");
        let module = parse(&text).expect("a module");
        let copy = quick(|| drop(black_box(module.clone())));
        let interners = quick(|| drop(black_box(module.interners.clone())));
        let mut size = 1 << 20;
        let edited = quick(|| {
            size += 1;
            drop(black_box(with_one_type_more(&module, size)));
        });
        println!(
            "{file}: {} operations, copy {copy:.1?}, its interners {interners:.1?}, with a type more {edited:.1?}",
            module.size()
        );
    }
}
