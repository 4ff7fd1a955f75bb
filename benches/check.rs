//! `tritonsmith check` against `mlir-opt` 22 on the same large text: user time of both, in turn, on one thread.
//!
//! The text is made here, from a fixed seed: about 20 MB of generic form with operations that `mlir-opt` knows (`func`,
//! `arith`, `scf`, `cf`), in functions that are long, deeply nested, or have many blocks. `mlir-opt` parses it, verifies it
//! and is told to print to nowhere; `check` parses it and judges it. User time of child processes comes from the system in
//! hundredths of a second, so several rounds are added up.
//!
//! `MLIR_OPT` names another `mlir-opt`, `ROUNDS` another number of rounds, `MEGABYTES` another size.

use rand::{Rng, RngExt, SeedableRng};
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

type Failure = Box<dyn Error>;

/// The ratio below which the benchmark fails.
const WANTED: f64 = 4.0;

fn main() -> Result<(), Failure> {
    // `cargo test --all-targets` runs benchmarks too, without optimisation and without this word.
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let number =
        |name: &str, default: usize| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (rounds, megabytes) = (number("ROUNDS", 7).max(1), number("MEGABYTES", 20).max(1));
    let Some(mlir_opt) = find_mlir_opt() else {
        println!("no mlir-opt 22 was found: install Debian's mlir-22-tools, or name one with MLIR_OPT");
        return Ok(());
    };
    let text = Text::with_bytes(megabytes * 1_000_000);
    let directory = tempfile::tempdir()?;
    let file = directory.path().join("large.mlir");
    fs::write(&file, &text.out)?;
    println!(
        "{} bytes, {} operations, {} functions, regions {} deep; {rounds} rounds",
        text.out.len(),
        text.operations,
        text.functions,
        text.deepest
    );
    // Once without the clock: the file comes from memory for both, and both must accept it.
    for accepts in [check(&file), mlir(&mlir_opt, &file)] {
        run(accepts)?;
    }
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for round in 1..=rounds {
        ours.push(run(check(&file))?);
        theirs.push(run(mlir(&mlir_opt, &file))?);
        let (own, other) = (ours[round - 1], theirs[round - 1]);
        println!(
            "round {round}: check {:.2} s user ({:.2} s), mlir-opt {:.2} s user ({:.2} s)",
            own.0, own.1, other.0, other.1
        );
    }
    let sum = |times: &[(f64, f64)]| times.iter().map(|time| time.0).sum::<f64>();
    let ratio = sum(&theirs) / sum(&ours).max(0.01);
    let mean = |times: &[(f64, f64)]| sum(times) / rounds as f64;
    println!("mean user time: check {:.3} s, mlir-opt {:.3} s; ratio {ratio:.1}", mean(&ours), mean(&theirs));
    if ratio < WANTED {
        return Err(format!("check is to be {WANTED} times as fast at least").into());
    }
    Ok(())
}

fn find_mlir_opt() -> Option<String> {
    let named = std::env::var("MLIR_OPT").ok();
    let candidates = ["mlir-opt-22", "/usr/lib/llvm-22/bin/mlir-opt"].map(str::to_owned);
    named.into_iter().chain(candidates).find(|path| {
        Command::new(path)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|s| s.success())
    })
}

fn check(file: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tritonsmith"));
    command.arg("check").arg(file);
    command
}

fn mlir(mlir_opt: &str, file: &Path) -> Command {
    let mut command = Command::new(mlir_opt);
    command.arg("--mlir-disable-threading").arg(file).args(["-o", "/dev/null"]);
    command
}

/// User and wall seconds of a command that must succeed.
fn run(mut command: Command) -> Result<(f64, f64), Failure> {
    let (before, started) = (user_seconds_of_children()?, Instant::now());
    let output = command.stdin(Stdio::null()).output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?} failed: {}", said.chars().take(2000).collect::<String>()).into());
    }
    Ok((user_seconds_of_children()? - before, started.elapsed().as_secs_f64()))
}

/// The field `cutime` of `/proc/self/stat`, see proc(5); the kernel counts it in hundredths for every program.
fn user_seconds_of_children() -> Result<f64, Failure> {
    let text = fs::read_to_string("/proc/self/stat")?;
    let fields = text.rsplit(')').next().unwrap_or_default();
    let ticks: f64 = fields.split_whitespace().nth(13).ok_or("no cutime in /proc/self/stat")?.parse()?;
    Ok(ticks / 100.0)
}

/// A module that grows, with the values that can be used at its end, by type.
struct Text {
    out: String,
    random: rand_pcg::Pcg64Mcg,
    next: usize,
    integers: Vec<usize>,
    floats: Vec<usize>,
    flags: Vec<usize>,
    indices: Vec<usize>,
    operations: usize,
    functions: usize,
    deepest: usize,
}

