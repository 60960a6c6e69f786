import { createServer } from "node:http";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { expect, it } from "vitest";
import { toExpressHandler } from "../../../runtime/typescript/hosts/express.js";
import { toFastifyPlugin } from "../../../runtime/typescript/hosts/fastify.js";
import { toHonoHandler } from "../../../runtime/typescript/hosts/hono.js";
import { run } from "./hosts.js";
import { createSampleServer } from "./sample-server.js";

/** Middleware sets a name in `Vary` and a cookie, and the server others. */
const server = createSampleServer({
  maxBodyBytes: 1_000_000,
  cors: { origins: ["https://a.example"] },
  interceptors: [
    (next) => (call) => {
      call.context.appendHeader("Set-Cookie", "b=2");
      return next(call);
    },
  ],
});
const headers = { "content-type": "application/json" };

/** Returns the names in `Vary`, sorted. */
const namesIn = (vary: string | null): readonly string[] =>
  (vary ?? "").split(", ").sort();

const both = ["Origin", "X-Own"];

// Long responses are sent in pieces.
it.each([1, 200_000])(
  "keeps Vary and cookies of Express's middleware, with %s bytes",
  async (size) => {
    const app = express();
    app.use((_request, response, next) => {
      response.vary("X-Own").cookie("a", "1");
      next();
    });
    app.use(toExpressHandler(server));
    const { close, fetch } = await run(createServer(app));
    const body = `{"a":"${"x".repeat(size)}"}`;
    try {
      const answer = await fetch("http://localhost/rpc/API/Echo", {
        ...{ method: "POST", headers, body },
      });
      expect(answer.status).toBe(200);
      await answer.text();
      expect(namesIn(answer.headers.get("vary"))).toEqual(both);
      expect(answer.headers.getSetCookie()).toEqual(["a=1; Path=/", "b=2"]);
    } finally {
      await close();
    }
  },
);

it("keeps Vary and cookies of Fastify's hooks", async () => {
  const app = fastify();
  app.addHook("onRequest", (_request, reply, done) => {
    reply.header("vary", "X-Own").header("set-cookie", "a=1");
    done();
  });
  await app.register(toFastifyPlugin(server));
  const answer = await app.inject({
    ...{ method: "POST", url: "/rpc/API/Echo", payload: { a: 1 } },
  });
  expect(answer.statusCode).toBe(200);
  expect(namesIn(String(answer.headers["vary"]))).toEqual(both);
  expect(answer.headers["set-cookie"]).toEqual(["a=1", "b=2"]);
});

it("keeps Vary and cookies of Hono's middleware", async () => {
  const app = new Hono();
  app.use(async (context, next) => {
    context.header("vary", "X-Own");
    context.header("set-cookie", "a=1");
    await next();
  });
  app.all("/*", toHonoHandler(server));
  const body = '{"a":1}';
  const answer = await app.request("/rpc/API/Echo", {
    ...{ method: "POST", headers, body },
  });
  expect(answer.status).toBe(200);
  expect(namesIn(answer.headers.get("vary"))).toEqual(both);
  expect(answer.headers.getSetCookie().sort()).toEqual(["a=1", "b=2"]);
});
