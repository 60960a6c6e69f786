import { createServer } from "node:http";
import { join } from "node:path";
import { toNodeHandler } from "../../../../runtime/typescript/hosts/node/node.js";
import type { RpcServer } from "../../../../runtime/typescript/server/server.js";
import { listen } from "../../../support/listen.js";
import {
  generateContract,
  loadGenerated,
  type WireOptions,
} from "../load-contract.js";

/** The two variants of generated code. */
export const forms: readonly WireOptions[] = [
  { int64: "number", timestamp: "string" },
  { int64: "bigint", timestamp: "date" },
];

/**
 * Generates the contract for malformed requests, and serves it with handlers
 * that accept everything. Returns the port, and a function that stops the
 * server.
 *
 * Input: the root of the repository.
 */
export async function serveMalformed(
  root: string,
  options: WireOptions,
): Promise<{ readonly port: number; readonly close: () => void }> {
  const folder = join(root, "test/behavior/conformance/malformed");
  const files = generateContract(folder, "malformed.ridl", options);
  const generated = await loadGenerated(root, files);
  const create = generated["createMalformedServer"] as (
    options: object,
  ) => RpcServer;
  const handlers = { malformed: new Proxy({}, { get: () => () => ({}) }) };
  const server = createServer(toNodeHandler(create({ handlers })));
  return listen(server);
}
