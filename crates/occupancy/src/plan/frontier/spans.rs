//! What is known of a frontier: points from left to right, and the spans between them that have not been looked at.

use super::chain::Point;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The points and the spans between them.
pub(super) struct Spans {
    points: Vec<Point>,
    /// The point to the right of each.
    next: Vec<Option<usize>>,
    waiting: BinaryHeap<Span>,
}

/// Two points next to each other, by their places.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    left: usize,
    right: usize,
    /// No policy lies further above the line from the one to the other.
    pub height: f64,
}

impl Spans {
    /// The two ends, and the span between them.
    pub fn new(left: Point, right: Point) -> Spans {
        let mut spans =
            Spans { points: vec![left, right], next: vec![Some(1), None], waiting: BinaryHeap::new() };
        spans.wait(0, 1);
        spans
    }

    /// The next span to look at: the one above which most may be missing.
    pub fn highest(&mut self) -> Option<Span> {
        self.waiting.pop()
    }

    /// A span that could not be looked at waits again.
    pub fn put_back(&mut self, span: Span) {
        self.waiting.push(span);
    }

    /// The two points of a span.
    pub fn between(&self, span: &Span) -> (&Point, &Point) {
        (&self.points[span.left], &self.points[span.right])
    }

    /// Their costs.
    pub fn budgets(&self, span: &Span) -> (f64, f64) {
        let (left, right) = self.between(span);
        (left.cost, right.cost)
    }

    /// A corner was found above a span: two spans take its place.
    pub fn divide(&mut self, span: Span, corner: Point) {
        let place = self.points.len();
        self.points.push(corner);
        self.next.push(Some(span.right));
        self.next[span.left] = Some(place);
        self.wait(span.left, place);
        self.wait(place, span.right);
    }

    /// All points from left to right.
    pub fn chain(&self) -> Vec<&Point> {
        let places = std::iter::successors(Some(0), |&place| self.next[place]);
        places.map(|place| &self.points[place]).collect()
    }

    /// The spans that nobody has looked at, from left to right.
    pub fn left_over(&self) -> Vec<Span> {
        let mut left: Vec<Span> = self.waiting.iter().copied().collect();
        left.sort_by(|a, b| self.points[a.left].cost.total_cmp(&self.points[b.left].cost));
        left
    }

    fn wait(&mut self, left: usize, right: usize) {
        let (a, b) = (&self.points[left], &self.points[right]);
        if let Some(slope) = a.slope_to(b) {
            // The lines are those that are proved, which pass above the points by a little.
            let lift = (a.optimum - a.gain).max(b.optimum - b.gain).max(0.0);
            let height = height((a.slope, slope, b.slope), b.cost - a.cost) + lift;
            self.waiting.push(Span { left, right, height });
        }
    }
}

/// How far above the line with slope s, over a run of these costs, the lines with slopes λ_A ≥ s and λ_B ≤ s through its ends
/// meet:  run (λ_A − s) (s − λ_B) / (λ_A − λ_B).
fn height((steeper, slope, flatter): (f64, f64, f64), run: f64) -> f64 {
    let below = (slope - flatter).max(0.0);
    let share = if steeper.is_finite() {
        (steeper - slope).max(0.0) / (steeper - flatter).max(f64::MIN_POSITIVE)
    } else {
        1.0
    };
    run * below * share
}

impl Ord for Span {
    /// By height, and among equals the left one, so that the order is always the same.
    fn cmp(&self, other: &Span) -> Ordering {
        self.height.total_cmp(&other.height).then(other.left.cmp(&self.left))
    }
}

impl PartialOrd for Span {
    fn partial_cmp(&self, other: &Span) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Span {
    fn eq(&self, other: &Span) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Span {}
