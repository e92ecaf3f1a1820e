"""Sample bots, from a die to a careful player. Each is a module that can be run."""
