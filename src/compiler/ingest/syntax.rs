//! MLIR's syntax line by line, without parsing: what can begin a line, and whether a line is complete.

use crate::compiler::diagnostic::{is_caret_line, is_mlir_diagnostic};

/// Whether printed MLIR, or the output around it, has lines that begin like this. Continuations of wrapped lines rarely do.
pub(super) fn starts_line(line: &str) -> bool {
    starts_mlir(line) || starts_log(line)
}

/// The first bytes of a line, enough to classify it: lines that are joined from many fragments are classified often.
pub(super) fn beginning(line: &str) -> &str {
    let mut end = line.len().min(1024);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    line.get(..end).unwrap_or(line)
}

/// Whether an operation, a block, an alias, a closing brace or a part of a resource section begins here.
pub(super) fn starts_mlir(line: &str) -> bool {
    let line = beginning(line);
    let text = line.trim_start();
    let bytes = text.as_bytes();
    match bytes.first() {
        Some(b'%') => starts_results(text),
        Some(b'^') => bytes.get(1).is_some_and(u8::is_ascii_alphabetic) && text.contains(':'),
        Some(b'}') => true,
        Some(b'#') => text == "#-}" || is_alias(text),
        Some(b'!') => is_alias(text),
        Some(b'"') => quoted_operation(text),
        Some(b'/') => text.starts_with("//"),
        Some(b'{') => text.starts_with("{-#"),
        Some(byte) if byte.is_ascii_alphabetic() => is_module(text) || starts_bare_operation(line) || is_resource(text),
        _ => false,
    }
}

/// Whether a line of the output around modules begins here.
pub(super) fn starts_log(line: &str) -> bool {
    let text = line.trim_end();
    text.is_empty()
        || is_caret_line(text)
        || text.starts_with("Traceback (most")
        || text.starts_with("  File \"")
        || text.starts_with("Stack dump")
        || text.starts_with("LLVM ERROR: ")
        || text.starts_with("```")
        || exception(text)
        || is_mlir_diagnostic(text)
}

fn exception(text: &str) -> bool {
    let Some((name, _)) = text.split_once(": ") else { return false };
    name.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_'))
        && ["Error", "Exception", "Warning"].iter().any(|ending| name.ends_with(ending))
}

/// Whether a line of a section of resources begins here.
pub(super) fn is_resource(text: &str) -> bool {
    const KEYS: [&str; 6] = [
        "external_resources: {",
        "mlir_reproducer: {",
        "dialect_resources: {",
        "pipeline:",
        "disable_threading: ",
        "verify_each: ",
    ];
    KEYS.iter().any(|key| text.starts_with(key))
}

/// `%0 = `, `%1:2 = `, `%a, %b = `.
fn starts_results(text: &str) -> bool {
    let Some((results, _)) = text.split_once(" = ") else { return false };
    results.split(", ").all(|result| {
        result.strip_prefix('%').is_some_and(|name| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.$-:".contains(&byte))
        })
    })
}

/// `"tt.reduce"(`.
fn quoted_operation(text: &str) -> bool {
    let Some((name, rest)) = text.get(1..).and_then(|text| text.split_once('"')) else { return false };
    rest.starts_with('(') && name.contains('.') && name.bytes().all(is_name_byte)
}

/// `tt.return`, `cf.br ^bb1`, `scf.yield %1 : f32`; not `ttg.target = …`, which belongs to a dictionary. A module's
/// operations are indented, only functions may be at the margin.
fn starts_bare_operation(line: &str) -> bool {
    let text = line.trim_start();
    let length = text.bytes().position(|byte| !is_name_byte(byte)).unwrap_or(text.len());
    let (name, rest) = text.split_at(length);
    if name == "return" || name == "func" {
        return rest.is_empty() || rest.starts_with(' ');
    }
    let Some((dialect, operation)) = name.split_once('.') else { return false };
    let named = !dialect.is_empty() && !operation.is_empty() && !operation.ends_with('.');
    let followed = rest.is_empty() || rest.starts_with('(') || (rest.starts_with(' ') && !rest.starts_with(" = "));
    named && followed && (line.len() > text.len() || operation.ends_with("func"))
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$')
}

/// `#blocked = …`, `!t = …`.
pub(super) fn is_alias(text: &str) -> bool {
    if !text.starts_with(['#', '!']) {
        return false;
    }
    let name = text.bytes().skip(1).take_while(|byte| is_name_byte(*byte) || *byte == b'-').count();
    name > 0 && text.get(1 + name..).is_some_and(|rest| rest.starts_with(" = ") || rest == " =")
}

/// Whether a module operation begins here, in custom or generic form.
pub(super) fn is_module(text: &str) -> bool {
    if text.starts_with("\"builtin.module\"(") {
        return true;
    }
    let Some(rest) = text.strip_prefix("builtin.module").or_else(|| text.strip_prefix("module")) else { return false };
    let rest = rest.trim_end();
    rest.starts_with(" {") || rest.starts_with(" @") || rest.starts_with(" attributes {") || rest == " attributes"
}

