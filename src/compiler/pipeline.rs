//! MLIR's textual pass pipelines as data.
//!
//! A reproducer carries the pipeline that was running: `builtin.module(cse, tt.func(a,b), canonicalize{ x=1  y=2})`. An
//! anchor (the kind of operation that a pass manager runs on, or `any`) holds passes with options and further anchored
//! pipelines. [`Pipeline`] reads and prints that text; how many blanks stood between options does not survive, everything
//! else does, so two pipelines are equal when they differ in blanks only.

use super::protocol::REST_OF_STAGE;
use std::fmt;
use std::str::FromStr;

/// Pass managers nested deeper than this are refused: the text is damaged, and nothing is worth a stack overflow.
const DEEPEST_NESTING: usize = 64;

/// A pass manager in text form: what it is anchored on and what it runs, in order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pipeline {
    /// The operation that the passes run on (`builtin.module`, `tt.func`), or `any`.
    pub anchor: String,
    /// Passes and nested pass managers in the order in which they run.
    pub steps: Vec<PipelineNode>,
}

/// One element of a pipeline.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PipelineNode {
    /// A pass with its options.
    Pass(Pass),
    /// A pass manager anchored on another operation.
    Nested(Pipeline),
}

/// A pass by its command-line name, with its options in the order in which they were written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pass {
    /// The command-line name, such as `tritongpu-pipeline`.
    pub name: String,
    /// `key=value` pairs, in order.
    pub options: Vec<PassOption>,
}

/// One `key=value` of a pass; a key may stand alone.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PassOption {
    /// The key as written: some passes say `num-stages`, others `num_stages`.
    pub key: String,
    /// The value as written, lists and braces included; `None` where no `=` follows the key.
    pub value: Option<String>,
}

/// One pass with the pass managers that it is nested in: `tt.func(tritonamdgpu-hoist)`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NestedPass {
    /// The anchors around it, outermost first; none for a pass of the module's own manager.
    pub anchors: Vec<String>,
    /// The pass itself.
    pub pass: Pass,
}

/// Text that is no pipeline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("pass pipeline, byte {offset}: {message}")]
pub struct PipelineError {
    /// Byte offset into the pipeline text.
    pub offset: usize,
    /// What was expected there.
    pub message: String,
}

impl Pipeline {
    /// The passes in the order in which they run, nested ones in their place. [`super::PassName::find_in`] returns positions
    /// in this list.
    pub fn passes(&self) -> Vec<NestedPass> {
        let mut passes = Vec::new();
        self.flatten(&mut Vec::new(), &mut passes);
        passes
    }

    fn flatten(&self, anchors: &mut Vec<String>, passes: &mut Vec<NestedPass>) {
        for step in &self.steps {
            match step {
                PipelineNode::Pass(pass) => passes.push(NestedPass { anchors: anchors.clone(), pass: pass.clone() }),
                PipelineNode::Nested(pipeline) => {
                    anchors.push(pipeline.anchor.clone());
                    pipeline.flatten(anchors, passes);
                    anchors.pop();
                }
            }
        }
    }

    /// The values that passes give to an option, in order of the passes. `num-stages` and `num_stages` are the same option.
    pub fn option_values(&self, key: &str) -> Vec<String> {
        self.passes().iter().filter_map(|nested| Some(nested.pass.option(key)?.to_owned())).collect()
    }
}

impl NestedPass {
    /// The passes of a list as `--passes` takes it: separated by commas, nested or in `builtin.module(…)`.
    ///
    /// # Errors
    /// The text is no list of passes.
    pub fn parse_list(text: &str) -> Result<Vec<NestedPass>, PipelineError> {
        let text = text.trim();
        let whole =
            if text.starts_with("builtin.module(") { text.to_owned() } else { format!("builtin.module({text})") };
        Ok(whole.parse::<Pipeline>()?.passes())
    }

    /// The passes that a compiler names. Text that is no list of passes counts as the name of one.
    pub fn named(text: &str) -> Vec<NestedPass> {
        NestedPass::parse_list(text).unwrap_or_else(|_| {
            let pass = Pass { name: text.trim().to_owned(), options: Vec::new() };
            vec![NestedPass { anchors: Vec::new(), pass }]
        })
    }

    /// The command-line name.
    pub fn name(&self) -> &str {
        &self.pass.name
    }

    /// The stage whose work beside its passes this is, where it is no pass: `llir` for `make_llir`, which is the
    /// translation to LLVM IR and what LLVM does with it.
    pub fn rest_of_stage(&self) -> Option<&str> {
        let stage = self.pass.name.strip_prefix(REST_OF_STAGE)?;
        (self.anchors.is_empty() && self.pass.options.is_empty()).then_some(stage)
    }
}

