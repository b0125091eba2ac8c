// boardgame.io's own server with two-player Pig: roll or hold, first to the target (100 unless `setupData` says otherwise).
// node server.js --port 8000 --store memory|file --folder DIR; with --expose-gc, SIGUSR2 collects garbage.
"use strict";

const { parseArgs } = require("node:util");
const { INVALID_MOVE } = require("boardgame.io/core");
const { FlatFile, Server } = require("boardgame.io/server");

const pig = {
  name: "pig",
  minPlayers: 2,
  maxPlayers: 2,
  disableUndo: true, // a roll cannot be taken back
  setup: (_, { target = 100 } = {}) => ({ target, scores: [0, 0], total: 0 }),
  validateSetupData: (data) =>
    data === undefined || Number.isInteger(data.target ?? 100) ? undefined : "the target is a whole number",
  moves: {
    roll: ({ G, events, random }) => {
      const pips = random.D6();
      if (pips > 1) {
        G.total += pips;
      } else {
        G.total = 0;
        events.endTurn();
      }
    },
    hold: ({ G, ctx, events }) => {
      if (G.total === 0) return INVALID_MOVE;
      G.scores[ctx.currentPlayer] += G.total;
      G.total = 0;
      if (G.scores[ctx.currentPlayer] >= G.target) events.endGame({ winner: ctx.currentPlayer });
      else events.endTurn();
    },
  },
};

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "8000" },
    store: { type: "string", default: "memory" },
    folder: { type: "string", default: "matches" },
  },
});
if (!["memory", "file"].includes(values.store)) throw new Error(`no such store: ${values.store}`);

process.on("SIGUSR2", () => global.gc?.());
const db = values.store === "file" ? new FlatFile({ dir: values.folder }) : undefined; // undefined: in memory
Server({ games: [pig], db, origins: [] }).run({ port: { host: "127.0.0.1", port: Number(values.port) } });
