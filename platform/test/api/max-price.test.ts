import { expect, test } from "vitest";

import { maxPriceOf } from "../../services/api/swap-price.js";

test.each([
  [1000n, 0, 1000n],
  [1000n, 3, 1030n],
  [1000n, 100, 2000n],
  // The result is rounded down, so it never exceeds the limit.
  [1n, 50, 1n],
  [999n, 0.1, 999n],
  [1000n, 0.1, 1001n],
  // Binary fractions cause no rounding errors.
  [10n ** 30n, 0.07, 10n ** 30n + 7n * 10n ** 26n],
  [10n ** 30n, 1.1, 10n ** 30n + 11n * 10n ** 27n],
])(
  "a price of %i with %d percent slippage has a maximum of %i",
  (price, percentage, expected) => {
    expect(maxPriceOf(price, percentage)).toBe(expected);
  },
);
