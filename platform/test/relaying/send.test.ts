import {
  createPublicClient,
  custom,
  keccak256,
  RpcRequestError,
  UnknownRpcError,
} from "viem";
import { expect, test } from "vitest";

import { createNetworks } from "../../network/networks.js";
import { nodeTextIn } from "../../network/read-chain.js";
import { send } from "../../relaying/sign-transaction.js";

const hash = keccak256("0x02");

const nodeUrl = "http://node.test/v2/a%2Dsecret-key?token=a%20secret";

/** An error of a node. Its message can be any JSON value. */
const rejection = (message: unknown) =>
  new RpcRequestError({
    body: {},
    error: Object({ code: -32_000, message }),
    url: "http://localhost",
  });

const reject = (message: unknown) => () => Promise.reject(rejection(message));

const showing = (shown: object) => ({
  send: reject("nonce too low"),
  show: () => Promise.resolve({ ...shown, transactionIndex: null }),
});

interface Node {
  readonly send: () => Promise<unknown>;
  /** By default, it does not show the transaction. */
  readonly show?: () => Promise<unknown>;
}

const never = () => new Promise(() => undefined);

const nodes = {
  accepts: { send: () => Promise.resolve(hash) },
  "knows it": { send: reject("already known") },
  "knew it": { send: reject(`known transaction: ${hash}`) },
  "imported it": {
    send: reject("Transaction with the same hash was already imported."),
  },
  "shows it": showing({ hash }),
  "shows another": showing({ hash: keccak256("0x03") }),
  "shows nothing in time": { send: reject("not allowed"), show: never },
  "rejects it": { send: reject("not allowed") },
  "rejects its type": { send: reject("unknown transaction type 4") },
  "is busy": { send: reject("rate limited") },
  "gives no reason": { send: reject(undefined) },
  "gives an object": { send: reject({ reason: "not allowed" }) },
  "gives no text": { send: reject("not\u0000\ud800\n allowed") },
  "shows its key": {
    send: reject(`no key in ${nodeUrl}`),
  },
  "shows the second key": { send: reject(`no key in ${nodeUrl}#`) },
  "shows its parts": { send: reject("a-secret-key or a secret are on v2") },
  "says much": { send: reject("x".repeat(1000)) },
  "is silent": { send: never },
  fails: { send: () => Promise.reject(new UnknownRpcError(Error("none"))) },
} satisfies Readonly<Record<string, Node>>;

type Behavior = keyof typeof nodes;

/**
 * Sends a transaction to nodes. Returns how many have received it, and why none
 * accepts it.
 */
async function sendTo(...behaviors: readonly Behavior[]) {
  let received = 0;
  const settings = {
    ...{ handle: "test", chainId: 1, nativeSymbol: "ETH" },
    ...{ swap: null, marketplace: null },
    rpcUrls: behaviors.map((_, node) => `${nodeUrl}${"#".repeat(node)}`),
  };
  const { all } = createNetworks([settings], ({ rpcUrls: [url = ""] }) => {
    const behavior = behaviors[settings.rpcUrls.indexOf(url)] ?? "fails";
    const node: Node = nodes[behavior];
    const request = ({ method }: { method: string }): Promise<unknown> => {
      if (method === "eth_getTransactionByHash") {
        return node.show?.() ?? Promise.resolve(null);
      }
      received += 1;
      return node.send();
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
  ["knew it"],
  ["imported it"],
  ["shows it"],
  ["fails", "knows it"],
  ["knows it", "is silent"],
  ["rejects it", "accepts"],
  ["rejects it", "knows it"],
])("sends a transaction to all nodes (%s %s %s)", async (...behaviors) => {
  const received = behaviors.length;
  expect(await sendTo(...behaviors)).toEqual({ received, reason: null });
});

test.each<{ said: string; behaviors: readonly Behavior[] }>([
  { said: ": not allowed", behaviors: ["rejects it"] },
  { said: ": not allowed", behaviors: ["fails", "rejects it"] },
  { said: ": not allowed", behaviors: ["rejects it", "rejects it"] },
  { said: ": rate limited; not allowed", behaviors: ["is busy", "rejects it"] },
  { said: ": unknown transaction type 4", behaviors: ["rejects its type"] },
  { said: ": nonce too low", behaviors: ["shows another"] },
  { said: ": not allowed", behaviors: ["shows nothing in time"] },
  { said: "", behaviors: ["gives no reason"] },
  { said: "", behaviors: ["gives an object"] },
  { said: ": not allowed", behaviors: ["gives an object", "rejects it"] },
  { said: ": not allowed", behaviors: ["gives no text"] },
  { said: ": no key in …", behaviors: ["shows its key"] },
  {
    said: ": no key in …",
    behaviors: ["fails", "shows the second key"],
  },
  { said: ": … or … are on v2", behaviors: ["shows its parts"] },
  { said: `: ${"x".repeat(500)}`, behaviors: ["says much"] },
  {
    said: `: ${"x".repeat(250)}; not allowed`,
    behaviors: ["says much", "rejects it"],
  },
])(
  "returns why no node accepts a transaction ($behaviors)",
  async ({ said, behaviors }) => {
    const reason = `no node accepts its transaction${said}`;
    expect(await sendTo(...behaviors)).toMatchObject({ reason });
  },
);

test.each<{ message: RegExp; behaviors: readonly Behavior[] }>([
  { message: /unknown RPC error/u, behaviors: ["fails", "fails"] },
])("fails if no node responds ($message)", async ({ message, behaviors }) => {
  await expect(sendTo(...behaviors)).rejects.toThrow(message);
});

test("returns what a node said as one line that can be stored", () => {
  const error = rejection("not\u0000\ud800\n allowed");
  expect(nodeTextIn(error, { rpcUrls: [] })).toBe("not allowed");
});
