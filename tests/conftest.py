"""Settings that all tests share: hypothesis draws the same examples each time, without a time limit."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "hotdice", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("hotdice")
