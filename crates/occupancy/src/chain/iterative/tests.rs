//! Chains that iteration solves, held against elimination and against values by hand.

use super::super::elimination::Elimination;
use super::*;
use crate::arithmetic::extremes::greatest_size;

/// A slippery corridor from node n − 1 to node 0, which leads back to the far end.
fn corridor(nodes: usize, slip: f64) -> Vec<Vec<(usize, f64)>> {
    let row = |i: usize| match i {
        0 => vec![(nodes - 1, 1.0)],
        _ => vec![(i - 1, 1.0 - slip), ((i + 1).min(nodes - 1), 0.5 * slip), (i, 0.5 * slip)],
    };
    (0..nodes).map(row).collect()
}

/// A row of rooms, each linked with its neighbours only: a slow random walk.
fn walk(nodes: usize) -> Vec<Vec<(usize, f64)>> {
    (0..nodes).map(|i| vec![(i.saturating_sub(1), 0.5), ((i + 1).min(nodes - 1), 0.5)]).collect()
}

/// Three successors anywhere.
fn jumps(nodes: usize) -> Vec<Vec<(usize, f64)>> {
    (0..nodes)
        .map(|i| vec![((i * 7 + 1) % nodes, 0.5), ((i * i + 3) % nodes, 0.3), ((i + 1) % nodes, 0.2)])
        .collect()
}

fn check(rows: Vec<Vec<(usize, f64)>>) {
    let nodes = rows.len();
    let signal: Vec<f64> = (0..nodes).map(|i| ((i * 37) % 11) as f64 / 11.0).collect();
    let (gain, bias, law) = Elimination::reduced(&rows, &signal).solution();
    for way in [Way::Sweep, Way::Factors(DROPS[0])] {
        check_way(way, &rows, &signal, (gain, &bias, &law));
    }
}

fn check_way(way: Way, rows: &[Vec<(usize, f64)>], signal: &[f64], exact: (f64, &[f64], &[f64])) {
    let (nodes, (gain, bias, law)) = (rows.len(), exact);
    let mut iterative = Iterative { way, patience: u32::MAX, ..Iterative::default() };
    iterative.load(nodes, false, |node| rows[node].iter().copied());
    let (mut h, mut mass) = (vec![0.0; nodes], vec![0.0; nodes]);
    let mut work = Work::default();
    let (mut found, mut error) = (0.0, 0.0);
    let mut system = System { signal, gain: &mut found, error: &mut error, bias: &mut h, unbounded: 0.0 };
    iterative.biases(std::slice::from_mut(&mut system), &mut work).unwrap();
    iterative.stationary(&mut mass, &mut work).unwrap();
    let size = greatest_size(bias.iter().copied());
    assert!(
        (found - gain).abs() <= error + 1e-14 && error < 1e-9,
        "{way:?}: {found} ± {error}, exactly {gain}"
    );
    let off = greatest_size(h.iter().zip(bias).map(|(x, y)| x - y));
    assert!(off < 1e-8 * size, "{way:?}: biases of {size} are off by {off:e}");
    assert!(mass.iter().zip(law).all(|(x, y)| (x - y).abs() < 1e-9));
}

#[test]
fn a_corridor_is_solved_as_by_elimination() {
    check(corridor(500, 0.1));
}

#[test]
fn a_slow_walk_is_solved_as_by_elimination() {
    check(walk(200));
}

#[test]
fn long_jumps_are_solved_as_by_elimination() {
    check(jumps(997));
}

#[test]
fn a_reference_that_is_never_left_has_its_own_signal_as_gain() {
    // Without the shift in its diagonal the first row is 0, and all numbers are lost.
    for leave in [0.0, 1e-13, 1e-3] {
        let mut rows = corridor(1200, 0.02);
        rows[0] = vec![(0, 1.0 - leave), (1199, leave)];
        rows[0].retain(|&(_, p)| p > 0.0);
        let signal: Vec<f64> = (0..1200).map(|i| if i == 0 { 0.25 } else { (i % 7) as f64 }).collect();
        let mut iterative = Iterative::default();
        iterative.load(1200, false, |node| rows[node].iter().copied());
        let (mut bias, mut law) = (vec![0.0; 1200], vec![0.0; 1200]);
        let mut work = Work::default();
        let (mut gain, mut error) = (0.0, 0.0);
        let mut system =
            System { signal: &signal, gain: &mut gain, error: &mut error, bias: &mut bias, unbounded: 0.0 };
        let solved = iterative.biases(std::slice::from_mut(&mut system), &mut work);
        solved.unwrap_or_else(|why| panic!("{leave}: {why:?}"));
        let solved = iterative.stationary(&mut law, &mut work);
        solved.unwrap_or_else(|why| panic!("{leave}: {why:?}"));
        // The corridor takes about 1200 / 0.97 steps, at 3 a step.
        let away = leave * 1200.0 / 0.97;
        let expected = (0.25 + 3.0 * away) / (1.0 + away);
        assert!((gain - expected).abs() <= error + 0.01 * away, "{gain} ± {error:e} instead of {expected}");
        assert!((law[0] - 1.0 / (1.0 + away)).abs() <= 0.01 * away + 1e-9, "{}", law[0]);
        assert!(bias.iter().all(|h| h.is_finite()) && bias[0] == 0.0);
    }
}

