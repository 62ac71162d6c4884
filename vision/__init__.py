"""Pixels: camera, calibration, finding and naming cards. Knows no games and no rules."""

import companion as companion  # before numpy: it settles how many threads that may use
