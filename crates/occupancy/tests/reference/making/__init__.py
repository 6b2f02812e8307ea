"""How make.py makes the reference models and values: models and their cases, and the ways to solve them."""
