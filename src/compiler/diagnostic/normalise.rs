//! Removes from messages what differs from run to run.
//!
//! Two runs of the same bug print different value numbers, paths, line numbers and shapes. [`normalise`] removes them, so
//! that equal results mean the same error. The rules, applied from left to right in one pass:
//!
//! 1. An SSA value `%12`, `%arg3`, `%x#1` becomes `%_`, a symbol `@name` becomes `@_`, a block `^bb3` becomes `^_`.
//! 2. An attribute or type alias loses its number: `#blocked12` becomes `#blocked`, `!t1` becomes `!t`.
//! 3. Angle brackets right after a word lose their content: `tensor<128x64xf32, #mma>` becomes `tensor<_>`.
//! 4. A path keeps its last part: `/root/triton/lib/Pass.cpp` becomes `Pass.cpp`.
//! 5. A number that is not part of a word becomes `_`, also hexadecimal ones and `#0`; `_:_` after a file stays.
//! 6. Runs of blanks become one blank; text is trimmed.
//!
//! Words with digits in them (`f32`, `gfx942`, `v2`) are names and stay.

/// Applies the rules of this module. Idempotent.
pub fn normalise(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut rest = message.trim();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            c if c.is_whitespace() => {
                out.push(' ');
                rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len())
            }
            '%' | '@' | '^' => sigil(rest, first, &mut out),
            '#' | '!' => alias(rest, first, &mut out),
            c if is_word(c) || starts_path(rest) => word_or_path(rest, &mut out),
            c => {
                out.push(c);
                c.len_utf8()
            }
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    out
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn starts_path(text: &str) -> bool {
    let mut chars = text.chars();
    matches!(chars.next(), Some('/' | '.' | '~')) && chars.next().is_some_and(|c| is_word(c) || "./".contains(c))
}

fn run(text: &str, wanted: impl Fn(char) -> bool) -> usize {
    text.find(|c| !wanted(c)).unwrap_or(text.len())
}

fn sigil(text: &str, sigil: char, out: &mut String) -> usize {
    out.push(sigil);
    let name = run(text.get(1..).unwrap_or_default(), |c| is_word(c) || matches!(c, '.' | '$' | '-'));
    // The name may end the sentence.
    let name = text.get(1..=name).unwrap_or_default().trim_end_matches(['.', '-']).len();
    if name == 0 {
        return 1;
    }
    out.push('_');
    let after = text.get(1 + name..).unwrap_or_default();
    let result = match after.strip_prefix('#') {
        Some(number) if sigil == '%' => run(number, |c| c.is_ascii_digit()),
        _ => 0,
    };
    1 + name + if result > 0 { 1 + result } else { 0 }
}

fn alias(text: &str, sigil: char, out: &mut String) -> usize {
    out.push(sigil);
    let name = text.get(1..).unwrap_or_default();
    let name = name.get(..run(name, |c| is_word(c) || c == '.')).unwrap_or_default();
    if name.is_empty() {
        return 1;
    }
    let kept = name.trim_end_matches(|c: char| c.is_ascii_digit());
    out.push_str(if kept.is_empty() { "_" } else { kept });
    1 + name.len() + angle_brackets(text.get(1 + name.len()..).unwrap_or_default(), out)
}

/// Drops a balanced `<…>` at the beginning of the text, leaving `<_>`; `->` inside closes nothing.
fn angle_brackets(text: &str, out: &mut String) -> usize {
    if !text.starts_with('<') {
        return 0;
    }
    let mut depth = 0usize;
    let mut before = ' ';
    for (index, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if before != '-' => depth -= 1,
            _ => {}
        }
        before = c;
        if depth == 0 {
            out.push_str("<_>");
            return index + 1;
        }
    }
    0
}

fn word_or_path(text: &str, out: &mut String) -> usize {
    let length = run(text, |c| is_word(c) || matches!(c, '/' | '\\' | '.' | '-' | '~' | '+'));
    let token = text.get(..length).unwrap_or_default();
    // A dash or dot at the end belongs to the sentence, not to a name; `->` is an arrow.
    let token = token.trim_end_matches(['.', '-', '+', '~']);
    if token.is_empty() {
        let first = text.chars().next().map_or(1, char::len_utf8);
        out.push_str(text.get(..first).unwrap_or_default());
        return first;
    }
    let name = token.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or(token);
    let number = name.trim_start_matches("0x");
    let numeric = name.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '+'))
        || (number.len() < name.len() && number.chars().all(|c| c.is_ascii_hexdigit()));
    out.push_str(if numeric { "_" } else { name });
    token.len() + angle_brackets(text.get(token.len()..).unwrap_or_default(), out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_out_what_differs_between_runs() {
        for (message, expected) in [
            ("operand #0 does not dominate this use", "operand #_ does not dominate this use"),
            (
                "'tt.load' op operand #1 must be ptr, but got 'i32'",
                "'tt.load' op operand #_ must be ptr, but got 'i32'",
            ),
            ("use of %12#1, %arg0 in ^bb3 of @kernel_2.", "use of %_, %_ in ^_ of @_."),
            ("got tensor<128x!tt.ptr<f32>, #blocked1>  -> f32", "got tensor<_> -> f32"),
            ("isa<To>(Val) && \"cast<Ty>() failed\"", "isa<_>(Val) && \"cast<_>() failed\""),
            ("/a/b-1/lib/Pass.cpp:1648: bad #blocked3", "Pass.cpp:_: bad #blocked"),
            ("at 0x7ffd12 of 3.5 MB, gfx942 i32", "at _ of _ MB, gfx942 i32"),
            ("expected 4 but got 8", "expected _ but got _"),
            ("a  b\t c ", "a b c"),
        ] {
            assert_eq!(normalise(message), expected);
            assert_eq!(normalise(expected), expected, "stable");
        }
    }
}