impl Text {
    fn with_bytes(bytes: usize) -> Text {
        let mut text = Text {
            out: String::with_capacity(bytes + 100_000),
            random: rand_pcg::Pcg64Mcg::seed_from_u64(2),
            next: 0,
            integers: Vec::new(),
            floats: Vec::new(),
            flags: Vec::new(),
            indices: Vec::new(),
            operations: 0,
            functions: 0,
            deepest: 0,
        };
        text.out.push_str("\"builtin.module\"() ({\n");
        while text.out.len() < bytes {
            text.function();
        }
        text.out.push_str("}) : () -> ()\n");
        text
    }

    fn value(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    fn line(&mut self, depth: usize, line: std::fmt::Arguments<'_>) {
        for _ in 0..depth {
            self.out.push_str("  ");
        }
        // Writing to a string does not fail.
        let _ = self.out.write_fmt(line);
        self.out.push('\n');
        self.operations += 1;
    }

    /// One of the values, mostly one of the latest.
    fn pick(random: &mut impl Rng, values: &[usize]) -> usize {
        let back = match random.random_range(0..4) {
            0 => random.random_range(0..values.len()),
            _ => random.random_range(0..values.len().min(12)),
        };
        values[values.len() - 1 - back]
    }

    fn integer(&mut self) -> usize {
        Self::pick(&mut self.random, &self.integers)
    }

    fn float(&mut self) -> usize {
        Self::pick(&mut self.random, &self.floats)
    }

    fn flag(&mut self) -> usize {
        Self::pick(&mut self.random, &self.flags)
    }

    fn index(&mut self) -> usize {
        Self::pick(&mut self.random, &self.indices)
    }

    fn function(&mut self) {
        (self.next, self.functions) = (6, self.functions + 1);
        (self.integers, self.floats, self.flags, self.indices) = (vec![0, 1], vec![2], vec![3], vec![4, 5]);
        let (number, ty) = (self.functions, "(i32, i32, f32, i1, index, index) -> i32");
        self.line(1, format_args!("\"func.func\"() <{{function_type = {ty}, sym_name = \"f{number}\"}}> ({{"));
        let _ = writeln!(self.out, "  ^bb0(%0: i32, %1: i32, %2: f32, %3: i1, %4: index, %5: index):");
        let kind = self.random.random_range(0..3);
        match kind {
            // Wide: thousands of operations one after the other.
            0 => self.statements(2, 3000, 2),
            // Deep: regions in regions.
            1 => (0..12).for_each(|_| self.nest(2, 24)),
            // Many blocks.
            _ => self.blocks(200),
        }
        let result = self.integer();
        self.line(2, format_args!("\"func.return\"(%{result}) : (i32) -> ()"));
        self.out.push_str("  }) : () -> ()\n");
    }

    /// Blocks in a row, each ending in a branch to the next two or to the next alone; every block takes an integer.
    fn blocks(&mut self, count: usize) {
        let entry = (self.integers.clone(), self.floats.clone(), self.flags.clone(), self.indices.clone());
        for block in 1..count {
            self.statements(2, 12, 1);
            let (a, b, flag) = (self.integer(), self.integer(), self.flag());
            // The block after the next one is there except at the end.
            if block + 1 < count && self.random.random_bool(0.6) {
                let sizes = "operandSegmentSizes = array<i32: 1, 1, 1>";
                let next = block + 1;
                self.line(
                    2,
                    format_args!("\"cf.cond_br\"(%{flag}, %{a}, %{b})[^bb{block}, ^bb{next}] <{{{sizes}}}> : (i1, i32, i32) -> ()"),
                );
            } else {
                self.line(2, format_args!("\"cf.br\"(%{a})[^bb{block}] : (i32) -> ()"));
            }
            // Only what the entry block has dominates every block after it.
            (self.integers, self.floats, self.flags, self.indices) = entry.clone();
            let argument = self.value();
            self.integers.push(argument);
            let _ = writeln!(self.out, "  ^bb{block}(%{argument}: i32):");
        }
        self.statements(2, 4, 0);
    }

    /// A loop with a loop or a branch in it, and so on, with a few statements on every level.
    fn nest(&mut self, depth: usize, levels: usize) {
        self.deepest = self.deepest.max(depth);
        self.statements(depth, 3, 0);
        if levels == 0 {
            return;
        }
        match self.random.random_bool(0.5) {
            true => self.for_loop(depth, |text, depth| text.nest(depth, levels - 1)),
            false => self.branch(depth, |text, depth| text.nest(depth, levels - 1)),
        }
    }

    fn statements(&mut self, depth: usize, count: usize, levels: usize) {
        self.deepest = self.deepest.max(depth);
        for _ in 0..count {
            match self.random.random_range(0..40) {
                0 if levels > 0 => self.for_loop(depth, |text, depth| text.statements(depth, 20, levels - 1)),
                1 if levels > 0 => self.branch(depth, |text, depth| text.statements(depth, 10, levels - 1)),
                _ => self.statement(depth),
            }
        }
    }

    fn for_loop(&mut self, depth: usize, body: impl FnOnce(&mut Text, usize)) {
        let (low, high, step, first, second) = (self.index(), self.index(), self.index(), self.integer(), self.float());
        let result = self.value();
        let (iteration, carried, sum) = (self.value(), self.value(), self.value());
        self.line(depth, format_args!("%{result}:2 = \"scf.for\"(%{low}, %{high}, %{step}, %{first}, %{second}) ({{"));
        let _ = writeln!(self.out, "^bb0(%{iteration}: index, %{carried}: i32, %{sum}: f32):");
        let outside = self.scope();
        self.indices.push(iteration);
        self.integers.push(carried);
        self.floats.push(sum);
        body(self, depth + 1);
        let (carried, sum) = (self.integer(), self.float());
        self.line(depth + 1, format_args!("\"scf.yield\"(%{carried}, %{sum}) : (i32, f32) -> ()"));
        self.leave(outside);
        let _ = writeln!(self.out, "}}) : (index, index, index, i32, f32) -> (i32, f32)");
        // A name of its own for the first result of the two.
        let first = self.value();
        let other = self.integers[0];
        self.binary(depth, "addi", [&format!("{result}#0"), &other.to_string()], first);
        self.integers.push(first);
    }

    fn branch(&mut self, depth: usize, body: impl FnOnce(&mut Text, usize)) {
        let (flag, result) = (self.flag(), self.value());
        self.line(depth, format_args!("%{result} = \"scf.if\"(%{flag}) ({{"));
        let outside = self.scope();
        body(self, depth + 1);
        let value = self.integer();
        self.line(depth + 1, format_args!("\"scf.yield\"(%{value}) : (i32) -> ()"));
        self.leave(outside);
        self.out.push_str("}, {\n");
        self.statements(depth + 1, 2, 0);
        let value = self.integer();
        self.line(depth + 1, format_args!("\"scf.yield\"(%{value}) : (i32) -> ()"));
        self.leave(outside);
        self.out.push_str("}) : (i1) -> i32\n");
        self.integers.push(result);
    }

    fn scope(&self) -> [usize; 4] {
        [self.integers.len(), self.floats.len(), self.flags.len(), self.indices.len()]
    }

    fn leave(&mut self, outside: [usize; 4]) {
        self.integers.truncate(outside[0]);
        self.floats.truncate(outside[1]);
        self.flags.truncate(outside[2]);
        self.indices.truncate(outside[3]);
    }

    /// An operation on two values of one type, which its name tells.
    fn binary(&mut self, depth: usize, name: &str, [a, b]: [&str; 2], result: usize) {
        let (ty, flags) = match name.ends_with('f') {
            true => ("f32", "fastmath = #arith.fastmath<none>"),
            false => ("i32", "overflowFlags = #arith.overflow<none>"),
        };
        let types = format!("({ty}, {ty}) -> {ty}");
        self.line(depth, format_args!("%{result} = \"arith.{name}\"(%{a}, %{b}) <{{{flags}}}> : {types}"));
    }

    /// One operation of `arith`.
    fn statement(&mut self, depth: usize) {
        let result = self.value();
        match self.random.random_range(0..10) {
            0 => {
                let value = self.random.random_range(0..1000);
                self.line(
                    depth,
                    format_args!("%{result} = \"arith.constant\"() <{{value = {value} : i32}}> : () -> i32"),
                );
                self.integers.push(result);
            }
            1..=4 => {
                let name = ["addi", "subi", "muli"][self.random.random_range(0..3)];
                let operands = [self.integer(), self.integer()].map(|value| value.to_string());
                self.binary(depth, name, operands.each_ref().map(String::as_str), result);
                self.integers.push(result);
            }
            5..=6 => {
                let name = ["addf", "mulf", "maximumf"][self.random.random_range(0..3)];
                let operands = [self.float(), self.float()].map(|value| value.to_string());
                self.binary(depth, name, operands.each_ref().map(String::as_str), result);
                self.floats.push(result);
            }
            7 => {
                let (a, b) = (self.integer(), self.integer());
                self.line(
                    depth,
                    format_args!("%{result} = \"arith.cmpi\"(%{a}, %{b}) <{{predicate = 2 : i64}}> : (i32, i32) -> i1"),
                );
                self.flags.push(result);
            }
            8 => {
                let (flag, a, b) = (self.flag(), self.integer(), self.integer());
                self.line(
                    depth,
                    format_args!("%{result} = \"arith.select\"(%{flag}, %{a}, %{b}) : (i1, i32, i32) -> i32"),
                );
                self.integers.push(result);
            }
            _ => {
                let a = self.integer();
                self.line(depth, format_args!("%{result} = \"arith.index_cast\"(%{a}) : (i32) -> index"));
                self.indices.push(result);
            }
        }
    }
}
