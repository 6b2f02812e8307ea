//! The best policy of a small model within a budget, what it is worth, and a proof of both: `cargo run --example plan`.

use occupancy::model::text;
use occupancy::plan::{PlannerConfig, Problem, Verdict};

/// A machine that earns more when it runs hot, and may be hot a quarter of the time.
const MODEL: &str = "
    cost heat <= 0.25
    state cool
      rest                    -> cool
      work  reward 2          -> cool 0.5, warm 0.5
    state warm
      rest            heat 1  -> cool
      work  reward 3  heat 1  -> warm
";

fn main() -> occupancy::Result<()> {
    let model = text::parse(MODEL)?;
    let problem = Problem::average(&model);
    let mut planner = PlannerConfig::default().build();
    let verdict = planner.plan(&problem)?;
    let proof = planner.certify(&problem, &verdict)?.proof;
    match verdict {
        Verdict::Optimal(plan) => {
            println!("reward {} at cost {:?}, price {:?}", plan.value.reward, plan.value.costs, plan.prices);
            println!("proved: it earns {:?}, and no policy more than {}", proof.gain, proof.optimum);
            for one in &plan.policies {
                println!("with probability {}: {:?}", one.weight, one.policy.probabilities());
            }
        }
        Verdict::Infeasible(found) => println!("no policy costs less than {:?}", found.least_costs),
    }
    Ok(())
}
