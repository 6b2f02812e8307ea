//! DRN, the explicit format of the model checker Storm: finite MDPs in one text file.
//!
//! ```text
//! file    = { section } "@model" { state }
//! section = "@type:" ( "MDP" | "DTMC" )             required
//!         | "@nr_states" count                      required, kept
//!         | "@nr_choices" count                     kept where it is given
//!         | "@reward_models" { name }
//!         | "@placeholders" { "$" name ":" number }
//!         | "@parameters"                           empty
//!         | "@value_type:" ( "double" | "rational" )
//!         | "@version:" ( "1" | "2" )
//! state   = "state" index [ rewards ] { label }     in the order 0, 1, …
//!           { action }
//! action  = "action" name [ rewards ]
//!           { successor ":" number }
//! rewards = "[" number { "," number } "]"           one for each reward model
//! number  = decimal | decimal "/" decimal | "$" name
//! ```
//!
//! Every part is a line; a section's value follows on its line or on the next one. Lines that start with `//` are
//! comments. Source: <https://www.stormchecker.org/documentation/background/drn.html> and the files that Storm writes.
//!
//! A [`Cmdp`](crate::model::Cmdp) differs from a DRN model in four ways, which settle how it is read and written:
//!
//! - r(s,a) = state reward + action reward, as in Storm: a state's reward is earned on every step taken in it. Signals
//!   that depend on the successor are written as their means.
//! - Which reward model is the reward, which are costs, and the budgets are said by [`DrnSignals`], not by the file. A
//!   reward model without a name, which Storm writes as a blank line under `@reward_models`, is called `reward`.
//! - The start is the state labelled `init`; other labels are dropped. Several are refused, because Storm takes them as
//!   a free choice and not as a distribution. A model that starts from a distribution is written with an added last
//!   state, marked `init`, whose one action draws the start: one step that no long-run average sees.
//! - Continuous time, observations, intervals and parameters are refused.
//!
//! Successors given twice for one action are added up. The action name `__NOLABEL__` means no name; names may repeat.

mod header;
mod read;
mod write;

pub use read::{parse, parse_with, read, read_with};
pub use write::{to_string, write};

/// Which reward models of a DRN file are the reward and the costs.
///
/// ```
/// use occupancy::model::drn::{self, DrnSignals};
/// let text = "@type: MDP\n@reward_models\nwork heat\n@nr_states\n1\n@model\n\
///             state 0 init\n\taction run [1, 2]\n\t\t0 : 1\n\taction rest [0, 0]\n\t\t0 : 1\n";
/// let signals = DrnSignals { costs: vec![("heat".into(), 0.5)], ..DrnSignals::default() };
/// let model = drn::parse(text, &signals).unwrap();
/// assert_eq!((model.signals().reward(), model.signals().cost(0)), (&[1.0, 0.0][..], &[2.0, 0.0][..]));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrnSignals {
    /// The reward. `None` takes the only reward model that is not a cost, or else the one called `r` or `reward`.
    pub reward: Option<String>,
    /// The costs and their budgets.
    pub costs: Vec<(String, f64)>,
}
