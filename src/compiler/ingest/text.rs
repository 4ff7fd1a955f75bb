//! From bytes to lines: decoding, colours, entities of web pages, line ends.
//!
//! Independent of MLIR: removes what a terminal, a shell's redirection or a browser added.

use std::borrow::Cow;

use super::IngestError;

/// One line of the input and the prefixes that were removed from it.
#[derive(Debug, Clone)]
pub(super) struct LogLine<'t> {
    pub text: Cow<'t, str>,
    /// Its number in the input, counted from 1.
    pub number: u32,
    /// Characters of the innermost log prefix that was removed; `None` where the line had none.
    pub prefix: Option<u32>,
    /// Characters of the prefixes before that one.
    pub outer: u32,
}

/// Bytes of the input that decide whether it is text.
const SAMPLE: usize = 64 * 1024;

/// Longer "tags" are not markup.
const LONGEST_TAG: usize = 512;

/// Formats that people mistake for logs, by their first bytes.
const FORMATS: [(&[u8], &str); 6] = [
    (b"\x7fELF", "an ELF object or a cubin"),
    (b"\x1f\x8b", "gzip data: unpack it first"),
    (b"PK\x03\x04", "a zip archive: unpack it first"),
    (b"\x28\xb5\x2f\xfd", "zstd data: unpack it first"),
    (b"ML\xefR", "MLIR bytecode: convert it to text first, for example with triton-opt"),
    (b"\x89PNG", "a picture: copy the text itself"),
];

/// Decodes UTF-8 (invalid bytes become U+FFFD) or UTF-16 with a byte order mark.
pub(super) fn decode(input: &[u8]) -> Result<Cow<'_, str>, IngestError> {
    if let Some((_, what)) = FORMATS.iter().find(|(magic, _)| input.starts_with(magic)) {
        return Err(IngestError::Binary { offset: 0, what: format!("it is {what}") });
    }
    let wide = |from: fn([u8; 2]) -> u16| {
        let units: Vec<u16> =
            input.chunks_exact(2).skip(1).filter_map(|pair| Some(from(pair.try_into().ok()?))).collect();
        Cow::Owned(String::from_utf16_lossy(&units))
    };
    if input.starts_with(b"\xff\xfe") {
        return Ok(wide(u16::from_le_bytes));
    }
    if input.starts_with(b"\xfe\xff") {
        return Ok(wide(u16::from_be_bytes));
    }
    if let Some(offset) = memchr::memchr(0, input) {
        return Err(IngestError::Binary { offset, what: "it has a zero byte".to_owned() });
    }
    let sample = input.get(..SAMPLE).unwrap_or(input);
    let text = String::from_utf8_lossy(input);
    let invalid = String::from_utf8_lossy(sample).chars().filter(|c| *c == char::REPLACEMENT_CHARACTER).count();
    if invalid * 20 > sample.len() {
        let offset = std::str::from_utf8(input).map_or_else(|error| error.valid_up_to(), |_| 0);
        return Err(IngestError::Binary { offset, what: "from there on it is not UTF-8".to_owned() });
    }
    Ok(text)
}

/// Removes terminal sequences and the changes of a browser's copy; notes what it did.
pub(super) fn clean<'t>(mut text: Cow<'t, str>, notes: &mut Vec<String>) -> Cow<'t, str> {
    if let Some(plain) = without_colours(&text) {
        notes.push("Terminal colour codes were removed.".to_owned());
        text = Cow::Owned(plain);
    }
    if let Some(plain) = without_entities(&text) {
        notes.push("HTML entities such as &lt; were decoded.".to_owned());
        text = Cow::Owned(plain);
    }
    if !text.is_ascii() && text.contains(['\u{a0}', '\u{200b}', '\u{feff}', '\u{201c}', '\u{201d}']) {
        let plain = text.chars().filter(|c| !matches!(c, '\u{200b}' | '\u{feff}'));
        let plain = plain.map(|c| match c {
            '\u{a0}' => ' ',
            '\u{201c}' | '\u{201d}' => '"',
            other => other,
        });
        text = Cow::Owned(plain.collect());
        notes.push("Blanks and quotes of a word processor or web page were made plain.".to_owned());
    }
    text
}

/// `ESC [ … letter`, `ESC ] … BEL`, and both with the escape character shown as `^[` or U+241B, or lost altogether.
fn without_colours(text: &str) -> Option<String> {
    const ESCAPES: [&str; 3] = ["\u{1b}", "\u{241b}", "^[["];
    let escaped = ESCAPES.iter().any(|escape| text.contains(escape));
    let orphaned = !escaped && (text.contains("[0m") || text.contains("[39m"));
    if !escaped && !orphaned {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|c| matches!(c, '\u{1b}' | '\u{241b}' | '^') || (orphaned && c == '[')) {
        let (before, sequence) = rest.split_at(at);
        out.push_str(before);
        let length = if orphaned { colour(sequence) } else { terminal_sequence(sequence) };
        let kept = if length == 0 { sequence.chars().next().map_or(0, char::len_utf8) } else { 0 };
        out.push_str(sequence.get(..kept).unwrap_or_default());
        rest = sequence.get(length.max(kept)..).unwrap_or_default();
    }
    out.push_str(rest);
    Some(out)
}

