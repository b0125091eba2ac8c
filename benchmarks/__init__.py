"""Measurements, each as a ratio to a peer or a reference in the same run. Never part of the tests."""
