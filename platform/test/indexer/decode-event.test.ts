import {
  type AbiEvent,
  encodeAbiParameters,
  encodeEventTopics,
  getAddress,
  type Hex,
  keccak256,
  numberToHex,
  parseAbiItem,
  stringToHex,
} from "viem";
import { describe, expect, test } from "vitest";

import { KnownContractType } from "../../../generated/index.js";
import {
  KnownLogDataType,
  TokenEvent,
} from "../../../generated/indexer/types.js";
import {
  decodeArguments,
  type EventLog,
  gather,
} from "../../services/indexer/decode-event.js";
import { parseEventSignature } from "../../services/indexer/event-signature.js";
import { findTokenEvent } from "../../services/indexer/token-events.js";

const one = getAddress(`0x${"1a".repeat(20)}`);
const two = getAddress(`0x${"2b".repeat(20)}`);
const word = (value: bigint): Hex =>
  numberToHex(value, { size: 32, signed: value < 0n });
const lower = (text: string): string => text.toLowerCase();

/** Returns a log encoded by viem, independently of the code under test. */
function logOf(signature: string, values: readonly unknown[]): EventLog {
  const item = parseAbiItem(`event ${signature}`) as AbiEvent;
  const indexed = values.filter((_, i) => item.inputs[i]?.indexed === true);
  const topics = encodeEventTopics({ abi: [item], args: indexed });
  const inData = item.inputs.filter((input) => input.indexed !== true);
  const data = encodeAbiParameters(
    inData,
    values.filter((_, i) => item.inputs[i]?.indexed !== true),
  );
  return { topics: topics as readonly Hex[], data };
}

/** Decodes a log as an event, whatever work that takes. */
function decode(signature: string, log: EventLog) {
  const event = parseEventSignature(signature);
  const attempts = decodeArguments(event, log);
  let next = attempts.next();
  while (next.done !== true) next = attempts.next(true);
  return next.value && gather(event, log, next.value);
}

const erc20 =
  "Transfer(address indexed from, address indexed to, uint256 value)";
const erc721 =
  "Transfer(address indexed from, address indexed to, uint256 indexed tokenId)";
const short = "Transfer(address,address,uint256)";

test("distinguishes signatures with the same topic by their topic count", async () => {
  const coin = logOf(erc20, [one, two, 5n]);
  const token = logOf(erc721, [one, two, 5n]);
  expect(coin.topics[0]).toBe(token.topics[0]);
  expect(await decode(erc20, token)).toBeNull();
  expect(await decode(erc721, coin)).toBeNull();
  for (const [signature, log, ids] of [
    [erc20, coin, []],
    [erc721, token, [5n]],
    [short, coin, []],
    [short, token, [5n]],
  ] as const) {
    const decoded = await decode(signature, log);
    expect(decoded?.values).toEqual([lower(one), lower(two), word(5n)]);
    expect([...(decoded?.tokenIds ?? [])]).toEqual(ids);
    expect([...(decoded?.addresses ?? [])]).toEqual([lower(one), lower(two)]);
  }
});

describe("a signature that does not mark indexed arguments", () => {
  test.each([
    ["none", "E(address a, uint256 b)"],
    ["the first", "E(address indexed a, uint256 b)"],
    ["the last", "E(address a, uint256 indexed b)"],
    ["all", "E(address indexed a, uint256 indexed b)"],
  ])("decodes a log with these indexed arguments: %s", async (_, real) => {
    const big = 2n ** 255n + 1n;
    const decoded = await decode("E(address,uint256)", logOf(real, [one, big]));
    expect(decoded?.values).toEqual([lower(one), word(big)]);
    expect(decoded?.event.inputs.map(({ name }) => name)).toEqual([
      "arg1",
      "arg2",
    ]);
  });

  test("matches completely or not at all", async () => {
    const log = logOf("E(address indexed a, uint256 b)", [one, 7n]);
    const longer = { ...log, data: `${log.data}00` as Hex };
    expect(await decode("E(address,uint256)", longer)).toBeNull();
    const shorter = { ...log, data: log.data.slice(0, -2) as Hex };
    expect(await decode("E(address,uint256)", shorter)).toBeNull();
  });

  test("is matched quickly, however many arguments it has", async () => {
    const many = `E(${Array.from({ length: 60 }, () => "uint256").join()})`;
    const { topicHash } = parseEventSignature(many);
    const topic = word(0n);
    const data = `0x${"00".repeat(32 * 58)}` as const;
    const log = { topics: [topicHash, topic, topic, topic], data } as const;
    const start = process.cpuUsage();
    expect(await decode(many, log)).toBeNull();
    // Trying all 34,220 ways to choose three indexed arguments would take
    // longer.
    expect(process.cpuUsage(start).user).toBeLessThan(2_000_000);
  });
});

