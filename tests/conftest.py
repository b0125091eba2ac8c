"""Settings that all tests share: hypothesis draws the same examples each time, without a time limit.

Nothing is solved in the background unless a test says so.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

os.environ["HOTDICE_NO_BACKGROUND"] = "1"

settings.register_profile(
    "hotdice", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("hotdice")
