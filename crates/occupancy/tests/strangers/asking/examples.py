"""The models that an installed Storm brings along, and variants of them that never come to rest."""

import random
from pathlib import Path

import numpy as np
import stormpy

from . import drn

FILES = Path(stormpy.__file__).parent / "examples" / "files"
# Values for the constants that files leave open.
CONSTANTS = {
    "coin2": "K=4",
    "firewire": "delay=3,fast=0.5",
    "wlan0_collide": "COL=2,TRANS_TIME_MAX=10",
    "brp": "N=16,MAX=2",
    "phil_lss3": "K=4",
}
# Not finite models: states without end, composition that Storm's explicit engine lacks, a file that is wrong on purpose,
# and a sketch with open choices.
LEFT_OUT = {"infinite", "system_composition", "system_composition2", "coin2-2-illegalSynchronizingWrite", "slipgrid_sketch"}


def files(folders):
    """The files of models in these folders."""
    kinds = {".nm", ".pm", ".prism", ".jani", ".drn"}
    found = [path for folder in folders for path in sorted(Path(folder).rglob("*")) if path.suffix in kinds]
    return [path for path in found if path.stem not in LEFT_OUT]


def built(path):
    """Storm's model of a file."""
    if path.suffix == ".drn":
        return stormpy.build_model_from_drn(str(path))
    if path.suffix == ".jani":
        program, _ = stormpy.parse_jani_model(str(path))
    else:
        program = stormpy.parse_prism_program(str(path), prism_compatibility=True)
    if path.stem in CONSTANTS:
        program, _ = stormpy.instantiate_constants(program, CONSTANTS[path.stem])
    return stormpy.build_model(program, options=stormpy.BuilderOptions(build_full=True))


def written(path, to):
    """Writes the model of a file in Storm's explicit format; says why not if it is not an MDP or a Markov chain."""
    try:
        model = built(path)
    except Exception as error:  # whatever Storm refuses is not ours to judge
        return f"not built by Storm: {str(error).splitlines()[0][:80]}"
    if str(model.model_type).split(".")[-1] not in ("MDP", "DTMC") or model.is_partially_observable:
        return f"of type {model.model_type}"
    if model.has_parameters or len(model.initial_states) != 1:
        return "with parameters or several starts"
    stormpy.io.export_to_drn(model, str(to))
    return None


def variants(name, text):
    """The model, with signals by chance added, and the same model begun again whenever it has come to rest."""
    model = drn.read(name, text)
    chance = random.Random(name)
    for i in range(2):
        model.signals[f"chance{i}"] = np.array([chance.randrange(9) / 8 for _ in model.pairs])
    stays = [True] * model.n
    for state, row in model.pairs:
        stays[state] &= set(row) == {state}
    found = [model]
    if any(stays) and not all(stays):
        pairs = [(s, {model.init: 1.0}) if stays[s] else (s, row) for s, row in model.pairs]
        found.append(drn.Stranger(f"{name}-again", model.n, model.init, pairs, dict(model.signals)))
    return found
