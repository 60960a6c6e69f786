import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { versionOf } from "../harness/machine.js";
import { folder } from "./generate.js";

const json = { "content-type": "application/json" };

/** Returns a POST request of JSON. */
const post = (path, value) => ({ path, headers: json, body: value });

/** Returns the schemas of the contract. */
function schemasOf(z) {
  const name = z.string().max(100);
  const count = z.number().int().min(0).max(4_294_967_295);
  return {
    save: z.object({
      name,
      counts: z.record(z.string(), count),
      data: z.unknown().optional(),
    }),
    fail: z.object({ name }),
  };
}

/**
 * The servers, each set up as the guide of the tool shows for Node, with the
 * limits that it has by default.
 *
 * `start` gets the handlers and returns a server. `request` gets the name of a
 * method, and its argument as JSON, and returns a request. `methods` are the
 * names of the two methods, if they are not `save` and `fail`. `isRejected` finds
 * errors in responses with status 200.
 */
export const subjects = [
  {
    name: "ridlkit",
    async start({ save, fail }) {
      const { createHostileServer } = await import(join(folder, "server.js"));
      const { toNodeHandler } = await import("@ridlkit/runtime/node");
      const handlers = { store: { save, fail } };
      return createServer(toNodeHandler(createHostileServer({ handlers })));
    },
    request: (method, value) => post(`/rpc/Store/${method}`, value),
    methods: { save: "Save", fail: "Fail" },
  },
  {
    name: `tRPC ${versionOf("@trpc/server")}`,
    async start({ save, fail }) {
      const { initTRPC } = await import("@trpc/server");
      const { createHTTPServer } =
        await import("@trpc/server/adapters/standalone");
      const schemas = schemasOf((await import("zod")).z);
      const { procedure, router } = initTRPC.create();
      return createHTTPServer({
        router: router({
          save: procedure
            .input(schemas.save)
            .mutation(({ input }) => save(input)),
          fail: procedure
            .input(schemas.fail)
            .mutation(({ input }) => fail(input)),
        }),
      });
    },
    request: (method, value) => post(`/${method}`, value),
  },
  orpc("@orpc/server"),
  orpc("orpc-server-2"),
  {
    name: `Hono ${versionOf("hono")}`,
    async start({ save, fail }) {
      const { Hono } = await import("hono");
      const { createAdaptorServer } = await import("@hono/node-server");
      const { zValidator } = await import("@hono/zod-validator");
      const schemas = schemasOf((await import("zod")).z);
      const app = new Hono()
        .post("/save", zValidator("json", schemas.save), (context) =>
          context.json(save(context.req.valid("json"))),
        )
        .post("/fail", zValidator("json", schemas.fail), (context) =>
          context.json(fail(context.req.valid("json"))),
        );
      return createAdaptorServer({ fetch: app.fetch });
    },
    request: (method, value) => post(`/${method}`, value),
  },
  {
    name: `ts-rest ${versionOf("@ts-rest/core")}`,
    async start({ save, fail }) {
      const { initContract } = await import("@ts-rest/core");
      const { createFetchHandler, tsr } =
        await import("@ts-rest/serverless/fetch");
      const { createAdaptorServer } = await import("@hono/node-server");
      const { z } = await import("zod-3");
      const schemas = schemasOf(z);
      const route = (path, body) => ({
        method: "POST",
        path,
        body,
        responses: { 200: z.unknown() },
      });
      const contract = initContract().router({
        save: route("/save", schemas.save),
        fail: route("/fail", schemas.fail),
      });
      const router = tsr.router(contract, {
        save: async ({ body }) => ({ status: 200, body: save(body) }),
        fail: async ({ body }) => ({ status: 200, body: fail(body) }),
      });
      const handle = createFetchHandler(contract, router);
      // It extends Request, and cannot extend the adapter's own.
      return createAdaptorServer({
        fetch: ({ body, headers, method, url }) =>
          handle(new Request(url, { body, duplex: "half", headers, method })),
      });
    },
    request: (method, value) => post(`/${method}`, value),
  },
  {
    name: `Connect ${versionOf("@connectrpc/connect")}`,
    async start(handlers) {
      const { createFileRegistry, fromBinary } =
        await import("@bufbuild/protobuf");
      const { FileDescriptorSetSchema } =
        await import("@bufbuild/protobuf/wkt");
      const { connectNodeAdapter } = await import("@connectrpc/connect-node");
      const image = readFileSync(join(folder, "image.binpb"));
      const service = createFileRegistry(
        fromBinary(FileDescriptorSetSchema, image),
      ).getService("hostile.Store");
      const routes = (router) => router.service(service, handlers);
      return createServer(connectNodeAdapter({ routes }));
    },
    request: (method, value) => post(`/hostile.Store/${method}`, value),
    methods: { save: "Save", fail: "Fail" },
  },
  {
    name: `Cap'n Web ${versionOf("capnweb")}`,
    async start({ save, fail }) {
      const { nodeHttpBatchRpcResponse, RpcTarget } = await import("capnweb");
      class Store extends RpcTarget {
        save(value) {
          return save(value);
        }
        fail(value) {
          return fail(value);
        }
      }
      return createServer(async (request, response) => {
        try {
          await nodeHttpBatchRpcResponse(request, response, new Store());
        } catch (error) {
          response.writeHead(500, { "content-type": "text/plain" });
          response.end(String(error?.message));
        }
      });
    },
    // Calls are rejected with status 200.
    isRejected: (text) => text.includes('"reject"'),
    request: (method, value) => ({
      path: "/",
      headers: { "content-type": "text/plain" },
      body: `["push",["pipeline",0,["${method}"],[${value}]]]\n["pull",1]`,
    }),
  },
];

function orpc(name) {
  return {
    name: `oRPC ${versionOf(name)}`,
    async start({ save, fail }) {
      const { os } = await import(name);
      const { RPCHandler } = await import(`${name}/node`);
      const schemas = schemasOf((await import("zod")).z);
      const handler = new RPCHandler({
        save: os.input(schemas.save).handler(({ input }) => save(input)),
        fail: os.input(schemas.fail).handler(({ input }) => fail(input)),
      });
      return createServer(async (request, response) => {
        const { matched } = await handler.handle(request, response, {
          context: {},
        });
        if (matched) return;
        response.statusCode = 404;
        response.end("not found");
      });
    },
    request: (method, value) => post(`/${method}`, `{"json":${value}}`),
  };
}
