import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const modules = fileURLToPath(new URL("../node_modules/", import.meta.url));

/**
 * Returns the path of a host's program, which is in the package for this
 * platform. Bun's installation moves its program to the package `bun`.
 */
function programOf(scope, path, moved = []) {
  const platforms = readdirSync(modules + scope).map(
    (name) => `${modules}${scope}/${name}/${path}`,
  );
  const places = [...moved.map((place) => modules + place), ...platforms];
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw new Error(`${scope} has no program for this platform`);
}

const workerdConfig = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "program.mjs", esModule = embed "program.mjs")],
    compatibilityDate = "2026-11-01",
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;

/** Source text that serves `fetch` on Node, and prints the port. */
export const onNodeListener = `
  import { createServer } from "node:http";
  import { toNodeListener } from "@ridlkit/runtime/node-listener";
  import { listenOn } from "../server/subjects/listen.js";
  console.log(await listenOn(createServer(toNodeListener(fetch))));`;
export const onHonoServer = `
  import { createAdaptorServer } from "@hono/node-server";
  import { listenOn } from "../server/subjects/listen.js";
  console.log(await listenOn(createAdaptorServer({ fetch })));`;

/**
 * The hosts:
 * - `serve`: source text that serves `fetch` and prints the port;
 * - `command`: returns the command that runs the bundle `program.mjs`;
 * - `bundle`: options of esbuild.
 */
export const hosts = {
  node: {
    name: "Node",
    serve: onNodeListener,
    command: () => [process.execPath, "program.mjs"],
    bundle: { platform: "node" },
  },
  bun: {
    name: "Bun",
    serve:
      "console.log(Bun.serve({ port: 0, hostname: '127.0.0.1', fetch }).port);",
    command: () => [
      programOf("@oven", "bin/bun", ["bun/bin/bun.exe"]),
      "program.mjs",
    ],
    bundle: { platform: "node", conditions: ["bun"] },
  },
  deno: {
    name: "Deno",
    serve: `const onListen = ({ port }) => console.log(port);
      Deno.serve({ port: 0, hostname: "127.0.0.1", onListen }, fetch);`,
    command: () => [
      programOf("@deno", "deno"),
      ...["run", "--no-config", "--allow-all", "program.mjs"],
    ],
    bundle: { platform: "node", conditions: ["deno"] },
  },
  workerd: {
    name: "Workers (workerd)",
    serve: "export default { fetch };",
    files: { "config.capnp": workerdConfig },
    command: () => [
      programOf("@cloudflare", "bin/workerd"),
      ...["serve", "--control-fd=1", "config.capnp"],
    ],
    bundle: { platform: "node", conditions: ["workerd", "worker"] },
  },
};
