import { gzipSync } from "node:zlib";
import { pathOf, request } from "../client/contract.js";
import { versionOf } from "../harness/machine.js";
import { ask } from "../server/load.js";
import { orderOf } from "../server/measure.js";
import { requestBytes } from "../server/request.js";
import { methods } from "./generate.js";
import { bundleFor, startOn } from "./host-process.js";
import { hosts } from "./hosts.js";

export const ownName = "ridlkit";
const listen = `import { listenOn } from "../server/subjects/listen.js";`;
const isKey = (key) => `${key} === "key"`;
const each = (print) => methods.map(print).join("\n");
const answer = `({ id }) => ({ id, name: "a thing" })`;
const zod = `import { z } from "zod";
  const input = () => z.object({ id: z.string() });
  const output = () => z.object({ id: z.string(), name: z.string() });`;

const elysiaApp = `
  import { Elysia, t } from "elysia";
  const app = new Elysia().onRequest(({ request, status }) => {
    if (!(${isKey('request.headers.get("x-access-key")')})) return status(401, {});
  });
  const body = () => t.Object({ id: t.String() });
  const response = () => t.Object({ id: t.String(), name: t.String() });
  ${each((name) => `app.post("${pathOf(name)}", ({ body: { id } }) => ({ id, name: "a thing" }), { body: body(), response: response() });`)}`;

const orpcRouter = `
  import { ORPCError, os } from "@orpc/server";
  ${zod}
  const base = os.$context().use(({ context, next }) => {
    if (!(${isKey("context.key")})) throw new ORPCError("UNAUTHORIZED");
    return next();
  });
  const router = { ${each((name) => `${name}: base.input(input()).output(output()).handler(({ input: { id } }) => ({ id, name: "a thing" })),`)} };`;

const trpcRouter = `
  import { initTRPC, TRPCError } from "@trpc/server";
  ${zod}
  const t = initTRPC.context().create();
  const procedure = t.procedure.use(({ ctx, next }) => {
    if (!(${isKey("ctx.key")})) throw new TRPCError({ code: "UNAUTHORIZED" });
    return next();
  });
  const router = t.router({ ${each((name) => `${name}: procedure.input(input()).output(output()).mutation(({ input: { id } }) => ({ id, name: "a thing" })),`)} });`;

const honoApp = `
  import { Hono } from "hono";
  import { validator } from "hono/validator";
  ${zod}
  const app = new Hono();
  app.use((context, next) =>
    ${isKey('context.req.header("x-access-key")')} ? next() : context.json({}, 401));
  const validate = (schema) => validator("json", (value, context) => {
    const { success, data, error } = schema.safeParse(value);
    return success ? data : context.json({ error: error.issues }, 400);
  });
  const answer = ${answer};
  ${each((name) => `{ const schema = output(); app.post("${pathOf(name)}", validate(input()), (context) => context.json(schema.parse(answer(context.req.valid("json"))))); }`)}`;

const ownServer = `
  import { createThingsServer } from "../.work/hosts/things/server.js";
  const answer = ${answer};
  const server = createThingsServer({
    verifyAccessKey: (key) => ${isKey("key")},
    handlers: { things: { ${each((name) => `${name}: answer,`)} } },
  });`;

const onFetch = {
  [ownName]: `${ownServer} const { fetch } = server;`,
  "Hono + zod": `${honoApp} const { fetch } = app;`,
  "oRPC + zod": `
    import { RPCHandler } from "@orpc/server/fetch";
    ${orpcRouter}
    const handler = new RPCHandler(router);
    const fetch = async (request) => {
      const context = { key: request.headers.get("x-access-key") };
      return (await handler.handle(request, { context })).response;
    };`,
  "tRPC + zod": `
    import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
    ${trpcRouter}
    const createContext = ({ req }) => ({ key: req.headers.get("x-access-key") });
    const fetch = (req) => fetchRequestHandler({ endpoint: "/", req, router, createContext });`,
};

