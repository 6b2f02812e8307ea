//! A run in words: averages beside the levels of the true model, regret and violation, epochs and time.

use super::ink::{Ink, Paint};
use super::table::{Align, table};
use super::wrap::wrapped;
use crate::learn::Run;
use occupancy::sim::{Deficits, Level};
use occupancy_lab::number::count;
use occupancy_lab::number::{brief, duration, percent};

/// Characters of a line.
const LINE: usize = 80;
/// At most so many signals stand side by side.
const ABREAST: usize = 5;

/// Everything but the drawing.
pub fn describe(run: &Run, ink: Ink) -> String {
    let signals: Vec<usize> = (0..=run.asked.source.model.costs()).collect();
    let mut text = head(run, ink) + &stopped(run);
    for signals in signals.chunks(ABREAST) {
        text += &format!("\n{}", averages(run, signals));
    }
    text += &notes(run, ink);
    text + "\n" + &deficits(run) + "\n" + &effort(run)
}

/// What was run.
fn head(run: &Run, ink: Ink) -> String {
    let (asked, model) = (&run.asked, &run.asked.source.model);
    let sizes = [count(model.states(), "state"), count(model.pairs(), "pair"), count(model.costs(), "cost")];
    let rounds = match model.horizon() {
        Some(horizon) => {
            let episodes = count(asked.rounds as usize / horizon, "episode");
            format!("{episodes} of {}", count(horizon, "step"))
        }
        None => count(asked.rounds as usize, "round"),
    };
    format!(
        "{}: {}\n{}{}: preset {}, {rounds}, seed {}, run {}\n",
        ink.paint(Paint::Bold, &asked.source.name),
        sizes.join(", "),
        options(run, ink),
        ink.paint(Paint::Bold, asked.learner.name()),
        asked.preset.name(),
        asked.seed,
        asked.run
    )
}

/// How far a run came that was stopped.
fn stopped(run: &Run) -> String {
    let Some(stopped) = run.stopped else { return String::new() };
    let (done, rounds) = (run.record.steps(), run.asked.rounds);
    format!("{} after {done} of {rounds} rounds, which all of this is about\n", stopped.what())
}

/// The environment's options that have a value.
fn options(run: &Run, ink: Ink) -> String {
    let given = run.asked.source.options.iter().filter(|(_, value)| value != "own");
    let texts: Vec<String> = given.map(|(key, value)| format!("{key}={value}")).collect();
    let lines = wrapped(&texts.join(", "), LINE - 2).into_iter();
    lines.map(|line| format!("  {}\n", ink.paint(Paint::Dim, &line))).collect()
}

/// The table of averages and levels, for some of the signals: 0 is the reward, i + 1 the cost i.
fn averages(run: &Run, signals: &[usize]) -> String {
    let source = &run.asked.source;
    let name = |&signal: &usize| match signal {
        0 => "reward".to_string(),
        cost => source.costs[cost - 1].name.clone(),
    };
    let mut rows = vec![row("", signals.iter().map(name))];
    let shown = |signal: usize, x: f64| brief(source.shown_signal(signal, x));
    rows.push(row("all rounds", signals.iter().map(|&signal| brief(run.averages(signal).0))));
    let last: Vec<f64> = signals.iter().map(|&signal| run.averages(signal).1).collect();
    let whole = run.record.steps() >= run.asked.window;
    if whole && last.iter().all(|average| average.is_finite()) {
        let name = format!("last {}", count(run.asked.window as usize, "round"));
        rows.push(row(&name, last.into_iter().map(brief)));
    }
    let mut level = |name: &str, found: &Level| {
        let value = |signal: usize| if signal == 0 { found.reward } else { found.costs[signal - 1] };
        rows.push(row(name, signals.iter().map(|&signal| shown(signal, value(signal)))));
    };
    if let Ok(last) = &run.last {
        level(
            "last policy",
            &Level { reward: last.value.reward, costs: last.value.costs.clone(), ranges: Vec::new() },
        );
    }
    if let Some(optimal) = &run.baseline.optimal {
        level("optimal", optimal);
    }
    level("fast", &run.baseline.fast);
    if let Some(safe) = &run.baseline.safe {
        level("safe", safe);
    }
    let budget = |&signal: &usize| match signal {
        0 => String::new(),
        cost => format!(
            "{} {}",
            source.costs[cost - 1].direction.sign(),
            shown(cost, source.model.budgets()[cost - 1])
        ),
    };
    if signals != [0] {
        rows.push(row("budget", signals.iter().map(budget)));
    }
    let align: Vec<Align> =
        std::iter::once(Align::Left).chain(signals.iter().map(|_| Align::Right)).collect();
    table(&align, &rows)
}

