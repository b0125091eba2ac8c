"""The server: tables that people and bots play at from anywhere, kept by a log that is on disk before it is shown."""
