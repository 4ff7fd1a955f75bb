//! Operations whose custom form no row describes. Their text is kept, with segments for what they use, so that they can be
//! moved, deleted and rewired like any other; only the types of their results may stay unknown.
//!
//! Where such an operation ends follows from line breaks: MLIR prints an operation a line, and only inside brackets, and
//! inside regions, does one go on.

use super::super::lex::{Cursor, Parsed, is_suffix, is_word};
use super::super::module::{Syntax, TemplateSegment};
use super::super::{OpId, TypeId};
use super::{Argument, Parser, ResultNames};

/// What is being collected.
struct TextDraft<'a> {
    segments: Vec<TemplateSegment>,
    /// Where the text that is not yet in a segment begins.
    from: usize,
    /// Brackets that are open.
    open: Vec<u8>,
    /// Arguments of the region that follows, as a function of a dialect without a definition names them:
    /// `llvm.func @f(%a: i32) {`.
    arguments: Vec<Argument<'a>>,
    /// Types that stand outside of brackets after the last arrow, if there was one.
    arrow: Option<Vec<TypeId>>,
}

impl<'a> Parser<'a> {
    /// The rest of an operation, from behind its name.
    pub(super) fn text_operation(&mut self, op: OpId, names: &ResultNames<'a>) -> Parsed<()> {
        let mut draft =
            TextDraft { segments: Vec::new(), from: self.at.pos, open: Vec::new(), arguments: Vec::new(), arrow: None };
        while !self.at.at_end() {
            if draft.open.is_empty() && self.ends_here() {
                break;
            }
            self.segment(op, &mut draft)?;
        }
        if !draft.open.is_empty() {
            return Err(self.at.error("the text ends inside brackets"));
        }
        draft.flush(self.at);
        if let Some(TemplateSegment::Text(text)) = draft.segments.last_mut() {
            text.truncate(text.trim_end().len());
        }
        self.module.op_mut(op).syntax = Syntax::Text(draft.segments.into());
        let total: usize = names.iter().map(|(_, count, _)| *count as usize).sum();
        let types = match draft.arrow {
            Some(types) if types.len() == total => types,
            _ => vec![TypeId::UNKNOWN; total],
        };
        self.module.push_results(op, &types);
        Ok(())
    }

    /// Whether what follows white space with a line break begins something else.
    fn ends_here(&self) -> bool {
        let byte = self.at.byte();
        if !(byte.is_ascii_whitespace() || byte == b'/' || byte == b'}') {
            return false;
        }
        let mut ahead = self.at;
        ahead.skip();
        if ahead.at_end() || ahead.byte() == b'}' {
            return true;
        }
        if !self.at.text[self.at.pos..ahead.pos].contains('\n') {
            return false;
        }
        match ahead.byte() {
            b'^' | b'"' | b'#' | b'!' => true,
            b'%' => {
                // A left-hand side, or an operand on a line of its own.
                ahead.pos += 1;
                ahead.run(|b| is_suffix(b) || b == b':' || b == b',' || b == b' ' || b == b'%' || b == b'#');
                ahead.byte() == b'='
            }
            byte if is_word(byte) => {
                let word = ahead.word();
                word.contains('.') || word == "module"
            }
            _ => false,
        }
    }

