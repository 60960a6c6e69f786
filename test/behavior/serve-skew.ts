import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import type { Contract } from "../../generator/ir/contract.js";
import {
  recordHistory,
  type Release,
} from "../../tools/breaking/compatibility/record.js";
import type { Exports } from "./conformance/conformance-server.js";
import * as contracts from "./conformance/load-contract.js";
import { sha256, skewOf } from "./conformance/skew-of.js";
import type { Listening } from "../support/listen.js";
import { serve } from "./load-contract.js";
import type { SkewCall } from "./skew-calls.js";

const folder = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const modes = { int64: "number", timestamp: "string" } as const;

/** An old contract, and a current one whose server knows it. */
interface SkewPair {
  readonly old: Contract;
  readonly current: Contract;
  readonly oldSkew: EmitOptions["skew"];
  readonly currentSkew: EmitOptions["skew"];
}

function readPair(name: string): SkewPair {
  const old = contracts.readContract(folder, `${name}-v1.3.0.ridl`);
  const current = contracts.readContract(folder, `${name}-v1.4.0.ridl`);
  const history = recordHistory({
    current: releaseOf(current),
    releases: [releaseOf(old)],
    sha256,
  });
  return {
    old,
    current,
    oldSkew: skewOf(old, null).skew,
    currentSkew: skewOf(current, JSON.stringify(history)).skew,
  };
}

async function load(name: string, { currentSkew }: SkewPair): Promise<Exports> {
  const files = contracts.generateContract(folder, `${name}-v1.4.0.ridl`, {
    ...modes,
    ...(currentSkew && { skew: currentSkew }),
  });
  const also = ["@ridlkit/runtime/idempotency"];
  return contracts.loadGenerated(root, files, also);
}

const pair = readPair("skew");

/** The contract of the clients, which is older than that of the server. */
export const oldContract = pair.old;

/** What clients of the old contract say about it. */
export const { oldSkew } = pair;

/** The header that they send. */
export const oldHeader = headerIn(oldSkew);

/** Starts a server of the current contract, which knows the old one. */
export async function serveSkew(): Promise<Listening> {
  return serve(await load("skew", pair), "createShopServer", {
    handlers: {
      shop: {
        place: () => ({ number: 7 }),
        attach: () => ({ number: 7 }),
        watch: async function* () {
          await Promise.resolve();
          yield { number: 7 };
        },
      },
    },
  });
}

/** The contracts of the servers that `skewCalls` calls. */
export const serverPair = readPair("skew-server");

/** Starts a server in TypeScript that `skewCalls` calls. */
export async function serveSkewCalls(): Promise<Listening> {
  const exports = await load("skew-server", serverPair);
  const call = (name: string, ...args: readonly unknown[]): unknown =>
    Reflect.apply(exports[name] as () => unknown, undefined, args);
  const create = (name: string): Error =>
    Reflect.construct(exports[name] as () => void, []) as Error;
  const faults: Readonly<Record<number, () => Error>> = {
    401: () => create("DeniedError"),
    429: () => create("BusyError"),
    500: () => new Error("lost"),
  };
  return serve(exports, "createShopServer", {
    onError: () => undefined,
    idempotency: call("idempotency", call("memoryAnswers")),
    verifyKey: (value: string) => value !== "wrong",
    handlers: {
      shop: {
        place: () => ({ number: 7 }),
        pay: ({ sum }: { sum: number }) => {
          const fault = faults[sum]?.();
          if (fault !== undefined) throw fault;
          return { id: 1 };
        },
        open: ({ name }: { name: string }) => ({ name }),
        read: ({ isbn }: { isbn: string }) => ({ title: isbn }),
        rate: () => ({}),
        weigh: () => ({}),
        same: ({ id }: { id: number }) => ({ id }),
        note: () => ({}),
      },
    },
  });
}

/** Sends a call of a client with another contract. */
export function sendSkewCall(
  url: string,
  {
    body,
    contract,
    headers,
    path,
    verb = "POST",
  }: Omit<SkewCall, "name" | "status">,
): Promise<Response> {
  const sent = contractIn(contract);
  return fetch(url + path, {
    method: verb,
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(sent !== null && { webrpc: sent }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
}

/** Sends a call. Expects the response that all servers send. */
export async function expectSkewAnswer(
  url: string,
  call: SkewCall,
  maybe = "",
): Promise<void> {
  const { contract, verb } = call;
  const response = await sendSkewCall(url, call);
  const { cause } = Object(await response.json());
  const client = "this client was made from v1.3.0";
  const expected = call.cause
    ?.replace("{old}", client)
    .replace("{maybe}", maybe);
  const told = response.headers.get("webrpc");
  const isTold = contract === undefined || contract === "unknown";
  const why = call.why && contract === undefined ? reasonIn(call.why) : "";
  expect({
    status: response.status,
    cause: expected?.startsWith("{any}")
      ? String(cause).replace(/^[^;]*/u, "{any}")
      : cause,
    told,
    vary: response.headers.get("vary"),
  }).toEqual({
    status: call.status,
    cause: expected === "{none}" ? undefined : expected,
    told: isTold ? headerIn(serverPair.currentSkew) + why : null,
    vary: isTold && verb === "GET" ? "Webrpc" : null,
  });
}

function contractIn(contract: SkewCall["contract"]): string | null {
  if (typeof contract === "object") return contract.text;
  if (contract === "none") return null;
  if (contract === "unknown") return "evil@v9.9.9;evil00;<script>";
  const { currentSkew, oldSkew: old } = serverPair;
  return headerIn(contract === "same" ? currentSkew : old);
}

function reasonIn(text: string): string {
  return `;why@${encodeURIComponent(text)}`;
}

function headerIn(skew: EmitOptions["skew"]): string {
  return skew?.get("shop")?.header ?? "";
}

function releaseOf(whole: Contract): Release {
  return { whole, part: whole, modes: { ...modes, nullAsEmpty: false } };
}
