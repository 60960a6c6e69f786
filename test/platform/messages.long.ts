import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import type { Host, Method } from "../../generator/ir/contract.js";
import { createIndex } from "../../generator/values/resolve.js";
import { findRunningDatabase } from "../../platform/database/embedded.js";
import { openDatabase } from "../../platform/database/pool.js";
import {
  makeDataFolder,
  type Ready,
  spawnPlatform,
  waitUntilGone,
} from "../../platform/test/load/spawned-platform.js";
import { saveGasSponsor } from "../../platform/services/relayer/gas-sponsors.js";
import { changeGasTank } from "../../platform/test/support/change-gas-tank.js";
import { silent } from "../../platform/test/support/test-database.js";
import { runs } from "../support/draw-some.js";
import { Random } from "../support/random.js";
import { readPlatformContract } from "../contract/platform-contract.js";
import {
  drawFaults,
  drawMessage,
  type DrawnMessage,
  type Known,
} from "./draw-message.js";
import { createDrawRelay } from "./draw-relay.js";

const messagesPerMethod = 400 * runs;
const atOnce = 16;

/** The server's default. */
const maxBodyBytes = 1024 * 1024;

const seed = Number(process.env["RIDLKIT_SEED"] ?? 1);

/** A method, how to call it, and which valid messages to send. */
interface Operation {
  readonly name: string;
  /** Input: the message, whose fields can be part of the path. */
  readonly path: (message: object) => string;
  readonly isRead: boolean;
  readonly draw: (random: Random) => object | Promise<object>;
}

const contract = readPlatformContract();
const index = createIndex(contract);
const operations = [
  ...contract.hosts.flatMap((host) =>
    host.services
      .filter(({ direction }) => direction === "inbound")
      .flatMap(({ methods }) =>
        methods.map((method) => toOperation(host, method)),
      ),
  ),
  ...relaying(),
];

function toOperation({ basePath }: Host, method: Method): Operation {
  const { name, request, route, service } = method;
  const base = basePath.text.replace("{network}", "hardhat");
  return {
    name: `${service}.${name}`,
    path: (message) =>
      route.kind === "rest"
        ? fill(route.path.text, message)
        : `${base.replace(/\/$/u, "")}/${service}/${name}`,
    isRead: route.kind === "rest",
    draw: (random) => drawMessage(index, known, random, request.fields),
  };
}

/** Lists the methods that are not part of the contract. */
function relaying(): readonly Operation[] {
  const toRelaying = (name: string, draw: Operation["draw"]): Operation => ({
    name: `Relaying.${name}`,
    path: () => `/rpc/Relaying/${name}`,
    isRead: false,
    draw,
  });
  return [
    toRelaying("Relay", (random) => drawRelay(random)),
    toRelaying("GetRelay", (random) => ({
      id: random.oneOf([1, 2, 3, 10, 2 ** 31, 2 ** 32, 2 ** 53 - 1]),
    })),
  ];
}

const folder = makeDataFolder();
const { ready: becomesReady, end } = spawnPlatform(folder, {
  CONFIG: writeSettings(),
  LOG_LEVEL: "warn",
});
let ready: Ready;
let known: Known;
let drawRelay: Operation["draw"];

beforeAll(async () => {
  ready = await becomesReady;
  known = knownValues();
  drawRelay = createDrawRelay(ready);
  await sponsorRelays();
});
afterAll(async () => {
  await end("SIGTERM");
  await waitUntilGone(folder);
  rmSync(folder, { recursive: true });
});

/** Lets the demo project pay for all relays that are drawn. */
async function sponsorRelays(): Promise<void> {
  const url = await findRunningDatabase(folder);
  if (url === null) throw new Error("the database is not running");
  const { database } = openDatabase(url, silent);
  const { chainId, fixtures, projectId } = ready;
  const { futureWallet, guestbook, user, wallet } = fixtures;
  const tank = { projectId, chainId };
  for (const address of [futureWallet, guestbook, user, wallet]) {
    const sponsor = { ...tank, address, name: "", active: true };
    await saveGasSponsor(database, sponsor, 10);
  }
  await changeGasTank(database, tank, { amount: 10n ** 24n });
  await database.destroy();
}

/**
 * Writes settings with one network that responds and limits that are never
 * reached.
 */