impl Pass {
    /// The value of an option; dashes and underscores in the key are the same.
    pub fn option(&self, key: &str) -> Option<&str> {
        let same = |a: &str| a.len() == key.len() && a.bytes().zip(key.bytes()).all(|(a, b)| undash(a) == undash(b));
        self.options.iter().find(|option| same(&option.key)).and_then(|option| option.value.as_deref())
    }
}

fn undash(byte: u8) -> u8 {
    if byte == b'_' { b'-' } else { byte }
}

impl FromStr for Pipeline {
    type Err = PipelineError;

    fn from_str(text: &str) -> Result<Self, PipelineError> {
        let mut reader = PipelineParser { text, at: 0 };
        reader.blanks();
        let step = reader.step(0)?;
        reader.blanks();
        if reader.at < text.len() {
            return reader.expected("the end of the pipeline");
        }
        match step {
            PipelineNode::Nested(pipeline) => Ok(pipeline),
            PipelineNode::Pass(_) => Err(PipelineError {
                offset: 0,
                message: "expected an anchor with its passes in parentheses, such as builtin.module(cse)".to_owned(),
            }),
        }
    }
}

impl FromStr for Pass {
    type Err = PipelineError;

    fn from_str(text: &str) -> Result<Self, PipelineError> {
        let mut reader = PipelineParser { text, at: 0 };
        reader.blanks();
        let pass = reader.pass()?;
        reader.blanks();
        if reader.at < text.len() { reader.expected("the end of the pass") } else { Ok(pass) }
    }
}

/// A cursor over pipeline text. All its stops are at ASCII characters, hence at character boundaries.
struct PipelineParser<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> PipelineParser<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn skip(&mut self, wanted: impl Fn(u8) -> bool) -> &'t str {
        let start = self.at;
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn blanks(&mut self) {
        self.skip(|byte| byte.is_ascii_whitespace());
    }

    fn expected<T>(&self, what: &str) -> Result<T, PipelineError> {
        let found = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        let found = found.map_or_else(|| "the text ends".to_owned(), |c| format!("found {c:?}"));
        Err(PipelineError { offset: self.at, message: format!("expected {what}, but {found}") })
    }

    fn name(&mut self) -> Result<String, PipelineError> {
        let name = self.skip(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
        if name.is_empty() { self.expected("the name of a pass or of an anchor") } else { Ok(name.to_owned()) }
    }

    fn step(&mut self, depth: usize) -> Result<PipelineNode, PipelineError> {
        if depth > DEEPEST_NESTING {
            return self.expected("fewer nested pass managers");
        }
        let pass = self.pass()?;
        self.blanks();
        if !pass.options.is_empty() || !self.eat(b'(') {
            return Ok(PipelineNode::Pass(pass));
        }
        let mut steps = Vec::new();
        self.blanks();
        if !self.eat(b')') {
            loop {
                self.blanks();
                steps.push(self.step(depth + 1)?);
                self.blanks();
                if self.eat(b')') {
                    break;
                }
                if !self.eat(b',') {
                    return self.expected("`,` or `)`");
                }
            }
        }
        Ok(PipelineNode::Nested(Pipeline { anchor: pass.name, steps }))
    }

    fn pass(&mut self) -> Result<Pass, PipelineError> {
        let name = self.name()?;
        self.blanks();
        let mut options = Vec::new();
        if self.eat(b'{') {
            loop {
                self.blanks();
                if self.eat(b'}') {
                    break;
                }
                options.push(self.option()?);
            }
        }
        Ok(Pass { name, options })
    }

    fn option(&mut self) -> Result<PassOption, PipelineError> {
        let key = self.skip(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'=' | b'{' | b'}'));
        if key.is_empty() {
            return self.expected("an option or `}`");
        }
        let value = if self.eat(b'=') { Some(self.value()?) } else { None };
        Ok(PassOption { key: key.to_owned(), value })
    }

    /// A value ends at a blank or at the closing brace of the options; braces and quotes inside it protect both.
    fn value(&mut self) -> Result<String, PipelineError> {
        let mut value = String::new();
        let mut braces = 0usize;
        let mut start = self.at;
        let mut quote = None;
        while let Some(byte) = self.peek() {
            match (quote, byte) {
                (Some(open), _) => quote = (byte != open).then_some(open),
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'{' | b'[') => braces += 1,
                (None, b'}' | b']') if braces > 0 => braces -= 1,
                (None, b'}') => break,
                (None, _) if byte.is_ascii_whitespace() => {
                    if braces == 0 {
                        break;
                    }
                    value.push_str(self.text.get(start..self.at).unwrap_or_default());
                    value.push(' ');
                    self.blanks();
                    start = self.at;
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
        value.push_str(self.text.get(start..self.at).unwrap_or_default());
        if quote.is_some() || braces > 0 || self.peek().is_none() {
            return self.expected("the end of the option's value");
        }
        Ok(value)
    }
}

impl fmt::Display for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.anchor)?;
        for (index, step) in self.steps.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            match step {
                PipelineNode::Pass(pass) => pass.fmt(f)?,
                PipelineNode::Nested(pipeline) => pipeline.fmt(f)?,
            }
        }
        f.write_str(")")
    }
}

