"""Everything about a release but the upload: `make release`."""
