//! A sequence of models with the times and values of our planners on them, to be printed or exported.
//!
//! Every model is planned twice: *cold* by a planner made for it, *warm* by one that planned the models before it.
//! The clock covers the whole plan: value, occupancy, policies, prices and the bound on the gap. The first model is
//! planned for 0.3 s without being timed, so that no time holds the start of the process.

use crate::empirical::{Visited, empirical, gridworld};
use crate::posterior::Posterior;
use occupancy::model::Cmdp;
use occupancy::model::Origin;
use occupancy::plan::Problem;
use occupancy::plan::{OffSupport, Optimist, Planner, PlannerConfig, Verdict};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};
use std::fs;
use std::io;
use std::path::Path;
use std::time::Instant;

/// A sequence of models of one shape.
pub struct Case {
    pub name: String,
    pub states: usize,
    pub costs: usize,
    pub draws: Vec<Draw>,
    /// The criterion, if it is not the average: a discount or a horizon.
    pub criterion: Value,
    start: Vec<(usize, f64)>,
    /// Budgets and the first pair of every state, with one past the last.
    budgets: Vec<f64>,
    first_pair: Vec<usize>,
    /// What is exported; `None` if nothing is.
    tables: Option<Tables>,
}

/// The outcome on one model. Values are `None` where no policy meets the budgets.
pub struct Draw {
    pub cold: Timed,
    pub warm: Timed,
}

/// Seconds and what they bought.
pub struct Timed {
    pub seconds: f64,
    pub gain: Option<f64>,
    pub classes: usize,
}

#[derive(Default)]
struct Tables {
    /// For every draw, every pair, every successor; one draw alone if the kernel stays the same.
    kernels: Vec<f64>,
    /// For every draw: the reward of every pair, then every cost.
    signals: Vec<f64>,
    /// For every draw, every pair; empty without optimism.
    radii: Vec<f64>,
}

/// Kernels drawn from a Dirichlet posterior, neighbouring draws for the warm planner.
pub fn dense(posterior: &mut Posterior, draws: usize, keep: bool) -> Case {
    let mut case = Case::new("dense".to_string(), keep);
    let mut planner = PlannerConfig::default().build();
    (0..draws).for_each(|_| case.plan(posterior.draw(), &mut *planner));
    case
}

/// Empirical models of a gridworld over all its states.
pub fn empirical_grid(grid: &str, known: Visited, draws: usize, keep: bool) -> Case {
    let truth = gridworld(grid);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let kind = match known {
        Visited::HalfOrLoops => "self-loops",
        Visited::HalfOrFresh => "fresh rows",
        Visited::All => "all visited",
    };
    let mut case = Case::new(format!("{grid}, {kind}"), keep);
    let mut planner = PlannerConfig::default().build();
    (0..draws).for_each(|_| case.plan(&empirical(&truth, &mut rng, known), &mut *planner));
    case
}

/// Optimism over boxes of radius 0.1/√N around a kernel; N grows from draw to draw.
pub fn optimism(name: &str, draws: usize, keep: bool) -> Case {
    let model = if name == "dense" { Posterior::new(64, 1, 5).draw().clone() } else { gridworld(name) };
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let visits: Vec<f64> = (0..model.pairs()).map(|_| (1.0 + rng.random::<f64>() * 7.0).exp()).collect();
    let mut case = Case::new(name.to_string(), keep);
    let mut optimist = Optimist::new(OffSupport::Pinned);
    for round in 0..draws {
        let growth = 1.0 + 0.05 * round as f64;
        let radii: Vec<f64> = visits.iter().map(|n| 0.1 / (n * growth).sqrt()).collect();
        let plan = |optimist: &mut Optimist| optimist.plan(&model, &radii).expect("solved").verdict;
        let afresh = || plan(&mut Optimist::new(OffSupport::Pinned));
        if round == 0 {
            warm_up(afresh);
        }
        let cold = time(afresh);
        let warm = time(|| plan(&mut optimist));
        case.add(&model, Some(&radii), Draw { cold, warm });
    }
    case
}

impl Case {
    /// Nothing yet.
    pub fn new(name: String, keep: bool) -> Case {
        let tables = keep.then(Tables::default);
        let (draws, budgets, first_pair, start) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Case { name, states: 0, costs: 0, draws, criterion: Value::Null, start, budgets, first_pair, tables }
    }

