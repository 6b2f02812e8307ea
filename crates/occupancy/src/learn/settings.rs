//! The options of all learners, each declared once; [`super::LearnerKind::keys`] says which learner has which.
//!
//! Their values under the presets are in [`crate::sim::Preset`].

use crate::learn::parts::epochs::EpochRule;
use crate::learn::parts::prior::Prior;
use crate::options::{Form, OptionValue, options, read_as_text, words};
use crate::plan::{OffSupport, PlannerKind};

words! {
    /// Where a plan's long run is counted from.
    pub enum PlanFrom {
        /// From wherever it is best: the paper's linear program.
        Anywhere = "anywhere",
        /// From the state the learner is in.
        Here = "here",
    }
}

words! {
    /// What a learner does when no policy meets the budgets in its model.
    pub enum OnInfeasible {
        /// Walks to the state visited least, in the fewest steps.
        Explore = "explore",
        /// Comes as close to the budgets as can be, and takes the most reward among such policies.
        LeastCost = "least-cost",
        /// Plans without the budgets.
        Drop = "drop",
        /// Takes every action with the same probability.
        Uniform = "uniform",
    }
}

words! {
    /// Where a pair that was never visited is thought to lead.
    pub enum UnvisitedKernel {
        /// Back to its own state.
        SelfLoop = "self-loop",
        /// To any state, with probabilities drawn afresh in every epoch from Dir(1).
        Fresh = "fresh",
        /// To any state with the same probability.
        Uniform = "uniform",
    }
}

words! {
    /// The size of a bonus, or of a radius around transition probabilities.
    pub enum BonusForm {
        /// coef / √N.
        Scaled = "scaled",
        /// coef × the term of the paper that the learner comes from.
        Original = "original",
    }
}

words! {
    /// What moves the prices of psrl-lagrangian.
    pub enum DualSignal {
        /// The average cost seen in the last epoch.
        Observed = "observed",
        /// The long-run average cost of the last policy in the model it was planned in.
        Model = "model",
        /// Many steps inside each epoch, until prices and policies settle in the sampled model.
        Ascent = "ascent",
    }
}

words! {
    /// Which policy psrl-lagrangian executes.
    pub enum Execution {
        /// The one just planned.
        Current = "current",
        /// The average of action probabilities over epochs: the paper's text.
        ActionMixture = "action-mixture",
        /// The policy of the average occupancy over epochs.
        OccupancyMixture = "occupancy-mixture",
        /// One of the policies planned so far, drawn for each epoch.
        Sampled = "sampled",
    }
}

/// Which past epochs a mixture has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mixed {
    /// All of them.
    All,
    /// The later half.
    Half,
    /// The last few.
    Last(usize),
}

impl OptionValue for Mixed {
    const FORM: Form = Form::CountOrWord;

    fn parse(text: &str) -> Option<Mixed> {
        match text {
            "all" => Some(Mixed::All),
            "half" => Some(Mixed::Half),
            last => last.parse().ok().filter(|&last| last > 0).map(Mixed::Last),
        }
    }

    fn show(&self) -> String {
        match self {
            Mixed::All => "all".into(),
            Mixed::Half => "half".into(),
            Mixed::Last(count) => count.to_string(),
        }
    }
}

read_as_text!(Mixed);

/// A reward or cost that is assumed where nothing was seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Level {
    /// The best value that the signal can have: the greatest reward, the least cost.
    Best,
    /// A number.
    Value(f64),
}

/// The bonus of a pair that was never visited.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UnvisitedBonus {
    /// That of a pair visited once.
    Once,
    /// A number.
    Value(f64),
}

/// An option that is a number or one word.
macro_rules! number_or_word {
    ($name:ident, $variant:ident, $word:literal) => {
        impl OptionValue for $name {
            const FORM: Form = Form::NumberOrWord;

            fn parse(text: &str) -> Option<$name> {
                if text == $word { Some($name::$variant) } else { text.parse().ok().map($name::Value) }
            }

            fn show(&self) -> String {
                match self {
                    $name::$variant => $word.into(),
                    $name::Value(number) => number.to_string(),
                }
            }
        }

        read_as_text!($name);
    };
}

number_or_word!(Level, Best, "best");
number_or_word!(UnvisitedBonus, Once, "once");

impl Level {
    fn in_range(&self) -> bool {
        !matches!(self, Level::Value(value) if !value.is_finite())
    }
}

impl UnvisitedBonus {
    fn in_range(&self) -> bool {
        !matches!(self, UnvisitedBonus::Value(bonus) if !(0.0..=1e6).contains(bonus))
    }
}

impl OptionValue for OffSupport {
    const FORM: Form = Form::Word;

    fn parse(text: &str) -> Option<OffSupport> {
        [OffSupport::Pinned, OffSupport::Uniform, OffSupport::First]
            .into_iter()
            .find(|rule| rule.show() == text)
    }

