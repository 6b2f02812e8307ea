"""Makes the reference models (models/*.drn) and their optimal values (expected.json).

A model is a finite constrained MDP: maximise the long-run average of the reward r while the long-run
average of each cost c_i stays within a budget tau_i. For every case two values are computed:

  start     optimum from the initial state: Kallenberg's linear program with two blocks of variables,
            exact for every finite model, multichain ones included;
  anywhere  optimum when the start may be chosen: occupancy measures with flow balance and mass one.

Every value is computed in several ways, and the script stops if they disagree:

  1. the LP and, separately written down, its dual LP (both by HiGHS);
  2. the least violation of the budgets (again an LP and its dual) says whether the case is feasible;
  3. for models with few deterministic policies, all policies in rational arithmetic, and then the best
     mixture of them (no flow equations are involved);
  4. for the gridworlds with slip, generated policies and their best mixture, with an upper bound;
  5. Storm's multi-objective engine, for `start`;
  6. numbers known in advance: exact values of hand-made models, published optima of the environments.

Run `python make.py`. The output is a function of this file, of making/ and of the versions in requirements.txt.
"""

import json
from pathlib import Path

from making import by_chance, delicate, environments, hand_made, published
from making.cases import Cases

HERE = Path(__file__).resolve().parent
MODELS = HERE / "models"


def main():
    MODELS.mkdir(exist_ok=True)
    for old in MODELS.glob("*.drn"):
        old.unlink()
    cases = Cases(MODELS)
    published.check()
    for part in (environments, hand_made, delicate, by_chance):
        part.add_to(cases)
    (HERE / "expected.json").write_text(json.dumps(cases.out, indent=1) + "\n")
    print(len(cases.models), "models,", len(cases.out), "cases,", cases.count)


if __name__ == "__main__":
    main()
