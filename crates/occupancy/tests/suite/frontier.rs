//! The frontier has the break points known for the environments, and every plan lies on it.

use occupancy::arithmetic::Interval;
use occupancy::env::EnvConfig;
use occupancy::model::Cmdp;
use occupancy::plan::Problem;
use occupancy::plan::{Frontier, PlannerConfig, Verdict, frontier};

fn model(name: &str, slip: f64) -> Cmdp {
    let options = [("slip".to_string(), slip.to_string())];
    EnvConfig::from_options(name, &options).unwrap().build().unwrap().model
}

fn frontier_of(model: &Cmdp) -> Frontier {
    frontier(&mut *PlannerConfig::default().build(), &Problem::average(model), 0).unwrap()
}

/// The gain that a frontier gives for a budget.
fn gain_at(frontier: &Frontier, budget: f64) -> f64 {
    let point = frontier.points.iter().rev().find(|point| point.budget <= budget).unwrap();
    point.gain + point.price * (budget - point.budget)
}

fn assert_close(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() <= within, "found {found}, expected {expected}");
}

#[test]
fn the_small_marsrover_without_slip_has_two_points() {
    let found = frontier_of(&model("marsrover-4x4", 0.0)).points;
    assert_eq!(found.len(), 2, "{found:?}");
    for (point, (budget, gain, price)) in found.iter().zip([(0.0, -0.875, 0.5), (0.25, -0.75, 0.0)]) {
        assert_close(point.budget, budget, 1e-9);
        assert_close(point.gain, gain, 1e-9);
        assert_close(point.price, price, 1e-7);
    }
}

#[test]
fn a_frontier_runs_from_the_least_cost_to_the_least_cost_of_the_fastest() {
    // (environment, slip, least achievable cost, least cost of the fastest, its gain)
    let known = [
        ("marsrover-8x8", 0.0, 0.0, 3.0 / 13.0, -0.9230769231),
        ("box", 0.0, 0.0, 0.8333333333, -0.8333333333),
        ("marsrover-4x4", 0.1, 0.0013547562, 0.2823454585, -0.7760600702),
        ("marsrover-8x8", 0.1, 5.11416e-6, 0.3094841761, -0.9297438820),
        ("box", 0.1, 0.000150757, 0.8092055534, -0.8467887271),
    ];
    for (name, slip, least, most, gain) in known {
        let found = frontier_of(&model(name, slip)).points;
        assert_close(found[0].budget, least, 1e-9);
        // The last edges are nearly level (prices of 1e-6): a gain known to 1e-11 gives the budget to 1e-5.
        assert_close(found[found.len() - 1].budget, most, 1e-5);
        assert_close(found[found.len() - 1].gain, gain, 1e-9);
    }
}

#[test]
fn a_frontier_gives_the_known_optima_between_its_points() {
    let known = [
        ("marsrover-4x4", 0.0, 0.2, -0.775),
        ("marsrover-8x8", 0.0, 0.1, -0.9380952381),
        ("box", 0.0, 0.2, -0.865),
        ("box", 0.0, 0.6, -0.845),
        ("marsrover-4x4", 0.1, 0.2, -0.8048553699),
        ("marsrover-8x8", 0.1, 0.1, -0.9467762490),
        ("box", 0.1, 0.2, -0.8759771375),
        ("box", 0.1, 0.01, -0.9615926),
    ];
    for (name, slip, budget, gain) in known {
        assert_close(gain_at(&frontier_of(&model(name, slip)), budget), gain, 1e-7);
    }
}

#[test]
fn a_frontier_is_concave_and_agrees_with_single_plans() {
    let model = model("marsrover-4x4", 0.1);
    let found = frontier_of(&model);
    assert!(found.points.windows(2).all(|w| w[0].budget < w[1].budget && w[0].price > w[1].price));
    for budget in [0.01, 0.05, 0.1, 0.25] {
        let model = model.clone().with_budgets(&[budget]).unwrap();
        let verdict = PlannerConfig::default().build().plan(&Problem::average(&model)).unwrap();
        let Verdict::Optimal(plan) = verdict else { panic!("budget {budget} can be met") };
        assert_close(gain_at(&found, budget), plan.value.reward, 1e-8);
    }
}

#[test]
fn every_corner_is_proved_to_lie_where_it_does() {
    // Corners as fractions: lengths of the ways, and risky steps on them.
    let known = [
        ("marsrover-4x4", vec![(0.0, -7.0 / 8.0), (1.0 / 4.0, -3.0 / 4.0)]),
        ("marsrover-8x8", vec![(0.0, -20.0 / 21.0), (3.0 / 13.0, -12.0 / 13.0)]),
        ("box", vec![(0.0, -7.0 / 8.0), (5.0 / 6.0, -5.0 / 6.0)]),
    ];
    for (name, ends) in known {
        let found = frontier_of(&model(name, 0.0));
        let corners = [found.points.first().unwrap(), found.points.last().unwrap()];
        for (point, (cost, gain)) in corners.into_iter().zip(ends) {
            // A fraction is stored as the nearest number.
            let holds = |range: Interval, x: f64| range.low <= x.next_up() && x.next_down() <= range.high;
            let text = format!("{name}: {point:?}");
            assert!(holds(point.gain_range, gain) && holds(point.cost_ranges[0], cost), "{text}");
            assert!(point.gain_range.low <= point.gain && point.gain <= point.gain_range.high, "{text}");
            assert!((gain - point.gain).abs() <= point.gap && point.gap < 1e-13, "{text}");
        }
        assert!(found.least_cost <= 0.0 && found.least_cost > -1e-13, "{name}: {}", found.least_cost);
    }
}
