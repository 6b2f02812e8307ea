//! Tables for spreadsheets: a policy by state and action, the break points of a frontier, and the record of a run.

use crate::constraint::CostLabel;
use crate::learn::Run;
use crate::solve::Answer;
use occupancy::cell::quoted;
use occupancy::model::Criterion;
use occupancy::plan::FrontierPoint;
use std::io::{self, Write};

/// Writes columns `policy,weight,state,action,probability,occupancy`; the occupancy is that of the whole plan. A plan of
/// episodes has a column `stage` before the state, counted from 0.
pub fn write_policy(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    let (model, occupancy) = (&answer.source.model, answer.occupancy_by_stage());
    let staged = matches!(answer.criterion, Criterion::Episodes { .. });
    writeln!(out, "policy,weight,{}state,action,probability,occupancy", if staged { "stage," } else { "" })?;
    for (i, one) in answer.policies().iter().enumerate() {
        for stage in 0..one.policy.stages() {
            let shares = occupancy.get(stage * model.pairs()..).unwrap_or_default();
            let stage_cell = if staged { format!("{stage},") } else { String::new() };
            for state in 0..model.states() {
                let name = quoted(&model.names().state(state));
                for (pair, action) in model.pairs_of(state).zip(model.action_names(state)) {
                    let action = quoted(&action);
                    let p = one.policy.table(stage)[pair];
                    // What was never found out is left blank.
                    let share = shares.get(pair).map_or(String::new(), f64::to_string);
                    writeln!(out, "{i},{},{stage_cell}{name},{action},{p},{share}", one.weight)?;
                }
            }
        }
    }
    Ok(())
}

/// Columns `budget_NAME,gain,price_NAME` of the cost whose budget varies.
pub fn frontier(cost: &str, points: &[FrontierPoint]) -> String {
    let rows = points.iter().map(|point| format!("{},{},{}\n", point.budget, point.gain, point.price));
    let (budget, price) = (quoted(&format!("budget_{cost}")), quoted(&format!("price_{cost}")));
    std::iter::once(format!("{budget},gain,{price}\n")).chain(rows).collect()
}

/// Writes the sums up to every recorded step, in columns `step,reward,cost_NAME…,shortfall,excess_NAME…,epochs,infeasible,
/// multichain`; costs are in their original signs.
pub fn write_record(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    let (record, source) = (&run.record, &run.asked.source);
    let columns = |what: &str| {
        let column = |cost: &CostLabel| format!(",{}", quoted(&format!("{what}_{}", cost.name)));
        source.costs.iter().map(column).collect::<String>()
    };
    let (costs, excesses) = (columns("cost"), columns("excess"));
    writeln!(out, "step,reward{costs},shortfall{excesses},epochs,infeasible,multichain")?;
    for point in 0..record.step.len() {
        write!(out, "{},{}", record.step[point], record.reward[point])?;
        for (i, cost) in record.costs.iter().enumerate() {
            write!(out, ",{}", source.shown(i, cost[point]))?;
        }
        write!(out, ",{}", record.shortfall[point])?;
        for excess in &record.excess {
            write!(out, ",{}", excess[point])?;
        }
        let (epochs, infeasible) = (record.epochs[point], record.infeasible[point]);
        writeln!(out, ",{epochs},{infeasible},{}", record.multichain[point])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use occupancy::model::Origin;
    use occupancy::plan::Verdict;

    #[test]
    fn a_policy_has_a_row_for_every_pair() {
        let source = fixture::rover();
        let verdict = Verdict::Optimal(fixture::rover_plan(&source.model));
        let answer = Answer {
            source: &source,
            verdict,
            planner: "lp",
            criterion: Criterion::Average,
            from: Origin::Start,
            seconds: 0.0,
            stopped: None,
            certificate: None,
            deterministic: None,
            warnings: Vec::new(),
        };
        let mut bytes = Vec::new();
        write_policy(&answer, &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(text.lines().count(), 65);
        assert_eq!(text.lines().nth(1), Some("0,1,\"(1, 1)\",up,0,0"));
        assert_eq!(text.lines().nth(4), Some("0,1,\"(1, 1)\",right,1,0.025"));
    }
}
