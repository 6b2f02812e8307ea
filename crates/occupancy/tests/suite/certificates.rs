//! Every answer on random models of every shape is proved by its witness, as a stranger would check it; and no damage to a
//! witness proves anything that is not true.
use crate::random::{Recipe, Shape, config, recipe};
use occupancy::model::{Cmdp, Criterion, Origin, Policy};
use occupancy::plan::Problem;
use occupancy::plan::{Certificate, OffSupport, PlannerConfig, PlannerKind, Verdict};
use occupancy::verify::{Claims, Harmonic, Proof, Refuted, Witness, prove};
use proptest::prelude::*;
use rand::{Rng, RngExt};

/// A verdict with its proof, its numbers moved to where they are proved to be.
fn certified(model: &Cmdp, kind: PlannerKind, from: Origin) -> Option<(Verdict, Certificate)> {
    let mut planner = PlannerConfig { kind, off_support: OffSupport::Pinned }.build();
    let mut verdict = match planner.plan(&Problem::average(model).counted_from(from)) {
        Ok(verdict) => verdict,
        // A linear program may be beyond its solver's precision, and says so.
        Err(_) if kind == PlannerKind::Lp => return None,
        Err(error) => panic!("{error}"),
    };
    let certificate = planner.certify(&Problem::average(model).counted_from(from), &verdict).unwrap();
    certificate.correct(&mut verdict);
    Some((verdict, certificate))
}

/// The proof that a stranger arrives at with a witness.
fn proof(
    model: &Cmdp,
    from: Origin,
    verdict: &Verdict,
    certificate: &Certificate,
    witness: &Witness,
) -> Result<Proof, Refuted> {
    let policies = match verdict {
        Verdict::Optimal(plan) => &plan.policies,
        Verdict::Infeasible(found) => &found.policies,
    };
    let weighted: Vec<(f64, &Policy)> =
        certificate.parts.iter().map(|part| (part.weight, &policies[part.policy].policy)).collect();
    prove(model, &Criterion::Average, from, &weighted, witness)
}

fn claims(verdict: &Verdict, certificate: &Certificate) -> Claims {
    let Verdict::Optimal(plan) = verdict else { return Claims::Infeasible };
    let ends = |range: &occupancy::arithmetic::Interval| (range.low, range.high);
    Claims::Feasible {
        gain: plan.value.reward,
        gap: plan.gap,
        costs: plan.value.costs.clone(),
        gain_range: ends(&certificate.proof.gain),
        cost_ranges: certificate.proof.costs.iter().map(ends).collect(),
    }
}

/// How wide a gap may be, as a share of the largest reward: weak links cost digits.
fn widest(recipe: &Recipe) -> f64 {
    if recipe.shape == Shape::Weak { 1e-3 } else { 1e-9 }
}

fn check(recipe: &Recipe, kind: PlannerKind, from: Origin) -> Result<(), TestCaseError> {
    let model = recipe.model();
    let Some((verdict, certificate)) = certified(&model, kind, from) else { return Ok(()) };
    let found = proof(&model, from, &verdict, &certificate, &certificate.witness).unwrap();
    prop_assert_eq!(&found, &certificate.proof);
    let unproved = claims(&verdict, &certificate).unproved(&model, &found);
    // Infeasible by hardly more than 1e-9 of a cost is below what weak links leave to be proved.
    let near = matches!(&verdict, Verdict::Infeasible(nearest) if nearest.violation < 1e-6);
    prop_assert!(unproved.is_empty() || near && recipe.shape == Shape::Weak, "{unproved:?}");
    if let Verdict::Optimal(plan) = &verdict {
        let size = model.signals().size(0).max(1e-300);
        prop_assert!(plan.gap <= widest(recipe) * size, "gap {:e} of {size:e}", plan.gap);
        for (k, range) in std::iter::once(&found.gain).chain(&found.costs).enumerate() {
            let width = (range.high - range.low) / model.signals().size(k).max(1e-300);
            prop_assert!(width <= widest(recipe), "signal {k} is known to {width:e}");
        }
    }
    Ok(())
}

