"""Tournaments, pure: who plays whom, what a result is worth, how everybody stands. No I/O, no clock."""
