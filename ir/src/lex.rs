//! A cursor over MLIR text: white space, comments, identifiers and balanced brackets, and nothing about operations.

use super::Span;

/// A text that does not parse, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParseError {
    /// What is wrong, as a sentence without a full stop.
    pub message: String,
    /// The place in the text.
    pub span: Span,
}

/// A result with a place in the text.
pub(super) type Parsed<T> = Result<T, ParseError>;

/// A position in a text. Cheap to copy, so that a try that fails can go back.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    pub text: &'a str,
    pub pos: usize,
}

/// Whether a byte continues a bare identifier or a keyword.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.' || byte == b'$'
}

/// Whether a byte continues the name of a value, a block, a symbol or an alias.
pub(super) fn is_suffix(byte: u8) -> bool {
    is_word(byte) || byte == b'-'
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str) -> Self {
        Cursor { text, pos: 0 }
    }

    /// The byte at the position, 0 at the end.
    #[inline]
    pub fn byte(&self) -> u8 {
        self.byte_at(0)
    }

    /// The byte `ahead` of the position, 0 past the end.
    #[inline]
    pub fn byte_at(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.pos + ahead).copied().unwrap_or(0)
    }

    pub fn at_end(&self) -> bool {
        self.pos >= self.text.len()
    }

    /// Goes past white space and `//` comments.
    #[inline]
    pub fn skip(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.pos) {
            match byte {
                b' ' | b'\n' | b'\t' | b'\r' => self.pos += 1,
                b'/' if bytes.get(self.pos + 1) == Some(&b'/') => {
                    self.pos = memchr::memchr(b'\n', &bytes[self.pos..]).map_or(bytes.len(), |n| self.pos + n);
                }
                _ => break,
            }
        }
    }

    /// The next byte after white space.
    #[inline]
    pub fn peek(&mut self) -> u8 {
        self.skip();
        self.byte()
    }

    /// Takes a piece of punctuation or a keyword if it is next; a keyword must not go on.
    #[inline]
    pub fn eat(&mut self, token: &str) -> bool {
        self.skip();
        let bytes = &self.text.as_bytes()[self.pos..];
        if !bytes.starts_with(token.as_bytes()) {
            return false;
        }
        let last = token.as_bytes()[token.len() - 1];
        if is_word(last) && bytes.get(token.len()).is_some_and(|&next| is_word(next)) {
            return false;
        }
        self.pos += token.len();
        true
    }

    /// Whether `token` is next, without taking it.
    pub fn sees(&self, token: &str) -> bool {
        let mut ahead = *self;
        ahead.eat(token)
    }

    /// The word at the position (possibly empty): letters, digits, `_`, `$` and dots.
    #[inline]
    pub fn word(&mut self) -> &'a str {
        self.skip();
        self.run(is_word)
    }

    /// The run of bytes at the position that `accept` takes.
    #[inline]
    pub fn run(&mut self, accept: fn(u8) -> bool) -> &'a str {
        let bytes = self.text.as_bytes();
        let start = self.pos;
        while self.pos < bytes.len() && accept(bytes[self.pos]) {
            self.pos += 1;
        }
        // Bytes that `accept` takes are ASCII, so the cut is at a character boundary.
        &self.text[start..self.pos]
    }

    /// A quoted string at the position, quotes left out and escapes left in.
    pub fn string(&mut self) -> Parsed<&'a str> {
        self.skip();
        let start = self.pos;
        if self.byte() != b'"' {
            return Err(self.error("expected a string"));
        }
        let bytes = self.text.as_bytes();
        let mut end = start + 1;
        while let Some(&byte) = bytes.get(end) {
            match byte {
                b'"' => {
                    self.pos = end + 1;
                    return Ok(&self.text[start + 1..end]);
                }
                b'\\' => end += 2,
                _ => end += 1,
            }
        }
        Err(self.error("this string does not end"))
    }

    /// From an opening bracket at the position to past the one that closes it; strings are stepped over and the arrow
    /// `->` closes nothing. Gives what is inside, brackets left out.
    pub fn balanced(&mut self) -> Parsed<&'a str> {
        let bytes = self.text.as_bytes();
        let start = self.pos;
        if !matches!(self.byte(), b'<' | b'(' | b'[' | b'{') {
            return Err(self.error("expected an opening bracket"));
        }
        let mut open: smallvec::SmallVec<[u8; 16]> = smallvec::SmallVec::new();
        let mut at = start;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'<' => open.push(b'>'),
                b'(' => open.push(b')'),
                b'[' => open.push(b']'),
                b'{' => open.push(b'}'),
                b'-' if bytes.get(at + 1) == Some(&b'>') => at += 1,
                b'>' | b')' | b']' | b'}' => {
                    if open.pop() != Some(byte) {
                        return Err(self.error_at(at, "this bracket closes nothing"));
                    }
                    if open.is_empty() {
                        self.pos = at + 1;
                        return Ok(&self.text[start + 1..at]);
                    }
                }
                b'"' => {
                    let mut inner = Cursor { text: self.text, pos: at };
                    inner.string()?;
                    at = inner.pos;
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        Err(self.error("this bracket is never closed"))
    }

    /// An error at the next token.
    pub fn error(&self, message: impl Into<String>) -> ParseError {
        let mut here = *self;
        here.skip();
        self.error_at(here.pos, message)
    }

    /// An error at a byte offset; the span covers the token there.
    pub fn error_at(&self, pos: usize, message: impl Into<String>) -> ParseError {
        let pos = pos.min(self.text.len());
        let mut end = Cursor { text: self.text, pos };
        end.run(is_suffix);
        let mut stop = end.pos.max(pos + 1).min(self.text.len());
        while !self.text.is_char_boundary(stop) {
            stop += 1;
        }
        ParseError { message: message.into(), span: Span { start: pos as u32, end: stop as u32 } }
    }
}