/// All vectors of a witness.
fn vectors(witness: &mut Witness) -> Vec<&mut Vec<f64>> {
    fn all(pair: &mut Harmonic) -> [&mut Vec<f64>; 3] {
        [&mut pair.gain, &mut pair.bias, &mut pair.bias_low]
    }
    let (first, proof, policies) = match witness {
        Witness::Optimal { upper, policies } => (&mut upper.prices, &mut upper.proof, policies),
        Witness::Infeasible { weights, proof, policies } => (weights, proof, policies),
        _ => panic!("a witness about sums"),
    };
    let signals = policies.iter_mut().flat_map(|policy| &mut policy.signals);
    let attained = signals.flat_map(|signal| {
        all(&mut signal.proof).into_iter().chain(signal.opposite.iter_mut().flat_map(all))
    });
    std::iter::once(first).chain(all(proof)).chain(attained).filter(|vector| !vector.is_empty()).collect()
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn every_answer_is_proved(recipe in recipe(), anywhere in any::<bool>(), kind in 0..3usize) {
        let kinds = [PlannerKind::Prices, PlannerKind::PricesByValueIteration, PlannerKind::Lp];
        check(&recipe, kinds[kind], if anywhere { Origin::Anywhere } else { Origin::Start })?;
    }

    #[test]
    fn no_damage_to_a_witness_proves_what_is_not_true(recipe in recipe()) {
        let model = recipe.model();
        let (verdict, certificate) = certified(&model, PlannerKind::Prices, Origin::Start).unwrap();
        let truth = &certificate.proof;
        let rng = &mut recipe.rng();
        for _ in 0..30 {
            let mut witness = certificate.witness.clone();
            let mut all = vectors(&mut witness);
            let at = rng.random_range(0..all.len());
            let vector = &mut all[at];
            let entry = rng.random_range(0..vector.len());
            vector[entry] = damaged(rng, vector[entry], recipe.scale);
            let Ok(found) = proof(&model, Origin::Start, &verdict, &certificate, &witness) else { continue };
            // Two true bounds from opposite sides never cross. Budgets may be missed by 1e-9 of a cost, at a price.
            let missed: f64 = match &verdict {
                Verdict::Optimal(plan) => plan.prices.iter().enumerate().map(|(i, price)| price * 1e-9 * model.signals().size(i + 1)).sum(),
                Verdict::Infeasible(_) => f64::INFINITY,
            };
            prop_assert!(found.optimum >= truth.gain.low - missed, "{} below {}", found.optimum, truth.gain.low);
            prop_assert!(found.gain.low <= truth.gain.high && found.gain.high >= truth.gain.low);
            for (one, other) in found.costs.iter().zip(&truth.costs) {
                prop_assert!(one.low <= other.high && one.high >= other.low);
            }
            prop_assert!(found.excess.is_none_or(|excess| excess <= 0.0) || matches!(verdict, Verdict::Infeasible(_)));
        }
    }

    #[test]
    fn a_better_bound_than_the_truth_is_refused(recipe in recipe()) {
        let model = recipe.model();
        let (verdict, certificate) = certified(&model, PlannerKind::Prices, Origin::Start).unwrap();
        let mut witness = certificate.witness.clone();
        let Witness::Optimal { upper, .. } = &mut witness else { return Ok(()) };
        let Verdict::Optimal(plan) = &verdict else { return Ok(()) };
        let more = 2.0 * plan.gap + 1e-6 * model.signals().size(0).max(1e-12);
        upper.proof.gain.iter_mut().for_each(|gain| *gain -= more);
        prop_assert!(proof(&model, Origin::Start, &verdict, &certificate, &witness).is_err());
    }
}

/// Another number in the place of one.
fn damaged(rng: &mut impl Rng, x: f64, scale: f64) -> f64 {
    match rng.random_range(0..6) {
        0 => f64::NAN,
        1 => -x,
        2 => x.next_down(),
        3 => x + 1e-6 * scale,
        4 => x - scale,
        _ => 1e300,
    }
}

/// Ten thousand states, whose chains are solved by iteration.
#[test]
fn a_large_grid_is_proved_and_checked() {
    let model = crate::large::grid(100, 0.1, 0.1, 1);
    for from in [Origin::Start, Origin::Anywhere] {
        let (verdict, certificate) = certified(&model, PlannerKind::Prices, from).unwrap();
        let found = proof(&model, from, &verdict, &certificate, &certificate.witness).unwrap();
        assert_eq!(found, certificate.proof);
        assert_eq!(claims(&verdict, &certificate).unproved(&model, &found), [] as [String; 0]);
        let Verdict::Optimal(plan) = verdict else { panic!("the budget can be met") };
        assert!(plan.gap < 1e-9 && plan.value.errors.iter().all(|error| *error < 1e-9), "{plan:?}");
    }
}
