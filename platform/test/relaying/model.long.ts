import { expect, test } from "vitest";

import { explore } from "./explore.js";

test.each([
  { blocks: 2, transactions: 2, looks: 3, suspensions: 1 },
  { blocks: 3, transactions: 2, looks: 4, crashes: 1 },
  { blocks: 2, transactions: 2, looks: 3, crashes: 1, strangers: 1 },
  { blocks: 4, transactions: 1, looks: 5 },
])(
  "a call is made and paid once, whatever happens in which order (%j)",
  { timeout: 30 * 60_000 },
  (bounds) => {
    const none = { crashes: 0, strangers: 0, suspensions: 0 };
    const found = explore({ ...none, ...bounds });
    console.log(`${found.worlds} worlds, ${found.schedules} schedules`);
    expect(found.fault).toBe(null);
    expect(found.schedules).toBeGreaterThan(100_000n);
  },
);
