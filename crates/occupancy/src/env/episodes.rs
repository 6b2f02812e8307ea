//! Environments that are acted in by episodes.

use super::{Cell, Env, Picture};
use crate::error::Result;
use crate::model::{Cmdp, CmdpBuilder};

/// The model of a single stage, and how many there are.
#[derive(Clone, Debug)]
pub struct Episodes {
    /// The model of every stage.
    pub model: Cmdp,
    /// H: the steps of an episode.
    pub horizon: usize,
}

impl Env {
    /// The same, acted in by episodes of so many steps. In a gridworld the goal ends the reward, not the episode: whoever has
    /// reached it stays there for nothing.
    pub fn in_episodes(self, horizon: usize) -> Result<Env> {
        let model = match &self.picture {
            Some(picture) => staying_at_the_goal(&self.model, picture)?,
            None => self.model,
        };
        let layered = model.layered(horizon)?;
        let episodes = Some(Episodes { model, horizon });
        Ok(Env { name: self.name, model: layered, picture: None, episodes })
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
