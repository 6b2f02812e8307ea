//! Triple-Q: three tables and no model (Wei, Liu and Ying, *Triple-Q: a model-free algorithm for constrained reinforcement
//! learning with sublinear regret and zero constraint violation*, 2022).
//!
//! ```text
//! g = 1 − c ,  E Σ g ≥ ϱ = H − τ is required ;     χ = η = K^0.2 ,   ι = 128 ln(√(2 S A H) K) ,   ε = 8 √(S A H⁶ ι³) / K^0.2
//! Q = C = H everywhere ,   N = 0 ,   Z = 0
//! for frames of ⌊K^0.6⌋ episodes
//!     in each episode, at stage h:   a_h = argmax Q_h(x_h, a) + (Z/η) C_h(x_h, a)
//!         N += 1 ,   α = (χ+1)/(χ+N) ,   b = ¼ √( H² ι (χ+1)/(χ+N) )
//!         Q_h ← (1 − α) Q_h + α (r + Q_{h+1}(x_{h+1}, a_{h+1}) + b)       C_h likewise with g and C
//!     after the frame:   Z ← max(0, Z + ϱ + ε − mean of C_0(x_0, a_0)) ,   N ← 0 ,   Q, C ← H
//! ```
//!
//! Tables belong to a stage, so that updates after the episode are the same as after each step: what stage h learns is not looked
//! at again before the next episode. The mean is of the values before the episode's updates. Of equal actions the first is taken.
//! With the printed ι and ε nothing is learnt: for S A = 10, H = 5 and K = 10⁵, ε is 2.4 · 10⁷ where utilities sum to 5 at most. Both are
//! options.

use crate::arithmetic::elementary::{ln, pow};
use crate::error::Result;
use crate::learn::parts::episodic::config::EpisodicConfig;
use crate::learn::parts::episodic::estimates::Estimates;
use crate::learn::parts::episodic::options::Counting;
use crate::learn::parts::episodic::radii::Sizes;
use crate::learn::parts::episodic::safety::check_one_cost;
use crate::learn::parts::estimate::UnvisitedKernel;
use crate::learn::{Epoch, Knowledge, Learner, Now, Until, Wants};
use crate::model::{Policy, Task};
use crate::options;
use crate::seed::Rng;
use std::hint::select_unpredictable;
use std::ops::Range;
use std::sync::Arc;

const NAME: &str = "triple-q";

options! {
    /// The options of triple-q.
    pub struct TripleQConfig {
        /// Bonuses are in proportion to its root; by default 128 ln(√(2 S A H) K).
        iota: Option<f64> = None, "a number from 0 to 1e12" => |iota| iota.is_none_or(|iota| (0.0..=1e12).contains(&iota));
        /// By how much the estimated utility is required to be above what is asked; by default 8 √(S A H⁶ ι³) / K^0.2.
        epsilon: Option<f64> = None, "a number from 0 to 1e300" => |epsilon| epsilon.is_none_or(|epsilon| (0.0..=1e300).contains(&epsilon));
        /// Episodes of a frame; by default ⌊K^0.6⌋.
        frame: Option<u64> = None, "a count of at least 1" => |frame| frame.is_none_or(|frame| frame >= 1);
    }
}

impl EpisodicConfig for TripleQConfig {
    type Learner = TripleQ;
    const NAME: &'static str = NAME;
    const ABOUT: &'static str = "episodes: three tables and no model";

    fn wants(&self) -> Wants {
        Wants { trajectory: true, ..Wants::default() }
    }

    fn fill_in(&mut self) {
        self.iota.get_or_insert(0.01);
        self.epsilon.get_or_insert(0.3);
    }

    fn learner(&self, task: &Task, knowledge: &Knowledge) -> Result<TripleQ> {
        TripleQ::new(self, task, knowledge)
    }
}

/// Q, C and N of a state and an action at a stage.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Row {
    reward: f64,
    utility: f64,
    /// Q + (Z/η) C.
    worth: f64,
    visits: u64,
}

impl Row {
    /// Before the first visit of a frame: Q = C = H.
    fn new(horizon: f64, weight: f64) -> Row {
        Row { reward: horizon, utility: horizon, worth: horizon + weight * horizon, visits: 0 }
    }
}