#[test]
fn a_node_that_does_not_lead_to_the_reference_is_named() {
    let mut rows = corridor(1200, 0.2);
    rows[700] = vec![(700, 1.0)];
    let mut iterative = Iterative::default();
    iterative.load(1200, false, |node| rows[node].iter().copied());
    assert_eq!(iterative.stuck(), Some(700));
}

#[test]
fn a_slow_chain_is_solved_by_factors_after_quick_sweeps() {
    let rows = walk(3000);
    let signal: Vec<f64> = (0..3000).map(|i| f64::from(u8::from(i % 3 == 0))).collect();
    let mut iterative = Iterative::default();
    iterative.load(3000, false, |node| rows[node].iter().copied());
    let (mut gain, mut error, mut bias, mut work) = (0.0, 0.0, vec![0.0; 3000], Work::default());
    let mut solve = |iterative: &Iterative| {
        let mut system =
            System { signal: &signal, gain: &mut gain, error: &mut error, bias: &mut bias, unbounded: 0.0 };
        iterative.biases(std::slice::from_mut(&mut system), &mut work)
    };
    assert_eq!(solve(&iterative), Err(NotConverged(f64::INFINITY)));
    assert!(iterative.try_harder());
    assert_eq!((iterative.way, solve(&iterative)), (Way::Factors(DROPS[0]), Ok(())));
    // The next chain is factored at once; without factors there is nothing better left.
    iterative.load(3000, false, |node| rows[node].iter().copied());
    assert_eq!(iterative.way, Way::Factors(DROPS[0]));
    assert!(iterative.try_harder() && iterative.try_harder() && !iterative.try_harder());
    assert_eq!(iterative.way, Way::Sweep);
    assert!((gain - 1.0 / 3.0).abs() <= error + 1e-12 && error < 1e-9, "{gain} ± {error}");
}

#[test]
fn signals_side_by_side_have_the_bits_that_they_have_alone() {
    let signals: Vec<Vec<f64>> =
        (0..4).map(|k| (0..1500).map(|i| ((i * (37 + k)) % 11) as f64 / 11.0).collect()).collect();
    for (way, rows) in [(Way::Sweep, jumps(1500)), (Way::Factors(DROPS[0]), corridor(1500, 0.3))] {
        let mut iterative = Iterative { way, patience: u32::MAX, ..Iterative::default() };
        iterative.load(1500, false, |node| rows[node].iter().copied());
        let solve = |group: usize| {
            let (mut gains, mut errors) = (vec![0.0; 4], vec![0.0; 4]);
            let mut biases = vec![vec![0.0; 1500]; 4];
            let mut systems = System::of(&signals, &mut gains, &mut errors, &mut biases);
            for group in systems.chunks_mut(group) {
                iterative.biases(group, &mut Work::default()).unwrap();
            }
            (gains, errors, biases)
        };
        let alone = solve(1);
        assert!([2, 3, 4].into_iter().all(|group| solve(group) == alone), "{way:?}");
    }
}

#[test]
fn an_order_is_kept_for_chains_like_the_last_and_made_anew_for_others() {
    let mut iterative = Iterative { way: Way::Factors(DROPS[0]), ..Iterative::default() };
    let mut load = |rows: &[Vec<(usize, f64)>]| {
        iterative.load(rows.len(), false, |node| rows[node].iter().copied());
        iterative.rows.order.node.clone()
    };
    let first = load(&corridor(300, 0.1));
    let mut alike = corridor(300, 0.1);
    alike[200] = vec![(150, 0.9), (250, 0.1)];
    assert_eq!(load(&alike), first);
    // The same corridor through the other half of its nodes first.
    let swapped = |node: usize| if node == 0 { 0 } else { 300 - node };
    let row = |i: usize| corridor(300, 0.1)[swapped(i)].iter().map(|&(next, p)| (swapped(next), p)).collect();
    let against: Vec<Vec<(usize, f64)>> = (0..300).map(row).collect();
    assert_ne!(load(&against), first);
    check(alike);
    check(against);
}

#[test]
fn rows_that_have_changed_are_taken_as_if_all_were() {
    let before = corridor(300, 0.1);
    // A row as long as before, and one that is not.
    for row in [before[200].iter().map(|&(next, p)| (next / 2, p)).collect(), vec![(7, 1.0)]] {
        let mut after = before.clone();
        after[200] = row;
        let load = |changed: Option<Vec<u32>>| {
            let mut iterative = Iterative { way: Way::Factors(DROPS[0]), ..Iterative::default() };
            iterative.load(300, false, |node| before[node].iter().copied());
            iterative.changed = changed;
            iterative.load(300, false, |node| after[node].iter().copied());
            let Rows { leave, with_order, .. } = &iterative.rows;
            let rows: Vec<Vec<(usize, f64)>> = (0..300).map(|i| iterative.rows.of(i).collect()).collect();
            let earlier: Vec<usize> = (0..300).map(|i| iterative.rows.earlier(i).count()).collect();
            (rows, earlier, leave.clone(), *with_order)
        };
        assert_eq!(load(Some(vec![200])), load(None));
    }
}

