"""The cases: each is computed in several ways, and must come out the same."""

import math

from . import storm
from .model import Model, read_drn
from .policies import best_mixture, generated, policy_points, reachable
from .programs import AGREE, close, least_cost, solve

CLEAR = 1e-7  # a least violation closer to zero than this is ambiguous unless the case is a known edge
SCOPES = ("start", "anywhere")


def both(value, **options):
    """A value known in advance, the same in both scopes."""
    return dict(start=value, anywhere=value, **options)


class Cases:
    """Writes models, computes and checks cases, collects the results."""

    def __init__(self, folder):
        self.folder = folder
        self.models, self.points, self.out = {}, {}, {}
        self.count = {"enumerated": 0, "generated": 0, "storm": 0, "infeasible": 0, "edge": 0}

    def model(self, model):
        assert model.name not in self.models
        path = self.folder / f"{model.name}.drn"
        path.write_text(model.drn())
        again = read_drn(model.name, path.read_text())
        assert (again.pairs, again.init) == (model.pairs, model.init)
        self.models[model.name] = again
        if math.prod(len(acts) for acts in again.actions) <= 1100 and again.n <= 12:
            self.points[model.name] = policy_points(again)
        return again

    def build(self, name, actions, init=0):
        return self.model(Model(name, actions, init))

    def add(self, model, case, *budgets, edge=(), slip=False, agree=AGREE, ask_storm=True, **known):
        """edge: scopes in which the least violation is exactly zero. slip: whether all policies have one
        recurrent class among the states that can be reached. agree: required agreement of the LPs.
        known: start=, anywhere= (value or None) and, for rounded decimals, tolerance=."""
        tolerance = known.pop("tolerance", 1e-9)
        budgets = tuple(float(b) for b in budgets)
        assert len(budgets) == model.m
        value = {}
        for scope in SCOPES:
            where = (model.name, case, scope)
            value[scope] = solve(model, scope, model.r, budgets, agree=agree)
            if budgets:
                violation = solve(model, scope, None, budgets, slack=True, agree=agree)
                if scope in edge:
                    assert abs(violation) <= 1e-12 and value[scope] is not None, (where, violation)
                else:
                    assert abs(violation) > CLEAR, (where, violation)
                    assert (violation > 0) == (value[scope] is None), (where, violation)
            if model.name in self.points:
                other = best_mixture(self.points[model.name][scope], budgets)
                self.same(where + ("enumeration",), value[scope], other, agree)
                value[scope] = other  # the more precise number is kept
                self.count["enumerated"] += 1
            if slip and value[scope] is not None:
                # Kept for the same reason. (In box-all the unreachable states gain nothing.)
                best = generated(reachable(model), budgets)
                self.same(where + ("generated policies",), value[scope], best, AGREE)
                value[scope] = best
                self.count["generated"] += 1
            if scope in known:
                self.same(where + ("known",), value[scope], known[scope], tolerance)
        if value["start"] is not None:
            assert value["anywhere"] >= value["start"] - AGREE * max(1.0, abs(value["start"]))
        value = {scope: None if v is None else v + 0.0 for scope, v in value.items()}  # no negative zero
        entry = {"model": f"{model.name}.drn", "budgets": {f"c{i}": b for i, b in enumerate(budgets)}, **value}
        if ask_storm:
            entry["storm"] = storm.optimum(self.folder / f"{model.name}.drn", budgets)
            self.same((model.name, case, "storm"), value["start"], entry["storm"], storm.AGREE)
            self.count["storm"] += 1
        self.count["infeasible"] += value["start"] is None
        self.count["edge"] += bool(edge)
        key = f"{model.name}/{case}"
        assert key not in self.out
        self.out[key] = entry
        print(key, *(entry[k] for k in ("start", "anywhere")), entry.get("storm", "(not asked)"), flush=True)

    @staticmethod
    def same(where, a, b, tolerance):
        assert (a is None) == (b is None) and (a is None or close(a, float(b), tolerance)), (where, a, b)

    def usual(self, model, room=0.3, tight=0.05, **options):
        """Four cases for a random model, measured from what is least achievable from the start, jointly: plus
        `room`; plus `tight`; then one budget smaller than achievable by `tight`; and no budget that binds.
        All in units of the largest cost, rounded to six digits."""
        unit = [model.scale(i) for i in range(model.m)]
        rounded = lambda b, i: float(f"{b * unit[i]:.6g}")
        least = [least_cost(model, "start", i) / unit[i] for i in range(model.m)]
        joint = solve(model, "start", None, [l * u for l, u in zip(least, unit)], slack=True)
        self.add(model, "loose", *(rounded(l + joint + room, i) for i, l in enumerate(least)), **options)
        self.add(model, "tight", *(rounded(l + joint + tight, i) for i, l in enumerate(least)), **options)
        short = [l + (joint + room if i else -tight) for i, l in enumerate(least)]
        self.add(model, "infeasible", *(rounded(b, i) for i, b in enumerate(short)), start=None, **options)
        self.add(model, "free", *(rounded(2.0, i) for i in range(model.m)), **options)
