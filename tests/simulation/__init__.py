"""A whole referee, its bots, its network and its disk, simulated from one integer."""
