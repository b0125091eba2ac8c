"""Dice that fall as a test says, in pages that take them for the server's own.

The table has real dice, so that somebody has to say what they show. Between the server and a page that somebody is a
script: the page hears of ordinary dice, and each time it wants to roll, the next of the loaded rolls is entered.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Final

from tests.server.running import Running
from tests.web.browsing import Visitor

BETWEEN: Final = """
(rolls => {
  if (window.loaded) return;
  window.loaded = true;
  const entered = wish => wish.do === 'roll' ? {...wish, faces: rolls.shift() ?? 'no more dice are loaded'} : wish;
  const disguised = told => {
    if (told.type === 'welcome') told.dice = 'fair';
    // What was typed in can be taken back; what fell cannot.
    if (told.events?.at(-1)?.entry.kind === 'rolled') told.state.undo = null;
    return told;
  };
  window.WebSocket = class extends WebSocket {
    send(text) { super.send(JSON.stringify(entered(JSON.parse(text)))); }
    set onmessage(hear) {
      super.onmessage = event => hear({data: JSON.stringify(disguised(JSON.parse(event.data)))});
    }
  };
})"""


def load(visitor: Visitor, *rolls: str) -> None:
    """Have the dice that somebody rolls fall so, at tables with real dice that they open from now on."""
    visitor.context.add_init_script(f"{BETWEEN}({json.dumps(rolls)})")


def play_on(server: Running, name: str, tokens: Sequence[str], events: Iterable[str]) -> None:
    """Enter rolls and moves, as they are typed, at a table with real dice."""
    with server.client(name, *tokens) as client:
        for text in events:
            number = client.state["number"]
            answer = client.ask("roll", faces=text) if client.state["rolls"] else client.ask("move", move=text)
            assert answer["type"] == "accepted", f"{text}: {answer}"
            client.settle(number + 1)
