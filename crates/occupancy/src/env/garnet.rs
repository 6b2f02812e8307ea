//! Garnet: a random model of given size, with budgets that can be met but matter.
//!
//! For every pair, in the order of the pairs: b distinct successors, uniformly; their probabilities from
//! Dirichlet(1, …, 1); a reward from U(0, 1); m costs, each 1 with probability 0.35 and otherwise 0. Then
//!
//! ```text
//! τ_i = (least J(c_i) over all policies, from the start) + 0.3
//! ```
//!
//! and where no policy meets all of them together, the same with the next seed. With a `horizon` H it is a model of episodes
//! whose stages differ: the pairs of one stage are drawn after those of the other, and budgets, of an episode, are the least
//! sums + 0.1 H. After Archibald, McKinnon and
//! Thomas, *On the generation of Markov decision processes* (1995); costs and budgets are this project's. A flat
//! Dirichlet is drawn as the gaps between sorted uniform numbers, which needs no logarithm: the same bits
//! everywhere.

use super::Env;
use crate::error::{Error, Result};
use crate::model::{Cmdp, CmdpBuilder};
use crate::options;
use crate::options::Budgets;
use crate::plan::Problem;
use crate::plan::{Planner, PlannerConfig, Verdict};
use crate::seed::{Rng, Seed};
use rand::RngExt;

/// The probability that a pair has a cost.
const COST_PROBABILITY: f64 = 0.35;
/// How far a budget lies above the least achievable cost.
const SLACK: f64 = 0.3;
/// The same for a step of an episode, in which costs can be avoided less than in the long run.
const SLACK_OF_EPISODES: f64 = 0.1;
/// How many seeds are tried before giving up; of models with few costs, nearly all are feasible.
const MOST_SEEDS: u64 = 100;
/// Of models with more costs than this, hardly any keeps all its own budgets, and telling takes minutes: 100 costs on 20
/// states took more than 2 minutes to be refused.
const MOST_OWN_BUDGETS: usize = 16;
/// More transitions make a model that nothing here plans in reasonable time.
const MOST_TRANSITIONS: usize = 5_000_000;

options! {
    /// Options of the random models.
    #[derive(serde::Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct GarnetOptions {
        /// How many states there are.
        states: usize = 20, "a count from 1 to 100000" => |states| (1..=100_000).contains(states);
        /// How many actions each state has.
        actions: usize = 4, "a count from 1 to 1000" => |actions| (1..=1_000).contains(actions);
        /// How many successors each pair has.
        branching: usize = 3, "a count from 1 to the number of states" => |branching| *branching >= 1;
        /// How many costs there are.
        costs: usize = 1, "a count from 0 to 100" => |costs| *costs <= 100;
        /// The steps of an episode, whose stages differ; 0 for a model without stages.
        horizon: usize = 0, "a count from 0 to 1000" => |horizon| *horizon <= 1_000;
        /// The seed of the random numbers.
        seed: u64 = 0, "a count" => |_| true;
        /// Budgets, one for each cost; by default the least achievable cost + 0.3, of an episode + 0.1 for each step.
        budget: Budgets = Budgets::default(), "a number or inf for each cost" => Budgets::in_range;
    }
}

/// A random model; with budgets of its own unless the options give some.
pub(super) fn build(options: &GarnetOptions) -> Result<Env> {
    check(options)?;
    let first = Seed(options.seed);
    let stages = if options.costs == 0 || !options.budget.0.is_empty() {
        with_budgets(draw(options, first)?, &options.budget.0)?
    } else {
        feasible(options, first)?
    };
    if options.horizon > 0 {
        return Env::of_stages("garnet", &stages);
    }
    let model = stages.into_iter().next().ok_or(Error::NoStates)?;
    Ok(Env { name: "garnet".to_string(), model, picture: None, episodes: None })
}

