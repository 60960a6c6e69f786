import { invariant } from "../../../ir/invariant.js";

/** Entry points of `@ridlkit/runtime`, by folder in the runtime. */
const entries: Readonly<Record<string, string>> = {
  client: "address client interceptors mcp query sign-webhooks stream transfer",
  hosts: "express fastify hono in-process lambda",
  "hosts/node": "node node-listener shutdown",
  server: "explorer fetch mock opentelemetry receiver server",
  values: "validation",
  webrpc: "webrpc webrpc-stream webrpc-transfer",
  wire: "codec errors file-data json printing schema",
};

const paths: ReadonlyMap<string, string> = new Map(
  Object.entries(entries).flatMap(([folder, names]) =>
    names.split(" ").map((name) => [name, `${folder}/${name}`]),
  ),
);

/** Returns the path of an entry point in the runtime, e.g. `wire/errors`. */
export function runtimePath(entry: string): string {
  const path = paths.get(entry);
  invariant(path !== undefined, `no entry ${entry} in the runtime`);
  return path;
}
