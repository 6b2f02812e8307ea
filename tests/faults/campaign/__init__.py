"""The parts of `run`: the folder under test, injected faults, and mutated files."""
