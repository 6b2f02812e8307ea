//! `occupancy solve`: the best policy of a model within its budgets.

use crate::args::{Planner, Scope, Solve};
use crate::busy::Work;
use crate::failure::{Failure, Result, wrong};
use crate::show::ink::Ink;
use crate::show::progress::{of_plan, of_search};
use crate::source::Source;
use crate::watch::{Stopped, Watcher, Words};
use crate::{csv, json, output, show, source};
use occupancy::model::{Criterion, Origin};
use occupancy::plan::{
    Certificate, CountedPolicy, Deterministic, Doubt, Ended, Evaluations, Plan, Problem, Verdict,
    WeightedPolicy, deterministic, doubts,
};
use occupancy::threads;
use occupancy_lab::figure::scene::{MOST_CELLS, Scene};
use occupancy_lab::number::rough;
use occupancy_lab::{figure, staged};
use std::borrow::Cow;
use std::time::Instant;

/// The hash of a model with so many states takes 0.02 s.
const HASHED_BESIDE: usize = 100_000;

/// What was asked and what the planner said.
pub struct Answer<'a> {
    /// The model.
    pub source: &'a Source,
    /// The planner's verdict; where the search was stopped, an `Optimal` plan is only the best one so far.
    pub verdict: Verdict,
    /// The planner's name.
    pub planner: &'static str,
    /// What is made of rewards and costs over time.
    pub criterion: Criterion,
    /// Where that is counted from.
    pub from: Origin,
    /// How long planning took.
    pub seconds: f64,
    /// Why the search was stopped before its end, if it was.
    pub stopped: Option<Stopped>,
    /// The proof of the verdict's numbers; none if it was stopped, for answers that tests make up, nor of a search without lotteries
    /// that found no policy within the budgets.
    pub certificate: Option<Certificate>,
    /// What the search for a policy without lotteries says besides, if there was one.
    pub deterministic: Option<WithoutLotteries>,
    /// What the question is probably not meant to be.
    pub warnings: Vec<String>,
}

/// How a search for a policy without lotteries ended.
#[derive(Clone, Copy, Debug)]
pub struct WithoutLotteries {
    /// How far the best policy without lotteries may be above the one found; found by the search, not proved.
    pub gap: f64,
    /// Whether the search came to its end.
    pub is_exact: bool,
    /// What lotteries attain within the budgets; `None` if no policy meets them.
    pub with_lotteries: Option<f64>,
    /// How many sub-models were planned.
    pub nodes: usize,
}

