import { createPublicClient, custom, RpcRequestError } from "viem";
import { expect, test } from "vitest";

import { createNetworks } from "../../network/networks.js";
import { send } from "../../relaying/sign-transaction.js";

type Behavior = "accepts" | "knows it" | "is silent" | "fails";

const known = new RpcRequestError({
  body: {},
  error: { code: -32_000, message: "already known" },
  url: "http://localhost",
});

/** Sends a transaction to nodes. Returns how many have received it. */
async function sendTo(...behaviors: readonly Behavior[]): Promise<number> {
  let received = 0;
  const settings = {
    ...{ handle: "test", chainId: 1, nativeSymbol: "ETH" },
    ...{ rpcUrls: behaviors, swap: null, marketplace: null },
  };
  const { all } = createNetworks([settings], ({ rpcUrls: [behavior] }) => {
    const request = (): Promise<unknown> => {
      received += 1;
      switch (behavior) {
        case "accepts":
          return Promise.resolve("0x1");
        case "knows it":
          return Promise.reject(known);
        case "is silent":
          return new Promise(() => undefined);
        default:
          return Promise.reject(new Error("no response"));
      }
    };
    return createPublicClient({
      transport: custom({ request }, { retryCount: 0 }),
    });
  });
  for (const network of all) await send(network, "0x02");
  return received;
}

test.each<readonly Behavior[]>([
  ["accepts"],
  ["accepts", "is silent"],
  ["fails", "accepts", "knows it"],
  ["knows it"],
  ["fails", "knows it"],
])("sends a transaction to all nodes (%s %s %s)", async (...behaviors) => {
  expect(await sendTo(...behaviors)).toBe(behaviors.length);
});

test("fails if no node responds", async () => {
  await expect(sendTo("fails", "fails")).rejects.toThrow(/no response/u);
});
