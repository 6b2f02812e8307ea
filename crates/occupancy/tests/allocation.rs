//! A warm replan allocates nothing where the last plan is given back, and its answer alone where it is kept.
//!
//! Counted are the calls of the global allocator (new blocks and blocks that grow) on the thread that plans, from the
//! call of `Planner::plan` to its return. The answer owns five vectors: the list of policies, the probabilities of
//! the one policy in it, the occupancy, the costs and the prices; they belong to the caller, who may keep them or give
//! them to `Planner::reuse`. Growing is not counted out: buffers reach their size in the first plans, which is why a
//! few models are planned before.

#![expect(unsafe_code, reason = "a global allocator is an unsafe trait; this one counts and hands on")]
#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use occupancy::model::Origin;
use occupancy::model::{Cmdp, CmdpBuilder};
use occupancy::plan::Problem;
use occupancy::plan::{PlannerConfig, Verdict};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const STATES: usize = 64;
const OUTPUTS: usize = 6;

/// A model of 64 states and four actions with costs that the rewards pull against; its rows are all uniform.
fn model(costs: usize, rng: &mut Xoshiro256PlusPlus) -> Cmdp {
    let mut builder = CmdpBuilder::new(STATES, &vec![0.45; costs]);
    let row: Vec<(usize, f64)> = (0..STATES).map(|next| (next, 1.0 / STATES as f64)).collect();
    for state in 0..STATES {
        for _ in 0..4 {
            let cost: Vec<f64> = (0..costs).map(|_| rng.random()).collect();
            let reward = 0.5 * rng.random::<f64>() + cost.iter().sum::<f64>() / costs as f64;
            builder.pair(state, &row, reward, &cost);
        }
    }
    builder.build().unwrap()
}

/// Draws other rows: Dirichlet with one count for every successor and a hundred for one of them.
fn redraw(model: &mut Cmdp, rng: &mut Xoshiro256PlusPlus) {
    let draw = |pair: usize, row: &mut [f64]| {
        row.fill_with(|| -(1.0 - rng.random::<f64>()).ln());
        row[(7 * pair + 3) % STATES] += 10.0;
    };
    model.resample(draw).unwrap();
}

/// Plans many models, gives every plan back or keeps none; returns how often the later plans allocated, at most.
fn allocations(costs: usize, from: Origin, gives_back: bool) -> usize {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut model = model(costs, &mut rng);
    let mut planner = PlannerConfig::default().build();
    let mut most = 0;
    for round in 0..60 {
        redraw(&mut model, &mut rng);
        let before = COUNT.get();
        let verdict = planner.plan(&Problem::average(&model).counted_from(from)).unwrap();
        let count = COUNT.get() - before;
        let Verdict::Optimal(plan) = verdict else { panic!("the budgets can be met") };
        assert!(plan.prices.iter().any(|&price| price > 0.0), "the budgets bind: {plan:?}");
        if round >= 30 {
            most = most.max(count);
        }
        if gives_back {
            planner.reuse(plan);
        }
    }
    most
}

#[test]
fn a_warm_replan_allocates_its_answer_at_most() {
    for costs in 1..=3 {
        for from in [Origin::Anywhere, Origin::Start] {
            assert_eq!(allocations(costs, from, true), 0, "{costs} costs, plans given back");
            assert_eq!(allocations(costs, from, false), OUTPUTS, "{costs} costs, plans kept");
        }
    }
}
