import { expect, test } from "vitest";

import { requireForm } from "../../network/rpc-answers.js";
import { malform } from "../support/malformed-answers.js";

const hash = `0x${"a1".repeat(32)}`;
const log = {
  ...{ address: `0x${"b2".repeat(20)}`, topics: [hash], data: "0x0102" },
  ...{ blockHash: hash, blockNumber: "0x10", logIndex: "0x0" },
  ...{ transactionHash: hash, transactionIndex: "0x2" },
};
const block = {
  ...{ number: "0x10", hash, parentHash: hash, timestamp: "0x65000000" },
  ...{ baseFeePerGas: "0x7", logsBloom: `0x${"00".repeat(256)}` },
  transactions: [hash],
};
const receipt = {
  ...{ transactionHash: hash, blockHash: hash, blockNumber: "0x10" },
  ...{ status: "0x1", gasUsed: "0x5208", effectiveGasPrice: "0x3b9aca00" },
  ...{ l1Fee: "0x1", operatorFeeScalar: "0x2", operatorFeeConstant: "0x3" },
};

/** True if the variant is allowed, because chains differ in it. */
type IsUsual = (variant: unknown) => boolean;
const never: IsUsual = () => false;
const without =
  (...names: readonly string[]): IsUsual =>
  (variant) =>
    variant === null ||
    names.some((name) => (Object(variant)[name] ?? null) === null);

test.each<[string, unknown, IsUsual]>([
  ["eth_blockNumber", "0x10", never],
  ["eth_chainId", "0x1", never],
  ["eth_call", "0x", (variant) => variant === "0x"],
  ["eth_call", "0x0102", (variant) => variant === "0x"],
  ["eth_estimateGas", "0x5208", never],
  ["eth_gasPrice", "0x0", never],
  ["eth_getBalance", `0x${"f".repeat(64)}`, never],
  ["eth_getCode", "0x6000", (variant) => variant === "0x"],
  ["eth_getTransactionCount", "0x1fffffffffffff", never],
  ["eth_maxPriorityFeePerGas", "0x1", never],
  ["eth_sendRawTransaction", hash, never],
  ["eth_getTransactionByHash", { hash }, (variant) => variant === null],
  [
    "eth_getBlockByNumber",
    block,
    (variant) =>
      without("number", "hash", "baseFeePerGas", "logsBloom")(variant) ||
      Object(variant).logsBloom === "0x" ||
      // With its transactions, the block has objects.
      ["{}", '{"toString":1}', '{"length":66}'].includes(
        JSON.stringify(Object(variant).transactions?.[0] ?? null),
      ) ||
      JSON.stringify(Object(variant).transactions) === "[]",
  ],
  [
    "eth_getTransactionReceipt",
    receipt,
    without("l1Fee", "operatorFeeScalar", "operatorFeeConstant"),
  ],
  [
    "eth_getLogs",
    [log],
    (variant) =>
      Array.isArray(variant) &&
      (variant.length === 0 ||
        Object(variant[0]).data === "0x" ||
        JSON.stringify(Object(variant[0]).topics) === "[]"),
  ],
])("rejects malformed answers to %s", (method, answer, isUsual) => {
  expect(requireForm(method, answer)).toBe(answer);
  const found = malform(answer).filter((variant) => {
    try {
      return requireForm(method, variant) === variant;
    } catch (error) {
      expect(error).toMatchObject({
        shortMessage: `its node sent a malformed answer to ${method}`,
      });
      return false;
    }
  });
  expect(found.filter((variant) => !isUsual(variant))).toEqual([]);
});

test("rejects numbers that a number or date cannot express", () => {
  const large = "0x20000000000000";
  expect(() => requireForm("eth_blockNumber", large)).toThrow("malformed");
  const late = { ...block, timestamp: "0x7dba8218001" };
  expect(() => requireForm("eth_getBlockByNumber", late)).toThrow("malformed");
});

test("rejects answers to methods that have no form", () => {
  expect(() => requireForm("eth_syncing", false)).toThrow("malformed");
});

test("accepts blocks that leave out what their chain does not have", () => {
  const { baseFeePerGas: _fee, logsBloom: _bloom, ...rest } = block;
  expect(requireForm("eth_getBlockByNumber", rest)).toBe(rest);
  const { l1Fee: _l1, operatorFeeScalar: _s, ...plain } = receipt;
  expect(requireForm("eth_getTransactionReceipt", plain)).toBe(plain);
});