impl fmt::Display for NestedPass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.anchors.iter().try_for_each(|anchor| write!(f, "{anchor}("))?;
        self.pass.fmt(f)?;
        self.anchors.iter().try_for_each(|_| f.write_str(")"))
    }
}

impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (index, option) in self.options.iter().enumerate() {
            f.write_str(if index == 0 { "{" } else { " " })?;
            option.fmt(f)?;
        }
        f.write_str(if self.options.is_empty() { "" } else { "}" })
    }
}

impl fmt::Display for PassOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.key)?;
        self.value.as_ref().map_or(Ok(()), |value| write!(f, "={value}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AMD: &str = "builtin.module(tritongpu-F32DotTC{emu-tf32=false}, tt.func(tritonamdgpu-hoist,tritonamdgpu-sink), \
                       canonicalize{cse-between-iterations=false    max-iterations=10   top-down=true}, any(cse))";

    #[test]
    fn reads_nested_managers_and_options_with_any_number_of_blanks() {
        let pipeline: Pipeline = AMD.parse().unwrap();
        let flat: Vec<String> = pipeline.passes().iter().map(ToString::to_string).collect();
        assert_eq!(
            flat,
            [
                "tritongpu-F32DotTC{emu-tf32=false}",
                "tt.func(tritonamdgpu-hoist)",
                "tt.func(tritonamdgpu-sink)",
                "canonicalize{cse-between-iterations=false max-iterations=10 top-down=true}",
                "any(cse)"
            ]
        );
        assert_eq!(pipeline.option_values("max_iterations"), ["10"]);
    }

    #[test]
    fn prints_canonically_and_reads_that_back() {
        let pipeline: Pipeline = AMD.parse().unwrap();
        let printed = pipeline.to_string();
        assert!(printed.contains("canonicalize{cse-between-iterations=false max-iterations=10 top-down=true}"));
        assert!(printed.contains("tt.func(tritonamdgpu-hoist, tritonamdgpu-sink)"));
        assert_eq!(printed.parse::<Pipeline>().unwrap(), pipeline);
    }

    #[test]
    fn pipelines_that_differ_in_blanks_are_equal() {
        let tight: Pipeline = "builtin.module(a{x=1 y},b)".parse().unwrap();
        let loose: Pipeline = " builtin.module ( a {  x=1 \n y } ,\tb{} )\n".parse().unwrap();
        assert_eq!(tight, loose);
    }

    #[test]
    fn values_keep_lists_braces_and_quotes() {
        let text = "builtin.module(arith-emulate-unsupported-floats{source-types={bf16, f8} target-type=f32}, \
                    a{sizes=1,2,3 text=\"x } y\"})";
        let pipeline: Pipeline = text.parse().unwrap();
        assert_eq!(pipeline.option_values("source-types"), ["{bf16, f8}"]);
        assert_eq!(pipeline.option_values("sizes"), ["1,2,3"]);
        assert_eq!(pipeline.option_values("text"), ["\"x } y\""]);
        assert_eq!(pipeline.to_string().parse::<Pipeline>().unwrap(), pipeline);
    }

    #[test]
    fn passes_are_read_from_lists_and_pipelines() {
        let list = |text: &str| {
            let passes = NestedPass::parse_list(text)?;
            Ok::<Vec<String>, PipelineError>(passes.iter().map(ToString::to_string).collect())
        };
        assert_eq!(list("a,b{x=1  y=2}").unwrap(), ["a", "b{x=1 y=2}"]);
        assert_eq!(list("builtin.module(a,tt.func(b,c))").unwrap(), ["a", "tt.func(b)", "tt.func(c)"]);
        assert!(["", "a,", "a{x=1"].into_iter().all(|text| list(text).map_or(true, |list| list.is_empty())));
        assert_eq!(NestedPass::named("tt.func(a{x=(1)})")[0].name(), "a");
        assert_eq!(NestedPass::named("a pass{of its own")[0].name(), "a pass{of its own");
    }

    #[test]
    fn errors_name_the_byte_and_what_was_expected() {
        for (text, offset) in [
            ("", 0),
            ("cse", 0),
            ("builtin.module(cse", 18),
            ("builtin.module(cse))", 19),
            ("builtin.module(cse{a=1)", 23),
            ("builtin.module(cse,)", 19),
            ("builtin.module(cse tritongpu-x)", 19),
            ("builtin.module(cse{=1})", 19),
        ] {
            let error = text.parse::<Pipeline>().unwrap_err();
            assert_eq!(error.offset, offset, "{text}: {error}");
        }
        assert!("a(".repeat(100_000).parse::<Pipeline>().is_err());
    }
}
