import { text } from "node:stream/consumers";

import { sql } from "kysely";
import { pino } from "pino";
import { Registry } from "prom-client";
import {
  encodeAbiParameters,
  erc20Abi,
  keccak256,
  parseAbi,
  toHex,
} from "viem";
import { expect, test } from "vitest";

import {
  TokenEvent,
  type WebhookNotification,
} from "../../../generated/indexer/types.js";
import type { Delivery } from "../../services/indexer/index-blocks.js";
import { openSiteForTest } from "../support/local-site.js";
import { testChainId as chainId } from "../support/start-chain.js";
import { receiveWebhooks } from "./receive-webhooks.js";
import { setUpIndexer } from "./run-indexer.js";

const { chain, database, open, openWithReceiver, run } = await setUpIndexer();
const { client, coin, collectible, fixtures, items, wallet } = chain;
const { owner, other, user } = fixtures;

const often = { interval: 25 };

const word = (value: bigint): string => toHex(value, { size: 32 });
const lower = (text: string): string => text.toLowerCase();

test("reports a currency's transfers to a listener that selects them by event signature, exactly as they are on the chain", async () => {
  run();
  const { project, receiver } = await openWithReceiver();
  await project.listen(receiver.url, {
    contractAddresses: [coin.address],
    events: [TokenEvent.ERC20_TRANSFER],
  });
  const receipt = await chain.pay(12_345n);
  await expect.poll(() => receiver.received, often).toHaveLength(1);
  const block = await client.getBlock({ blockHash: receipt.blockHash });
  const topicHash = keccak256(toHex("Transfer(address,address,uint256)"));
  const [log] = receipt.logs;
  expect(receiver.received).toEqual([
    {
      uid: expect.stringMatching(/^0x[0-9a-f]{64}$/u),
      type: "BLOCK_ADDED",
      blockNumber: Number(receipt.blockNumber),
      blockHash: receipt.blockHash,
      parentBlockHash: block.parentHash,
      contractAddress: lower(coin.address),
      contractType: "ERC20",
      txnHash: receipt.transactionHash,
      txnIndex: receipt.transactionIndex,
      txnLogIndex: "0",
      ts: new Date(Number(block.timestamp) * 1000).toISOString(),
      event: {
        topicHash,
        eventSig: "Transfer(address,address,uint256)",
        types: ["address", "address", "uint256"],
        names: ["from", "to", "value"],
        values: [lower(owner), lower(other), word(12_345n)],
      },
      logDataType: "TOKEN_TRANSFER",
      rawLog: { data: log?.data, topics: log?.topics },
    } satisfies Record<Exclude<keyof WebhookNotification, "reason">, unknown>,
  ]);
  expect(receiver.attempts.map(({ id }) => id)).toEqual([
    receiver.received[0]?.uid,
  ]);
});

test("reports the events of collectibles and items, and names unnamed arguments `arg1`, `arg2`, and so on", async () => {
  run();
  const { project, receiver } = await openWithReceiver();
  const contractAddresses = [collectible.address, items.address];
  await project.listen(receiver.url, {
    contractAddresses,
    events: [
      "Transfer(address,address,uint256)",
      TokenEvent.ERC1155_TRANSFER_SINGLE,
      "TransferBatch(address indexed, address indexed, address indexed, uint256[], uint256[])",
      TokenEvent.ERC721_APPROVAL_FOR_ALL,
    ],
  });
  const mint = { functionName: "mint" } as const;
  await wallet.writeContractSync({
    ...{ ...collectible, ...mint, args: [user, 71n] },
  });
  await wallet.writeContractSync({
    ...{ ...items, ...mint, args: [user, 72n, 5n] },
  });
  await wallet.writeContractSync({
    ...items,
    functionName: "mintBatch",
    args: [other, [73n, 74n], [6n, 7n]],
  });
  await wallet.writeContractSync({
    address: items.address,
    abi: parseAbi(["function setApprovalForAll(address, bool)"]),
    functionName: "setApprovalForAll",
    args: [other, true],
  });
  await expect.poll(() => receiver.received, often).toHaveLength(4);
  const told = [...receiver.received]
    .sort((one, next) => one.blockNumber - next.blockNumber)
    .map(({ contractType, event, logDataType }) => ({
      ...{ contractType, logDataType, ...event },
      topicHash: undefined,
    }));
  const zero = `0x${"0".repeat(40)}`;
  const list = (...values: bigint[]) =>
    encodeAbiParameters([{ type: "uint256[]" }], [values]);
  expect(told).toMatchObject([
    {
      ...{ contractType: "ERC721", logDataType: "TOKEN_TRANSFER" },
      eventSig: "Transfer(address,address,uint256)",
      names: ["arg1", "arg2", "arg3"],
      values: [zero, lower(user), word(71n)],
    },
    {
      ...{ contractType: "ERC1155", logDataType: "TOKEN_TRANSFER" },
      names: ["operator", "from", "to", "id", "value"],
      values: [lower(owner), zero, lower(user), word(72n), word(5n)],
    },
    {
      ...{ contractType: "ERC1155", logDataType: "TOKEN_TRANSFER" },
      types: ["address", "address", "address", "uint256[]", "uint256[]"],
      names: ["arg1", "arg2", "arg3", "arg4", "arg5"],
      values: [
        ...[lower(owner), zero, lower(other)],
        ...[list(73n, 74n), list(6n, 7n)],
      ],
    },
    {
      // ERC-721 and ERC-1155 contracts both emit this event, so the type
      // depends on the contract.
      ...{ contractType: "ERC1155", logDataType: "EVENT" },
      names: ["owner", "operator", "approved"],
      values: [lower(owner), lower(other), word(1n)],
    },
  ]);
});

