//! Regions, blocks and their labels.

use super::super::lex::Parsed;
use super::super::{BlockId, OpId, RegionId};
use super::{Argument, Parser, REGION_DEPTH};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

impl<'a> Parser<'a> {
    /// `{ … }`: a region of `op`, whose entry block has `arguments` where the custom form names them.
    pub(super) fn region(&mut self, op: OpId, arguments: Vec<Argument<'a>>) -> Parsed<RegionId> {
        self.expect("{")?;
        if self.region_depth >= REGION_DEPTH {
            return Err(self.at.error("regions nest too deep here"));
        }
        self.region_depth += 1;
        let region = self.module.new_region(op);
        self.scopes.open();
        self.labels.push(FxHashMap::default());
        let result = self.blocks(region, arguments);
        let labels = self.labels.pop().unwrap_or_default();
        self.scopes.close();
        self.region_depth -= 1;
        result?;
        self.all_stand(labels)?;
        Ok(region)
    }

    /// Complains of the first of a region's labels that is only used.
    pub(super) fn all_stand(&self, labels: FxHashMap<&'a str, BlockId>) -> Parsed<()> {
        let unplaced = labels.into_iter().filter(|(_, block)| self.module.block(*block).region.0 == u32::MAX);
        match unplaced.min_by_key(|(_, block)| *block) {
            Some((name, block)) => {
                let at = self.module.block(block).span.start as usize;
                Err(self.at.error_at(at, format!("block `^{name}` is never defined in this region")))
            }
            None => Ok(()),
        }
    }

    fn blocks(&mut self, region: RegionId, arguments: Vec<Argument<'a>>) -> Parsed<()> {
        if self.at.peek() == b'}' && arguments.is_empty() {
            self.at.pos += 1;
            return Ok(());
        }
        let mut block = None;
        if self.at.byte() != b'^' || !arguments.is_empty() {
            let entry = self.module.new_block(region);
            self.define_arguments(entry, arguments);
            block = Some(entry);
        }
        loop {
            match (self.at.peek(), block) {
                (b'}', _) => {
                    self.at.pos += 1;
                    return Ok(());
                }
                (b'^', _) => block = Some(self.block_label(region)?),
                (_, Some(block)) if !self.at.at_end() => self.operation(block)?,
                (_, None) => return Err(self.at.error("expected a block's label")),
                _ => return Err(self.at.error("the text ends inside a region: `}` is missing")),
            }
        }
    }

    /// `^name(%a: t, …):`.
    fn block_label(&mut self, region: RegionId) -> Parsed<BlockId> {
        self.at.skip();
        let start = self.at.pos;
        let block = self.label()?;
        if self.module.block(block).region.0 != u32::MAX {
            return Err(self.at.error_at(start, "this block is defined twice"));
        }
        self.module.block_mut(block).region = region;
        self.module.block_mut(block).span = self.span_from(start);
        self.module.region_mut(region).blocks.push(block);
        let mut arguments = Vec::new();
        if self.at.eat("(") {
            arguments = self.block_arguments()?;
        }
        self.expect(":")?;
        self.define_arguments(block, arguments);
        Ok(block)
    }

    /// `%a: t loc(…), …)` behind the opening parenthesis.
    pub(super) fn block_arguments(&mut self) -> Parsed<Vec<Argument<'a>>> {
        let mut arguments = Vec::new();
        self.separated(")", |parser| {
            let (name, span) = parser.value_name()?;
            parser.expect(":")?;
            let ty = parser.ty()?;
            let loc = parser.location()?;
            arguments.push(Argument { name, span, ty, loc });
            Ok(())
        })?;
        Ok(arguments)
    }

    fn define_arguments(&mut self, block: BlockId, arguments: Vec<Argument<'a>>) {
        for argument in arguments {
            let value = self.module.add_block_argument(block, argument.ty);
            self.module.value_mut(value).loc = argument.loc;
            self.define(argument.name, argument.span, SmallVec::from_elem(value, 1));
        }
    }
}