impl Answer<'_> {
    /// The policies of the verdict, whatever it is.
    pub fn policies(&self) -> &[WeightedPolicy] {
        match &self.verdict {
            Verdict::Optimal(plan) => &plan.policies,
            Verdict::Infeasible(found) => &found.policies,
        }
    }

    /// The policies as they are counted, in the order of the proof.
    pub fn parts(&self) -> Vec<CountedPolicy> {
        let whole = |(policy, one): (usize, &WeightedPolicy)| CountedPolicy {
            weight: one.weight,
            policy,
            from: None,
        };
        match &self.certificate {
            Some(certificate) => certificate.parts.clone(),
            None => self.policies().iter().enumerate().map(whole).collect(),
        }
    }

    /// The occupancy of the verdict by pair, whatever it is: over all stages of an episode.
    pub fn occupancy(&self) -> Cow<'_, [f64]> {
        let (all, pairs) = (self.occupancy_by_stage(), self.source.model.pairs());
        if all.len() <= pairs {
            return Cow::Borrowed(all);
        }
        let mut sums = vec![0.0; pairs];
        for stage in all.chunks_exact(pairs) {
            sums.iter_mut().zip(stage).for_each(|(sum, mass)| *sum += mass);
        }
        Cow::Owned(sums)
    }

    /// The occupancy by pair, at all stages one after the other.
    pub fn occupancy_by_stage(&self) -> &[f64] {
        match &self.verdict {
            Verdict::Optimal(plan) => &plan.occupancy,
            Verdict::Infeasible(found) => &found.occupancy,
        }
    }

    /// Where the evaluation of policies had to change its method.
    pub fn evaluations(&self) -> Evaluations {
        match &self.verdict {
            Verdict::Optimal(plan) => plan.evaluations,
            Verdict::Infeasible(found) => found.evaluations,
        }
    }

    /// Whether a plan is certain to be the best one, up to its gap: not if the search for it was stopped or gave up.
    pub fn is_proved(&self, plan: &Plan) -> bool {
        if self.deterministic.is_some() {
            return plan.is_settled(&self.source.model);
        }
        let came_to_its_end = plan.ended == Ended::Proved || plan.is_settled(&self.source.model);
        self.stopped.is_none() && came_to_its_end
    }

    /// gap / (gain − least reward of a pair): the share of what there is to gain that the plan may still miss. `None`
    /// where there is nothing to gain, up to rounding.
    pub fn relative_gap(&self) -> Option<f64> {
        let Verdict::Optimal(plan) = &self.verdict else { return None };
        let signals = self.source.model.signals();
        let least = signals.reward().iter().copied().fold(f64::INFINITY, f64::min);
        let height = plan.value.reward - least;
        (height > 1e-12 * signals.size(0)).then(|| plan.gap.max(0.0) / height)
    }

    /// What there is to draw, if the model is a gridworld that is not too large.
    pub fn scene(&self) -> Option<Scene> {
        let picture = self.source.picture.as_ref().filter(|picture| picture.cells.len() <= MOST_CELLS)?;
        match (&self.criterion, self.policies()) {
            (Criterion::Episodes { .. }, [one]) => {
                Some(Scene::of_stages(picture, &one.policy, self.occupancy_by_stage()))
            }
            (_, policies) => Some(Scene::new(picture, policies, &self.occupancy())),
        }
    }
}

/// Runs the command.
pub fn run(args: &Solve) -> Result<()> {
    output::check_targets(&args.source.source, args.policy.iter().chain(&args.svg))?;
    if args.time_limit.is_some() && args.plan.planner == Planner::Lp {
        return wrong("--time-limit does not apply to --planner lp, which has no plan before its end");
    }
    if args.deterministic && args.plan.scope == Scope::Anywhere {
        return wrong("--deterministic needs a start: it does not go together with --scope anywhere");
    }
    if args.json && args.policy.as_ref().is_some_and(|path| output::is_stdout(path)) {
        return wrong("--json and --policy - both write to stdout: give one of them a file");
    }
    let began = Instant::now();
    let limit = args.time_limit.map(|seconds| (began, seconds));
    let source = source::open_within(&args.source, &args.plan.criterion, limit)?;
    if args.svg.is_some() {
        refuse_what_cannot_be_drawn(&source)?;
    }
    let planned = || if args.deterministic { plan_without_lotteries } else { plan }(args, &source, began);
    let (answer, model_hash) = if args.json { beside_hash(&source, planned) } else { (planned(), None) };
    let answer = answer?;
    warn(&answer.warnings);
    let mut files = Vec::new();
    let to_stdout = args.policy.as_ref().is_some_and(|path| output::is_stdout(path));
    if let Some(path) = args.policy.as_ref().filter(|_| !to_stdout) {
        files.push(output::stage(path, |out| csv::write_policy(&answer, out))?);
    }
    if let (Some(path), Some(scene)) = (&args.svg, answer.scene()) {
        let picture = output::picture(path, figure::grid::draw(&scene, &show::caption::caption(&answer)))?;
        files.push(staged::stage(path, |out| out.write_all(&picture))?);
    }
    files.into_iter().try_for_each(staged::Staged::publish)?;
    if to_stdout {
        if let Verdict::Infeasible(_) = &answer.verdict {
            output::say("no policy meets the budgets: this is the one that comes closest");
        }
        return output::print_watched("the policy", |out| csv::write_policy(&answer, out));
    }
    if args.json {
        let content = json::Content { full: args.full, witness: args.witness, model_hash };
        return output::print_watched("the answer", |out| json::write(&answer, &content, out));
    }
    let ink = Ink::for_stdout();
    let text = show::plan::describe(&answer, ink) + &drawing(&answer, ink)?;
    output::print(&text)
}

