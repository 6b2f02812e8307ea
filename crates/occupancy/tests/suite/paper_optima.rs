//! The paper's environments have the optima that an independent solver (HiGHS) found, by every planner.
//!
//! Values: linear programs over occupancy measures solved by HiGHS through scipy, on models built separately in
//! Python; see `tests/reference`.

use occupancy::env::EnvConfig;
use occupancy::model::Cmdp;
use occupancy::model::Origin;
use occupancy::plan::Problem;
use occupancy::plan::{OffSupport, Optimist, PlannerConfig, PlannerKind, Verdict};

fn model(name: &str, slip: f64, bump_cost: Option<bool>, states: Option<&str>, budget: f64) -> Cmdp {
    let mut options =
        vec![("slip".to_string(), slip.to_string()), ("budget".to_string(), budget.to_string())];
    options.extend(bump_cost.map(|b| ("bump_cost".to_string(), b.to_string())));
    options.extend(states.map(|s| ("states".to_string(), s.to_string())));
    EnvConfig::from_options(name, &options).unwrap().build().unwrap().model
}

fn gains(model: &Cmdp) -> Vec<(String, Option<f64>)> {
    let mut gains = Vec::new();
    for kind in [PlannerKind::Prices, PlannerKind::PricesByValueIteration, PlannerKind::Lp] {
        for from in [Origin::Start, Origin::Anywhere] {
            let mut planner = PlannerConfig { kind, off_support: OffSupport::Pinned }.build();
            let gain = match planner.plan(&Problem::average(model).counted_from(from)).unwrap() {
                Verdict::Optimal(plan) => Some(plan.value.reward),
                Verdict::Infeasible(_) => None,
            };
            gains.push((format!("{kind:?} from {from:?}"), gain));
        }
    }
    let optimism = Optimist::new(OffSupport::Pinned).plan(model, &vec![0.0; model.pairs()]).unwrap();
    let gain = match optimism.verdict {
        Verdict::Optimal(plan) => Some(plan.value.reward),
        Verdict::Infeasible(_) => None,
    };
    gains.push(("optimism at radius 0".into(), gain));
    gains
}

/// (environment, slip, bump_cost, budget, optimal gain).
type Optimum = (&'static str, f64, Option<bool>, f64, Option<f64>);

const OPTIMA: &[Optimum] = &[
    ("marsrover-4x4", 0.0, Some(true), 0.2, Some(-0.775)),
    ("marsrover-4x4", 0.0, Some(false), 0.2, Some(-0.775)),
    ("marsrover-4x4", 0.0, Some(true), 0.0, Some(-0.875)),
    ("marsrover-4x4", 0.0, Some(true), f64::INFINITY, Some(-0.75)),
    ("marsrover-4x4", 0.1, Some(false), 0.2, Some(-0.8047064161)),
    ("marsrover-4x4", 0.1, Some(true), 0.2, Some(-0.8048553699)),
    ("marsrover-4x4", 0.1, Some(true), 0.0, None),
    ("marsrover-4x4", 0.1, Some(true), f64::INFINITY, Some(-0.7760600702)),
    ("marsrover-8x8", 0.0, Some(true), 0.1, Some(-0.9380952380952381)),
    ("marsrover-8x8", 0.0, Some(true), 0.0, Some(-0.9523809523809523)),
    ("marsrover-8x8", 0.0, Some(true), f64::INFINITY, Some(-0.9230769230769231)),
    ("marsrover-8x8", 0.1, Some(false), 0.1, Some(-0.9467458491)),
    ("marsrover-8x8", 0.1, Some(true), 0.1, Some(-0.9467762490)),
    ("marsrover-8x8", 0.1, Some(true), 0.0, None),
    ("marsrover-8x8", 0.1, Some(true), f64::INFINITY, Some(-0.9297438820)),
    ("box", 0.0, None, 0.2, Some(-0.865)),
    ("box", 0.0, None, 0.0, Some(-0.875)),
    ("box", 0.0, None, 0.6, Some(-0.845)),
    ("box", 0.0, None, f64::INFINITY, Some(-0.8333333333333334)),
    ("box", 0.1, None, 0.2, Some(-0.8759771375)),
    ("box", 0.1, None, 0.0, None),
    ("box", 0.1, None, f64::INFINITY, Some(-0.8467887271)),
];

#[test]
fn every_planner_finds_the_papers_optima() {
    let mut wrong = Vec::new();
    for &(name, slip, bump_cost, budget, expected) in OPTIMA {
        let encodings: &[Option<&str>] =
            if name == "box" { &[Some("reachable"), Some("all")] } else { &[None] };
        for &states in encodings {
            let model = model(name, slip, bump_cost, states, budget);
            for (planner, gain) in gains(&model) {
                let agrees = match (gain, expected) {
                    (Some(gain), Some(expected)) => (gain - expected).abs() <= 1e-9,
                    (None, None) => true,
                    _ => false,
                };
                if !agrees {
                    wrong.push(format!(
                        "{name} slip {slip} budget {budget} {states:?}: {gain:?} by {planner}, expected {expected:?}"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_queue_and_river_swim_have_their_optima() {
    for (name, expected) in [("queue", 4.473738334576), ("river-swim", 0.2168112169)] {
        let model = EnvConfig::from_options(name, &[]).unwrap().build().unwrap().model;
        for (planner, gain) in gains(&model) {
            assert!((gain.unwrap() - expected).abs() <= 1e-9, "{name} by {planner}: {gain:?}");
        }
    }
}
