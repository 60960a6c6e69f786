import { invariant } from "../../../ir/invariant.js";

/**
 * Entry points of `@ridlkit/runtime` that programs import, by folder in the
 * runtime. Those of generated code are in the folder `codegen`.
 */
const entries: Readonly<Record<string, string>> = {
  client:
    "client client-telemetry interceptors mcp pages sign-webhooks stream transfer",
  hosts: "express fastify hono in-process lambda",
  "hosts/node": "node node-listener shutdown",
  server: "explorer fetch idempotency mock opentelemetry server stream-log",
  values: "unions validation",
  wire: "errors file-data json schema",
};

const paths: ReadonlyMap<string, string> = new Map(
  Object.entries(entries).flatMap(([folder, names]) =>
    names.split(" ").map((name) => [name, `${folder}/${name}`]),
  ),
);

/** Returns the path of an entry point in the runtime, e.g. `wire/errors`. */
export function runtimePath(entry: string): string {
  if (entry.startsWith("codegen/")) return entry;
  const path = paths.get(entry);
  invariant(path !== undefined, `no entry ${entry} in the runtime`);
  return path;
}
