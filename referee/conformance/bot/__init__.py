"""Bots under test: a referee with scripted tables and a tap on the stream, and matches that are put to a bot again."""
