"""Pixels: camera, calibration, finding and naming cards. Knows no games and no rules."""

import os

# The matrices here are small: BLAS threads cost more in waiting for each other than they bring, most of all on a
# machine that has other things to do. Has an effect when this package is the first to load numpy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