fn row(name: &str, values: impl Iterator<Item = String>) -> Vec<String> {
    std::iter::once(name.to_string()).chain(values).collect()
}

/// What the names of the levels mean.
fn notes(run: &Run, ink: Ink) -> String {
    let mut words = match &run.last {
        Ok(_) => vec!["last policy: the one planned last, evaluated in the true model".to_string()],
        Err(error) => vec![format!("the policy planned last cannot be evaluated: {error}")],
    };
    if run.asked.source.model.horizon().is_some() {
        words.insert(0, "all numbers are for one step of an episode".into());
    }
    if run.asked.source.model.costs() > 0 {
        words.push("fast: the best without budgets".into());
    }
    if run.baseline.safe.is_some() {
        let at_least = run.asked.source.has_negated_costs();
        words.push(if at_least { "safe: the greatest cost" } else { "safe: the least cost" }.into());
    }
    let mut text = String::from("\n");
    for line in wrapped(&words.join("; "), LINE) {
        text += &format!("{}\n", ink.paint(Paint::Dim, &line));
    }
    text
}

/// Regret and violation in their three versions.
fn deficits(run: &Run) -> String {
    let (metrics, source) = (run.metrics(), &run.asked.source);
    let line = |name: String, found: Deficits| {
        row(&name, [found.signed, found.total, found.stepwise].map(brief).into_iter())
    };
    let mut rows = vec![row("", ["signed", "total", "stepwise"].map(String::from).into_iter())];
    let mut sentences = String::new();
    match metrics.regret(metrics.last()) {
        Some(regret) => rows.push(line("regret".into(), regret)),
        None => sentences += "no policy meets the budgets of the true model, so that regret is not defined\n",
    }
    for (i, (cost, budget)) in source.costs.iter().zip(source.model.budgets()).enumerate() {
        if budget.is_finite() {
            rows.push(line(format!("violation of {}", cost.name), metrics.violation(i, metrics.last())));
        } else {
            sentences += &format!("`{}` has no budget, so that it cannot be violated\n", cost.name);
        }
    }
    let table = match rows.len() {
        1 => String::new(),
        _ => table(&[Align::Left, Align::Right, Align::Right, Align::Right], &rows),
    };
    table + &sentences + &value_gaps(run)
}

/// What the policies followed were worth less than the optimum, summed over episodes exactly.
fn value_gaps(run: &Run) -> String {
    let source = &run.asked.source;
    if source.model.horizon().is_none() {
        return String::new();
    }
    let mut rows = vec![row("over all episodes", ["signed", "strong"].map(String::from).into_iter())];
    let mut line = |name: String, k: usize| {
        if let Some((signed, strong)) = run.values.last(k) {
            rows.push(row(&name, [signed, strong].map(brief).into_iter()));
        }
    };
    if run.baseline.optimum().is_some() {
        line("V* − V of the policies".into(), 0);
    }
    for (i, cost) in source.costs.iter().enumerate().filter(|(i, _)| source.model.budgets()[*i].is_finite()) {
        line(format!("{} beyond its budget", cost.name), i + 1);
    }
    format!("\n{}", table(&[Align::Left, Align::Right, Align::Right], &rows))
}

/// Epochs, plans and times.
fn effort(run: &Run) -> String {
    let record = &run.record;
    let last = |counts: &[u64]| counts.last().copied().unwrap_or(0) as usize;
    let times = format!(
        "{}: {} planning, {:.0} steps per second",
        duration(run.total.as_secs_f64()),
        percent(run.planning_share()),
        run.steps_per_second()
    );
    let unsettled = match run.unsettled {
        0 => String::new(),
        plans => {
            format!("followed without being known as the best: {}\n", count(plans as usize, "unsettled plan"))
        }
    };
    format!(
        "{}, {}, {}\n{unsettled}planned and acted in {times}\n",
        count(last(&record.epochs), "epoch"),
        count(last(&record.infeasible), "infeasible plan"),
        count(last(&record.multichain), "multichain plan")
    )
}
