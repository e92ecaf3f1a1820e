#!/usr/bin/env python3
"""A bot for `toep bridge`: plays its lowest legal card, always goes along, and passes everything else.

Reads one JSON object a line, and writes one act a line for each ask. Anything for people goes to standard error.
"""

import json
import sys

RANKS = "JQKA789T"

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "ask":
        if message["playable"]:
            card = min(message["playable"], key=lambda card: RANKS.index(card[0]))
            answer = {"_": "play", "card": card}
        elif {"_": "stay"} in message["legal"]:
            answer = {"_": "stay"}
        else:
            answer = message["legal"][0]
        print(json.dumps(answer), flush=True)
    elif message["type"] == "refused":
        print("refused:", message["rule"], message["message"], file=sys.stderr)
