import { expect, test } from "vitest";

import { exploreLies, exploreRandomLies } from "./explore-lies.js";

test.each([1, 2, 3])(
  "relays hold in random orders of events while one node lies (%i nodes)",
  (nodes) => {
    const bounds = { nodes, kills: 2, pauses: 4, reorganizations: 1 };
    const found = exploreRandomLies(bounds, 3000, nodes);
    expect(found.fault).toBe(null);
    expect(found.worlds).toBeGreaterThan(1000);
  },
);

test("relays hold in all orders of the first events while one of two nodes lies", () => {
  const found = exploreLies(
    { nodes: 2, kills: 1, pauses: 1, reorganizations: 1 },
    1000,
  );
  expect(found.fault).toBe(null);
  expect(found.worlds).toBeGreaterThan(10);
});