#[test]
fn sweeps_that_stand_still_are_given_up_before_others() {
    let residual_after_quick_sweeps = |rows: Vec<Vec<(usize, f64)>>| {
        let mut iterative = Iterative::default();
        iterative.load(rows.len(), false, |node| rows[node].iter().copied());
        let signal: Vec<f64> = (0..rows.len()).map(|i| ((i * 37) % 11) as f64 / 11.0).collect();
        let (mut gain, mut error, mut bias) = (0.0, 0.0, vec![0.0; rows.len()]);
        let mut system =
            System { signal: &signal, gain: &mut gain, error: &mut error, bias: &mut bias, unbounded: 0.0 };
        iterative.biases(std::slice::from_mut(&mut system), &mut Work::default())
    };
    assert_eq!(residual_after_quick_sweeps(jumps(997)), Ok(()));
    assert_eq!(residual_after_quick_sweeps(walk(2000)), Err(NotConverged(f64::INFINITY)));
}

#[test]
fn a_chain_whose_first_node_is_hardly_ever_visited_is_solved_from_another() {
    // A grid whose walk goes from one corner to the opposite one and begins again; node 0 is a third corner.
    let side = 60;
    let row = |node: usize| {
        let (x, y) = (node % side, node / side);
        if (x, y) == (side - 1, 0) {
            return vec![((side - 1) * side, 1.0)];
        }
        let (right, up) = ((x + 1).min(side - 1), y.saturating_sub(1));
        let (left, down) = (x.saturating_sub(1), (y + 1).min(side - 1));
        let main = if x + y < side && x < side - 1 { (right, y) } else { (x, up) };
        let cells =
            [(main, 0.9), ((right, y), 0.025), ((x, up), 0.025), ((left, y), 0.025), ((x, down), 0.025)];
        cells.map(|((x, y), p)| (y * side + x, p)).to_vec()
    };
    let rows: Vec<Vec<(usize, f64)>> = (0..side * side).map(row).collect();
    let mut iterative = Iterative::default();
    iterative.load(rows.len(), false, |node| rows[node].iter().copied());
    assert_ne!(iterative.reference, 0);
    // Elimination needs a first node that is visited often: the start changes places with it.
    let start = (side - 1) * side;
    let swapped = |node: usize| {
        if node == 0 {
            start
        } else if node == start {
            0
        } else {
            node
        }
    };
    let swap_row = |node: usize| rows[swapped(node)].iter().map(|&(next, p)| (swapped(next), p)).collect();
    let from_start: Vec<Vec<(usize, f64)>> = (0..rows.len()).map(swap_row).collect();
    let signal: Vec<f64> = (0..rows.len()).map(|node| ((node * 37) % 11) as f64 / 11.0).collect();
    let swapped_signal: Vec<f64> = (0..rows.len()).map(|node| signal[swapped(node)]).collect();
    let (gain, h, mass) = Elimination::reduced(&from_start, &swapped_signal).solution();
    let bias: Vec<f64> = (0..rows.len()).map(|node| h[swapped(node)] - h[start]).collect();
    let law: Vec<f64> = (0..rows.len()).map(|node| mass[swapped(node)]).collect();
    check_way(Way::Factors(DROPS[0]), &rows, &signal, (gain, &bias, &law));
}

#[test]
fn factors_that_were_refused_are_tried_again_after_a_while() {
    let rows = walk(2000);
    let mut iterative = Iterative::default();
    let mut ways_after_refusal = || {
        iterative.fall_back();
        let load = |_| {
            iterative.load(2000, false, |node| rows[node].iter().copied());
            iterative.way == Way::Sweep
        };
        (0..5).map(load).collect::<Vec<bool>>()
    };
    assert_eq!(ways_after_refusal(), [false; 5]);
    assert_eq!(ways_after_refusal(), [true, false, false, false, false]);
    assert_eq!(ways_after_refusal(), [true, true, true, false, false]);
}

#[test]
fn a_guess_for_another_signal_does_no_harm_to_one_that_is_0() {
    let rows = jumps(1200);
    let mut iterative = Iterative::default();
    iterative.load(rows.len(), false, |node| rows[node].iter().copied());
    // Next to a right-hand side of 0, what rounding leaves of this guess was called a residual of 1e147.
    let (zero, guess) = (vec![0.0; rows.len()], |i: usize| (i % 13) as f64 * 1e-13);
    let (mut gain, mut error, mut bias) = (1e-13, 0.0, (0..rows.len()).map(guess).collect::<Vec<_>>());
    let mut system =
        System { signal: &zero, gain: &mut gain, error: &mut error, bias: &mut bias, unbounded: 0.0 };
    iterative.biases(std::slice::from_mut(&mut system), &mut Work::default()).unwrap();
    assert_eq!((gain, error, greatest_size(bias)), (0.0, 0.0, 0.0));
}
