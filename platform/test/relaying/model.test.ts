import { expect, test } from "vitest";

import { explore } from "./explore.js";

test.each([
  { blocks: 2, transactions: 1, looks: 2, suspensions: 1, crashes: 1 },
  { blocks: 2, transactions: 2, looks: 2, suspensions: 0, crashes: 1 },
  { blocks: 3, transactions: 1, looks: 4, suspensions: 0, crashes: 0 },
])(
  "a call is made and paid once, in thousands of orders of events (%j)",
  (bounds) => {
    const strangers = bounds.crashes;
    const found = explore({ ...bounds, strangers });
    expect(found.fault).toBe(null);
    expect(found.schedules).toBeGreaterThan(10_000n);
  },
);
