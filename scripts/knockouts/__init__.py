"""Knock-outs: what each rule of the learner is worth; see ``scripts/knockouts.py``."""
