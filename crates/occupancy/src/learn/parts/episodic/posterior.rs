//! Kernels of all stages drawn from what was counted: p(·∣s,a) ~ Dir(α + n(·)).

use crate::learn::Counts;
use crate::learn::parts::dirichlet::draw_dense;
use crate::model::Cmdp;
use crate::seed::Rng;

/// Draws the rows of every stage; if counts are pooled, one row for all stages.
pub fn draw_rows(models: &mut [Cmdp], counts: &Counts, alpha: f64, pooled: bool, rng: &mut Rng) {
    let Some(first) = models.first() else { return };
    let (pairs, states, stages) = (first.pairs(), first.states(), models.len());
    let mut drawn = vec![0.0; states];
    let mut weights = vec![0.0; states];
    for pair in 0..pairs {
        for stage in if pooled { 0..1 } else { 0..stages } {
            weights.fill(alpha);
            for from in if pooled { 0..stages } else { stage..stage + 1 } {
                counts.arrivals(from * pairs + pair).for_each(|(state, n)| weights[state] += n as f64);
            }
            let seen = weights.iter().copied().enumerate().filter(|&(_, weight)| weight > alpha);
            draw_dense(&mut drawn, alpha, seen, rng);
            let into = if pooled { 0..stages } else { stage..stage + 1 };
            for model in &mut models[into] {
                model.rewrite_row(pair, |row| row.copy_from_slice(&drawn));
            }
        }
    }
}
