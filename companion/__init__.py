"""Match, kifu, referee and command line: everything about refereeing that is not pixels, wires or pages."""

import os

# The matrices of the vision are small: BLAS threads cost more in waiting for each other than they bring, most of all
# on a machine that has other things to do. It counts when numpy is loaded, so it stands where everything begins.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
