"""For all tests: properties have no deadline, since a busy machine says nothing about the code."""

from hypothesis import settings

settings.register_profile("table", deadline=None)
settings.load_profile("table")
