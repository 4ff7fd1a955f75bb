//! How a module shrank: operations over queries and time, as one line of text and as a picture.

use crate::reduce::Candidate;
use std::fmt::Write;
use tritonsmith_reducer::SearchReport;

/// One point: from this query on, so many operations were left.
#[derive(Debug, Clone, PartialEq)]
pub struct CurvePoint {
    /// Queries asked before.
    pub queries: u64,
    /// Seconds since the start.
    pub seconds: f64,
    /// Operations left.
    pub operations: u64,
    /// The step that got there; empty for the module as given.
    pub step: String,
}

/// The course of a reduction.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Curve {
    points: Vec<CurvePoint>,
    /// Queries in all; those after the last point made nothing smaller.
    queries: u64,
}

/// Width and height of the picture, and what is left free around the line.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 200.0;
const LEFT: f64 = 48.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 34.0;

impl Curve {
    /// The course that a finished reduction took.
    pub fn of(report: &SearchReport<Candidate>) -> Curve {
        let mut curve = Curve { points: Vec::new(), queries: report.queries };
        for point in &report.curve {
            curve.push(point.queries, point.elapsed.as_secs_f64(), point.cost.operations as u64, &point.step);
        }
        curve.queries = report.queries;
        curve
    }

    /// Goes on by a point. Queries must not go back.
    pub fn push(&mut self, queries: u64, seconds: f64, operations: u64, step: &str) {
        self.points.push(CurvePoint { queries, seconds, operations, step: step.to_owned() });
        self.queries = self.queries.max(queries);
    }

    /// Its points, the first for the module as given.
    pub fn points(&self) -> &[CurvePoint] {
        &self.points
    }

    /// Operations left after so many queries.
    fn at(&self, queries: f64) -> u64 {
        let reached = self.points.iter().take_while(|point| point.queries as f64 <= queries).last();
        reached.or(self.points.first()).map_or(0, |point| point.operations)
    }

    /// A picture of `width` characters, queries from left to right, a full block for the most operations.
    pub fn sparkline(&self, width: usize) -> String {
        const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
        let most = self.points.iter().map(|point| point.operations).max().unwrap_or(0).max(1);
        let column = |index: usize| {
            let queries = self.queries as f64 * (index + 1) as f64 / width.max(1) as f64;
            let level = self.at(queries) * (BLOCKS.len() as u64 - 1) / most;
            BLOCKS.get(level as usize).copied().unwrap_or('█')
        };
        (0..width).map(column).collect()
    }

    /// A line for people: `370 ▇▅▂▁ 9 operations over 120 queries, the last one gone after 3.2 s`.
    pub fn line(&self) -> String {
        let (Some(first), Some(last)) = (self.points.first(), self.points.last()) else { return String::new() };
        // What came later changed types and attributes.
        let last = self.points.iter().find(|point| point.operations == last.operations).unwrap_or(last);
        format!(
            "{} {} {} operations over {} queries, the last gone after {} of them and {:.1} s",
            first.operations,
            self.sparkline(32),
            last.operations,
            self.queries,
            last.queries,
            last.seconds
        )
    }

    /// An SVG picture: operations over queries, with each improvement's step and time where a mouse rests on it.
    pub fn svg(&self) -> String {
        let most = self.points.iter().map(|point| point.operations).max().unwrap_or(0).max(1);
        let x = |queries: u64| LEFT + (WIDTH - LEFT - RIGHT) * queries as f64 / self.queries.max(1) as f64;
        let y = |operations: u64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * operations as f64 / most as f64;
        let mut path = String::new();
        for (index, point) in self.points.iter().enumerate() {
            let (x, y) = (x(point.queries), y(point.operations));
            let _ = match index {
                0 => write!(path, "M{x:.1} {y:.1}"),
                _ => write!(path, " H{x:.1} V{y:.1}"),
            };
        }
        let _ = write!(path, " H{:.1}", x(self.queries));
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
             height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"11\" fill=\"#555\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<text x=\"{LEFT}\" y=\"18\">{}</text>\n",
            self.title()
        );
        let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        let _ = writeln!(text, "<path d=\"M{LEFT} {TOP} V{bottom} H{right}\" fill=\"none\" stroke=\"#bbb\"/>");
        for CurvePoint { operations, .. } in [self.points.first(), self.points.last()].into_iter().flatten() {
            let y = y(*operations) + 4.0;
            let _ =
                writeln!(text, "<text x=\"{:.1}\" y=\"{y:.1}\" text-anchor=\"end\">{operations}</text>", LEFT - 6.0);
        }
        let _ = writeln!(text, "<text x=\"{LEFT}\" y=\"{:.1}\">0</text>", HEIGHT - 16.0);
        let _ = writeln!(
            text,
            "<text x=\"{right}\" y=\"{:.1}\" text-anchor=\"end\">{} queries</text>",
            HEIGHT - 16.0,
            self.queries
        );
        let _ = writeln!(text, "<path d=\"{path}\" fill=\"none\" stroke=\"#2a6fb0\" stroke-width=\"1.6\"/>");
        for point in &self.points {
            let (x, y) = (x(point.queries), y(point.operations));
            let _ = writeln!(
                text,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.4\" fill=\"#2a6fb0\"><title>{}</title></circle>",
                describe(point)
            );
        }
        text.push_str("</svg>\n");
        text
    }

    fn title(&self) -> String {
        let (Some(first), Some(last)) = (self.points.first(), self.points.last()) else { return String::new() };
        // What came later changed types and attributes.
        let last = self.points.iter().find(|point| point.operations == last.operations).unwrap_or(last);
        format!("operations left: {} to {} in {:.1} s", first.operations, last.operations, last.seconds)
    }
}

fn describe(point: &CurvePoint) -> String {
    let step = if point.step.is_empty() { "as given" } else { &point.step };
    let step = step.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!("{} after {} queries and {:.2} s: {step}", point.operations, point.queries, point.seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve() -> Curve {
        let mut curve = Curve::default();
        curve.push(3, 0.0, 80, "");
        curve.push(10, 0.1, 40, "drop <unused>");
        curve.push(20, 0.2, 10, "by an operand");
        curve.queries = 40;
        curve
    }

    #[test]
    fn a_line_shows_the_way_down() {
        assert_eq!(curve().sparkline(8), "█▄▄▁▁▁▁▁");
        assert_eq!(Curve::default().sparkline(3), "▁▁▁");
        assert!(curve().line().starts_with("80 "), "{}", curve().line());
    }

    #[test]
    fn a_picture_has_a_point_for_each_improvement() {
        let svg = curve().svg();
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.contains("drop &lt;unused&gt;") && svg.ends_with("</svg>\n"), "{svg}");
        assert!(!svg.contains("NaN") && !Curve::default().svg().contains("NaN"));
    }
}
