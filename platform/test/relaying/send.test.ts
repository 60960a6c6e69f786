import { createPublicClient, custom, keccak256, RpcRequestError } from "viem";
import { expect, test } from "vitest";

import { createNetworks } from "../../network/networks.js";
import { send } from "../../relaying/sign-transaction.js";

type Behavior = "accepts" | "knows it" | "rejects it" | "is silent" | "fails";

const rejection = (message: string) =>
  new RpcRequestError({
    body: {},
    error: { code: -32_000, message },
    url: "http://localhost",
  });

/**
 * Sends a transaction to nodes. Returns how many have received it, and why none
 * accepts it.
 */
async function sendTo(...behaviors: readonly Behavior[]) {
  let received = 0;
  const settings = {
    ...{ handle: "test", chainId: 1, nativeSymbol: "ETH" },
    ...{ rpcUrls: behaviors, swap: null, marketplace: null },
  };
  const { all } = createNetworks([settings], ({ rpcUrls: [behavior] }) => {
    const request = ({ method }: { method: string }): Promise<unknown> => {
      if (method === "eth_getTransactionByHash") {
        const known = { hash: keccak256("0x02"), transactionIndex: null };
        return Promise.resolve(behavior === "knows it" ? known : null);
      }
      received += 1;
      switch (behavior) {
        case "accepts":
          return Promise.resolve("0x1");
        case "knows it":
          return Promise.reject(rejection("already known"));
        case "rejects it":
          return Promise.reject(rejection("not allowed"));
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
  const [network] = all;
  const reason = network && (await send(network, "0x02"));
  return { received, reason };
}

test.each<readonly Behavior[]>([
  ["accepts"],
  ["accepts", "is silent"],
  ["fails", "accepts", "knows it"],
  ["knows it"],
  ["fails", "knows it"],
  ["rejects it", "accepts"],
  ["rejects it", "knows it"],
])("sends a transaction to all nodes (%s %s %s)", async (...behaviors) => {
  const received = behaviors.length;
  expect(await sendTo(...behaviors)).toEqual({ received, reason: null });
});

test.each<readonly Behavior[]>([["rejects it"], ["fails", "rejects it"]])(
  "returns why no node accepts a transaction (%s %s)",
  async (...behaviors) => {
    const reason = "no node accepts its transaction: not allowed";
    expect(await sendTo(...behaviors)).toMatchObject({ reason });
  },
);

test("fails if no node responds", async () => {
  await expect(sendTo("fails", "fails")).rejects.toThrow(/no response/u);
});
