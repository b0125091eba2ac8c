"""Settings that all tests share: Hypothesis draws the same examples each time, without a time limit; those of the
profile `soak` are new each time and more (`python -m tests.soak`).

Nothing is solved in the background unless a test says so. Ctrl-C reaches what tests start, also where the tests
themselves were started in the background by a shell that takes it away from them.
"""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

os.environ["HOTDICE_NO_BACKGROUND"] = "1"
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "hotdice", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile("soak", settings.get_profile("hotdice"), derandomize=False, max_examples=1000)
settings.load_profile("hotdice")
