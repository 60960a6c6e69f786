import { invariant } from "../../../ir/invariant.js";

/** Entries of `@ridlkit/runtime`, and the folder of the runtime that has each. */
const folders: Readonly<Record<string, string>> = {
  address: "client",
  client: "client",
  codec: "wire",
  errors: "wire",
  explorer: "server",
  express: "hosts",
  fastify: "hosts",
  fetch: "server",
  "file-data": "wire",
  hono: "hosts",
  "in-process": "hosts",
  interceptors: "client",
  json: "wire",
  lambda: "hosts",
  node: "hosts/node",
  "node-listener": "hosts/node",
  opentelemetry: "server",
  printing: "wire",
  query: "client",
  receiver: "server",
  server: "server",
  shutdown: "hosts/node",
  "sign-webhooks": "client",
  stream: "client",
  transfer: "client",
  validation: "values",
  webrpc: "webrpc",
  "webrpc-stream": "webrpc",
  "webrpc-transfer": "webrpc",
};

/** Path of an entry in the runtime, without ending, e.g. `wire/errors`. */
export function runtimePath(entry: string): string {
  const folder = folders[entry];
  invariant(folder !== undefined, `no entry ${entry} in the runtime`);
  return `${folder}/${entry}`;
}
