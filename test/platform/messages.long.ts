import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import type { Host, Method } from "../../generator/ir/contract.js";
import { createIndex } from "../../generator/ir/resolve.js";
import {
  makeDataFolder,
  type Ready,
  spawnPlatform,
  waitUntilGone,
} from "../../platform/load/spawned-platform.js";
import { Random } from "../support/random.js";
import { readPlatformContract } from "../contract/platform-contract.js";
import { type DrawnMessage, drawMessage, type Known } from "./draw-message.js";

const messagesPerMethod = 500;
const atOnce = 16;

/** The default of the server. */
const maxBodyBytes = 1024 * 1024;

const seed = Number(process.env["RIDLKIT_SEED"] ?? 1);

const contract = readPlatformContract();
const index = createIndex(contract);
const operations = contract.hosts.flatMap((host) =>
  host.services
    .filter(({ direction }) => direction === "inbound")
    .flatMap(({ methods }) => methods.map((method) => ({ host, method }))),
);

const folder = makeDataFolder();
const { ready: becomesReady, end } = spawnPlatform(folder, {
  CONFIG: writeSettings(),
  LOG_LEVEL: "warn",
});
let ready: Ready;

beforeAll(async () => {
  ready = await becomesReady;
});
afterAll(async () => {
  await end("SIGTERM");
  await waitUntilGone(folder);
  rmSync(folder, { recursive: true });
});

/** One network that responds, with limits that are never reached. */
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

/** All strings and integers in the ready file, and similar ones. */
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

/** Typical values for fields with these names. */
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
  { basePath }: Host,
  { route, service, name }: Method,
  { message, text: body }: DrawnMessage,
): Promise<Answered> {
  const base = ready.baseUrl + basePath.text.replace("{network}", "hardhat");
  const isRead = route.kind === "rest";
  const url = isRead
    ? ready.baseUrl + fill(route.path.text, message)
    : `${base.replace(/\/$/u, "")}/${service}/${name}`;
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

test.each(
  operations.map(({ host, method }) => ({
    name: `${method.service}.${method.name}`,
    host,
    method,
  })),
)(
  "$name answers valid and nearly valid messages without an internal error",
  async ({ host, method, name }) => {
    const random = new Random(seed);
    const known = knownValues();
    const statuses = new Map<number, number>();
    let rest = messagesPerMethod;
    const sendSome = async (): Promise<void> => {
      while (rest > 0) {
        rest -= 1;
        const { fields } = method.request;
        const drawn = drawMessage(index, known, random, fields);
        // The message is larger than the server's read limit, so the server may
        // close the connection.
        if (Buffer.byteLength(drawn.text) > maxBodyBytes) continue;
        const { request, status, text } = await send(host, method, drawn);
        expect(status, `${request}\n${text}`).toBeLessThan(500);
        expect(JSON.parse(text || "null"), `${request}\n${status}`).toBeTypeOf(
          "object",
        );
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, sendSome));
    console.log(name, Object.fromEntries(statuses));
    // Some messages must also pass validation.
    expect(statuses.size).toBeGreaterThan(1);
  },
  600_000,
);
