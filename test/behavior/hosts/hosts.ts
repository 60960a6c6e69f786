import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { goMiddlewares } from "./go-host.js";
import { proxies, type ProxyKind } from "./proxies/start-proxy.js";

/** The tables of the documentation. */
export type Group = "hosts" | "proxies" | "Go";

/** A host that the documentation names, and how to run a server on it. */
export interface Host {
  /** The name in the documentation. */
  readonly name: string;
  /** The table of the documentation that lists it. */
  readonly group: Group;
  /**
   * The source text of a module that serves `server`. Without it, a server in Go
   * runs.
   */
  readonly program?: string;
  /** What stands in front of the server. */
  readonly front?: ProxyKind;
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
   * Whether the host, or what is in front of it, closes the connection of an
   * upload that it has not read within a second. Clients then repeat the request that found it closed.
   */
  readonly closesUploads?: boolean;
}

const folder = fileURLToPath(new URL(".", import.meta.url));

/** A program in `programs`, which runs on Node. */
function onNode(name: string, program: string): Host {
  return {
    name,
    group: "hosts",
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
export function binary(scope: string, path: string): string {
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

/** A program on Bun, whose last line is the function that gets requests. */
function onBun(name: string, ...lines: readonly string[]): Host {
  const options = "port: 0, hostname: '127.0.0.1', fetch";
  const program = `${lines.slice(0, -1).join("\n")}
    const fetch = ${lines.at(-1) ?? ""};
    export default { ${options} };`;
  const command = (): readonly string[] => [
    binary("@oven", "bin/bun"),
    "program.mjs",
  ];
  return { ...{ name, program, command }, group: "hosts" };
}

/** A program on Bun with Hono, whose `mount` copies requests. */
const onMount = (name: string, more = ""): Host =>
  onBun(
    name,
    'import { Hono } from "hono";',
    'import { getConnInfo } from "hono/bun";',
    "const app = new Hono();",
    `app.mount("/", server.fetch${more});`,
    "app.fetch",
  );

const onProxies = proxies
  .filter(({ isMiddleware, name }) => name !== "none" && !isMiddleware)
  .map((front): Host => ({
    ...onNode(front.name, "node-http.ts"),
    group: "proxies",
    front,
    closesUploads: true,
  }));

const onGo = goMiddlewares.map(([name, word]): Host => ({
  name,
  group: "Go",
  command: () => ["./server", word],
}));

/** Every host that the documentation names. */
export const hosts: readonly Host[] = [
  onNode("node:http", "node-http.ts"),
  onNode("node:http with toNodeListener", "node-listener.ts"),
  onNode("node:http with fetch", "node-fetch.ts"),
  { ...onNode("node:http2", "node-http2.ts"), isHttp2: true },
  onNode("Express", "express.ts"),
  onNode("Fastify", "fastify.ts"),
  onNode("Hono on @hono/node-server", "hono.ts"),
  onNode("Hono with toNodeListener", "hono-listener.ts"),
  onNode("AWS Lambda (emulated)", "lambda.ts"),
  onNode("AWS Lambda, streaming (emulated)", "lambda-stream.ts"),
  onBun("Bun", "server.fetch"),
  onBun(
    "Bun, copied requests",
    "(request, info) => server.fetch(new Request(request), info)",
  ),
  onBun(
    "Bun, a `Proxy` of each request",
    "const get = (of, name) => {",
    "  const value = Reflect.get(of, name);",
    '  return typeof value === "function" ? value.bind(of) : value;',
    "};",
    "(request, info) => server.fetch(new Proxy(request, { get }), info)",
  ),
  onMount("Bun, below Hono's `mount`"),
  onMount(
    "Bun, below Hono's `mount` with the address",
    ", (c) => ({ remoteAddr: { hostname: getConnInfo(c).remote.address } })",
  ),
  {
    name: "Deno",
    group: "hosts",
    program: "export default { fetch: server.fetch };",
    command: () => [
      binary("@deno", "deno"),
      ...["serve", "--no-config", "--host", "127.0.0.1", "--port", "0"],
      "program.mjs",
    ],
  },
  {
    name: "Cloudflare Workers",
    group: "hosts",
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
    group: "hosts",
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
      ...["--keepAliveTimeout", "75000"],
    ],
  },
  {
    ...onNode("`compression()` of Express", "compression.ts"),
    group: "proxies",
  },
  ...onProxies,
  ...onGo,
];

/** Whether what stands in front of a host is installed. */
export const isInstalled = ({ front }: Host): boolean =>
  front?.isInstalled() ?? true;