const onNode = {
  [ownName]: `${ownServer} ${listen}
    import { createServer } from "node:http";
    import { toNodeHandler } from "@ridlkit/runtime/node";
    console.log(await listenOn(createServer(toNodeHandler(server))));`,
  "Hono + zod": `${honoApp} ${listen}
    import { createAdaptorServer } from "@hono/node-server";
    console.log(await listenOn(createAdaptorServer({ fetch: app.fetch })));`,
  "oRPC + zod": `${orpcRouter} ${listen}
    import { createServer } from "node:http";
    import { RPCHandler } from "@orpc/server/node";
    const handler = new RPCHandler(router);
    console.log(await listenOn(createServer((request, response) =>
      handler.handle(request, response, { context: { key: request.headers["x-access-key"] } }))));`,
  "tRPC + zod": `${trpcRouter} ${listen}
    import { createHTTPServer } from "@trpc/server/adapters/standalone";
    console.log(await listenOn(createHTTPServer({
      router, createContext: ({ req }) => ({ key: req.headers["x-access-key"] }) })));`,
  Fastify: `
    import fastify from "fastify";
    const app = fastify();
    app.addHook("onRequest", async (request, reply) => {
      if (!(${isKey('request.headers["x-access-key"]')})) return reply.code(401).send({});
    });
    const text = { type: "string" };
    const body = { type: "object", required: ["id"], properties: { id: text } };
    const answered = { type: "object", required: ["id", "name"], properties: { id: text, name: text } };
    const schema = { body, response: { 200: answered } };
    const answer = ${answer};
    ${each((name) => `app.post("${pathOf(name)}", { schema }, (request, reply) => reply.send(answer(request.body)));`)}
    await app.listen({ port: 0, host: "127.0.0.1" });
    console.log(app.server.address().port);`,
};

const withServe = (host) =>
  Object.entries(onFetch).map(([name, source]) => [name, source + host.serve]);

const starts = [
  ...Object.entries(onNode).map((entry) => [hosts.node, ...entry]),
  ...withServe(hosts.bun).map((entry) => [hosts.bun, ...entry]),
  [
    hosts.bun,
    "Elysia",
    `${elysiaApp}
    app.listen({ port: 0, hostname: "127.0.0.1" }, ({ port }) => console.log(port));`,
  ],
  ...withServe(hosts.workerd).map((entry) => [hosts.workerd, ...entry]),
];

const packages = {
  [ownName]: [],
  "Hono + zod": ["hono", "zod"],
  "oRPC + zod": ["@orpc/server", "zod"],
  "tRPC + zod": ["@trpc/server", "zod"],
  Fastify: ["fastify"],
  Elysia: ["elysia"],
};

const [name] = methods;
const wireNames = {
  "oRPC + zod": [`/${name}`, { json: request }],
  "tRPC + zod": [`/${name}`, request],
};

/**
 * Measures servers with 40 methods from the start of the process until the first
 * response.
 *
 * Returns for each host and server the `samples` (`ms` and CPU seconds) and the
 * size of its bundle in bytes after gzip.
 */
export async function measureColdStarts(rounds) {
  const subjects = [];
  for (const [host, name, source] of starts) {
    const label = `${host.name} ${name} start`;
    const { folder, text } = await bundleFor(host, label, source);
    const version = packages[name].map(versionOf).join(", ");
    const size = gzipSync(text).length;
    subjects.push({ host, name, version, folder, size, samples: [] });
  }
  for (let round = 0; round <= rounds; round++) {
    for (const index of orderOf(subjects.length, round)) {
      const sample = await startOnce(subjects[index]);
      if (round > 0) subjects[index].samples.push(sample);
    }
  }
  return subjects;
}

async function startOnce({ host, name: subject, folder }) {
  const [path, message] = wireNames[subject] ?? [pathOf(name), request];
  const bytes = requestBytes(path, JSON.stringify(message), {
    headers: { "x-access-key": "key" },
  });
  const begin = performance.now();
  const server = await startOn(host, folder);
  try {
    const { status, text } = await ask(server.port, bytes);
    const ms = performance.now() - begin;
    if (status !== 200 || !text().includes('"a thing"')) {
      throw new Error(`${host.name}, ${subject}: ${status} ${text()}`);
    }
    return { ms, cpu: server.usage().cpu };
  } finally {
    server.stop();
  }
}
