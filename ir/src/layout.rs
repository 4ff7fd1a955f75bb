//! The inside of layouts, `#ttg.blocked<{sizePerThread = [1, 4], …, order = [1, 0]}>`: fields read and set by name. Their
//! text is kept as it was written otherwise.

use super::AttrId;
use super::intern::{Attr, Interners, Piece};
use std::ops::Range;

/// Where the value of a field stands in a layout's text.
fn find(text: &str, name: &str) -> Option<Range<usize>> {
    let mut from = 0;
    loop {
        let at = from + text[from..].find(name)?;
        let behind = at + name.len();
        let whole_word = !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if let Some(rest) = text[behind..].strip_prefix(" = ").filter(|_| whole_word) {
            let start = text.len() - rest.len();
            let mut depth = 0usize;
            for (place, c) in rest.char_indices() {
                match c {
                    '[' | '{' | '<' => depth += 1,
                    ']' | '}' | '>' | ',' if depth == 0 => return Some(start..start + place),
                    ']' | '}' | '>' => depth -= 1,
                    _ => {}
                }
            }
            return Some(start..text.len());
        }
        from = behind;
    }
}

impl Interners {
    /// The text of a layout's field: `[1, 4]`.
    pub fn layout_field(&self, layout: AttrId, name: &str) -> Option<&str> {
        let Attr::Dialect { body: Some(body), .. } = self.attr_data(layout) else { return None };
        body.iter().find_map(|piece| match piece {
            Piece::Text(text) => find(text, name).map(|range| &text[range]),
            _ => None,
        })
    }

    /// The same layout with another text for a field that it has; the layout itself if it has no such field.
    pub fn with_layout_field(&mut self, layout: AttrId, name: &str, value: &str) -> AttrId {
        let Attr::Dialect { name: own, body: Some(mut body) } = self.attr_data(layout).clone() else { return layout };
        for piece in &mut body {
            if let Piece::Text(text) = piece
                && let Some(range) = find(text, name)
            {
                text.replace_range(range, value);
                break;
            }
        }
        self.attr(Attr::Dialect { name: own, body: Some(body) })
    }

    /// The same layout without a field.
    pub fn without_layout_field(&mut self, layout: AttrId, name: &str) -> AttrId {
        let Attr::Dialect { name: own, body: Some(mut body) } = self.attr_data(layout).clone() else { return layout };
        for piece in &mut body {
            if let Piece::Text(text) = piece
                && let Some(range) = find(text, name)
            {
                let start = range.start - name.len() - " = ".len();
                let (before, after) = (&text[..start], &text[range.end..]);
                let after = if before.ends_with('{') { after.trim_start_matches([',', ' ']) } else { after };
                *text = format!("{}{after}", before.strip_suffix(", ").unwrap_or(before));
                break;
            }
        }
        self.attr(Attr::Dialect { name: own, body: Some(body) })
    }

    /// The numbers of a layout's field that is a list of them.
    pub fn layout_numbers(&self, layout: AttrId, name: &str) -> Option<Vec<u64>> {
        let list = self.layout_field(layout, name)?.strip_prefix('[')?.strip_suffix(']')?;
        list.split(',').map(|item| item.trim().parse().ok()).collect()
    }

    /// The same layout with other numbers in such a field.
    pub fn with_layout_numbers(&mut self, layout: AttrId, name: &str, numbers: &[u64]) -> AttrId {
        let list: Vec<String> = numbers.iter().map(u64::to_string).collect();
        self.with_layout_field(layout, name, &format!("[{}]", list.join(", ")))
    }

    /// The vectors of a linear layout's input, `warp = [[0, 16], [32, 0]]`, each as text.
    pub fn layout_bases(&self, layout: AttrId, name: &str) -> Option<Vec<String>> {
        let list = self.layout_field(layout, name)?.strip_prefix('[')?.strip_suffix(']')?;
        let bases = list.split_inclusive(']').map(|base| base.trim_start_matches([',', ' ']).to_owned());
        Some(bases.filter(|base| !base.is_empty()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(interners: &mut Interners, text: &str) -> AttrId {
        let name = interners.name("ttg.blocked");
        interners.attr(Attr::Dialect { name, body: Some(vec![Piece::Text(text.to_owned())]) })
    }

    #[test]
    fn fields_are_read_and_set_by_whole_names() {
        let mut interners = Interners::new();
        let text = "{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}";
        let blocked = layout(&mut interners, text);
        assert_eq!(interners.layout_numbers(blocked, "warpsPerCTA"), Some(vec![4, 1]));
        assert_eq!(interners.layout_numbers(blocked, "order"), Some(vec![1, 0]));
        assert_eq!(interners.layout_field(blocked, "PerThread"), None);
        let one = interners.with_layout_numbers(blocked, "warpsPerCTA", &[1, 1]);
        assert_eq!(one, layout(&mut interners, &text.replace("[4, 1]", "[1, 1]")));
        let fewer = interners.without_layout_field(blocked, "order");
        assert_eq!(fewer, layout(&mut interners, &text.replace(", order = [1, 0]", "")));
    }

    #[test]
    fn bases_of_linear_layouts_are_lists_of_lists() {
        let mut interners = Interners::new();
        let linear = layout(&mut interners, "{register = [], lane = [[0, 1], [0, 2]], warp = [[1, 0]], block = []}");
        assert_eq!(interners.layout_bases(linear, "lane"), Some(vec!["[0, 1]".to_owned(), "[0, 2]".to_owned()]));
        assert_eq!(interners.layout_bases(linear, "block"), Some(Vec::new()));
        assert_eq!(interners.layout_field(linear, "warp"), Some("[[1, 0]]"));
    }
}
