"""The parts of compare.py. All of them need the packages of requirements.txt."""