fn check(options: &GarnetOptions) -> Result<()> {
    if options.branching > options.states {
        let (value, expected) = (options.branching.to_string(), "a count from 1 to the number of states");
        return Err(Error::Option { option: "branching", value, expected });
    }
    let pairs = options.states.saturating_mul(options.actions).saturating_mul(options.horizon.max(1));
    let transitions = pairs.saturating_mul(options.branching);
    if transitions > MOST_TRANSITIONS {
        return Err(Error::TooLarge { what: "transitions of a garnet", most: MOST_TRANSITIONS });
    }
    if options.costs > MOST_OWN_BUDGETS && options.budget.0.is_empty() {
        let what = "costs of a garnet without given budgets";
        return Err(Error::TooLarge { what, most: MOST_OWN_BUDGETS });
    }
    Ok(())
}

/// The stages of the first model, from a seed on, whose own budgets can be met together.
fn feasible(options: &GarnetOptions, first: Seed) -> Result<Vec<Cmdp>> {
    let (slack, steps) =
        if options.horizon > 0 { (SLACK_OF_EPISODES, options.horizon as f64) } else { (SLACK, 1.0) };
    let mut seed = first;
    for _ in 0..MOST_SEEDS {
        let stages = draw(options, seed)?;
        let whole = if options.horizon > 0 { Cmdp::of_stages(&stages)? } else { stages[0].clone() };
        let mut planner = PlannerConfig::default().build();
        let budgets = own_budgets(&whole, slack, planner.as_mut())?;
        let whole = whole.with_budgets(&budgets)?;
        // One cost alone is feasible by the choice of its budget.
        if whole.costs() == 1 || matches!(planner.plan(&Problem::average(&whole))?, Verdict::Optimal(_)) {
            let of_episodes: Vec<f64> = budgets.iter().map(|budget| budget * steps).collect();
            return with_budgets(stages, &of_episodes);
        }
        seed = seed.next();
    }
    Err(Error::NoFeasibleSeed { first: first.0, tried: MOST_SEEDS })
}

fn with_budgets(stages: Vec<Cmdp>, budgets: &[f64]) -> Result<Vec<Cmdp>> {
    stages.into_iter().map(|stage| stage.with_budgets(budgets)).collect()
}

/// The least achievable cost of each kind, as minus the gain of the reward −c_i, and the slack.
fn own_budgets(model: &Cmdp, slack: f64, planner: &mut dyn Planner) -> Result<Vec<f64>> {
    let budget = |cost| {
        let reward = model.signals().cost(cost).iter().map(|c| -c).collect();
        let question = model.with_signals(reward, Vec::new(), &[])?;
        match planner.plan(&Problem::average(&question))? {
            Verdict::Optimal(plan) => {
                let least =
                    plan.settled(&question, || format!("the least cost {}", model.names().cost(cost)))?;
                Ok(slack - least.value.reward)
            }
            // Cannot be: there is nothing to meet.
            Verdict::Infeasible(_) => Ok(f64::INFINITY),
        }
    };
    (0..model.costs()).map(budget).collect()
}

/// The stages of one seed, without budgets; a model without stages is a single one. It starts in state 0.
fn draw(options: &GarnetOptions, seed: Seed) -> Result<Vec<Cmdp>> {
    let mut rng = seed.rng("garnet");
    (0..options.horizon.max(1)).map(|_| draw_stage(options, &mut rng)).collect()
}

fn draw_stage(options: &GarnetOptions, rng: &mut Rng) -> Result<Cmdp> {
    let mut model = CmdpBuilder::new(options.states, &vec![f64::INFINITY; options.costs]);
    let mut order: Vec<usize> = (0..options.states).collect();
    for state in 0..options.states {
        for _ in 0..options.actions {
            let successors = distinct(&mut order, options.branching, rng).to_vec();
            let weights = flat_dirichlet(options.branching, rng);
            let row: Vec<(usize, f64)> = successors.into_iter().zip(weights).collect();
            let reward = rng.random::<f64>();
            let cost = |_| f64::from(u8::from(rng.random::<f64>() < COST_PROBABILITY));
            let costs: Vec<f64> = (0..options.costs).map(cost).collect();
            model.pair(state, &row, reward, &costs);
        }
    }
    model.build()
}

