"""The best policy within budgets on finite models: planning, learning and measuring, with proofs.

A system moves between finitely many states, partly by chance and partly by your decisions. Every step earns something and may cost
something. What is the best way to decide if the costs have to stay within budgets?

>>> import occupancy as oc
>>> plan = oc.solve("marsrover-4x4")
>>> round(plan.gain, 6), round(plan.costs["risk"], 6), round(plan.prices["risk"], 6)
(-0.775, 0.2, 0.5)

Models come from arrays, tables, Gymnasium or files (:class:`Model`), answers with a policy, prices and a proof (:class:`Plan`). Learners
that find such policies by trial and error run by :func:`learn`, in experiments (:class:`Experiment`), in environments of your own
(:class:`Agent`), and may be written in Python (:class:`Learner`).
"""

try:
    from ._core import Error, Stopped
except ImportError as error:
    raise ImportError(
        f"{__file__} is the source of occupancy, without its compiled part: pip install it, and start Python in another folder than this one's"
    ) from error
from ._agents import Agent
from ._envs import EnvInfo, env, envs
from ._evaluations import Evaluation, Proof, evaluate, verify
from ._experiments import Experiment, Results, report
from ._frontiers import Frontier, frontier
from ._learners import Counts, Doubling, Epoch, Forever, Learner, Now, Steps, Task, Until, Visits
from ._learning import Curves, LearnerInfo, Run, learn, learners
from ._budgets import AtLeast, at_least
from ._models import Model
from ._plans import Plan, Planner, solve
from ._policies import Policy
from ._questions import Progress, QuestionWarning

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "AtLeast",
    "Counts",
    "Curves",
    "Doubling",
    "EnvInfo",
    "Epoch",
    "Error",
    "Evaluation",
    "Experiment",
    "Forever",
    "Frontier",
    "Learner",
    "LearnerInfo",
    "Model",
    "Now",
    "Plan",
    "Planner",
    "Policy",
    "Progress",
    "Proof",
    "QuestionWarning",
    "Results",
    "Run",
    "Steps",
    "Stopped",
    "Task",
    "Until",
    "Visits",
    "at_least",
    "env",
    "envs",
    "evaluate",
    "frontier",
    "learn",
    "learners",
    "report",
    "solve",
    "verify",
]