/// Whether a function begins here, as in files that leave the module out.
pub(super) fn is_function(text: &str) -> bool {
    let text = text.strip_prefix('"').unwrap_or(text);
    let length = text.bytes().position(|byte| !is_name_byte(byte)).unwrap_or(text.len());
    let (name, rest) = text.split_at(length);
    name.ends_with(".func") && (rest.starts_with([' ', '(']) || rest.starts_with("\"("))
}

/// Whether this text continues an operation: with its type, a region, or a keyword inside operations.
pub(super) fn continues_operation(text: &str) -> bool {
    const WORDS: [&str; 7] = ["loc(", "attributes ", "iter_args(", "to ", "step ", "into ", "else "];
    // Of two blanks in a row, one survives.
    let text = text.strip_prefix(' ').unwrap_or(text);
    text.starts_with([':', '<', '-', '{', ',', '(', ')', '=', '>', '*', ']'])
        || WORDS.iter().any(|word| text.starts_with(word))
}

/// The open brackets and quotes at the end of a text, which may be fed in fragments.
#[derive(Debug, Clone, Default)]
pub(super) struct Balance {
    open: Vec<u8>,
    in_string: bool,
    escaped: bool,
    last: u8,
    /// The last bytes, to recognise openings of regions, `->` and keywords that an operand must follow.
    tail: [u8; 5],
    resource: bool,
    label: bool,
}

impl Balance {
    pub(super) fn of(text: &str) -> Self {
        let mut balance = Balance::default();
        balance.feed(text);
        balance
    }

    pub(super) fn feed(&mut self, text: &str) {
        if self.last == 0 {
            let start = text.trim_start();
            self.resource = is_resource(start);
            self.label = start.starts_with('^');
        }
        for byte in text.bytes() {
            if self.in_string {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => self.in_string = false,
                    _ => {}
                }
            } else {
                match byte {
                    b'"' => self.in_string = true,
                    b'(' | b'[' | b'{' | b'<' => self.open.push(byte),
                    b')' => self.close(b'('),
                    b']' => self.close(b'['),
                    b'}' => self.close(b'{'),
                    b'>' if self.last != b'-' => self.close(b'<'),
                    _ => {}
                }
            }
            self.tail.rotate_left(1);
            self.tail[4] = byte;
            self.last = byte;
        }
    }

    /// Closers of earlier lines' brackets (`}) : …`) close nothing here.
    fn close(&mut self, opener: u8) {
        if self.open.last() == Some(&opener) {
            self.open.pop();
        }
    }

    pub(super) fn in_string(&self) -> bool {
        self.in_string
    }

    /// Whether no line of MLIR can end here: inside quotes or brackets, after a blank, or before an operand.
    pub(super) fn incomplete(&self) -> bool {
        if self.in_string {
            return true;
        }
        let mut open = self.open.as_slice();
        if self.last == b'{' {
            // The opening of a region, or of a section of resources, ends a line.
            open = open.split_last().map_or(open, |(_, rest)| rest);
            if self.tail.ends_with(b"({") {
                open = open.split_last().map_or(open, |(_, rest)| rest);
            }
        }
        let dangling = match self.last {
            b',' => !self.resource,
            b':' => !self.label,
            b' ' | b'=' | b'-' | b'%' | b'#' | b'!' | b'@' | b'<' | b'*' => true,
            _ => [&b"->"[..], b".for", b" to", b" step", b" into"].iter().any(|end| self.tail.ends_with(end)),
        };
        !open.is_empty() || dangling
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_what_begins_a_line() {
        for line in [
            "module {",
            "module attributes {\"ttg.num-warps\" = 4 : i32} {",
            "\"builtin.module\"() ({",
            "  tt.func public @f(%arg0: i32) {",
            "    %0 = tt.load %1 : f32",
            "    %68:3 = scf.for %i = %0 to %1 step %2 {",
            "      tt.return",
            "  ^bb1:  // pred: ^bb0",
            "    }) : (i32) -> ()",
            "#blocked1 = #ttg.blocked<{}>",
            "#loc = loc(unknown)",
            "{-#",
            "Traceback (most recent call last):",
            "RuntimeError: PassManager::run failed",
            "a.py:1:2: error: x",
            "     ^",
        ] {
            assert!(starts_line(line), "{line}");
        }
    }

    #[test]
    fn knows_what_continues_one() {
        for line in [
            "ility = 16 : i32}, %arg1: i32) {",
            "%5, %6 : tensor<4xi32>",
            "ttg.target = \"cuda:80\"} {",
            "tt.ptr<f32>, #blocked>",
            "-> tensor<4xf32>",
            " : i32 {",
            "oading: true,",
            "\"ttg.num-ctas\" = 1 : i32} {",
            "#blocked> -> f32",
        ] {
            assert!(!starts_line(line), "{line}");
        }
    }

    #[test]
    fn knows_where_no_line_ends() {
        let incomplete = |text: &str| Balance::of(text).incomplete();
        for text in ["%0 = tt.load %1 : tensor<4", "tt.func @f(%a: i32", "pipeline: \"builtin", "%1 = ", "%1 = scf.for"]
        {
            assert!(incomplete(text), "{text}");
        }
        for text in
            ["%0 = a.b %1 : f32 -> i32", "}) : (i32) -> ()", "a.b() ({", "^bb1:", "module {", "pipeline: \"x\","]
        {
            assert!(!incomplete(text), "{text}");
        }
    }
}