/// Three tables and no model.
pub struct TripleQ {
    /// Units and layout; nothing is estimated.
    layout: Estimates,
    /// All that is known of every row, side by side: a step reads and writes one line of memory.
    rows: Vec<Row>,
    /// Z, and Z/η.
    price: f64,
    weight: f64,
    /// Σ of C_0(x_0, a_0) over the frame so far, and its episodes.
    utility_sum: f64,
    episodes: u64,
    frame: u64,
    /// χ = η.
    chi: f64,
    iota: f64,
    epsilon: f64,
    /// The policy of the last episode, and that of the one before: nobody needs it any more, so that it is changed where it is
    /// outdated instead of a new one being made.
    latest: Arc<Policy>,
    spare: Option<Arc<Policy>>,
    /// The states in which the spare one is outdated.
    outdated: Vec<u32>,
    /// The row of the action that is taken in every state, over all stages; none before the first episode.
    chosen: Vec<u32>,
    /// The state of every row, over all stages, and the first row of every state.
    state_of: Vec<u32>,
    first_row: Vec<u32>,
    /// α and b by the visits of a row in this frame.
    rates: Vec<(f64, f64)>,
    /// The row, the reward and the utility of every step of the last episode.
    steps: Vec<(usize, f64, f64)>,
}

impl TripleQ {
    fn new(config: &TripleQConfig, task: &Task, knowledge: &Knowledge) -> Result<TripleQ> {
        let layout = Estimates::new(NAME, task, knowledge, &Counting::default(), UnvisitedKernel::Uniform)?;
        check_one_cost(NAME, &layout)?;
        let Sizes { pairs, horizon, episodes, .. } = Sizes::of(&layout, task.rounds(), 1.0);
        let printed = 128.0 * ln((2.0 * pairs * horizon).sqrt() * episodes);
        let iota = config.iota.unwrap_or(printed);
        let chi = pow(episodes, 0.2);
        let margin = 8.0 * (pairs * pow(horizon, 6.0) * pow(iota, 3.0)).sqrt() / chi;
        Ok(TripleQ {
            rows: vec![Row::new(horizon, 0.0); layout.rows()],
            price: 0.0,
            weight: 0.0,
            utility_sum: 0.0,
            episodes: 0,
            frame: config.frame.unwrap_or(pow(episodes, 0.6) as u64).max(1),
            chi,
            iota,
            epsilon: config.epsilon.unwrap_or(margin),
            latest: Arc::new(layout.uniform()),
            spare: None,
            outdated: Vec::new(),
            chosen: vec![u32::MAX; layout.states() * layout.horizon()],
            state_of: (0..layout.rows()).map(|row| layout.layered_state(row) as u32).collect(),
            first_row: layout
                .places()
                .map(|(stage, state)| layout.rows_of(stage, state).start as u32)
                .chain([layout.rows() as u32])
                .collect(),
            rates: Vec::new(),
            steps: Vec::new(),
            layout,
        })
    }

    /// The row of the best action in a state, counted over all stages.
    fn best_in(&self, state: usize) -> u32 {
        let first = self.first_row[state];
        let (mut best, mut most) = (first, f64::NEG_INFINITY);
        for (row, of_row) in (first..).zip(&self.rows[self.rows_in(state)]) {
            // Which one it is cannot be foreseen by the processor: no branch.
            best = select_unpredictable(of_row.worth > most, row, best);
            most = select_unpredictable(of_row.worth > most, of_row.worth, most);
        }
        best
    }

    /// Takes the best action in a state; whether it is another one now.
    fn rechoose(&mut self, state: u32) -> bool {
        let best = self.best_in(state as usize);
        std::mem::replace(&mut self.chosen[state as usize], best) != best
    }

    /// The policy of what was chosen, if it was changed in these states alone.
    fn policy(&mut self, changed: &[u32]) -> Arc<Policy> {
        if changed.is_empty() {
            return Arc::clone(&self.latest);
        }
        let mut policy = self.spare.take().unwrap_or_else(|| Arc::new(self.layout.uniform()));
        let rows = Arc::make_mut(&mut policy).rows_mut();
        for &state in self.outdated.iter().chain(changed) {
            rows[self.rows_in(state as usize)].fill(0.0);
            rows[self.chosen[state as usize] as usize] = 1.0;
        }
        self.spare = Some(std::mem::replace(&mut self.latest, Arc::clone(&policy)));
        self.outdated.clear();
        self.outdated.extend_from_slice(changed);
        policy
    }