    fn segment(&mut self, op: OpId, draft: &mut TextDraft<'a>) -> Parsed<()> {
        let bytes = self.at.text.as_bytes();
        let byte = self.at.byte();
        let before = if self.at.pos == 0 { b' ' } else { bytes[self.at.pos - 1] };
        match byte {
            b'"' => drop(self.at.string()?),
            b'/' if self.at.byte_at(1) == b'/' => {
                draft.flush(self.at);
                self.at.skip();
                draft.from = self.at.pos;
            }
            b'%' if self.names_argument(op, draft) => {
                draft.flush(self.at);
                let index = draft.arguments.len() as u32;
                let (name, span) = self.value_name()?;
                self.at.skip();
                draft.push(TemplateSegment::Argument(index), self.at);
                draft.segments.push(TemplateSegment::Text(": ".to_owned()));
                self.expect(":")?;
                let ty = self.ty()?;
                draft.arguments.push(Argument { name, span, ty, loc: None });
                draft.push(TemplateSegment::Type(ty), self.at);
            }
            b'%' => {
                draft.flush(self.at);
                let index = self.module.op(op).operands.len() as u32;
                self.used_operand(op)?;
                draft.push(TemplateSegment::Operand(index), self.at);
            }
            b'^' => {
                draft.flush(self.at);
                let index = self.module.op(op).successors.len() as u32;
                let block = self.label()?;
                self.module.op_mut(op).successors.push(block);
                draft.push(TemplateSegment::Successor(index), self.at);
            }
            b'#' if self.at.byte_at(1).is_ascii_alphabetic() => {
                draft.flush(self.at);
                let attr = self.attr()?;
                draft.push(TemplateSegment::Attr(attr), self.at);
            }
            b'{' if draft.open.is_empty() && (!self.list_is_next() || self.is_body(op, draft)) => {
                draft.flush(self.at);
                let index = self.module.op(op).regions.len() as u32;
                self.region(op, std::mem::take(&mut draft.arguments))?;
                draft.push(TemplateSegment::Region(index), self.at);
            }
            b'l' if !is_word(before) && draft.open.is_empty() && self.at.sees("loc") => {
                let mut ahead = self.at;
                ahead.pos += 3;
                if ahead.peek() != b'(' {
                    self.at.pos += 1;
                    return Ok(());
                }
                draft.flush(self.at);
                self.module.op_mut(op).loc = self.location()?;
                draft.from = self.at.pos;
            }
            b'-' if self.at.byte_at(1) == b'>' => {
                self.at.pos += 2;
                if draft.open.is_empty() {
                    draft.arrow = Some(Vec::new());
                }
            }
            b'(' | b'[' | b'{' | b'<' => {
                draft.open.push(byte);
                self.at.pos += 1;
            }
            b')' | b']' | b'}' | b'>' => {
                let opening = match byte {
                    b')' => b'(',
                    b']' => b'[',
                    b'}' => b'{',
                    _ => b'<',
                };
                if draft.open.pop() != Some(opening) {
                    return Err(self.at.error("this bracket closes nothing"));
                }
                self.at.pos += 1;
            }
            b'!' => self.type_segment(draft)?,
            _ if is_word(byte) && !is_word(before) && self.looks_like_type() => self.type_segment(draft)?,
            _ if is_word(byte) => drop(self.at.run(is_word)),
            _ => {
                let width = self.at.text[self.at.pos..].chars().next().map_or(1, char::len_utf8);
                self.at.pos += width;
            }
        }
        Ok(())
    }

    /// Whether what is next is an argument with its type, in the list behind a symbol.
    fn names_argument(&self, op: OpId, draft: &TextDraft<'a>) -> bool {
        let unflushed = self.at.text.get(draft.from..self.at.pos).unwrap_or_default();
        let first = match draft.segments.first() {
            Some(TemplateSegment::Text(text)) => text,
            _ => unflushed,
        };
        let behind_symbol = first.contains('@');
        let mut ahead = self.at;
        ahead.pos += 1;
        ahead.run(is_suffix);
        draft.open.as_slice() == [b'(']
            && self.module.op(op).regions.is_empty()
            && behind_symbol
            && ahead.peek() == b':'
    }

    /// Whether a brace opens a function's body, though what is in it could be read as a list: `{ llvm.return }`.
    fn is_body(&self, op: OpId, draft: &TextDraft<'a>) -> bool {
        let before = self.at.text.get(draft.from..self.at.pos).unwrap_or_default().trim_end();
        self.module.op_name(op).ends_with(".func") && !before.ends_with("attributes")
    }

    fn type_segment(&mut self, draft: &mut TextDraft<'a>) -> Parsed<()> {
        draft.flush(self.at);
        let ty = self.ty()?;
        draft.push(TemplateSegment::Type(ty), self.at);
        // `-> t` and `-> (t, t)` count; what is nested deeper belongs to something else.
        if draft.open.is_empty() || draft.open.as_slice() == [b'('] {
            draft.arrow.iter_mut().for_each(|types| types.push(ty));
        }
        Ok(())
    }

    /// Whether the word at the position can only be a builtin type.
    fn looks_like_type(&self) -> bool {
        let mut ahead: Cursor<'a> = self.at;
        let word = ahead.word();
        match word {
            "tensor" | "vector" | "memref" => ahead.byte() == b'<',
            "index" | "bf16" => true,
            _ => {
                let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
                ["i", "si", "ui", "f"].iter().any(|prefix| word.strip_prefix(prefix).is_some_and(digits))
            }
        }
    }
}

impl TextDraft<'_> {
    /// Puts the text up to the position into a segment of its own.
    fn flush(&mut self, at: Cursor<'_>) {
        let text = &at.text[self.from..at.pos];
        if !text.is_empty() {
            self.segments.push(TemplateSegment::Text(text.to_owned()));
        }
        self.from = at.pos;
    }

    /// Puts a segment behind that text, which ends at the position.
    fn push(&mut self, segment: TemplateSegment, at: Cursor<'_>) {
        self.segments.push(segment);
        self.from = at.pos;
    }
}