    fn plan(&mut self, model: &Cmdp, planner: &mut dyn Planner) {
        let plan = || {
            PlannerConfig::default()
                .build()
                .plan(&Problem::average(model).counted_from(Origin::Anywhere))
                .expect("solved")
        };
        if self.draws.is_empty() {
            warm_up(plan);
        }
        let cold = time(plan);
        let warm =
            time(|| planner.plan(&Problem::average(model).counted_from(Origin::Anywhere)).expect("solved"));
        self.add(model, None, Draw { cold, warm });
    }

    /// Takes in a model and how long it took.
    pub fn add(&mut self, model: &Cmdp, radii: Option<&[f64]>, draw: Draw) {
        (self.states, self.costs, self.budgets) = (model.states(), model.costs(), model.budgets().to_vec());
        self.first_pair = (0..model.states()).map(|state| model.pairs_of(state).start).collect();
        self.first_pair.push(model.pairs());
        self.start = model.start().to_vec();
        self.draws.push(draw);
        let Some(tables) = &mut self.tables else { return };
        if radii.is_none() || !self.criterion.is_null() || tables.kernels.is_empty() {
            for pair in 0..model.pairs() {
                let start = tables.kernels.len();
                tables.kernels.resize(start + model.states(), 0.0);
                model.kernel().row(pair).iter().for_each(|(next, p)| tables.kernels[start + next] = p);
            }
        }
        tables.signals.extend(model.signals().reward());
        (0..model.costs()).for_each(|i| tables.signals.extend(model.signals().cost(i)));
        tables.radii.extend(radii.unwrap_or_default());
    }

    /// The median time of a plan in microseconds: cold, warm.
    pub fn median_us(&self) -> (f64, f64) {
        let median = |seconds: fn(&Draw) -> f64| {
            let mut all: Vec<f64> = self.draws.iter().map(seconds).collect();
            all.sort_by(f64::total_cmp);
            1e6 * all[all.len() / 2]
        };
        (median(|draw| draw.cold.seconds), median(|draw| draw.warm.seconds))
    }

    /// How many of the models can be planned within their budgets.
    pub fn feasible(&self) -> usize {
        self.draws.iter().filter(|draw| draw.warm.gain.is_some()).count()
    }

    /// Writes the models into a folder as raw little-endian numbers; returns their entry in the index.
    pub fn export(&self, folder: &Path) -> io::Result<Value> {
        let stem =
            format!("{}-{}-{}", self.name.replace(", ", "-").replace(' ', "-"), self.states, self.costs);
        let write = |what: &str, table: &[f64]| -> io::Result<String> {
            let file = format!("{stem}.{what}.f64");
            let bytes: Vec<u8> = table.iter().flat_map(|x| x.to_le_bytes()).collect();
            fs::write(folder.join(&file), bytes)?;
            Ok(file)
        };
        let none = Tables::default();
        let tables = self.tables.as_ref().unwrap_or(&none);
        let timed = |timed: &Timed| json!({ "us": 1e6 * timed.seconds, "gain": timed.gain });
        let draws: Vec<Value> = self
            .draws
            .iter()
            .map(|draw| json!({ "cold": timed(&draw.cold), "warm": timed(&draw.warm) }))
            .collect();
        Ok(json!({
            "name": self.name,
            "states": self.states,
            "costs": self.costs,
            "budgets": self.budgets,
            "criterion": self.criterion,
            "start": self.start,
            "first_pair": self.first_pair,
            "kernels": write("kernels", &tables.kernels)?,
            "signals": write("signals", &tables.signals)?,
            "radii": if tables.radii.is_empty() { None } else { Some(write("radii", &tables.radii)?) },
            "draws": draws,
        }))
    }
}

/// A processor that was idle takes a while to run at full speed; the plans of a row may be over by then.
pub fn warm_up(plan: impl Fn() -> Verdict) {
    let clock = Instant::now();
    while clock.elapsed().as_millis() < 300 {
        plan();
    }
}

/// Times a plan: wall-clock time minus the time that the thread was kept waiting for a processor.
pub fn time(plan: impl FnOnce() -> Verdict) -> Timed {
    let (before, clock) = (waited(), Instant::now());
    let verdict = plan();
    let elapsed = clock.elapsed().as_secs_f64();
    let seconds = elapsed - (waited() - before);
    match verdict {
        Verdict::Optimal(plan) => Timed { seconds, gain: Some(plan.value.reward), classes: plan.classes },
        Verdict::Infeasible(_) => Timed { seconds, gain: None, classes: 0 },
    }
}

/// Seconds that this thread was ready to run and did not get a processor, as Linux counts them; 0 elsewhere.
fn waited() -> f64 {
    let counts = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    1e-9 * counts.split(' ').nth(1).and_then(|count| count.parse::<f64>().ok()).unwrap_or(0.0)
}