test("describes unknown events by their topic hashes, and counts logs per transaction", async () => {
  run();
  const { project, receiver } = await openWithReceiver();
  const topicHash = keccak256(toHex("Deposit(address,uint256)"));
  // In an unknown event, each indexed argument can be an account.
  const filters = { accounts: [owner], topicHashes: [topicHash] };
  await project.listen(receiver.url, filters);
  const deposit = { to: fixtures.wrappedNative, value: 1n };
  await client.setAutomine(false);
  try {
    await wallet.sendTransaction(deposit);
    await wallet.sendTransaction(deposit);
    await client.mine({ blocks: 1 });
  } finally {
    await client.setAutomine(true);
  }
  await expect.poll(() => receiver.received, often).toHaveLength(2);
  const described = {
    // The first log of a deposit is the transfer of the new tokens.
    txnLogIndex: "1",
    event: { topicHash, eventSig: "", types: [], names: [], values: [] },
    logDataType: "EVENT",
    rawLog: { data: word(1n), topics: [topicHash, word(BigInt(owner))] },
  };
  expect(receiver.received).toMatchObject([described, described]);
  const indexes = receiver.received.map(({ txnIndex }) => txnIndex);
  expect(indexes.sort()).toEqual([0, 1]);
});

test("sends each listener only the events that it requested", async () => {
  run();
  const { project, receiver } = await openWithReceiver();
  const listen = (name: string, filters: object) =>
    project.listen(`${receiver.url}?${encodeURIComponent(name)}`, filters);
  const heard = new Map<string, string>();
  const add = async (name: string, filters: object): Promise<void> => {
    heard.set(await listen(name, filters), name);
  };
  await add("all", {});
  await add("coin", { contractAddresses: [coin.address] });
  await add("approvals", { events: [TokenEvent.ERC20_APPROVAL] });
  await add("collectibles", { events: [TokenEvent.ERC721_TRANSFER] });
  await add("token 81", { tokenIDs: ["081"] });
  await add("token 82", { tokenIDs: ["82", "83"] });
  await add("user", { accounts: [user.toUpperCase().replace("X", "x")] });
  await add("stranger", { accounts: [`0x${"9".repeat(40)}`] });
  await add("topic", {
    topicHashes: [keccak256(toHex("Approval(address,address,uint256)"))],
  });
  await chain.pay(1n);
  await wallet.writeContractSync({
    ...{ address: coin.address, abi: erc20Abi },
    ...{ functionName: "approve", args: [other, 2n] },
  });
  await wallet.writeContractSync({
    ...{ ...collectible, functionName: "mint", args: [user, 81n] },
  });
  await wallet.writeContractSync({
    ...{ ...items, functionName: "mintBatch" },
    args: [other, [80n, 82n], [1n, 1n]],
  });
  const expected = [
    ...["all pay", "all approve", "all mint", "all batch"],
    ...["coin pay", "coin approve", "approvals approve"],
    ...["collectibles mint", "token 81 mint", "token 82 batch"],
    ...["user mint", "topic approve"],
  ];
  await expect
    .poll(() => receiver.received.length, often)
    .toBeGreaterThanOrEqual(expected.length);
  const names: Readonly<Record<string, string>> = {
    "Transfer ERC20": "pay",
    "Approval ERC20": "approve",
    "Transfer ERC721": "mint",
    "TransferBatch ERC1155": "batch",
  };
  const readTold = async (): Promise<readonly string[]> => {
    const { rows } = await sql<{ readonly payload: Delivery }>`
      select payload from done_jobs
      where split_part(key, ':', 1) = any(${[...heard.keys()]}::text[])
    `.execute(database);
    const told = rows.map(({ payload: { listenerId, notification } }) => {
      const { contractType, event } = notification;
      const name = names[`${event.eventSig.split("(")[0]} ${contractType}`];
      return `${heard.get(String(listenerId))} ${name}`;
    });
    return told.sort();
  };
  await expect.poll(readTold, often).toEqual(expected.sort());
  expect(receiver.received).toHaveLength(expected.length);
});

