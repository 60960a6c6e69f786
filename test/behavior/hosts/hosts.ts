import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A host that the documentation names, and how to run a server on it. */
export interface Host {
  /** The name in the documentation. */
  readonly name: string;
  /** The source text of a module that serves `server`. */
  readonly program: string;
  /** The path of that module in its folder. Default: `program.mjs`. */
  readonly path?: string;
  /** Other files of the folder by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** The command that builds the folder. */
  readonly build?: readonly string[];
  /** Returns the command that runs the folder. */
  readonly command: () => readonly string[];
  /** Whether the host serves HTTP/2 without TLS instead of HTTP/1.1. */
  readonly isHttp2?: boolean;
  /**
   * Whether the host closes the connection of an upload that it has not read
   * within a second. Clients then repeat the request that found it closed.
   */
  readonly closesUploads?: boolean;
}

const folder = fileURLToPath(new URL(".", import.meta.url));

/** A program in `programs`, which runs on Node. */
function onNode(name: string, program: string): Host {
  return {
    name,
    program: `import { serve } from ${JSON.stringify(join(folder, "programs", program))};
      await serve(server);`,
    command: () => [process.execPath, "program.mjs"],
  };
}

/**
 * Returns the path of a program in a package for this platform, such as
 * `@deno/linux-x64-glibc`. The packages that contain the platform's packages
 * only link them, so their installation scripts are not needed.
 */
function binary(scope: string, path: string): string {
  const scoped = join(folder, "node_modules", scope);
  const platform = readdirSync(scoped).find((each) =>
    each.includes(process.platform),
  );
  if (platform === undefined) {
    throw new Error(`${scope} has no package for ${process.platform}`);
  }
  return join(scoped, platform, path);
}

const workerdConfig = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "program.mjs", esModule = embed "program.mjs")],
    compatibilityDate = "2026-11-01",
    compatibilityFlags = ["enable_request_signal"],
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;

const next = join(folder, "node_modules", "next", "dist", "bin", "next");

/** Every host that the documentation names. */
export const hosts: readonly Host[] = [
  onNode("node:http", "node-http.ts"),
  onNode("node:http with toNodeListener", "node-listener.ts"),
  onNode("node:http with fetch", "node-fetch.ts"),
  { ...onNode("node:http2", "node-http2.ts"), isHttp2: true },
  onNode("Express", "express.ts"),
  onNode("Fastify", "fastify.ts"),
  onNode("Hono on @hono/node-server", "hono.ts"),
  onNode("AWS Lambda (emulated)", "lambda.ts"),
  onNode("AWS Lambda, streaming (emulated)", "lambda-stream.ts"),
  {
    name: "Bun",
    program:
      "export default { port: 0, hostname: '127.0.0.1', fetch: server.fetch };",
    command: () => [binary("@oven", "bin/bun"), "program.mjs"],
  },
  {
    name: "Deno",
    program: "export default { fetch: server.fetch };",
    command: () => [
      binary("@deno", "deno"),
      ...["serve", "--no-config", "--host", "127.0.0.1", "--port", "0"],
      "program.mjs",
    ],
  },
  {
    name: "Cloudflare Workers",
    program: "export default { fetch: server.fetch };",
    files: { "config.capnp": workerdConfig },
    command: () => [
      binary("@cloudflare", "bin/workerd"),
      ...["serve", "--control-fd=1", "config.capnp"],
    ],
    closesUploads: true,
  },
  {
    name: "Next.js",
    program: `const handle = (request) => server.fetch(request);
      export { handle as DELETE, handle as GET, handle as OPTIONS };
      export { handle as PATCH, handle as POST, handle as PUT };`,
    path: "app/[...path]/route.js",
    files: {
      "package.json": '{ "private": true, "type": "module" }',
      "app/layout.js": "export default ({ children }) => children;",
      "next.config.js": "export default {};",
    },
    build: [process.execPath, next, "build"],
    command: () => [
      process.execPath,
      ...[next, "start", "--hostname", "127.0.0.1", "--port", "0"],
    ],
  },
];
