//! The command that repeats one run alone: `occupancy learn` with the options that its preset does not have anyway.

use occupancy::env::{Env, EnvConfig};
use occupancy_lab::Format;
use occupancy_lab::experiment::{Experiment, NamedLearner};
use occupancy_lab::papers::provodin2022::Preset;
use occupancy_lab::runner::FailedRun;

/// The command for a run that failed.
pub fn command(experiment: &Experiment, env: &Env, failed: &FailedRun) -> String {
    let learner = &experiment.learners[failed.learner];
    let preset = learner.preset.and_then(|name| Preset::from_name(name).ok()).unwrap_or(Preset::Sound);
    let mut words = vec!["occupancy".to_string(), "learn".to_string(), source(experiment)];
    words.push(learner.config.name().to_string());
    words.extend(["--preset".to_string(), preset.name().to_string()]);
    let numbers = [
        ("--rounds", experiment.rounds),
        ("--window", experiment.windows.first().copied().unwrap_or(1)),
        ("--seed", experiment.seed),
        ("--run", failed.run),
    ];
    words.extend(numbers.into_iter().flat_map(|(flag, number)| [flag.to_string(), number.to_string()]));
    words.extend(environment_options(experiment, env, preset));
    words.extend(learner_options(experiment, learner, preset));
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// The name of the environment, or its file.
fn source(experiment: &Experiment) -> String {
    let environment = &experiment.environment;
    environment.file().map_or_else(|| environment.name.clone(), |path| path.display().to_string())
}

fn set(key: &str, value: &str) -> [String; 2] {
    ["--set".to_string(), format!("{key}={value}")]
}

/// Options of the environment that the preset would set otherwise; those of a model file by name.
fn environment_options(experiment: &Experiment, env: &Env, preset: Preset) -> Vec<String> {
    let settings = experiment.environment.settings().iter();
    let given = settings.filter_map(|(key, value)| Some((key.strip_prefix("env.")?, value.as_str())));
    let given: Vec<(&str, &str)> =
        given.filter(|(key, value)| !["name", "file"].contains(key) && *value != "own").collect();
    let names: Vec<String> = (0..env.model.costs()).map(|i| env.model.names().cost(i)).collect();
    if given.iter().any(|(key, _)| *key == "costs") {
        let cost = |(name, budget): (&String, &f64)| ["--cost".to_string(), format!("{name}={budget}")];
        let reward = given.iter().find(|(key, _)| *key == "reward");
        let reward = reward.map(|(_, name)| ["--reward".to_string(), name.to_string()]);
        let costs = names.iter().zip(env.model.budgets()).flat_map(cost);
        let normalise = given.iter().any(|(key, _)| *key == "normalise").then(|| "--normalise".to_string());
        return reward.into_iter().flatten().chain(costs).chain(normalise).collect();
    }
    let format = experiment.environment.file().and_then(|path| Format::of(path));
    if matches!(format, Some(Format::Text | Format::Table | Format::Binary)) {
        let option = |(key, value): &(&str, &str)| match *key {
            "normalise" => vec!["--normalise".to_string()],
            _ => vec!["--budget".to_string(), value.to_string()],
        };
        return given.iter().flat_map(option).collect();
    }
    let name = &experiment.environment.name;
    let usual = EnvConfig::from_options(name, &preset.environment(name)).map(|config| config.options());
    let usual = usual.unwrap_or_default();
    let differs =
        |(key, value): &&(&str, &str)| usual.iter().all(|info| info.name != *key || info.value != **value);
    given.iter().filter(differs).flat_map(|(key, value)| set(key, value)).collect()
}

/// Options of the learner that the preset would set otherwise.
fn learner_options(experiment: &Experiment, learner: &NamedLearner, preset: Preset) -> Vec<String> {
    let usual = preset.learner(learner.config.name(), &experiment.environment.name, experiment.rounds);
    let usual = usual.map(|usual| usual.infos()).unwrap_or_default();
    let pairs = learner.config.infos().into_iter().zip(usual);
    let differing = pairs.filter(|(own, usual)| own.value != usual.value && own.value != "own");
    differing.flat_map(|(own, _)| set(own.name, &own.value)).collect()
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+".contains(c);
    if word.chars().all(plain) && !word.is_empty() {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use occupancy_lab::catalogue::Catalogue;

    fn experiment(text: &str) -> Experiment {
        let id = std::thread::current().id();
        let folder = std::env::temp_dir().join(format!("occupancy-repeat-{}-{id:?}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("one.toml"), text).unwrap();
        let found = Experiment::read(folder.join("one.toml"), &Catalogue::standard()).unwrap().remove(0);
        std::fs::remove_dir_all(&folder).unwrap();
        found
    }

    #[test]
    fn a_run_is_repeated_with_what_the_preset_does_not_have() {
        let experiment = experiment(
            "rounds = 500\nruns = 3\nseed = 7\nwindows = 50\npreset = \"published\"\n[env]\nname = \"box\"\nslip = 0.25\n\
             [[learner]]\nname = \"cucrl-optimistic\"\ncoef = [0.01, 0.5]\n",
        );
        let failed = FailedRun { learner: 0, label: String::new(), run: 2, reason: String::new() };
        let env = experiment.build().unwrap();
        assert_eq!(
            command(&experiment, &env, &failed),
            "occupancy learn box cucrl-optimistic --preset published --rounds 500 --window 50 --seed 7 --run 2 \
             --set slip=0.25 --set coef=0.01"
        );
    }

    #[test]
    fn without_a_preset_the_environment_keeps_its_own_options() {
        let experiment = experiment(
            "rounds = 500\nruns = 3\n[env]\nname = \"marsrover-4x4\"\n[[learner]]\nname = \"uniform\"\n",
        );
        let failed = FailedRun { learner: 0, label: String::new(), run: 0, reason: String::new() };
        let command = command(&experiment, &experiment.build().unwrap(), &failed);
        assert!(command.contains("--preset sound") && command.ends_with("--set slip=0"), "{command}");
    }
}
