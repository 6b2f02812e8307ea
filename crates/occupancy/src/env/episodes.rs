//! Environments that are acted in by episodes.

use super::{Cell, Env, Picture};
use crate::error::{Error, Result};
use crate::model::{Cmdp, CmdpBuilder};

/// What episodes are made of.
#[derive(Clone, Debug)]
pub struct Episodes {
    /// The model whose sums over an episode count, with the budgets of an episode: that of every stage or, if the stages
    /// differ, the model of stages itself, whose states know their stage.
    pub model: Cmdp,
    /// H: the steps of an episode.
    pub horizon: usize,
    /// Whether all stages are alike.
    pub alike: bool,
}

impl Episodes {
    /// The model of stages: a state for every stage and state, and the budgets of a step.
    pub fn staged(&self) -> Result<Cmdp> {
        if self.alike {
            return self.model.layered(self.horizon);
        }
        let budgets: Vec<f64> =
            self.model.budgets().iter().map(|budget| budget / self.horizon as f64).collect();
        self.model.clone().with_budgets(&budgets)
    }
}

impl Env {
    /// The same, acted in by episodes of so many steps. In a gridworld the goal ends the reward, not the episode: whoever has
    /// reached it stays there for nothing. Stages that differ are as many as they are.
    pub fn in_episodes(self, horizon: usize) -> Result<Env> {
        let model = match (self.episodes, &self.picture) {
            (Some(Episodes { alike: false, horizon: own, .. }), _) if own != horizon => {
                let (option, value) = ("horizon", horizon.to_string());
                return Err(Error::Option { option, value, expected: "as many steps as there are stages" });
            }
            (Some(episodes @ Episodes { alike: false, .. }), _) => {
                return Ok(Env { episodes: Some(episodes), ..self });
            }
            (Some(episodes), _) => episodes.model,
            (None, Some(picture)) => staying_at_the_goal(&self.model, picture)?,
            (None, None) => self.model,
        };
        Env::of_episodes(&self.name, model, horizon)
    }

    /// An environment of episodes with the same model at every stage; its budgets are those of an episode.
    pub(super) fn of_episodes(name: &str, model: Cmdp, horizon: usize) -> Result<Env> {
        let episodes = Episodes { model, horizon, alike: true };
        Ok(Env { name: name.into(), model: episodes.staged()?, picture: None, episodes: Some(episodes) })
    }

    /// An environment of episodes with a model for each stage; the budgets are those of an episode, from the first.
    pub(super) fn of_stages(name: &str, stages: &[Cmdp]) -> Result<Env> {
        let staged = Cmdp::of_stages(stages)?;
        let model = staged.clone().with_budgets(stages[0].budgets())?;
        let episodes = Some(Episodes { model, horizon: stages.len(), alike: false });
        Ok(Env { name: name.into(), model: staged, picture: None, episodes })
    }
}

/// A gridworld whose goal is not left any more.
fn staying_at_the_goal(model: &Cmdp, picture: &Picture) -> Result<Cmdp> {
    let mut stays = CmdpBuilder::new(model.states(), model.budgets());
    for state in 0..model.states() {
        let at_goal = picture.cells[picture.agent[state]] == Cell::Goal;
        for pair in model.pairs_of(state) {
            if at_goal {
                stays.pair(state, &[(state, 1.0)], 0.0, &vec![0.0; model.costs()]);
            } else {
                stays.outcomes(state, &model.outcomes(pair, |next| next));
            }
            stays.action(model.action_name(pair));
        }
    }
    stays.state_names((0..model.states()).map(|state| model.names().state(state)).collect());
    stays.cost_names((0..model.costs()).map(|i| model.names().cost(i)).collect());
    stays.start_distribution(model.start()).build()
}

#[cfg(test)]
mod tests {
    use crate::env::EnvConfig;

    #[test]
    fn the_goal_of_a_gridworld_ends_the_reward_and_not_the_episode() {
        let env = EnvConfig::from_options("marsrover-4x4", &[]).unwrap().build().unwrap();
        let budget = env.model.budgets()[0];
        let env = env.in_episodes(5).unwrap();
        let episodes = env.episodes.unwrap();
        assert_eq!((env.model.states(), episodes.model.states()), (80, 16));
        assert!((env.model.budgets()[0] - budget / 5.0).abs() < 1e-15);
        let stays = |pair: usize| {
            let row: Vec<(usize, f64)> = episodes.model.kernel().row(pair).iter().collect();
            row == [(episodes.model.state_of(pair), 1.0)] && episodes.model.signals().reward()[pair] == 0.0
        };
        assert_eq!(
            (0..episodes.model.pairs()).filter(|&pair| stays(pair)).count(),
            4,
            "the goal's four moves"
        );
    }
}
