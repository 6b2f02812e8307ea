//! What a policy attains: sub- and superharmonic pairs under its rows, for the reward and every cost.

mod refined;

use super::draft::{Draft, NOWHERE, of_states};
use crate::arithmetic::Interval;
use crate::arithmetic::extremes::greatest;
use crate::chain::solver::{Solver, THREADED, Unsolved, Way};
use crate::chain::{Chain, unless_stopped};
use crate::error::{Error, Result};
use crate::model::{Cmdp, Policy};
use crate::stop::StopFlag;
use crate::threads::at_once;
use crate::verify::{Bias, Harmonic, PolicyWitness, Rows, SignalWitness};

/// Pairs for all signals under a policy that is followed from `start`. `guesses` are biases of a policy like it, by signal and
/// state; `often` says how often states are visited, more or less. In haste the guesses are made no better than a search needs
/// them: intervals of 1e-12 instead of 1e-14. Chains of policies like it were solved in the way that is tried first.
pub(super) fn attained(
    model: &Cmdp,
    policy: &Policy,
    start: &[(usize, f64)],
    guesses: &[Vec<f64>],
    often: &dyn Fn(usize) -> f64,
    (haste, way): (bool, Way),
    stop: &StopFlag,
) -> Result<PolicyWitness> {
    let course = Course::new(model, policy, start, often, stop)?;
    let mut solver = Solver::beginning(way, stop);
    if !haste {
        solver.aim_high();
    }
    let first = |node: usize, k: usize| course.signal(node, k);
    let mut solved = match course.solve(&mut solver, first, Some(guesses)) {
        Ok(solved) => solved,
        Err(Unsolved::Stopped) => return Err(Error::Stopped { violation: f64::INFINITY }),
        // A chain that no method resolves is bounded trivially: by biases of 0.
        Err(_) => course.unsolved(),
    };
    let mut found = course.signals(&solved, stop)?;
    if !haste && found.iter().enumerate().any(|(k, signal)| course.is_wide(signal, k)) {
        // What is refined in part is a bias as well.
        if let Err(Unsolved::Stopped) = course.refine(&mut solver, &mut solved) {
            return Err(Error::Stopped { violation: f64::INFINITY });
        }
        let refined = course.signals(&solved, stop)?;
        for ((k, signal), refined) in found.iter_mut().enumerate().zip(refined) {
            if course.is_wide(signal, k) && course.width(&refined) < course.width(signal) {
                *signal = refined;
            }
        }
    }
    Ok(PolicyWitness { from: None, signals: found })
}

/// The chain of a policy from a start, with its classes.
struct Course<'a> {
    model: &'a Cmdp,
    policy: &'a Policy,
    chain: Chain<'a>,
    /// The class of every node of the chain; `None` on the way.
    class: Vec<Option<u32>>,
    /// The nodes of every class, a much visited one first.
    members: Vec<Vec<usize>>,
    /// The nodes on the way.
    way: Vec<usize>,
}

/// Approximate solutions, by node of the chain.
struct Solved {
    /// The bias of every signal.
    biases: Vec<Vec<f64>>,
    /// What is added to it; empty before it is refined.
    lows: Vec<Vec<f64>>,
    /// The long-run average of every signal.
    values: Vec<Vec<f64>>,
    /// The expected steps on the way.
    steps: Vec<f64>,
}