/// A uniform choice of `count` of the entries, by shuffling that many to the front.
fn distinct<'a>(order: &'a mut [usize], count: usize, rng: &mut Rng) -> &'a [usize] {
    for i in 0..count {
        let j = rng.random_range(i..order.len());
        order.swap(i, j);
    }
    &order[..count]
}

/// A draw from Dirichlet(1, …, 1): the gaps between sorted uniform numbers in (0, 1).
fn flat_dirichlet(count: usize, rng: &mut Rng) -> Vec<f64> {
    let mut cuts: Vec<f64> = (1..count).map(|_| rng.random::<f64>()).collect();
    cuts.sort_by(f64::total_cmp);
    cuts.push(1.0);
    let mut before = 0.0;
    cuts.into_iter().map(|cut| cut - std::mem::replace(&mut before, cut)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Given budgets need no planner.
    fn given(options: GarnetOptions) -> Result<Env> {
        let budget = Budgets(vec![0.5; options.costs]);
        build(&GarnetOptions { budget, ..options })
    }

    #[test]
    fn pairs_have_the_asked_number_of_distinct_successors() {
        let env = given(GarnetOptions { branching: 7, costs: 2, ..Default::default() }).unwrap();
        assert_eq!((env.model.states(), env.model.pairs(), env.model.costs()), (20, 80, 2));
        assert!((0..80).all(|pair| env.model.kernel().row(pair).iter().count() == 7));
        let certain = given(GarnetOptions { branching: 1, ..Default::default() }).unwrap();
        assert!((0..80).all(|pair| certain.model.kernel().row(pair).iter().all(|(_, p)| p == 1.0)));
    }

    #[test]
    fn a_seed_is_one_model_and_another_seed_another() {
        let model = |seed| given(GarnetOptions { seed, ..Default::default() }).unwrap().model;
        assert_eq!(model(3).kernel(), model(3).kernel());
        assert_eq!(model(3).signals(), model(3).signals());
        assert_ne!(model(3).kernel(), model(4).kernel());
    }

    #[test]
    fn the_numbers_of_a_seed_stay() {
        let model = given(GarnetOptions::default()).unwrap().model;
        let row: Vec<(usize, f64)> = model.kernel().row(0).iter().collect();
        // From a second implementation, in Python.
        let expected = [(0, 0.028556857108345213), (14, 0.051838219495646376), (19, 0.9196049233960084)];
        assert_eq!(row, expected);
        assert_eq!(model.signals().reward()[0], 0.5598540295491128);
        assert_eq!(model.signals().cost(0)[0], 0.0);
    }

    #[test]
    fn stages_differ_and_the_first_is_the_model_without_stages() {
        let options = GarnetOptions { states: 4, actions: 2, ..Default::default() };
        let plain = given(options.clone()).unwrap().model;
        let env = given(GarnetOptions { horizon: 3, ..options }).unwrap();
        let episodes = env.episodes.unwrap();
        assert_eq!((env.model.states(), episodes.horizon, episodes.alike), (12, 3, false));
        assert_eq!((env.model.budgets()[0], episodes.model.budgets()[0]), (0.5 / 3.0, 0.5));
        let row = |pair: usize| env.model.kernel().row(pair).iter().map(|(_, p)| p).collect::<Vec<f64>>();
        let first: Vec<f64> = plain.kernel().row(5).iter().map(|(_, p)| p).collect();
        assert_eq!(row(5), first);
        assert_ne!(row(8 + 5), first);
        assert_eq!(row(16), [1.0], "the last stage leads back");
    }

    #[test]
    fn draws_have_their_means() {
        let options = GarnetOptions { states: 500, branching: 5, costs: 2, ..Default::default() };
        let model = given(options).unwrap().model;
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        assert!((mean(model.signals().reward()) - 0.5).abs() < 0.03);
        assert!((mean(model.signals().cost(0)) - 0.35).abs() < 0.04);
        assert!((mean(model.signals().cost(1)) - 0.35).abs() < 0.04);
        // Of five flat Dirichlet weights, E[w²] = 2 / (5 · 6).
        let squares = |pair| model.kernel().row(pair).iter().map(|(_, p)| p * p).sum::<f64>();
        let all: Vec<f64> = (0..model.pairs()).map(squares).collect();
        assert!((mean(&all) - 5.0 * 2.0 / 30.0).abs() < 0.01);
    }

    #[test]
    fn impossible_sizes_are_refused() {
        let wide = given(GarnetOptions { states: 2, ..Default::default() }).unwrap_err();
        assert_eq!(wide.to_string(), "branching is 3, expected a count from 1 to the number of states");
        let large = GarnetOptions { states: 100_000, actions: 1_000, ..Default::default() };
        let large = given(large).unwrap_err();
        assert_eq!(large.to_string(), "more than 5000000 transitions of a garnet are not supported");
        let many = GarnetOptions { states: 3, costs: 52, ..Default::default() };
        let many_refused = build(&many).unwrap_err().to_string();
        assert_eq!(many_refused, "more than 16 costs of a garnet without given budgets are not supported");
        assert_eq!(given(many).unwrap().model.costs(), 52);
        let two = GarnetOptions { budget: Budgets(vec![0.5, 0.5]), ..Default::default() };
        assert!(matches!(build(&two).unwrap_err(), Error::BudgetCount { found: 2, expected: 1 }));
    }

    /// Tests of the own budgets, which are made by a planner.
    mod with_a_planner {
        use super::*;

        #[test]
        fn own_budgets_can_be_met_together() {
            for seed in 0..5 {
                let options = GarnetOptions { costs: 3, seed, ..Default::default() };
                let model = build(&options).unwrap().model;
                let verdict = PlannerConfig::default().build().plan(&Problem::average(&model)).unwrap();
                assert!(matches!(verdict, Verdict::Optimal(_)));
            }
        }

        #[test]
        fn own_budgets_of_episodes_leave_a_tenth_of_a_step_each() {
            let options = GarnetOptions { states: 4, actions: 2, horizon: 3, ..Default::default() };
            let model = build(&options).unwrap().model;
            let tight = [model.budgets()[0] - SLACK_OF_EPISODES + 1e-6];
            let verdict = |budgets: &[f64]| {
                let model = model.clone().with_budgets(budgets).unwrap();
                PlannerConfig::default().build().plan(&Problem::average(&model)).unwrap()
            };
            assert!(matches!(verdict(&tight), Verdict::Optimal(_)));
            assert!(matches!(verdict(&[tight[0] - 1e-4]), Verdict::Infeasible(_)));
        }

        #[test]
        fn own_budgets_lie_above_the_least_costs() {
            let model = build(&GarnetOptions { costs: 2, ..Default::default() }).unwrap().model;
            let tight: Vec<f64> = model.budgets().iter().map(|budget| budget - SLACK).collect();
            assert!(tight.iter().all(|least| (-1e-9..1.0).contains(least)));
            for (i, least) in tight.iter().enumerate() {
                let mut budgets = vec![f64::INFINITY; 2];
                budgets[i] = least - 1e-4;
                let below = model.clone().with_budgets(&budgets).unwrap();
                let verdict = PlannerConfig::default().build().plan(&Problem::average(&below)).unwrap();
                assert!(matches!(verdict, Verdict::Infeasible(_)));
                budgets[i] = least + 1e-4;
                let above = model.clone().with_budgets(&budgets).unwrap();
                let verdict = PlannerConfig::default().build().plan(&Problem::average(&above)).unwrap();
                assert!(matches!(verdict, Verdict::Optimal(_)));
            }
        }
    }
}
