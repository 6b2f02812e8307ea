//! The algorithms, one file each: its options, its box, its deviations from its paper.

mod c_ucrl;
mod chen_constants;
mod chen_horizon;
mod chen_policy;
mod cmdp_psrl;
mod conrl;
mod cucrl_conservative;
mod cucrl_optimistic;
mod cucrl_transitions;
mod dope;
#[cfg(test)]
pub(crate) mod fixture;
mod optcmdp;
mod optcmdp_bonus;
mod optdual;
mod optpess_lp;
mod optpess_primaldual;
mod optprimaldual;
mod psconrl;
mod psrl;
mod psrl_lagrangian;
mod psrl_transitions;
mod reference;
mod safe_psrl;
#[cfg(test)]
mod table1;
#[cfg(test)]
mod table1_averages;
mod triple_q;
mod tsde;
mod uc_curl;
mod ucpd;
mod ucrl2;
mod ucrl_cmdp;
mod uopt;

pub use c_ucrl::{CUcrl, CUcrlConfig};
pub use chen_constants::{ChenConstants, Knobs};
pub use chen_horizon::{ChenHorizon, ChenHorizonConfig};
pub use chen_policy::{ChenPolicy, ChenPolicyConfig};
pub use cmdp_psrl::{CmdpPsrl, CmdpPsrlConfig};
pub use conrl::{ConRl, ConRlConfig};
pub use cucrl_conservative::{CucrlConservative, CucrlConservativeConfig};
pub use cucrl_optimistic::{CucrlOptimistic, CucrlOptimisticConfig};
pub use cucrl_transitions::{CucrlTransitions, CucrlTransitionsConfig, EpochsOrBlocks};
pub use dope::{Dope, DopeConfig};
pub use optcmdp::{OptCmdp, OptCmdpConfig};
pub use optcmdp_bonus::{OptCmdpBonus, OptCmdpBonusConfig};
pub use optdual::{OptDual, OptDualConfig};
pub use optpess_lp::{OptPessLp, OptPessLpConfig};
pub use optpess_primaldual::{OptPessPrimalDual, OptPessPrimalDualConfig};
pub use optprimaldual::{OptPrimalDual, OptPrimalDualConfig};
pub use psconrl::{Psconrl, PsconrlConfig};
pub use psrl::{Psrl, PsrlConfig};
pub use psrl_lagrangian::{DualSignal, PriceOptions, PsrlLagrangian, PsrlLagrangianConfig};
pub use psrl_transitions::{PsrlTransitions, PsrlTransitionsConfig};
pub use reference::{Fixed, Oracle, Uniform};
pub use safe_psrl::{SafePsrl, SafePsrlConfig};
pub use triple_q::{TripleQ, TripleQConfig};
pub use tsde::{Tsde, TsdeConfig};
pub use uc_curl::{UcCurl, UcCurlConfig};
pub use ucpd::{Ucpd, UcpdConfig};
pub use ucrl_cmdp::{UcrlCmdp, UcrlCmdpConfig};
pub use ucrl2::{Ucrl2, Ucrl2Config};
pub use uopt::{Schedule, Uopt, UoptConfig};