    /// The rows of a state, counted over all stages.
    fn rows_in(&self, state: usize) -> Range<usize> {
        self.first_row[state] as usize..self.first_row[state + 1] as usize
    }

    /// Computes α and b up to the n-th visit of a frame.
    #[cold]
    fn add_rates(&mut self, n: u64) {
        let horizon = self.layout.horizon() as f64;
        for n in self.rates.len() as u64..=n {
            let rate = (self.chi + 1.0) / (self.chi + n as f64);
            self.rates.push((rate, 0.25 * (horizon * horizon * self.iota * rate).sqrt()));
        }
    }

    /// Learns from an episode: the rewards and utilities of its steps in turn. Whether a frame has ended.
    fn learn(&mut self, steps: &[(usize, f64, f64)]) -> bool {
        let Some(&(first, _, _)) = steps.first() else { return false };
        self.utility_sum += self.rows[first].utility;
        for (i, &(row, reward, utility)) in steps.iter().enumerate() {
            let next = steps.get(i + 1).map(|&(row, _, _)| (self.rows[row].reward, self.rows[row].utility));
            let (onward_reward, onward_utility) = next.unwrap_or((0.0, 0.0));
            let visits = self.rows[row].visits + 1;
            if visits >= self.rates.len() as u64 {
                self.add_rates(visits);
            }
            let (rate, bonus) = self.rates[visits as usize];
            let ahead = |now: f64, seen: f64| (1.0 - rate) * now + rate * (seen + bonus);
            let row = &mut self.rows[row];
            row.reward = ahead(row.reward, reward + onward_reward);
            row.utility = ahead(row.utility, utility + onward_utility);
            row.worth = row.reward + self.weight * row.utility;
            row.visits = visits;
        }
        self.episodes += 1;
        let ended = self.episodes == self.frame;
        if ended {
            self.end_frame();
        }
        ended
    }

    fn end_frame(&mut self) {
        let horizon = self.layout.horizon() as f64;
        let required = horizon - self.layout.budget(0);
        let mean = self.utility_sum / self.frame as f64;
        self.price = (self.price + required + self.epsilon - mean).max(0.0);
        self.weight = self.price / self.chi;
        self.rows.fill(Row::new(horizon, self.weight));
        (self.utility_sum, self.episodes) = (0.0, 0);
    }

    /// Takes in the steps of the last episode; the states in which the policy is another one now.
    fn take_in(&mut self, now: &Now) -> Vec<u32> {
        let mut steps = std::mem::take(&mut self.steps);
        steps.clear();
        let (units, rewards, costs) = (&self.layout.units, now.counts.values(0), now.counts.values(1));
        steps.extend(now.trajectory.iter().map(|visit| {
            let entry = visit.transition as usize;
            (visit.pair as usize, units.signal(0, rewards[entry]), 1.0 - units.signal(1, costs[entry]))
        }));
        let all = self.learn(&steps) || steps.is_empty();
        let mut changed = Vec::new();
        if all {
            changed.extend((0..self.chosen.len() as u32).filter(|&state| self.rechoose(state)));
        }
        for &(row, _, _) in steps.iter().filter(|_| !all) {
            let state = self.state_of[row];
            if self.rechoose(state) {
                changed.push(state);
            }
        }
        self.steps = steps;
        changed
    }
}

