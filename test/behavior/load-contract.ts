import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import type { Contract } from "../../generator/ir/contract.js";
import { toNodeHandler } from "../../runtime/typescript/hosts/node/node.js";
import type { RpcServer } from "../../runtime/typescript/server/server.js";
import type { Exports } from "./conformance/conformance-server.js";
import * as contracts from "./conformance/load-contract.js";
import { type Listening, listen } from "../support/listen.js";

const folder = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Reads a contract in this folder. */
export function readContract(document: string): Contract {
  return contracts.readContract(folder, document);
}

/** Loads the TypeScript of a contract in this folder, and modules besides. */
export function loadGenerated(
  document: string,
  also: readonly string[] = [],
): Promise<Exports> {
  const options = { int64: "number", timestamp: "string" } as const;
  const files = contracts.generateContract(folder, document, options);
  return contracts.loadGenerated(root, files, also);
}

/**
 * Starts a generated server.
 *
 * Input: the generated code, the name of its function that creates the server,
 * and the options of that function.
 */
export function serve(
  exports: Exports,
  name: string,
  options: object,
): Promise<Listening> {
  const create = exports[name] as (options: object) => RpcServer;
  return listen(createServer(toNodeHandler(create(options))));
}
