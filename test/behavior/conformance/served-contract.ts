import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Contract } from "../../../generator/ir/contract.js";
import type { ServerOptions } from "../../../runtime/typescript/server/server.js";
import {
  createConformance,
  type ConformanceServer,
  type Exports,
} from "./conformance-server.js";
import {
  generateContract,
  loadGenerated,
  readContract,
  type WireOptions,
} from "./load-contract.js";
import { skewOf } from "./skew-of.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = join(root, "runtime/cases");

/** The contract of the cases. */
export const contract = readContract(folder, "conformance.ridl");

/** What servers of the contract know about it. */
export const contractSkew = skewOf(contract, null);

/** The contract without the methods that the templates of languages lack. */
export const languageContract: Contract = {
  ...contract,
  hosts: contract.hosts.map((host) => ({
    ...host,
    services: host.services.filter(
      ({ name }) => !/^(?:Orders|Parts|Repeats|Ticks|Uploads)$/u.test(name),
    ),
  })),
};

/** One method of a generated client, without its specific types. */
export type AnyCall = (request?: unknown, options?: object) => unknown;

/** A generated server, and clients for the server. */
export interface ServedContract extends ConformanceServer {
  /** Creates a client: services by name, each with its methods by name. */
  readonly createClient: (
    options: object,
  ) => Readonly<Record<string, Readonly<Record<string, AnyCall>>>>;
}

/**
 * Caches generated code by its options, because generating it takes longer than
 * most cases.
 */
const loaded = new Map<string, Promise<Exports>>();

function load(options: WireOptions): Promise<Exports> {
  const key = JSON.stringify(options);
  const known = loaded.get(key);
  if (known !== undefined) return known;
  const files = generateContract(folder, "conformance.ridl", {
    ...contractSkew,
    ...options,
  });
  const exports = loadGenerated(root, files);
  loaded.set(key, exports);
  return exports;
}

/**
 * Generates and serves the contract in this folder.
 *
 * Input: `limits` contains additional options for the server.
 */
export async function serveContract(
  options: WireOptions,
  limits: ServerOptions = {},
): Promise<ServedContract> {
  const generated = await load(options);
  return {
    ...createConformance(generated, limits),
    createClient: generated[
      "createConformanceHostClient"
    ] as ServedContract["createClient"],
  };
}