test("decodes values of every type to hex", async () => {
  const signature =
    "All(string indexed a, bytes4 indexed b, int8 c, string d, bytes e, " +
    "bool f, (address to, uint256 tokenId)[] g, address[] h, uint64 id)";
  const log = logOf(signature, [
    "hashed",
    "0x01020304",
    -1,
    "text",
    "0xabcdef",
    true,
    [{ to: one, tokenId: 9n }],
    [two],
    11n,
  ]);
  const decoded = await decode(signature, log);
  expect(decoded?.values).toEqual([
    keccak256(stringToHex("hashed")),
    "0x01020304",
    word(-1n),
    stringToHex("text"),
    "0xabcdef",
    word(1n),
    encodeAbiParameters(
      [
        {
          type: "tuple[]",
          components: [{ type: "address" }, { type: "uint256" }],
        },
      ],
      [[[one, 9n]]],
    ),
    encodeAbiParameters([{ type: "address[]" }], [[two]]),
    word(11n),
  ]);
  expect(decoded?.event.inputs.map(({ type }) => type)).toEqual([
    ...["string", "bytes4", "int8", "string", "bytes", "bool"],
    ...["(address,uint256)[]", "address[]", "uint64"],
  ]);
  expect([...(decoded?.addresses ?? [])]).toEqual([lower(one), lower(two)]);
  expect([...(decoded?.tokenIds ?? [])]).toEqual([11n]);
});

test("leaves invalid UTF-8 unchanged", async () => {
  const { topicHash } = parseEventSignature("T(string)");
  const bytes = encodeAbiParameters([{ type: "bytes" }], ["0xff00fe"]);
  const log = { topics: [topicHash], data: bytes };
  expect((await decode("T(string)", log))?.values).toEqual(["0xff00fe"]);
});

const { ERC20, ERC721, ERC1155 } = KnownContractType;
const { EVENT, TOKEN_TRANSFER } = KnownLogDataType;

test.each([
  [TokenEvent.ERC20_TRANSFER, [one, two, 5n], [], ERC20, TOKEN_TRANSFER],
  [TokenEvent.ERC20_APPROVAL, [one, two, 5n], [], ERC20, EVENT],
  [TokenEvent.ERC721_TRANSFER, [one, two, 5n], [5n], ERC721, TOKEN_TRANSFER],
  [TokenEvent.ERC721_APPROVAL, [one, two, 5n], [5n], ERC721, EVENT],
  // ERC-721 and ERC-1155 contracts both emit this event.
  [TokenEvent.ERC721_APPROVAL_FOR_ALL, [one, two, true], [], null, EVENT],
  [TokenEvent.ERC1155_APPROVAL_FOR_ALL, [one, two, true], [], null, EVENT],
  [
    TokenEvent.ERC1155_TRANSFER_SINGLE,
    [one, two, one, 5n, 6n],
    [5n],
    ERC1155,
    TOKEN_TRANSFER,
  ],
  [
    TokenEvent.ERC1155_TRANSFER_BATCH,
    [one, two, one, [5n, 7n], [6n, 8n]],
    [5n, 7n],
    ERC1155,
    TOKEN_TRANSFER,
  ],
  [TokenEvent.ERC1155_URI, ["a:b", 5n], [5n], ERC1155, EVENT],
])(
  "finds the token IDs and the standard of %s",
  async (signature, values, tokenIds, contractType, logDataType) => {
    const log = logOf(signature, values);
    expect([...((await decode(signature, log))?.tokenIds ?? [])]).toEqual(
      tokenIds,
    );
    const facts = { contractType, logDataType };
    expect(findTokenEvent(log.topics)).toMatchObject(facts);
  },
);

test("rejects other events and truncated logs", async () => {
  const log = logOf(erc20, [one, two, 5n]);
  expect(await decode("Approval(address,address,uint256)", log)).toBeNull();
  expect(await decode(erc20, { ...log, data: "0x" })).toBeNull();
  expect(await decode(erc20, { topics: [], data: "0x" })).toBeNull();
});