/// What is planned, and the hash of a large model, which another thread finds meanwhile: whoever stops a search does not want to wait
/// for it.
fn beside_hash<T>(source: &Source, planned: impl FnOnce() -> T) -> (T, Option<String>) {
    if source.model.states() < HASHED_BESIDE || threads::most() == 1 {
        return (planned(), None);
    }
    std::thread::scope(|scope| {
        let hash = std::thread::Builder::new().spawn_scoped(scope, || source.model.fingerprint());
        let planned = planned();
        (planned, hash.ok().and_then(|hash| hash.join().ok()))
    })
}

fn refuse_what_cannot_be_drawn(source: &Source) -> Result<()> {
    let cells = source.picture.as_ref().map(|picture| picture.cells.len());
    match cells {
        Some(cells) if cells <= MOST_CELLS => Ok(()),
        Some(cells) => wrong(format!(
            "--svg draws at most {MOST_CELLS} cells, and {} has {cells}; --policy writes its policy",
            source.name
        )),
        None => {
            wrong(format!("--svg draws gridworlds, and {} is none; --policy writes its policy", source.name))
        }
    }
}

/// Plans, to the end or until it is stopped.
fn plan<'a>(args: &Solve, source: &'a Source, asked: Instant) -> Result<Answer<'a>> {
    let problem = source::problem(&args.plan, source)?;
    let mut planner = source::planner(args.plan.planner, args.off_support).build();
    let began = Instant::now();
    let (mut verdict, certificate, stopped) = if args.plan.planner == Planner::Lp {
        // It cannot stop early, so that a signal has to end the program at once.
        let verdict = planner.plan(&problem)?;
        let certificate = Work::on("proving the numbers of the plan").watched(
            |seconds| format!("proving the numbers of the plan, {seconds:.1} s"),
            |_| planner.certify(&problem, &verdict),
        );
        (verdict, Some(certificate?), None)
    } else {
        let mut watcher = Watcher::since((asked, args.time_limit), source.model.states(), WORDS);
        planner.stop_by(watcher.flag.clone());
        let verdict = planner.plan_watched(&problem, &mut |progress| watcher.see(progress));
        let verdict = verdict.map_err(|error| stopped_early(error, watcher.searched()))?;
        watcher.searched();
        let certificate = unless_stopped(planner.certify(&problem, &verdict))?;
        (verdict, certificate, watcher.finish())
    };
    if let Some(certificate) = &certificate {
        certificate.correct(&mut verdict);
    }
    let (planner, seconds) = (name_of(args.plan.planner), began.elapsed().as_secs_f64());
    // Who had no time for a proof has none for other questions.
    let warnings = if certificate.is_some() { warnings(&problem, &verdict)? } else { Vec::new() };
    let (criterion, from) = (problem.criterion, problem.origin);
    let deterministic = None;
    Ok(Answer {
        source,
        verdict,
        planner,
        criterion,
        from,
        seconds,
        stopped,
        certificate,
        deterministic,
        warnings,
    })
}

/// A proof, or none if there was no time for it.
fn unless_stopped(proved: occupancy::Result<Certificate>) -> Result<Option<Certificate>> {
    match proved {
        Err(occupancy::Error::Stopped { .. }) => Ok(None),
        proved => Ok(Some(proved?)),
    }
}

/// What the question is probably not meant to be, in words.
pub fn warnings(problem: &Problem, verdict: &Verdict) -> Result<Vec<String>> {
    Ok(doubts(problem, verdict)?.iter().map(Doubt::to_string).collect())
}

/// Says what the question is probably not meant to be.
pub fn warn(warnings: &[String]) {
    warnings.iter().for_each(|warning| output::say(&format!("warning: {warning}")));
}

