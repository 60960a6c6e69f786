import { afterAll, beforeAll } from "vitest";

import { testAnswers } from "./answers.js";
import { testCheckout } from "./checkout.js";
import { testFillable } from "./fillable.js";
import { testKinds } from "./kinds.js";
import { testLives } from "./lives.js";
import { testOffers } from "./offers.js";
import { openMarket, type TestMarket } from "./open-market.js";
import { testReorganizations } from "./reorganizations.js";
import { testSubmitted } from "./submitted.js";

let market: TestMarket;

beforeAll(async () => {
  market = await openMarket();
  await market.settle();
});
afterAll(() => market.stop());

const current = (): TestMarket => market;

// The suites share one chain, and the last suite removes blocks from it.
testLives(current);
testKinds(current);
testOffers(current);
testFillable(current);
testSubmitted(current);
testCheckout(current);
testReorganizations(current);
testAnswers(current);
