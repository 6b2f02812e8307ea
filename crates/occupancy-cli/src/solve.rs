//! `occupancy solve`: the best policy of a model within its budgets.

use crate::args::Solve;
use crate::failure::{Result, wrong};
use crate::scene::Scene;
use crate::show::ink::Ink;
use crate::source::Source;
use crate::{csv, figure, json, output, show, source};
use occupancy::plan::{From, Verdict, WeightedPolicy};
use std::time::Instant;

/// What was asked and what the planner said.
pub struct Answer<'a> {
    /// The model.
    pub source: &'a Source,
    /// The planner's verdict.
    pub verdict: Verdict,
    /// The planner's name.
    pub planner: &'static str,
    /// Where the long run is counted from.
    pub from: From,
    /// How long planning took.
    pub seconds: f64,
}

impl Answer<'_> {
    /// The policies of the verdict, whatever it is.
    pub fn policies(&self) -> &[WeightedPolicy] {
        match &self.verdict {
            Verdict::Optimal(plan) => &plan.policies,
            Verdict::Infeasible(found) => &found.policies,
        }
    }

    /// The occupancy of the verdict, whatever it is.
    pub fn occupancy(&self) -> &[f64] {
        match &self.verdict {
            Verdict::Optimal(plan) => &plan.occupancy,
            Verdict::Infeasible(found) => &found.occupancy,
        }
    }

    /// What there is to draw, if the model is a gridworld.
    pub fn scene(&self) -> Option<Scene> {
        let picture = self.source.picture.as_ref()?;
        Some(Scene::new(picture, self.policies(), self.occupancy()))
    }
}

/// Runs the command.
pub fn run(args: &Solve) -> Result<()> {
    output::check_targets(&args.source.source, args.policy.iter().chain(&args.svg))?;
    let source = source::open(&args.source)?;
    if args.svg.is_some() && source.picture.is_none() {
        return wrong(format!(
            "--svg draws gridworlds, and {} is none; --policy writes its policy",
            source.name
        ));
    }
    let from = source::origin(&args.plan, &source.model)?;
    let mut planner = source::planner(args.plan.planner, args.off_support).build();
    let began = Instant::now();
    let verdict = planner.plan(&source.model, from)?;
    let seconds = began.elapsed().as_secs_f64();
    let answer = Answer { source: &source, verdict, planner: name_of(args.plan.planner), from, seconds };
    let scene = answer.scene();
    let mut files = Vec::new();
    if let Some(path) = &args.policy {
        files.push((path.as_path(), csv::policy(&answer).into_bytes()));
    }
    if let (Some(path), Some(scene)) = (&args.svg, &scene) {
        let caption = figure::grid::caption(&answer);
        files.push((path.as_path(), figure::grid::draw(scene, &caption).into_bytes()));
    }
    output::write_files(&files)?;
    if args.json {
        return output::print(json::answer(&answer).as_bytes());
    }
    let ink = Ink::for_stdout();
    let mut text = show::plan::describe(&answer, ink);
    if let Some(scene) = &scene {
        text.push('\n');
        text.push_str(&show::grid::draw(scene, ink));
    }
    output::print(text.as_bytes())
}

/// The name by which a planner is asked for.
pub fn name_of(planner: crate::args::Planner) -> &'static str {
    use crate::args::Planner;
    match planner {
        Planner::Prices => "prices",
        Planner::PricesVi => "prices-vi",
        Planner::Lp => "lp",
    }
}
