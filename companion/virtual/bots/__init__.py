"""Bots: they choose what a person would, from what a person can see."""