    fn show(&self) -> String {
        match self {
            OffSupport::Pinned => "pinned".into(),
            OffSupport::Uniform => "uniform".into(),
            OffSupport::First => "first".into(),
        }
    }
}

impl OptionValue for PlannerKind {
    const FORM: Form = Form::Word;

    fn parse(text: &str) -> Option<PlannerKind> {
        [PlannerKind::Prices, PlannerKind::PricesByValueIteration, PlannerKind::Lp]
            .into_iter()
            .find(|kind| kind.show() == text)
    }

    fn show(&self) -> String {
        match self {
            PlannerKind::Prices => "prices".into(),
            PlannerKind::PricesByValueIteration => "prices-vi".into(),
            PlannerKind::Lp => "lp".into(),
        }
    }
}

read_as_text!(OffSupport);
read_as_text!(PlannerKind);

options! {
    /// The options of a learner. The defaults are those of the preset `sound`, as far as they do not depend on the task.
    pub struct Settings {
        /// The weights of all transitions before any is seen; `known` is told which successors are possible.
        prior: Prior = Prior::Add(0.1), "add:α, floor:x or known:α with a number from 1e-6 to 1e6, or file:PATH"
            => Prior::in_range;
        /// When an epoch ends.
        epochs: EpochRule = EpochRule::Doubling,
            "doubling, tsde, v1.2, fixed:STEPS (at least 1), power:α (⌈T^α⌉ steps, α from 0 to 1) or blocks" => EpochRule::in_range;
        /// Steps of the random part of a block.
        h: Option<u64> = None, "a count of at least 1" => |h| h.is_none_or(|h| h >= 1);
        /// Where the plan's long run is counted from.
        from: PlanFrom = PlanFrom::Here, "anywhere or here" => |_| true;
        /// What the policy does in states that the plan never visits.
        off_support: OffSupport = OffSupport::Pinned, "pinned, uniform or first" => |_| true;
        /// What is done when no policy meets the budgets in the learner's model.
        infeasible: OnInfeasible = OnInfeasible::Explore, "explore, least-cost, drop or uniform" => |_| true;
        /// The planner.
        planner: PlannerKind = PlannerKind::Prices, "prices, prices-vi or lp" => |_| true;
        /// Where a pair never visited is thought to lead.
        unvisited_kernel: UnvisitedKernel = UnvisitedKernel::SelfLoop, "self-loop, fresh or uniform" => |_| true;
        /// The reward of a pair never visited.
        unvisited_reward: Level = Level::Best, "a number, or best" => Level::in_range;
        /// The costs of a pair never visited.
        unvisited_cost: Level = Level::Best, "a number, or best" => Level::in_range;
        /// The form of the bonus or radius.
        bonus: BonusForm = BonusForm::Original, "scaled or original" => |_| true;
        /// The bonus or radius is multiplied by this.
        coef: Option<f64> = None, "a number from 0 to 1e6" => |coef| coef.is_none_or(|coef| (0.0..=1e6).contains(&coef));
        /// The original bonus holds with probability 1 − delta.
        delta: f64 = 0.05, "a number from 1e-100 to 1" => |delta| (1e-100..=1.0).contains(delta);
        /// The bonus or radius of a pair never visited.
        unvisited_bonus: UnvisitedBonus = UnvisitedBonus::Once, "a number from 0 to 1e6, or once" => UnvisitedBonus::in_range;
        /// Whether estimates with their bonus are kept within the range of the signal.
        clip: bool = true, "true or false" => |_| true;
        /// The step of the prices.
        eta: Option<f64> = None, "a number from 0 to 1e6" => |eta| eta.is_none_or(|eta| (0.0..=1e6).contains(&eta));
        /// What moves the prices.
        dual: DualSignal = DualSignal::Ascent, "observed, model or ascent" => |_| true;
        /// Which policy is executed.
        execute: Execution = Execution::Current,
            "current, action-mixture, occupancy-mixture or sampled" => |_| true;
        /// Which past policies a mixture has.
        mixed: Mixed = Mixed::Half, "all, half, or a count of at least 1" => |_| true;
        /// The relative gap at which dual ascent stops.
        gap: f64 = 1e-3, "a number from 1e-9 to 1" => |gap| (1e-9..=1.0).contains(gap);
        /// Value iteration ends when all states improve by the same, to within this.
        tolerance: f64 = 1e-8, "a number from 1e-12 to 1" => |tolerance| (1e-12..=1.0).contains(tolerance);
        /// The share of staying that value iteration mixes into every transition, so that no chain is periodic.
        staying: f64 = 0.05, "a number from 0 to 0.9" => |share| (0.0..=0.9).contains(share);
        /// Whether value iteration begins with the values of the last epoch.
        warm: bool = true, "true or false" => |_| true;
    }
}
