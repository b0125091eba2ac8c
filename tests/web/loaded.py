"""Dice that fall as a test says, in pages that take them for the server's own.

The table has real dice, so that somebody has to say what they show. Between the server and a page that somebody is a
script: the page hears of ordinary dice, and each time it wants to roll, at once or after a move, the next of the loaded
rolls is entered.
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
  const faces = () => rolls.shift() ?? 'no more dice are loaded';
  const disguised = told => {
    if (told.type === 'welcome') told.dice = 'fair';
    // What was typed in can be taken back; what fell cannot.
    if (told.events?.at(-1)?.entry.kind === 'rolled') told.state.undo = null;
    return told;
  };
  let rollsOn = false;  // a move was sent that is to be followed by a roll
  let held = null;  // what the server told of it, until it tells of the roll
  window.WebSocket = class extends WebSocket {
    send(text) {
      const wish = JSON.parse(text);
      rollsOn = wish.do === 'move' && wish.then_roll;
      super.send(JSON.stringify(wish.do === 'roll' ? {...wish, faces: faces()} : wish));
    }
    set onmessage(hear) {
      super.onmessage = event => {
        let told = JSON.parse(event.data);
        if (told.id?.startsWith('loaded')) return;
        if (told.type === 'update') {
          const moved = told.events.findLast(({entry}) => entry.kind === 'moved');
          const follows = rollsOn && moved && told.state.rolls && told.state.actor === moved.entry.seat;
          rollsOn &&= !moved;
          if (follows) {
            held = told;
            const on = told.state.number;
            super.send(JSON.stringify({do: 'roll', id: `loaded-${on}`, on, faces: faces()}));
            return;
          }
          if (held) told = {...told, events: [...held.events, ...told.events]};
          held = null;
        }
        hear({data: JSON.stringify(disguised(told))});
      };
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
