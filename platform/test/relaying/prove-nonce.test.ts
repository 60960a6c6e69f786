import {
  createPublicClient,
  custom,
  keccak256,
  numberToHex,
  parseTransaction,
  type TransactionSerializable,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";

import { findUser } from "../../relaying/evidence/prove-nonce.js";

const account = privateKeyToAccount(generatePrivateKey());
const address = account.address.toLowerCase();
const chainId = 137;
const nonce = 7;
const to = account.address;

/** Opens a node whose second block contains a transaction of the account. */
async function openNode(fields: TransactionSerializable, shown: object = {}) {
  const serialized = await account.signTransaction(fields);
  const { r, s, v, yParity, type = "legacy" } = parseTransaction(serialized);
  const inHex = (value: number | bigint = 0) => numberToHex(value);
  const transaction = {
    ...{ hash: keccak256(serialized), from: account.address, to, input: "0x" },
    ...{ nonce: inHex(nonce), gas: inHex(fields.gas), value: "0x0", r, s },
    v: inHex(v ?? BigInt(yParity ?? 0)),
    type: { legacy: "0x0", eip2930: "0x1", eip1559: "0x2" }[String(type)],
    ...(yParity !== undefined && type !== "legacy"
      ? { yParity: inHex(yParity) }
      : {}),
    ...(fields.chainId !== undefined && { chainId: inHex(fields.chainId) }),
    ...(fields.gasPrice !== undefined && { gasPrice: inHex(fields.gasPrice) }),
    maxFeePerGas: inHex(fields.maxFeePerGas),
    maxPriorityFeePerGas: inHex(fields.maxPriorityFeePerGas),
    accessList: [],
    ...shown,
  };
  const block = { hash: "0xb", number: "0x1", timestamp: "0x1" };
  const request = ({
    method,
    params,
  }: {
    readonly method: string;
    readonly params?: readonly unknown[];
  }): Promise<unknown> =>
    Promise.resolve(
      method === "eth_getTransactionCount"
        ? inHex(params?.[1] === "0x0" ? nonce : nonce + 1)
        : { ...block, transactions: [transaction] },
    );
  return createPublicClient({ transport: custom({ request }) });
}

const fee = { maxFeePerGas: 9n, maxPriorityFeePerGas: 1n };
const dynamic = { type: "eip1559", to, nonce, gas: 21_000n, ...fee } as const;
const legacy = {
  type: "legacy",
  to,
  nonce,
  gas: 21_000n,
  gasPrice: 9n,
} as const;
const about = { account: address, nonce };

test.each([dynamic, legacy])(
  "the account's signature proves that a nonce was used ($type)",
  async (fields) => {
    const node = await openNode({ ...fields, chainId });
    expect(await findUser(node, chainId, about)).toMatchObject({
      ...{ blockNumber: 1, blockHash: "0xb" },
    });
  },
);

test.each([
  ["of another chain", { ...dynamic, chainId: 1 }, {}],
  ["of another chain", { ...legacy, chainId: 1 }, {}],
  [
    "of another chain that is shown as of this one",
    { ...dynamic, chainId: 1 },
    { chainId: numberToHex(chainId) },
  ],
  [
    "of another chain that is shown as of this one",
    { ...legacy, chainId: 1 },
    { chainId: numberToHex(chainId) },
  ],
  ["for any chain", legacy, {}],
  ["for any chain", legacy, { chainId: numberToHex(chainId) }],
  ["with another nonce", { ...dynamic, chainId, nonce: 3 }, {}],
])(
  "a transaction %s does not prove that a nonce was used",
  async (_, fields, shown) => {
    const node = await openNode(fields, shown);
    expect(await findUser(node, chainId, about)).toBe(null);
  },
);
