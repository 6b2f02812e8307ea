//! Every tolerance of the planners, once, with its reason. A number that bounds work and not precision stays where it is used.

/// The widest gap of a plan that stands for the optimum, as a share of the largest |reward|. Learners lose some 1e-3 of it a
/// step after a million; chains whose parts are linked with probability 1e-9 leave gaps of 5e-8.
pub const SETTLED: f64 = 1e-6;

/// The greatest scaled violation that counts as feasible.
pub(crate) const FEASIBLE: f64 = 1e-9;

/// The same for sums, whose scale is the largest that they can come to: at most 1e-9 of a single cost after a hundred steps.
pub(crate) const SUM_FEASIBLE: f64 = 1e-11;

/// By how much budgets are widened, in units of the largest cost: policies that use a budget up exactly would otherwise
/// be told apart by the last bits of their costs, at prices without meaning.
pub(crate) const EDGE: f64 = 1e-14;

/// A response that adds less than this to the master's value, in units of the largest reward, ends the search.
pub(crate) const PROGRESS: f64 = 1e-13;

/// A gap above this at the end calls for value iteration to settle near-ties that policy iteration cannot see.
pub(crate) const RESCUE_GAP: f64 = 1e-10;

/// Where policy iteration stands still although its bound is further off than this, in units of the largest weighted signal, no
/// sweeps of values help. On a grid of 41 × 41 cells it was off by 6e-4; the optimum was missed by 2e-6, and 20 000 sweeps
/// left both as they were.
pub(crate) const FAR_OFF: f64 = 1e-9;

/// By how much more than any policy gains a gain is raised at which staying costs, in units of the largest weighted signal: more than
/// rounding makes of gains that are the same.
pub(crate) const HAIR: f64 = 1e-12;

/// Where the least violation known and its lower bound are further apart than this, with the edge of feasibility
/// between them, nothing is claimed.
pub(crate) const UNDECIDED: f64 = 1e-6;

/// Differences below this share of the numbers compared are rounding.
pub(crate) const ROUNDING: f64 = 1e-14;

/// Improvements below this share of the largest wait for the next step.
pub(crate) const NEAR_TIE: f64 = 1e-9;

/// Links below this probability are rare.
pub(crate) const RARE_LINK: f64 = 1e-9;

/// Reduced costs below this share of their terms are rounding.
pub(crate) const REDUCED_COST: f64 = 4e-15;

/// Entries of a direction below this share of the largest are no pivots: first, so that budgets met by 1e-12 are seen, and
/// where that has brought points that are nearly the same into one basis, whose weights are then wrong by 1e-7 or which
/// is singular.
pub(crate) const PIVOTS: [f64; 2] = [1e-13, 1e-9];

/// A mixture further than this above the budgets has lost its weights in rounding.
pub(crate) const LOST_WEIGHTS: f64 = 1e-10;

/// An action is changed only for an improvement above this share of the values' size, which keeps policies proper.
pub(crate) const IMPROVEMENT: f64 = 1e-10;

/// How far the evaluated gain and costs of a stationary policy may be from the mixture's, relative to their size.
pub(crate) const ATTAINED: f64 = 1e-9;

/// A response that adds less than this to the value, in units of the largest reward or cost, ends the search.
pub(crate) const FORECAST_PROGRESS: f64 = 1e-10;

/// Differences below this share of a signal's size are rounding. With 1e-9, the last edge of marsrover-8x8 with slip 0.1
/// is lost: it gains 4e-10 over a tenth of a permille of the budget.
pub(crate) const SAME_POINT: f64 = 1e-11;

/// A larger gap, as a share of the largest reward, means that the solver was beyond its precision.
pub(crate) const LP_GAP: f64 = 1e-6;

/// Occupancies below this share of the largest are rounding errors of the solver.
pub(crate) const LP_OCCUPANCY: f64 = 1e-9;

/// Weights of policies below this are rounding errors.
pub(crate) const LP_WEIGHT: f64 = 1e-12;

/// Flows below this are rounding errors of the solver.
pub(crate) const LP_FLOW: f64 = 1e-9;

/// An action with a smaller share in its state is a rounding error, too.
pub(crate) const LP_SHARE: f64 = 1e-7;
