import { expect, test } from "vitest";

import { isSample } from "../../../test/support/draw-some.js";
import { exploreLies, exploreRandomLies } from "./explore-lies.js";

const seed = Number(process.env["RIDLKIT_SEED"] ?? Date.now() % 1e9);
const minSteps = Number(process.env["RIDLKIT_LIES"] ?? (isSample ? 2e4 : 1e5));
const maxMs = isSample ? 20_000 : 180_000;

test.each([1, 2, 3])(
  "relays hold in random orders of events while one node lies (%i nodes)",
  { timeout: 30 * 60_000 },
  (nodes) => {
    const bounds = { nodes, kills: 4, pauses: 8, reorganizations: 2 };
    const found = exploreRandomLies(bounds, minSteps, seed);
    console.log(
      `seed ${seed}, ${nodes} nodes: ${found.worlds} worlds, ${found.steps} steps`,
    );
    expect(found.fault).toBe(null);
  },
);

test(
  "relays hold in all orders of events while one of two nodes lies",
  { timeout: 30 * 60_000 },
  () => {
    const found = exploreLies(
      { nodes: 2, kills: 1, pauses: 2, reorganizations: 1 },
      maxMs,
    );
    console.log(`${found.worlds} worlds, ${found.steps} steps`);
    expect(found.fault).toBe(null);
  },
);
