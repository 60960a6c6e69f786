import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { createMarketplaceServer } from "../../generated/marketplace/server.js";
import { callSample, createCallers, type Callers } from "./callers.js";
import { startHarness, type Harness } from "./harness.js";
import { operations, samples, type Operation } from "./samples.js";
import { sendBody } from "./wire.js";

let harness: Harness;
let callers: Callers;
beforeAll(async () => {
  harness = await startHarness();
  callers = createCallers(harness);
});
beforeEach(() => {
  harness.reset();
});
afterAll(() => harness.close());

/** Maps, in which every key counts as declared. */
const maps = new Set(["contractTokenMetadata", "contractInfoMap"]);
/** Values of type `any`, in which every property counts as declared. */
const anything = new Set(["properties", "attributes"]);

/** Returns a frozen copy with an undeclared property in every object. */
function addUndeclared(value: unknown, key = ""): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (anything.has(key)) return value;
  if (Array.isArray(value)) {
    return Object.freeze(value.map((item) => addUndeclared(item)));
  }
  const entries = Object.entries(value).map(
    ([name, item]): [string, unknown] => [name, addUndeclared(item, name)],
  );
  const extra = maps.has(key) ? [] : [["passwordHash", "smuggled"]];
  return Object.freeze(Object.fromEntries([...entries, ...extra]));
}

/** Operations that return a response. */
const answering: readonly Operation[] = operations.filter(
  (operation) => operation !== "IndexerWebhook.Notify",
);

function sendOrders() {
  const { request } = samples["Marketplace.GetOrders"];
  return sendBody(harness, "Marketplace.GetOrders", request);
}

describe("undeclared properties", () => {
  it.each(answering)("are removed by the server of %s", async (operation) => {
    const smuggled = addUndeclared(samples[operation].response);
    expect(JSON.stringify(smuggled)).toContain("smuggled");
    harness.answerWith(() => smuggled);
    const answer = await callSample(callers, operation);
    expect(answer).toEqual(samples[operation].response);
    expect(harness.failures).toEqual([]);
  });

  it("are not sent", async () => {
    harness.answerWith(() =>
      addUndeclared(samples["Marketplace.GetOrders"].response),
    );
    const { status, text } = await sendOrders();
    expect([status, text]).toEqual([200, expect.not.stringContaining("smug")]);
  });

  it("are sent if responses are not validated", async () => {
    const smuggled = addUndeclared(samples["Marketplace.GetOrders"].response);
    const never = () => {
      throw new Error("not called");
    };
    const server = createMarketplaceServer({
      validateResponses: "off",
      verifyAccessKey: () => true,
      handlers: {
        marketplace: {
          getHighestPriceOfferForCollectible: never,
          checkoutOptionsSalesContract: never,
          getOrders: () =>
            smuggled as (typeof samples)["Marketplace.GetOrders"]["response"],
        },
      },
    });
    const answer = await server.fetch(
      new Request("http://host/polygon/rpc/Marketplace/GetOrders", {
        method: "POST",
        headers: { "content-type": "application/json", "x-access-key": "k" },
        body: JSON.stringify(samples["Marketplace.GetOrders"].request),
      }),
    );
    expect(await answer.json()).toEqual(smuggled);
  });
});

describe("an invalid response", () => {
  it("is reported with the location of the fault, wherever that is", async () => {
    const { orders } = samples["Marketplace.GetOrders"].response;
    const cases: readonly (readonly [unknown, string])[] = [
      [null, "expected an object, got null"],
      [[], "expected an object, got a list of 0"],
      [{ orders: null }, "orders: expected a list, got null"],
      [{ orders: {} }, "orders: expected a list, got an object"],
      [{ orders: [null] }, "orders[0]: expected an object, got null"],
      [{ orders: [...orders, 7] }, "orders[1]: expected an object, got 7"],
    ];
    for (const [invalid, text] of cases) {
      harness.reset();
      harness.answerWith(() => invalid);
      const { status } = await sendOrders();
      expect(status).toBe(500);
      expect(String(harness.failures[0])).toContain(
        `violates the contract: ${text}`,
      );
    }
  });
});
