//! A learner that is told of its steps, in a world of which no model is known, does what it does in a trial.

use occupancy::learn::{Counts, LearnerConfig};
use occupancy::model::{Cmdp, World};
use occupancy::seed::Seed;
use occupancy::sim::{Agent, AgentOptions, Baseline, Experience, Grid, Stepper, TrialConfig};
use occupancy_lab::catalogue::Catalogue;
use occupancy_lab::{OpenOptions, open};

fn world(model: &Cmdp) -> World {
    let signals = model.signals();
    World {
        actions: (0..model.states()).map(|state| model.pairs_of(state).len()).collect(),
        costs: (0..model.costs()).map(|i| model.names().cost(i)).collect(),
        budgets: model.budgets().to_vec(),
        bounds: (0..signals.count()).map(|k| signals.bounds(k)).collect(),
        start: model.start().to_vec(),
    }
}

fn model(name: &str) -> Cmdp {
    open(name, &OpenOptions::default()).unwrap().model
}

fn learner(name: &str, rounds: u64) -> Box<dyn LearnerConfig> {
    let catalogue = Catalogue::standard();
    let preset = catalogue.preset("sound").unwrap();
    catalogue.learner(name, Some(preset), "marsrover-4x4", rounds).unwrap()
}

fn seen(counts: &Counts, pairs: usize) -> Vec<Vec<(usize, u64)>> {
    (0..pairs).map(|pair| counts.transitions(pair).collect()).collect()
}

#[test]
fn an_agent_walks_like_a_trial_step_by_step() {
    let rounds = 3000;
    let model = model("marsrover-4x4");
    let baseline = Baseline::of(&model).unwrap();
    let names = [
        "psrl-transitions",
        "psrl-lagrangian",
        "cucrl-optimistic",
        "cucrl-conservative",
        "psconrl",
        "uniform",
    ];
    for name in names {
        let config = learner(name, rounds);
        let (grid, seed) = (Grid::new(rounds, &[rounds]), Seed(4));
        let learner = config.as_ref();
        let trial =
            TrialConfig { model: &model, baseline: &baseline, learner, rounds, grid: &grid, seed, run: 2 };
        let trial = trial.run(&mut []).unwrap();
        let options = AgentOptions { rounds, horizon: None, seed, run: 2 };
        let mut agent = Agent::new(learner, &world(&model), options).unwrap();
        let (stepper, mut rng) = (Stepper::new(&model), seed.rng(&format!("run 2/{name}/environment")));
        let mut state = stepper.start(&mut rng);
        for _ in 0..rounds {
            let action = agent.act(state as usize).unwrap();
            let happened = stepper.step(stepper.pair(state, action).unwrap(), &mut rng);
            let signals = [stepper.signal(0, happened), stepper.signal(1, happened)];
            let (state_now, next) = (state as usize, happened.next as usize);
            let seen = Experience { state: state_now, action, next, signals: &signals, ended: false };
            agent.observe(&seen).unwrap();
            state = happened.next;
        }
        assert_eq!(seen(agent.counts(), model.pairs()), seen(&trial.counts, model.pairs()), "{name}");
        assert_eq!(Some(&agent.epochs()), trial.record.epochs.last(), "{name}");
    }
}

#[test]
fn an_episode_that_ends_early_is_stayed_in_and_the_next_one_begins_at_the_first_stage() {
    let world = World {
        actions: vec![2, 1],
        costs: vec!["c".into()],
        budgets: vec![3.0],
        bounds: vec![(0.0, 1.0), (0.0, 1.0)],
        start: vec![(0, 1.0)],
    };
    let options = AgentOptions { rounds: 40, horizon: Some(4), seed: Seed(1), run: 0 };
    let config = learner("psrl", 40);
    let mut agent = Agent::new(config.as_ref(), &world, options).unwrap();
    for _ in 0..5 {
        let action = agent.act(0).unwrap();
        let seen = Experience { state: 0, action, next: 1, signals: &[1.0, 0.5], ended: true };
        agent.observe(&seen).unwrap();
    }
    agent.act(0).unwrap();
    assert_eq!(agent.steps(), 20);
    // Pairs 0 and 1 are those of the start at the first stage; state 1 has pair 5 at the second, 8 at the third, 11 at the last.
    let counts = agent.counts();
    assert_eq!(counts.visits(0) + counts.visits(1), 5);
    assert_eq!([5, 8, 11].map(|pair| counts.visits(pair)), [5; 3]);
    assert_eq!((counts.sum(0, 5), counts.sum(1, 5)), (0.0, 0.0));
    assert_eq!(counts.transitions(11).collect::<Vec<_>>(), [(0, 5)]);
    assert_eq!(counts.arrivals(11).collect::<Vec<_>>(), [(1, 5)]);
}

#[test]
fn an_end_leads_to_where_the_next_episode_begins() {
    let model = model("marsrover-4x4");
    let options = AgentOptions { rounds: 100, horizon: None, seed: Seed(1), run: 0 };
    let config = learner("psrl-transitions", 100);
    let mut agent = Agent::new(config.as_ref(), &world(&model), options).unwrap();
    let action = agent.act(3).unwrap();
    let ended = Experience { state: 3, action, next: 7, signals: &[-1.0, 0.0], ended: true };
    agent.observe(&ended).unwrap();
    assert_eq!(agent.steps(), 0, "it is not known yet where the next one begins");
    agent.act(5).unwrap();
    let pair = model.pairs_of(3).start + action;
    assert_eq!(agent.counts().transitions(pair).collect::<Vec<_>>(), [(5, 1)]);
}

#[test]
fn what_cannot_be_is_refused_with_its_number() {
    let model = model("marsrover-4x4");
    let options = AgentOptions { rounds: 100, horizon: None, seed: Seed(1), run: 0 };
    let config = learner("psrl-transitions", 100);
    let mut agent = Agent::new(config.as_ref(), &world(&model), options).unwrap();
    assert_eq!(
        agent.act(16).unwrap_err().to_string(),
        "state is 16, expected one of the states of the world"
    );
    let seen = Experience { state: 0, action: 0, next: 1, signals: &[2.5, 0.0], ended: false };
    let error = agent.observe(&seen).unwrap_err().to_string();
    assert_eq!(error, "reward is 2.5, expected a number within the range that was declared for it");
    let seen = Experience { action: 9, signals: &[-1.0, 0.0], ..seen };
    assert!(agent.observe(&seen).unwrap_err().to_string().contains("action is 9"));
    assert_eq!(agent.steps(), 0);
}