/// Searches for the best policy without lotteries, to the end or until it is stopped.
fn plan_without_lotteries<'a>(args: &Solve, source: &'a Source, asked: Instant) -> Result<Answer<'a>> {
    let problem = source::problem(&args.plan, source)?;
    if !problem.criterion.is_average() {
        return wrong(format!(
            "--deterministic is about long-run averages, not about {}",
            problem.criterion.name()
        ));
    }
    let config = source::planner(args.plan.planner, args.off_support);
    let began = Instant::now();
    let mut watcher =
        Watcher::since((asked, args.time_limit), source.model.states(), WORDS_WITHOUT_LOTTERIES);
    let flag = watcher.flag.clone();
    let found = deterministic(&problem, config, &flag, &mut |progress| watcher.see(progress));
    let found = found.map_err(|error| stopped_early(error, watcher.searched()))?;
    watcher.searched();
    let Deterministic { mut verdict, gap, is_exact, with_lotteries, nodes } = found;
    let mut certificate = None;
    if with_lotteries.is_none() || matches!(verdict, Verdict::Optimal(_)) {
        let mut planner = config.build();
        planner.stop_by(flag);
        certificate = unless_stopped(planner.certify(&problem, &verdict))?;
    }
    let stopped = watcher.finish();
    if let Some(certificate) = &certificate {
        certificate.correct(&mut verdict);
    }
    let (planner, seconds) = (name_of(args.plan.planner), began.elapsed().as_secs_f64());
    let deterministic = Some(WithoutLotteries { gap, is_exact, with_lotteries, nodes });
    let warnings = warnings(&problem, &verdict)?;
    let (criterion, from) = (problem.criterion, problem.origin);
    Ok(Answer {
        source,
        verdict,
        planner,
        criterion,
        from,
        seconds,
        stopped,
        certificate,
        deterministic,
        warnings,
    })
}

/// What is told of a search for a plan, and of one without lotteries.
const WORDS: Words = Words { progress: of_plan, nothing: without_plan };
const WORDS_WITHOUT_LOTTERIES: Words = Words { progress: of_search, nothing: without_plan };

/// A search that was stopped with nothing to show says by what.
fn stopped_early(error: occupancy::Error, stopped: Option<Stopped>) -> Failure {
    match (&error, stopped) {
        (occupancy::Error::Stopped { violation }, Some(stopped)) => {
            Failure::Stopped(without_plan(stopped, *violation))
        }
        _ => error.into(),
    }
}

fn without_plan(stopped: Stopped, violation: f64) -> String {
    let what = stopped.what();
    let hint = if matches!(stopped, Stopped::TimeLimit(_)) { "; a larger limit may find one" } else { "" };
    let least = if violation.is_finite() {
        format!(" (least violation so far {})", rough(violation))
    } else {
        String::new()
    };
    format!("{what} before a plan within the budgets was known{least}{hint}")
}

/// The grid below the words, or the policy as a table, or why there is neither.
fn drawing(answer: &Answer, ink: Ink) -> Result<String> {
    if let Criterion::Episodes { .. } = answer.criterion {
        return Ok(show::stages::path(answer));
    }
    match answer.scene() {
        Some(scene) => Ok(format!("\n{}", show::grid::draw(&scene, ink))),
        None if answer.source.picture.is_some() => {
            Ok("\nThe grid is too large to be drawn; --policy writes the policy.\n".into())
        }
        None => show::policy::table(answer),
    }
}

/// The name by which a planner is asked for.
pub fn name_of(planner: Planner) -> &'static str {
    match planner {
        Planner::Prices => "prices",
        Planner::PricesVi => "prices-vi",
        Planner::Lp => "lp",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_without_a_plan_names_the_limit_and_is_no_wrong_use() {
        let stopped = |violation| occupancy::Error::Stopped { violation };
        let failure = stopped_early(stopped(0.01), Some(Stopped::TimeLimit(0.5)));
        assert_eq!(
            failure.to_string(),
            "--time-limit 0.5 ran out before a plan within the budgets was known (least violation so far 1.0e-2); \
             a larger limit may find one"
        );
        assert_eq!(failure.exit_code(), 1);
        let failure = stopped_early(stopped(f64::INFINITY), Some(Stopped::Interrupt));
        assert_eq!(failure.to_string(), "interrupted before a plan within the budgets was known");
        assert_eq!(stopped_early(occupancy::Error::NoStates, None).exit_code(), 2);
    }
}