impl<'a> Course<'a> {
    fn new(
        model: &'a Cmdp,
        policy: &'a Policy,
        start: &'a [(usize, f64)],
        often: &dyn Fn(usize) -> f64,
        stop: &StopFlag,
    ) -> Result<Course<'a>> {
        let (chain, parts, closed) = Chain::with_parts(model, policy, start, stop)?;
        let mut number = vec![None; parts.count];
        let mut members: Vec<Vec<usize>> = Vec::new();
        let (mut class, mut way) = (vec![None; chain.states.len()], Vec::new());
        for (node, &part) in parts.of.iter().enumerate() {
            let part = part as usize;
            if !closed[part] {
                way.push(node);
                continue;
            }
            let at = *number[part].get_or_insert_with(|| {
                members.push(Vec::new());
                members.len() - 1
            });
            class[node] = Some(at as u32);
            members[at].push(node);
        }
        for nodes in &mut members {
            let order = |&a: &usize, &b: &usize| {
                often(chain.states[nodes[a]]).total_cmp(&often(chain.states[nodes[b]])).then(b.cmp(&a))
            };
            let most = (0..nodes.len()).max_by(order).unwrap_or(0);
            nodes.swap(0, most);
        }
        Ok(Course { model, policy, chain, class, members, way })
    }

    /// x_k of a node under the policy.
    fn signal(&self, node: usize, k: usize) -> f64 {
        let pairs = self.model.pairs_of(self.chain.states[node]);
        let (probabilities, values) = (self.policy.probabilities(), self.model.signals().signal(k));
        pairs.map(|pair| probabilities[pair] * values[pair]).sum()
    }

    /// Gains and biases of some signals of nodes, with guesses by signal and state.
    fn solve(
        &self,
        solver: &mut Solver,
        signal: impl Fn(usize, usize) -> f64 + Sync,
        guesses: Option<&[Vec<f64>]>,
    ) -> std::result::Result<Solved, Unsolved> {
        let (nodes, signals) = (self.chain.states.len(), self.model.signals().count());
        let mut found = Solved {
            biases: vec![vec![0.0; nodes]; signals],
            lows: vec![Vec::new(); signals],
            values: vec![vec![0.0; nodes]; signals],
            steps: vec![0.0; nodes],
        };
        if let [class] = &self.members[..] {
            // Into a single class every way leads, and one system holds the way and the class.
            let all: Vec<usize> = class.iter().chain(&self.way).copied().collect();
            self.solve_class(solver, &all, (&signal, guesses), &mut found)?;
        } else {
            for class in &self.members {
                self.solve_class(solver, class, (&signal, guesses), &mut found)?;
            }
        }
        if !self.way.is_empty() {
            self.solve_way(solver, &signal, &mut found)?;
        }
        Ok(found)
    }

    /// Gains and biases on a closed set of nodes with one class, the first node in it.
    fn solve_class(
        &self,
        solver: &mut Solver,
        members: &[usize],
        (signal, guesses): (&(impl Fn(usize, usize) -> f64 + Sync), Option<&[Vec<f64>]>),
        found: &mut Solved,
    ) -> std::result::Result<(), Unsolved> {
        let signals = found.biases.len();
        let mut local = vec![0u32; self.chain.states.len()];
        members.iter().enumerate().for_each(|(i, &node)| local[node] = i as u32);
        let row = |i: usize| self.chain.transitions(members[i]).map(|(next, p)| (local[next] as usize, p));
        solver.solve((members.len(), signals), false, row, |i, k| signal(members[i], k))?;
        let guess = |k: usize| -> Vec<f64> {
            let guess =
                |known: &[Vec<f64>]| members.iter().map(|&node| known[k][self.chain.states[node]]).collect();
            guesses.map(guess).unwrap_or_default()
        };
        let (mut gains, mut biases) =
            (vec![0.0; signals], (0..signals).map(guess).collect::<Vec<Vec<f64>>>());
        solver.biases(false, &mut gains, &mut biases)?;
        for k in 0..signals {
            for (&node, h) in members.iter().zip(&biases[k]) {
                (found.biases[k][node], found.values[k][node]) = (*h, gains[k]);
            }
        }
        Ok(())
    }

    /// Steps on the way and, if several classes may be entered, values and biases there.
    fn solve_way(
        &self,
        solver: &mut Solver,
        signal: &(impl Fn(usize, usize) -> f64 + Sync),
        found: &mut Solved,
    ) -> std::result::Result<(), Unsolved> {
        let signals = if self.members.len() > 1 { found.biases.len() } else { 0 };
        let mut local = vec![0; self.chain.states.len()];
        self.way.iter().enumerate().for_each(|(i, &node)| local[node] = i + 1);
        let node = |i: usize| i.checked_sub(1).map(|i| self.way[i]);
        let row = |i: usize| {
            let from = node(i).into_iter().flat_map(|node| self.chain.transitions(node));
            from.map(|(next, p)| (local[next], p))
        };
        let into_classes = |i: usize, x: &[f64]| -> f64 {
            let ends = node(i).into_iter().flat_map(|node| self.chain.transitions(node));
            ends.filter(|&(next, _)| local[next] == 0).map(|(next, p)| p * x[next]).sum()
        };
        let mut totals = vec![Vec::new(); 1 + signals];
        let rate = |i: usize, k: usize| match k {
            0 => f64::from(u8::from(i > 0)),
            _ => into_classes(i, &found.values[k - 1]),
        };
        solver.solve((self.way.len() + 1, 1 + signals), true, row, rate)?;
        solver.biases(true, &mut vec![0.0; 1 + signals], &mut totals)?;
        for (&node, i) in self.way.iter().zip(1..) {
            found.steps[node] = totals[0][i];
            (0..signals).for_each(|k| found.values[k][node] = totals[k + 1][i]);
        }
        if signals > 0 {
            let rate = |i: usize, k: usize| match node(i) {
                Some(from) => signal(from, k) - found.values[k][from] + into_classes(i, &found.biases[k]),
                None => 0.0,
            };
            solver.solve((self.way.len() + 1, signals), true, row, rate)?;
            let mut totals = vec![Vec::new(); signals];
            solver.biases(true, &mut vec![0.0; signals], &mut totals)?;
            for (&node, i) in self.way.iter().zip(1..) {
                (0..signals).for_each(|k| found.biases[k][node] = totals[k][i]);
            }
        }
        Ok(())
    }

    fn unsolved(&self) -> Solved {
        let (nodes, signals) = (self.chain.states.len(), self.model.signals().count());
        let (biases, values) = (vec![vec![0.0; nodes]; signals], vec![vec![f64::NAN; nodes]; signals]);
        Solved { biases, lows: vec![Vec::new(); signals], values, steps: vec![0.0; nodes] }
    }

    /// Pairs for all signals.
    fn signals(&self, solved: &Solved, stop: &StopFlag) -> Result<Vec<SignalWitness>> {
        let of_signal = |k: usize| {
            unless_stopped(stop)?;
            let below = self.pair(solved, k, -1.0);
            let above = self.pair(solved, k, 1.0);
            let (proof, opposite) = if k == 0 { (below, above) } else { (above, below) };
            Ok(SignalWitness { proof, opposite: Some(opposite) })
        };
        let signals = 0..self.model.signals().count();
        // A signal takes a tenth of a second on 90 000 states.
        if self.model.states() >= THREADED {
            at_once(signals.collect(), of_signal).into_iter().collect()
        } else {
            signals.map(of_signal).collect()
        }
    }

    /// A superharmonic pair for a signal times `sign`, divided by it: subharmonic if the sign is −1.
    fn pair(&self, solved: &Solved, k: usize, sign: f64) -> Harmonic {
        let states = self.model.states();
        let mut node = vec![NOWHERE; states];
        let classes = self.members.len();
        // Classes are the first nodes of the draft, and those on the way follow.
        let mut value = vec![0.0; classes + self.way.len()];
        let mut falls = vec![0.0; if self.way.is_empty() { 0 } else { value.len() }];
        self.way.iter().enumerate().for_each(|(i, &at)| {
            node[self.chain.states[at]] = (classes + i) as u32;
            falls[classes + i] = solved.steps[at];
        });
        for (at, &state) in self.chain.states.iter().enumerate() {
            if let Some(class) = self.class[at] {
                node[state] = class;
            }
            value[node[state] as usize] = sign * solved.values[k][at];
        }
        let signals = self.model.signals().signal(k);
        let signal = |pair: usize| Interval::exact(sign * signals[pair]);
        let draft = Draft {
            model: self.model,
            rows: Rows::Of(self.policy),
            signal: &signal,
            node: &node,
            stays: &|state, _| (node[state] as usize) < classes,
            falls: &falls,
            falls_of_bias: &of_states(&node, &falls),
        };
        let signed = |x: &[f64]| x.iter().map(|x| sign * x).collect::<Vec<f64>>();
        let (high, low) =
            (signed(&self.by_state(&solved.biases[k])), signed(&self.by_state(&solved.lows[k])));
        let found = draft.above(value.len(), Bias { high: &high, low: &low }, |gains| {
            // On the way a state is worth at most what it was found to be, and the most by which a class is worth more.
            let more = greatest(gains.iter().zip(&value).take(classes).map(|(gain, value)| gain - value));
            // A single class makes all states worth the same, to the last bit.
            let way = value[classes..].iter().map(|value| if classes == 1 { gains[0] } else { value + more });
            gains[..classes].iter().copied().chain(way).collect()
        });
        if sign < 0.0 { found.negated() } else { found }
    }

    /// Numbers of nodes as numbers of states, 0 where there is none.
    fn by_state(&self, of_nodes: &[f64]) -> Vec<f64> {
        let mut found = vec![0.0; if of_nodes.is_empty() { 0 } else { self.model.states() }];
        self.chain.states.iter().zip(of_nodes).for_each(|(&state, x)| found[state] = *x);
        found
    }
}
