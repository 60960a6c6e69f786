import { isRecord, isString } from "@ridlkit/runtime/validation";
import { BaseError } from "viem";

/**
 * Returns a node's answer if it has the form that its method requires, because
 * viem passes on whatever a node sends. Whether it is true is not known yet.
 *
 * Errors: BaseError if the answer is malformed, so that its node counts as one
 * that has failed.
 */
export function requireForm<Answer>(method: string, answer: Answer): Answer {
  if (forms.get(method)?.(answer) === true) return answer;
  throw new BaseError(`its node sent a malformed answer to ${method}`);
}

/** Returns whether a JSON value has a form. */
type Form = (value: unknown) => boolean;

const text =
  (pattern: RegExp): Form =>
  (value) =>
    isString(value) && pattern.test(value);

const amount = text(/^0x[\da-f]{1,64}$/iu);
const hash = text(/^0x[\da-f]{64}$/iu);
const address = text(/^0x[\da-f]{40}$/iu);
const status = text(/^0x[01]$/u);

/** Searches for a wrong character, because matching a long text could fail. */
const bytes: Form = (value) =>
  isString(value) &&
  value.startsWith("0x") &&
  value.length % 2 === 0 &&
  !/[^\da-f]/iu.test(value.slice(2));

const upTo =
  (max: number): Form =>
  (value) =>
    amount(value) && Number(value) <= max;

const integer = upTo(Number.MAX_SAFE_INTEGER);

/** In seconds. The latest time that a `Date` can express is the maximum. */
const time = upTo(8_640_000_000_000);

const nullable =
  (form: Form): Form =>
  (value) =>
    value === null || form(value);

/** Nodes leave out what their chain does not have, or report null. */
const optional = (form: Form): Form =>
  nullable((value) => value === undefined || form(value));

const list =
  (form: Form): Form =>
  (value) =>
    Array.isArray(value) && value.every((each) => form(each));

const struct = (fields: Readonly<Record<string, Form>>): Form => {
  const entries = Object.entries(fields);
  return (value) =>
    isRecord(value) && entries.every(([name, form]) => form(value[name]));
};

const log = struct({
  ...{ address, topics: list(hash), data: bytes },
  ...{ blockHash: hash, blockNumber: integer, logIndex: integer },
  ...{ transactionHash: hash, transactionIndex: integer },
});

const block = struct({
  ...{ hash: nullable(hash), number: nullable(integer), parentHash: hash },
  ...{ timestamp: time, baseFeePerGas: optional(amount) },
  logsBloom: optional(bytes),
  transactions: list((each) => hash(each) || isRecord(each)),
});

const receipt = struct({
  ...{ transactionHash: hash, blockHash: hash, blockNumber: integer, status },
  ...{ gasUsed: amount, effectiveGasPrice: amount },
  ...{ l1Fee: optional(amount), operatorFeeScalar: optional(amount) },
  operatorFeeConstant: optional(amount),
});

/** The methods that the platform uses. Any other one has no valid answer. */
const forms: ReadonlyMap<string, Form> = new Map([
  ["eth_blockNumber", integer],
  ["eth_call", bytes],
  ["eth_chainId", integer],
  ["eth_estimateGas", amount],
  ["eth_feeHistory", struct({ reward: optional(list(list(amount))) })],
  ["eth_gasPrice", amount],
  ["eth_getBalance", amount],
  ["eth_getBlockByNumber", nullable(block)],
  ["eth_getCode", bytes],
  ["eth_getLogs", list(log)],
  ["eth_getTransactionByHash", nullable(struct({ hash }))],
  ["eth_getTransactionCount", integer],
  ["eth_getTransactionReceipt", nullable(receipt)],
  ["eth_maxPriorityFeePerGas", amount],
  ["eth_sendRawTransaction", hash],
]);
