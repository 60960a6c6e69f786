import { expect, test } from "vitest";

import { maxPriceOf } from "../../services/api/swap-price.js";

test.each([
  [1000n, 0, 1000n],
  [1000n, 3, 1030n],
  [1000n, 100, 2000n],
  // Never rounded up: not even one more than was allowed.
  [1n, 50, 1n],
  [999n, 0.1, 999n],
  [1000n, 0.1, 1001n],
  // Fractions of binary numbers do not show.
  [10n ** 30n, 0.07, 10n ** 30n + 7n * 10n ** 26n],
  [10n ** 30n, 1.1, 10n ** 30n + 11n * 10n ** 27n],
])("%i with %d percent is at most %i", (price, percentage, expected) => {
  expect(maxPriceOf(price, percentage)).toBe(expected);
});
