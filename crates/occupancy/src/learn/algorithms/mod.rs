//! The algorithms, one file each: its options, its box, its deviations from its paper.

mod c_ucrl;
mod cmdp_psrl;
mod cucrl_conservative;
mod cucrl_optimistic;
mod cucrl_transitions;
#[cfg(test)]
pub(crate) mod fixture;
mod psconrl;
mod psrl_lagrangian;
mod psrl_transitions;
mod reference;
#[cfg(test)]
mod table1;
mod tsde;
mod uc_curl;
mod ucrl2;
mod ucrl_cmdp;

pub use c_ucrl::{CUcrl, CUcrlConfig};
pub use cmdp_psrl::{CmdpPsrl, CmdpPsrlConfig};
pub use cucrl_conservative::{CucrlConservative, CucrlConservativeConfig};
pub use cucrl_optimistic::{CucrlOptimistic, CucrlOptimisticConfig};
pub use cucrl_transitions::{CucrlTransitions, CucrlTransitionsConfig, EpochsOrBlocks};
pub use psconrl::{Psconrl, PsconrlConfig};
pub use psrl_lagrangian::{DualSignal, PriceOptions, PsrlLagrangian, PsrlLagrangianConfig};
pub use psrl_transitions::{PsrlTransitions, PsrlTransitionsConfig};
pub use reference::{Fixed, Oracle, Uniform};
pub use tsde::{Tsde, TsdeConfig};
pub use uc_curl::{UcCurl, UcCurlConfig};
pub use ucrl_cmdp::{UcrlCmdp, UcrlCmdpConfig};
pub use ucrl2::{Ucrl2, Ucrl2Config};
