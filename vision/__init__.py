"""Pixels: camera, calibration, detection and recognition of cards. Vision knows no games and no rules."""

# Importing `companion` sets how many threads numpy's matrix library may start. The library reads that setting once,
# when numpy is imported, so this import has to come before any module of vision that imports numpy.
import companion as companion