test("retracts the events of all blocks that a reorganization removes", async () => {
  run();
  const { project, receiver } = await openWithReceiver();
  await project.listen(receiver.url, {
    contractAddresses: [coin.address],
    events: [TokenEvent.ERC20_TRANSFER],
  });
  await chain.pay(1n);
  const snapshot = await client.snapshot();
  for (const amount of [2n, 3n, 4n]) await chain.pay(amount);
  await expect.poll(() => receiver.received, often).toHaveLength(4);
  await client.revert({ id: snapshot });
  await client.increaseTime({ seconds: 100 });
  for (const amount of [5n, 6n, 7n, 8n]) await chain.pay(amount);
  await expect.poll(() => receiver.received, often).toHaveLength(11);
  const told = receiver.received.map(
    ({ event, type }) => `${type} ${BigInt(event.values[2] ?? 0)}`,
  );
  expect(new Set(told)).toEqual(
    new Set([
      ...[1, 2, 3, 4].map((amount) => `BLOCK_ADDED ${amount}`),
      ...[2, 3, 4].map((amount) => `BLOCK_REMOVED ${amount}`),
      ...[5, 6, 7, 8].map((amount) => `BLOCK_ADDED ${amount}`),
    ]),
  );
  const uids = receiver.received.map(({ uid }) => uid);
  expect(new Set(uids).size).toBe(11);
  // A retraction repeats the reported event, except for its ID and type.
  const removed = receiver.received.filter(
    ({ type }) => type === "BLOCK_REMOVED",
  );
  for (const { uid: _, type: __, ...facts } of removed) {
    expect(receiver.received).toContainEqual(
      expect.objectContaining({ ...facts, type: "BLOCK_ADDED" }),
    );
  }
});

test("delivers an event before its retraction, even if the first attempt fails", async () => {
  run({
    schedule: {
      ...{ firstPauseMs: 400, factor: 1, maxPauseMs: 400 },
      giveUpAfterMs: 60_000,
    },
  });
  const project = await open();
  const receiver = await receiveWebhooks(project.webhookSecret, (attempt) =>
    attempt === 1 ? 503 : null,
  );
  await project.listen(receiver.url, { contractAddresses: [coin.address] });
  const snapshot = await client.snapshot();
  await chain.pay(1n);
  await expect.poll(() => receiver.attempts, often).toHaveLength(1);
  await client.revert({ id: snapshot });
  await client.increaseTime({ seconds: 200 });
  await client.mine({ blocks: 1 });
  await expect.poll(() => receiver.received, often).toHaveLength(2);
  expect(receiver.received.map(({ type }) => type)).toEqual([
    "BLOCK_ADDED",
    "BLOCK_REMOVED",
  ]);
});

test("the time since the last response of a chain grows while its node refuses requests", async () => {
  let refused: number | null = null;
  const node = await openSiteForTest((request, response) => {
    if (refused !== null) {
      refused += 1;
      response.writeHead(503).end();
      return;
    }
    void text(request)
      .then((body) =>
        fetch(chain.network.rpcUrls[0] ?? "", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body,
        }),
      )
      .then(async (answer) => response.end(await answer.text()));
  });
  const registry = new Registry();
  run({ registry, rpcUrl: node.url });
  const readAge = async (): Promise<number> => {
    const name = "indexer_chain_read_age_seconds";
    const metric = await registry.getSingleMetric(name)?.get();
    return metric?.values[0]?.value ?? 0;
  };
  await expect.poll(() => node.count(), often).toBeGreaterThan(0);
  refused = 0;
  await expect.poll(() => refused, often).toBeGreaterThan(0);
  await expect.poll(readAge, often).toBeGreaterThan(2);
  refused = null;
  await expect.poll(readAge, often).toBeLessThan(1);
});

test("logs which listeners were not sent all events, and why", async () => {
  const lines: unknown[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  run({ listenerWorkPerBlock: 1, log: pino({}, { write }) });
  const project = await open();
  const url = "https://receiver.test";
  const listenerId = await project.listen(url, {
    contractAddresses: [coin.address],
  });
  await chain.pay(1n);
  const facts = { chainId, projectId: project.id, type: "LISTENER_SET_ASIDE" };
  await expect
    .poll(() => lines, often)
    .toContainEqual(
      expect.objectContaining({
        ...{ ...facts, listenerIds: [Number(listenerId)], level: 40 },
        msg: "webhook listeners were not sent all events",
        reason: expect.stringMatching(/needed too much work in block \d+/u),
      }),
    );
});
