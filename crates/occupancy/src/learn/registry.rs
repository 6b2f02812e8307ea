//! The registry of learners: a name becomes a config with its defaults.

use super::LearnerConfig;
use super::algorithms::{
    CUcrlConfig, ChenHorizonConfig, ChenPolicyConfig, CmdpPsrlConfig, ConRlConfig, CucrlConservativeConfig,
    CucrlOptimisticConfig, CucrlTransitionsConfig, DopeConfig, OptCmdpBonusConfig, OptCmdpConfig,
    OptDualConfig, OptPessLpConfig, OptPessPrimalDualConfig, OptPrimalDualConfig, Oracle, PsconrlConfig,
    PsrlConfig, PsrlLagrangianConfig, PsrlTransitionsConfig, SafePsrlConfig, TripleQConfig, TsdeConfig,
    UcCurlConfig, UcpdConfig, Ucrl2Config, UcrlCmdpConfig, Uniform, UoptConfig,
};
use crate::error::{Error, Result};

/// The learners that can be asked for by name.
#[derive(Clone, Debug)]
pub struct Registry {
    known: Vec<Box<dyn LearnerConfig>>,
}

impl Registry {
    /// The learners of this crate.
    pub fn standard() -> Registry {
        let known: Vec<Box<dyn LearnerConfig>> = vec![
            Box::new(PsrlTransitionsConfig::default()),
            Box::new(PsrlLagrangianConfig::default()),
            Box::new(CucrlOptimisticConfig::default()),
            Box::new(CucrlConservativeConfig::default()),
            Box::new(CucrlTransitionsConfig::default()),
            Box::new(UcrlCmdpConfig::default()),
            Box::new(UcCurlConfig::default()),
            Box::new(CUcrlConfig::default()),
            Box::new(ChenPolicyConfig::default()),
            Box::new(ChenHorizonConfig::default()),
            Box::new(CmdpPsrlConfig::default()),
            Box::new(PsconrlConfig::default()),
            Box::new(Ucrl2Config::default()),
            Box::new(TsdeConfig::default()),
            Box::new(OptCmdpConfig::default()),
            Box::new(OptCmdpBonusConfig::default()),
            Box::new(OptDualConfig::default()),
            Box::new(OptPrimalDualConfig::default()),
            Box::new(ConRlConfig::default()),
            Box::new(UcpdConfig::default()),
            Box::new(OptPessLpConfig::default()),
            Box::new(OptPessPrimalDualConfig::default()),
            Box::new(DopeConfig::default()),
            Box::new(UoptConfig::default()),
            Box::new(SafePsrlConfig::default()),
            Box::new(TripleQConfig::default()),
            Box::new(PsrlConfig::default()),
            Box::new(Uniform::default()),
            Box::new(Oracle::default()),
        ];
        Registry { known }
    }

    /// These learners and another one, in the place of one with the same name if there is one.
    pub fn with(mut self, config: impl LearnerConfig + 'static) -> Registry {
        match self.known.iter().position(|known| known.name() == config.name()) {
            Some(at) => self.known[at] = Box::new(config),
            None => self.known.push(Box::new(config)),
        }
        self
    }

    /// All learners with their defaults.
    pub fn all(&self) -> impl Iterator<Item = &dyn LearnerConfig> {
        self.known.iter().map(Box::as_ref)
    }

    /// The learner of a name, with its defaults.
    pub fn find(&self, name: &str) -> Result<Box<dyn LearnerConfig>> {
        let found = self.all().find(|config| config.name() == name).map(|config| config.boxed());
        found.ok_or_else(|| Error::Unknown {
            what: "learner",
            name: name.to_string(),
            known: self.all().map(|config| config.name().to_string()).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn learners_are_found_by_name_and_options_by_theirs() {
        let registry = Registry::standard();
        let mut learner = registry.find("cucrl-transitions").unwrap();
        learner.set("epochs", "blocks").unwrap();
        learner.set("coef", "0.5").unwrap();
        let missing = learner.check_complete().unwrap_err().to_string();
        assert!(missing.starts_with("cucrl-transitions needs a value of h here"), "{missing}");
        learner.fill_in(1000);
        learner.check_complete().unwrap();
        let value = |name| learner.infos().into_iter().find(|info| info.name == name).unwrap().value;
        assert_eq!((value("coef").as_str(), value("h").as_str()), ("0.5", "10"));
        let refused = registry.find("sarsa").unwrap_err().to_string();
        assert!(refused.starts_with("unknown learner sarsa; known: psrl-transitions, "), "{refused}");
        let no_blocks = registry.find("psrl-transitions").unwrap().set("epochs", "blocks").unwrap_err();
        assert!(no_blocks.to_string().starts_with("epochs is blocks, expected doubling"), "{no_blocks}");
    }

    #[test]
    fn a_learner_of_the_same_name_takes_the_place_of_another() {
        let uniform = Registry::standard().find("uniform").unwrap();
        let registry = Registry::standard().with(Oracle::default());
        assert_eq!(registry.all().count(), Registry::standard().all().count());
        assert_eq!(registry.find("uniform").unwrap().as_ref(), uniform.as_ref());
    }
}
