"""The lobby over HTTP: its models, the answers that it documents, and its routes."""