impl Learner for TripleQ {
    fn next_epoch(&mut self, now: &Now, _rng: &mut Rng) -> Result<Epoch> {
        let changed = self.take_in(now);
        let policy = self.policy(&changed);
        // Nothing is planned: the tables are the policy.
        let until = Until::steps(self.layout.horizon() as u64);
        Ok(Epoch { changed: Some(changed), ..Epoch::unplanned(policy, until) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::algorithms::fixture::Led;
    use crate::learn::algorithms::table1::{close, entries, list, number, numbers};
    use crate::model::CmdpBuilder;

    /// A chain in which everything is certain: walk leads to the next state, run two further.
    fn chain(required: f64) -> crate::model::Cmdp {
        let mut model = CmdpBuilder::new(5, &[5.0 - required]);
        for state in 0..5 {
            let s = state as f64;
            model.pair(state, &[((state + 1) % 5, 1.0)], 0.1 + 0.2 * s, &[0.0]);
            model.pair(state, &[((state + 2).min(4), 1.0)], 0.05 + 0.21 * s, &[1.0]);
        }
        model.build().unwrap().layered(5).unwrap()
    }

    /// Ten whole runs: the frames, the totals, and the tables in the end.
    #[test]
    fn runs_in_a_certain_chain_are_those_of_another_implementation() {
        for entry in entries("triple_q") {
            let episodes = entry["K"].as_u64().unwrap();
            let model = chain(number(&entry["rho"]));
            let config = TripleQConfig {
                iota: Some(number(&entry["iota"])),
                epsilon: Some(number(&entry["epsilon"])),
                frame: entry["frame"].as_u64(),
            };
            let task = Task::of(&model, 5 * episodes);
            let mut learner = TripleQ::new(&config, &task, &Knowledge::default()).unwrap();
            assert!(close(learner.chi, number(&entry["eta"])));
            let (mut totals, mut frames) = ([0.0; 2], Vec::new());
            for episode in 1..=episodes {
                let (mut state, mut steps) = (0, Vec::new());
                for stage in 0..5 {
                    let rows = learner.layout.rows_of(stage, state);
                    let row = learner.best_in(5 * stage + state) as usize;
                    let (reward, cost) = (model.signals().reward()[row], model.signals().cost(0)[row]);
                    totals[0] += reward;
                    totals[1] += cost;
                    steps.push((row, reward, 1.0 - cost));
                    state = if row == rows.start { (state + 1) % 5 } else { (state + 2).min(4) };
                }
                let mean = (learner.utility_sum + learner.rows[steps[0].0].utility) / learner.frame as f64;
                if learner.learn(&steps) {
                    frames.push((episode, mean, learner.price));
                }
            }
            let expected = list(&entry["frames"]);
            assert!(!frames.is_empty() && expected.len() <= frames.len());
            for ((episode, mean, price), expected) in frames.iter().zip(expected) {
                let expected = numbers(expected);
                assert_eq!(*episode as f64, expected[0]);
                assert!(close(*mean, expected[1]) && close(*price, expected[2]), "{entry}: {mean} {price}");
            }
            let found = [
                totals[0],
                totals[1],
                learner.rows[0].reward,
                learner.rows[1].reward,
                learner.rows[0].utility,
                learner.price,
            ];
            let names =
                ["total_reward", "total_cost", "final_Q_start", "final_Q_start", "final_C_start", "final_Z"];
            for (i, (found, name)) in found.into_iter().zip(names).enumerate() {
                let all = numbers(&entry[name]);
                let expected = if i == 3 { all[1] } else { all[0] };
                assert!(close(found, expected), "{name} of K = {episodes}: {found}, expected {expected}");
            }
        }
    }

    /// K = 4: χ = 4^0.2, and a frame is ⌊4^0.6⌋ = 2 episodes.
    #[test]
    fn tables_are_reset_and_the_price_moves_after_a_frame() {
        let mut led = Led::new(1.0);
        let config = TripleQConfig { iota: Some(0.0), epsilon: Some(0.5), frame: None };
        let mut learner = TripleQ::new(&config, &led.task, &led.knowledge).unwrap();
        assert_eq!((learner.frame, learner.chi), (2, pow(4.0, 0.2)));
        let policy = led.ask(&mut learner);
        assert_eq!((policy[0], policy[3]), (1.0, 1.0), "the first of equal actions");
        led.walk([0, 3]);
        led.ask(&mut learner);
        // The first visit has α = 1: Q = 0.5 + 2 before the last stage is learnt, and 0.5 there; C = 1 + 2 and 1.
        assert_eq!(
            [0, 3].map(|row| (learner.rows[row].reward, learner.rows[row].utility)),
            [(2.5, 3.0), (0.5, 1.0)]
        );
        led.walk([0, 4]);
        led.ask(&mut learner);
        // Z = 0 + 1 + 0.5 − (2 + 3) / 2 is below 0.
        assert_eq!(
            (learner.price, learner.rows.clone(), learner.episodes),
            (0.0, vec![Row::new(2.0, 0.0); 6], 0)
        );
    }
}
