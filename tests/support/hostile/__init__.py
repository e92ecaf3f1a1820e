"""Hostile bots (clients/hostile) against a referee, and what came of it.

A bot runs in one of three ways. ``play``: `toep play` starts it, like any local bot. ``serve``: it dials in, as a
process of its own, at one `toep serve` that all of them share. ``clock``: it runs in a thread, at a referee in this
process whose clock is a number: time passes when the bot waits, and when nobody but the bot is waited for. Its
opponents are polite.

What came of it is read from the log, from what the bot's author is told, and from a comparison with the match that a
polite bot would have had: same rules, same seed, same seats.
"""
