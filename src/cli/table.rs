//! Tables of text: columns as wide as they need to be.

/// Lines of cells below a head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    rows: Vec<Vec<String>>,
    /// Columns that are aligned to the right.
    right: &'static [usize],
}

impl Table {
    /// A table with these columns.
    pub fn new(head: &[&str], right: &'static [usize]) -> Self {
        Table { rows: vec![head.iter().map(|cell| (*cell).to_owned()).collect()], right }
    }

    /// Adds a line.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The text, one line a row.
    pub fn render(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let cell = |row: &Vec<String>, column: usize| row.get(column).cloned().unwrap_or_default();
        let widths: Vec<usize> = (0..columns)
            .map(|column| self.rows.iter().map(|row| cell(row, column).chars().count()).max().unwrap_or(0))
            .collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (column, &width) in widths.iter().enumerate() {
                let padded = match self.right.contains(&column) {
                    true => format!("{:>width$}  ", cell(row, column)),
                    false => format!("{:<width$}  ", cell(row, column)),
                };
                line.push_str(&padded);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// A text cut to so many characters, with an ellipsis where something is left out.
pub fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_lines_do_not_end_in_blanks() {
        let mut table = Table::new(&["triton", "time"], &[1]);
        table.row(vec!["3.6.0".into(), "12 ms".into()]);
        table.row(vec!["3.10.0rc1".into(), String::new()]);
        assert_eq!(table.render(), "triton      time\n3.6.0      12 ms\n3.10.0rc1\n");
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(cut("größer", 6), "größer");
        assert_eq!(cut("größer als", 6), "größe…");
    }
}
