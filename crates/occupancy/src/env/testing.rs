//! Questions that the tests ask of an environment, in names.

use super::Env;

/// The state with a name.
pub fn state(env: &Env, name: &str) -> usize {
    (0..env.model.states()).find(|&s| env.model.names().state(s) == name).expect(name)
}

/// The pair of a state's and an action's name.
pub fn pair(env: &Env, from: &str, action: &str) -> usize {
    env.model.pairs_of(state(env, from)).find(|&pair| env.model.action_name(pair) == action).expect(action)
}

/// The successors of a pair and their probabilities.
pub fn row(env: &Env, from: &str, action: &str) -> Vec<(String, f64)> {
    let row = env.model.kernel().row(pair(env, from, action));
    row.iter().map(|(next, p)| (env.model.names().state(next), p)).collect()
}

/// The average reward and costs of a cycle of certain moves through the start.
pub fn follow(env: &Env, actions: &str) -> (f64, Vec<f64>) {
    let start = env.model.start()[0].0;
    let (mut at, mut steps) = (start, 0.0);
    let mut sums = vec![0.0; env.model.signals().count()];
    for action in actions.split_whitespace() {
        let pair = pair(env, &env.model.names().state(at), action);
        sums.iter_mut().enumerate().for_each(|(k, sum)| *sum += env.model.signals().signal(k)[pair]);
        let next: Vec<_> = env.model.kernel().row(pair).iter().collect();
        assert_eq!(next.len(), 1, "{action} is not certain");
        at = next[0].0;
        steps += 1.0;
    }
    assert_eq!(at, start, "the cycle does not close");
    (sums[0] / steps, sums[1..].iter().map(|sum| sum / steps).collect())
}