function writeSettings(): string {
  const settings: Record<string, unknown> = parse(
    readFileSync("platform/config.yaml", "utf8"),
  );
  const { hardhat } = Object(settings["networks"]);
  const many = { requestsPerSecond: 1e6, burst: 1e6 };
  // A busy machine may stall for longer than requests are usually queued.
  const concurrency = {
    ...Object(settings["concurrency"]),
    ...{ runningPerCaller: atOnce, waitMs: 60_000 },
  };
  const path = join(folder, "config.yaml");
  const changes = {
    ...{ rateLimit: many, addressRateLimit: many, concurrency },
  };
  writeFileSync(
    path,
    JSON.stringify({ ...settings, ...changes, networks: { hardhat } }),
  );
  return path;
}

/** Returns all strings and integers in the ready file, and similar ones. */
function knownValues(): Known {
  const texts = new Set<string>();
  const integers = new Set<number>();
  const collect = (value: unknown): void => {
    if (typeof value === "string") texts.add(value);
    if (typeof value === "number") integers.add(value);
    if (typeof value === "object" && value !== null) {
      Object.values(value).forEach(collect);
    }
  };
  const { accessKey: _, secret: __, ...rest } = ready;
  collect(rest);
  for (const integer of integers) texts.add(String(integer));
  const made = [
    ...["", "a", "0", "1", "7", "1000000", `0x${"0".repeat(40)}`],
    ...[`0x${"e".repeat(40)}`, `0x${"ab".repeat(32)}`, "0x", "0x1234"],
    ...[`0x${"12".repeat(65)}`, "2026-01-01T00:00:00Z", "polygon", "ETH"],
    ...["https://example.com/hook", "USD", "unknown", "opensea"],
    "Transfer(address indexed from, address indexed to, uint256 value)",
  ];
  for (const text of made) texts.add(text);
  return {
    texts: [...texts],
    integers: [...integers],
    byField: usualValues(),
  };
}

/** Returns typical values for fields with these names. */
function usualValues(): Known["byField"] {
  const { chainId, fixtures, network, projectId } = ready;
  const { collectible, dollar, gold, items, user } = fixtures;
  const contracts = [collectible, items, gold, dollar];
  return {
    chainId: [chainId, String(chainId)],
    signatureChainId: [String(chainId)],
    chainID: [String(chainId), network],
    network: [network],
    projectId: [projectId],
    audienceId: [fixtures.audience],
    contactIds: [1, 2, 3],
    contractAddress: contracts,
    contractAddresses: contracts,
    contractTokenMap: contracts,
    collectionAddress: [collectible, items],
    buyCurrencyAddress: [gold, dollar],
    sellCurrencyAddress: [gold, dollar],
    currencyAddress: [gold, dollar],
    tokenIDs: ["1", "2"],
    tokenId: ["1", "2"],
    buyAmount: ["1000000"],
    userAddress: [user],
  };
}

/** A message and its outcome. */
interface Answered {
  readonly request: string;
  readonly status: number;
  readonly text: string;
}

async function send(
  { isRead, path }: Operation,
  { message, text: body }: DrawnMessage,
): Promise<Answered> {
  const url = ready.baseUrl + path(message);
  const response = await fetch(url, {
    method: isRead ? "GET" : "POST",
    headers: {
      "content-type": "application/json",
      "x-access-key": ready.accessKey,
      authorization: `Bearer ${ready.secret}`,
    },
    ...(!isRead && { body }),
  });
  const request = `${url.slice(0, 300)} ${body.slice(0, 1000)}`;
  return { request, status: response.status, text: await response.text() };
}

function fill(path: string, message: object): string {
  return path.replace(/\{(\w+)\}/gu, (_, name: string) => {
    const value: unknown = Reflect.get(message, name);
    const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
    const text = parts
      .map((part) => (typeof part === "string" ? part : "{}"))
      .join(",")
      .slice(0, 1000);
    // A URL cannot contain a lone surrogate.
    return encodeURIComponent(Buffer.from(text).toString()) || "-";
  });
}

test.each(operations)(
  "$name answers valid and nearly valid messages without an internal error",
  async (operation) => {
    const random = new Random(seed);
    const statuses = new Map<number, number>();
    let rest = messagesPerMethod;
    const sendSome = async (): Promise<void> => {
      while (rest > 0) {
        rest -= 1;
        const drawn = drawFaults(random, await operation.draw(random));
        // The server may close the connection instead of reading a message
        // that is larger than its limit.
        if (Buffer.byteLength(drawn.text) > maxBodyBytes) continue;
        const { request, status, text } = await send(operation, drawn);
        expect(status, `${request}\n${text}`).toBeLessThan(500);
        expect(JSON.parse(text || "null"), `${request}\n${status}`).toBeTypeOf(
          "object",
        );
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, sendSome));
    console.log(operation.name, Object.fromEntries(statuses));
    // The messages must not all lead to the same status.
    expect(statuses.size).toBeGreaterThan(1);
  },
  600_000,
);