/// The length of the sequence that begins here; 0 if none does.
fn terminal_sequence(text: &str) -> usize {
    let escape = if text.starts_with("^[[") { 2 } else { text.chars().next().map_or(0, char::len_utf8) };
    if text.starts_with('^') && escape != 2 {
        return 0;
    }
    let bytes = text.as_bytes();
    let find =
        |wanted: fn(&u8) -> bool| bytes.iter().skip(escape + 1).take(256).position(wanted).map(|at| escape + 2 + at);
    match bytes.get(escape) {
        Some(b'[') => find(|byte| (0x40..=0x7e).contains(byte)).unwrap_or(escape + 1),
        Some(b']') => find(|byte| matches!(byte, 0x07 | b'\\' | b'\n')).unwrap_or(escape + 1),
        Some(byte) if byte.is_ascii_graphic() => escape + 1,
        _ => escape,
    }
}

/// The length of a `[1;31m` whose escape character got lost.
fn colour(text: &str) -> usize {
    let digits = text.bytes().skip(1).take_while(|byte| byte.is_ascii_digit() || *byte == b';').count();
    if text.as_bytes().get(1 + digits) == Some(&b'm') { digits + 2 } else { 0 }
}

/// Decodes entities where `&lt;` or `&gt;` shows that the text was HTML. A bare `<` is markup then.
fn without_entities(text: &str) -> Option<String> {
    const ENTITIES: [(&str, &str); 8] = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ];
    const TAGS: [&str; 6] = ["span", "pre", "code", "br", "div", "p"];
    let is_html = |text: &str| text.contains("&lt;") || text.contains("&gt;");
    // Text that went through two pages is encoded twice.
    let mut text = if is_html(text) {
        Cow::Borrowed(text)
    } else if text.contains("&amp;lt;") || text.contains("&amp;gt;") {
        Cow::Owned(text.replace("&amp;", "&"))
    } else {
        return None;
    };
    if text.contains("&amp;lt;") {
        text = Cow::Owned(text.replace("&amp;lt;", "&lt;").replace("&amp;gt;", "&gt;"));
    }
    let mut out = String::with_capacity(text.len());
    let mut rest: &str = &text;
    while let Some(at) = rest.find(['&', '<']) {
        let (before, special) = rest.split_at(at);
        out.push_str(before);
        let length = if let Some((entity, plain)) = ENTITIES.iter().find(|(entity, _)| special.starts_with(entity)) {
            out.push_str(plain);
            entity.len()
        } else {
            let name = special.trim_start_matches(['<', '/']);
            let tag = TAGS.iter().any(|tag| {
                name.strip_prefix(tag)
                    .is_some_and(|after| after.starts_with(['>', ' ', '/']) && special.starts_with('<'))
            });
            match special.bytes().take(LONGEST_TAG).position(|byte| byte == b'>') {
                Some(end) if tag => end + 1,
                _ => {
                    out.push_str(special.get(..1).unwrap_or_default());
                    1
                }
            }
        };
        rest = special.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    Some(out)
}

/// Splits at line ends of all kinds. A carriage return inside a line is where a progress bar began again.
pub(super) fn lines(text: &str) -> Vec<LogLine<'_>> {
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.split('\n')) {
        let line = line.trim_end_matches('\r');
        for part in line.split('\r') {
            lines.push(LogLine { text: Cow::Borrowed(part), number, prefix: None, outer: 0 });
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(text: &str) -> String {
        clean(Cow::Borrowed(text), &mut Vec::new()).into_owned()
    }

    #[test]
    fn colours_go_in_all_their_spellings() {
        for text in [
            "\u{1b}[1;31mmodule\u{1b}[0m {",
            "^[[31mmodule^[[0m {",
            "\u{241b}[31mmodule {",
            "[1mmodule[0m {",
            "\u{1b}]0;t\u{7}module {",
        ] {
            assert_eq!(cleaned(text), "module {", "{text:?}");
        }
        assert_eq!(cleaned("^bb1: [4, 1] \u{1b}"), "^bb1: [4, 1] ");
    }

    #[test]
    fn entities_and_markup_of_web_pages_go() {
        assert_eq!(
            cleaned("<span class=\"x\">tensor&lt;4xf32&gt;</span> &amp;&amp; &quot;a&quot;"),
            "tensor<4xf32> && \"a\""
        );
        assert_eq!(cleaned("tensor&amp;lt;4xf32&amp;gt;"), "tensor<4xf32>");
        assert_eq!(cleaned("a &amp; b"), "a &amp; b");
    }

    #[test]
    fn line_ends_of_all_kinds_are_one() {
        let lines: Vec<_> =
            lines("a\r\nb\r\r\n10%\r20%\nc").into_iter().map(|line| (line.number, line.text.into_owned())).collect();
        let expected = [(1, "a"), (2, "b"), (3, "10%"), (3, "20%"), (4, "c")];
        assert_eq!(lines, expected.map(|(number, text)| (number, text.to_owned())));
    }

    #[test]
    fn binary_input_is_named_with_its_offset() {
        assert!(matches!(decode(b"module {\0"), Err(IngestError::Binary { offset: 8, .. })));
        assert!(matches!(decode(b"\x7fELF\x02"), Err(IngestError::Binary { offset: 0, .. })));
        let utf16: Vec<u8> = [0xff, 0xfe].into_iter().chain("module".bytes().flat_map(|byte| [byte, 0])).collect();
        assert_eq!(decode(&utf16).unwrap(), "module");
    }
}
