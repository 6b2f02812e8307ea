//! Optimism on a tiny model with radii around its rows: the believed rows are within the radii, the occupancy is
//! balanced under them, and optimism is never worse than the plain plan.

use crate::verdict::{certified, ensure};
use crate::{Temper, Tiny, check_error};
use arbitrary::{Arbitrary, Result as Decoded, Unstructured};
use occupancy::model::Origin;
use occupancy::plan::Problem;
use occupancy::plan::{Optimism, Optimist, PlannerConfig, Verdict};

/// Sizes of boxes, the worst last.
const RADII: [f64; 14] =
    [0.0, 0.1, 0.5, 1.0, 1e-3, 1.0 / 3.0, 2.0, f64::INFINITY, 1e-6, 1e-9, 1e-12, 1e-16, 1e-300, 1e300];

/// A tiny model and radii around its rows.
#[derive(Debug)]
pub struct Believed {
    /// The model; it is planned from anywhere.
    pub tiny: Tiny,
    /// One radius for each pair.
    pub radii: Vec<f64>,
}

impl<'a> Arbitrary<'a> for Believed {
    fn arbitrary(u: &mut Unstructured<'a>) -> Decoded<Believed> {
        let mut tiny: Tiny = u.arbitrary()?;
        tiny.from = Origin::Anywhere;
        let radii = Temper::asked().of(&RADII, 8, 11);
        let same = *u.choose(radii)?;
        let one_for_all: bool = u.arbitrary()?;
        let radius = |_| if one_for_all { Ok(same) } else { u.choose(radii).copied() };
        let radii = (0..tiny.model.pairs()).map(radius).collect::<Decoded<_>>()?;
        Ok(Believed { tiny, radii })
    }
}

/// What is wrong with the optimist's answer, in words.
pub fn check_optimism(believed: &Believed) -> Result<(), String> {
    let Believed { tiny, radii } = believed;
    let optimism = match Optimist::new(tiny.off_support).plan(&tiny.model, radii) {
        Ok(optimism) => optimism,
        // A radius is a probability too.
        Err(_) if radii.iter().any(|&b| b > 0.0 && b < 1e-100) => return Ok(()),
        Err(error) => {
            let radii = radii.iter().copied().filter(|&b| b > 0.0);
            return check_error(tiny, &error, radii.fold(1.0, f64::min));
        }
    };
    check_rows(believed, &optimism)?;
    let occupancy = match &optimism.verdict {
        Verdict::Optimal(plan) => {
            ensure(plan.gap >= 0.0, || format!("gap {}", plan.gap))?;
            for (i, (cost, budget)) in plan.value.costs.iter().zip(tiny.model.budgets()).enumerate() {
                let slack = 2e-9 * tiny.model.signals().size(i + 1).max(1e-12);
                ensure(*cost <= budget + slack, || format!("cost {i} is {cost}, its budget {budget}"))?;
            }
            &plan.occupancy
        }
        Verdict::Infeasible(found) => {
            ensure(found.violation > 0.0, || format!("infeasible with violation {}", found.violation))?;
            &found.occupancy
        }
    };
    check_balance(tiny, &optimism, occupancy)?;
    check_plain(tiny, &optimism.verdict)
}

fn check_rows(believed: &Believed, optimism: &Optimism) -> Result<(), String> {
    for (pair, row) in &optimism.rows {
        let sum: f64 = row.iter().map(|(_, p)| p).sum();
        ensure((sum - 1.0).abs() < 1e-12, || format!("row {pair} sums to {sum}"))?;
        let centre: Vec<(usize, f64)> = believed.tiny.model.kernel().row(*pair).iter().collect();
        for state in 0..believed.tiny.model.states() {
            let at = |row: &[(usize, f64)]| row.iter().find(|(s, _)| *s == state).map_or(0.0, |(_, p)| *p);
            let (p, q) = (at(row), at(&centre));
            let within = (0.0..=1.0 + 1e-12).contains(&p) && (p - q).abs() <= believed.radii[*pair] + 1e-12;
            ensure(within, || format!("row {pair} gives state {state} {p}, the model {q}"))?;
        }
    }
    Ok(())
}

fn check_balance(tiny: &Tiny, optimism: &Optimism, occupancy: &[f64]) -> Result<(), String> {
    let mut flow = vec![0.0; tiny.model.states()];
    for (pair, row) in &optimism.rows {
        flow[tiny.model.state_of(*pair)] += occupancy[*pair];
        row.iter().for_each(|&(next, p)| flow[next] -= p * occupancy[*pair]);
    }
    let sum: f64 = occupancy.iter().sum();
    ensure((sum - 1.0).abs() < 1e-9, || format!("the occupancy sums to {sum}"))?;
    ensure(flow.iter().all(|x| x.abs() < 1e-9), || format!("unbalanced by {flow:?}"))
}

fn check_plain(tiny: &Tiny, optimistic: &Verdict) -> Result<(), String> {
    let Ok(plain) =
        PlannerConfig::default().build().plan(&Problem::average(&tiny.model).counted_from(Origin::Anywhere))
    else {
        return Ok(());
    };
    match (&plain, optimistic) {
        (Verdict::Optimal(plain), Verdict::Optimal(found)) => {
            ensure(plain.value.reward <= certified(&tiny.model, found, &plain.value.costs), || {
                format!(
                    "optimism attains {} with gap {:e}, the plain plan {}",
                    found.value.reward, found.gap, plain.value.reward
                )
            })
        }
        (Verdict::Optimal(_), Verdict::Infeasible(found)) => {
            ensure(found.violation <= 3e-9, || format!("optimism is infeasible by {}", found.violation))
        }
        (Verdict::Infeasible(plain), Verdict::Infeasible(found)) => {
            let most = plain.violation * (1.0 + 1e-7) + 1e-7;
            ensure(found.violation <= most, || {
                format!("violations {} and {}", found.violation, plain.violation)
            })
        }
        (Verdict::Infeasible(_), Verdict::Optimal(_)) => Ok(()),
    }
}
