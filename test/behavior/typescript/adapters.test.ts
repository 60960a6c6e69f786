import { createServer } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { runInNewContext } from "node:vm";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { afterEach, describe, expect, it, vi } from "vitest";
import { toExpressHandler } from "../../../runtime/typescript/hosts/express.js";
import { toFastifyPlugin } from "../../../runtime/typescript/hosts/fastify.js";
import { toHonoHandler } from "../../../runtime/typescript/hosts/hono.js";
import type { ServerMethod } from "../../../runtime/typescript/server/server.js";
import { memberOf } from "../../../runtime/typescript/values/member.js";
import {
  isFileData,
  toFile,
} from "../../../runtime/typescript/wire/file-data.js";
import { run, type Running } from "./hosts.js";
import { createSampleServer, sampleMethods } from "./sample-server.js";
import {
  createUploads,
  endOfUpload,
  startOfUpload,
  uploadHeaders,
} from "./upload-server.js";

const running: Running[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map(({ close }) => close()));
});

const json = { "content-type": "application/json" };

async function postTo(
  app: express.Express,
  path: string,
  body = '{"a":1}',
  headers: Record<string, string> = json,
): Promise<{ status: number; text: string }> {
  const host = await run(createServer(app));
  running.push(host);
  const bytes = new TextEncoder().encode(body);
  const sent = { verb: "POST", path, headers, body: bytes };
  const { status, text } = await host.send(sent);
  return { status, text };
}

describe("Express", () => {
  it("mounts the server below a path and removes the path from requests", async () => {
    const app = express();
    app.use("/backend", toExpressHandler(createSampleServer()));
    expect(await postTo(app, "/backend/rpc/API/Echo")).toEqual({
      status: 200,
      text: '{"a":1}',
    });
    expect((await postTo(app, "/rpc/API/Echo")).text).toContain("Cannot POST");
  });

  it("does not remove the mount path if it is the base path", async () => {
    const app = express();
    app.use("/rpc", toExpressHandler(createSampleServer()));
    expect((await postTo(app, "/rpc/API/Echo")).text).toBe('{"a":1}');
  });

  it("passes unknown paths to other handlers", async () => {
    const app = express();
    const server = createSampleServer();
    app.use(toExpressHandler(server));
    app.post("/own", (_request, response) => void response.send("own"));
    expect((await postTo(app, "/own")).text).toBe("own");
    expect((await postTo(app, "/rpc/API/Echo")).text).toBe('{"a":1}');
    expect((await postTo(app, "/rpc/API/Pong")).text).toContain("Cannot POST");
  });

  it("answers unknown paths itself with `unknownPaths: answer`", async () => {
    const app = express();
    const server = createSampleServer();
    app.use(toExpressHandler(server, { unknownPaths: "answer" }));
    app.post("/own", (_request, response) => void response.send("own"));
    expect((await postTo(app, "/own")).status).toBe(404);
  });

  it("reports that express.json() has rounded a number", async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const app = express();
    app.use(express.json());
    const methods = sampleMethods.map((each): ServerMethod => ({
      ...each,
      isExact: true,
    }));
    app.use(toExpressHandler(createSampleServer({ onError }, methods)));
    const body = '{"a":[9007199254740993]}';
    const { status, text } = await postTo(app, "/rpc/API/Echo", body);
    expect([status, JSON.parse(text)]).toMatchObject([
      500,
      {
        error: "WebrpcInternalError",
        cause: expect.stringContaining("in front of body parsers"),
      },
    ]);
    expect(String(errors[0])).toContain("in front of body parsers");
  });

  it("accepts large numbers from express.json() unless the method needs exact integers", async () => {
    const app = express();
    app.use(express.json(), toExpressHandler(createSampleServer()));
    const { status, text } = await postTo(app, "/rpc/API/Echo", '{"a":1e20}');
    expect([status, JSON.parse(text)]).toEqual([200, { a: 1e20 }]);
  });

  it.each([
    ["json", express.json()],
    ["raw", express.raw({ type: "*/*" })],
    ["text", express.text({ type: "*/*" })],
    ["raw, of another realm", [express.raw({ type: "*/*" }), toOtherRealm]],
  ])("uses the body that express.%s() has read", async (_, parser) => {
    const app = express();
    app.use(parser, toExpressHandler(createSampleServer()));
    expect((await postTo(app, "/rpc/API/Echo")).text).toBe('{"a":1}');
    const long = `{"a":"${"x".repeat(1000)}"}`;
    const { status, text } = await postTo(app, "/rpc/API/Echo", long);
    expect([status, text]).toEqual([413, expect.stringContaining("larger")]);
  });

  it("uses the upload that express.raw() has read", async () => {
    const upload = createUploads(async (request) => {
      const file = memberOf(request, "file");
      return { text: isFileData(file) && (await (await toFile(file)).text()) };
    });
    const app = express();
    app.use(express.raw({ type: "*/*" }), toExpressHandler(upload));
    const body = `${startOfUpload("fits")}content${endOfUpload}`;
    const { text } = await postTo(
      app,
      "/rpc/Files/Upload",
      body,
      uploadHeaders,
    );
    expect(text).toBe('{"text":"content"}');
  });

  it("reports that another parser has read an upload", async () => {
    const app = express();
    app.use(express.raw({ type: "*/*" }), (request, _response, next) => {
      request.body = { title: "fits" };
      next();
    });
    app.use(toExpressHandler(createUploads(() => ({}), { onError: () => {} })));
    const path = "/rpc/Files/Upload";
    const { text } = await postTo(app, path, "--b--", uploadHeaders);
    expect(text).toContain("in front of body parsers");
  });

  it("reads a body that express.json() has skipped", async () => {
    const app = express();
    app.use(express.json({ type: "application/other" }));
    app.use(toExpressHandler(createSampleServer()));
    expect((await postTo(app, "/rpc/API/Echo")).text).toBe('{"a":1}');
  });
});

/** Replaces a body by the same bytes of another realm, such as that of a test. */
function toOtherRealm(
  request: express.Request,
  _response: unknown,
  next: () => void,
): void {
  const { body } = request;
  request.body = runInNewContext("Uint8Array.from(body)", { body });
  next();
}

describe("Fastify", () => {
  it("rejects a prefix with a parameter", async () => {
    const app = fastify();
    const plugin = toFastifyPlugin(createSampleServer());
    const registering = app.register(plugin, { prefix: "/:tenant/rpc" });
    await expect(registering).rejects.toThrow(
      'expected a prefix without parameters, got "/:tenant/rpc"',
    );
  });

  it("does not affect the application's own routes and parsers", async () => {
    const app = fastify();
    app.post("/own", (request) => ({ own: request.body }));
    await app.register(toFastifyPlugin(createSampleServer()));
    const own = await app.inject({
      method: "POST",
      url: "/own",
      payload: { b: 2 },
    });
    expect(own.json()).toEqual({ own: { b: 2 } });
    const plain = await app.inject({
      method: "POST",
      url: "/own",
      payload: "x",
      headers: { "content-type": "application/x-unknown" },
    });
    expect(plain.statusCode).toBe(415);
    const ours = await app.inject({
      method: "POST",
      url: "/rpc/API/Echo?x=1",
      payload: { a: 1 },
    });
    expect([ours.headers["content-type"], ours.json()]).toEqual([
      expect.stringMatching(/^application\/json/u),
      { a: 1 },
    ]);
  });

  it("removes the prefix from paths", async () => {
    const app = fastify();
    const plugin = toFastifyPlugin(createSampleServer());
    await app.register(plugin, { prefix: "/backend" });
    const send = (url: string) =>
      app.inject({ method: "POST", url, payload: { a: 1 } });
    expect((await send("/backend/rpc/API/Echo")).json()).toEqual({ a: 1 });
    expect((await send("/backend/rpc/API/Pong")).json()).toMatchObject({
      error: "WebrpcBadRoute",
      cause: "there is no method at POST /rpc/API/Pong",
    });
    expect((await send("/rpc/API/Echo")).statusCode).toBe(404);
    expect((await send("/rpc/API/Echo")).body).not.toContain("Webrpc");
  });

  it("can be registered at the server's own base path, next to another catch-all", async () => {
    const app = fastify();
    app.get("/*", () => "page");
    const plugin = toFastifyPlugin(createSampleServer());
    await app.register(plugin, { prefix: "/rpc" });
    const url = "/rpc/API/Echo";
    const ours = await app.inject({ method: "POST", url, payload: { a: 1 } });
    expect(ours.json()).toEqual({ a: 1 });
    expect((await app.inject({ url: "/about" })).body).toBe("page");
  });

  it("runs the application's hooks", async () => {
    const app = fastify();
    app.addHook("onSend", (_request, reply, payload, done) => {
      void reply.header("x-hook", "ran");
      done(null, payload);
    });
    await app.register(toFastifyPlugin(createSampleServer()));
    const answer = await app.inject({ method: "POST", url: "/rpc/API/Ping" });
    expect([answer.statusCode, answer.headers["x-hook"]]).toEqual([200, "ran"]);
  });

  it.each(["", "/v2"])(
    "leaves preflight requests below %j to the application",
    async (prefix) => {
      const app = fastify();
      app.options(`${prefix}/*`, (_request, reply) => reply.send("cors"));
      const plugin = toFastifyPlugin(createSampleServer());
      await app.register(plugin, { prefix });
      const url = `${prefix}/rpc/API/Ping`;
      const preflight = await app.inject({ method: "OPTIONS", url });
      expect(preflight.body).toBe("cors");
      const answer = await app.inject({ method: "POST", url });
      expect(answer.statusCode).toBe(200);
    },
  );

  it("lets a hook in the application reject a request", async () => {
    const app = fastify();
    app.addHook("onRequest", () => Promise.reject(new Error("not today")));
    await app.register(toFastifyPlugin(createSampleServer()));
    const answer = await app.inject({ method: "POST", url: "/rpc/API/Ping" });
    expect([answer.statusCode, answer.body]).toEqual([
      500,
      expect.stringContaining("not today"),
    ]);
  });

  it("notifies HTTP/2 clients of a broken stream", async () => {
    const app = fastify({ http2: true });
    const pieces = ["first", "second"];
    const take = (): string => {
      const piece = pieces.shift();
      if (piece === undefined) throw new Error("the source is gone");
      return piece;
    };
    const answer = { status: 200, headers: {}, body: "" };
    const handle = () =>
      Promise.resolve({ ...answer, stream: { take, cancel() {} } });
    await app.register(toFastifyPlugin({ ...createSampleServer(), handle }));
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    const session = connectHttp2(url);
    const stream = session.request({ ":path": "/" });
    await expect(stream.toArray()).rejects.toThrow("INTERNAL_ERROR");
    session.destroy();
    await app.close();
  });
});

describe("Hono", () => {
  const echo = { method: "POST", headers: json, body: '{"a":1}' };

  it("runs next to other routes", async () => {
    const app = new Hono();
    app.get("/own", (context) => context.text("own"));
    app.all("/rpc/*", toHonoHandler(createSampleServer()));
    expect(await (await app.request("/own")).text()).toBe("own");
    const ours = await app.request("/rpc/API/Echo", echo);
    expect(await ours.json()).toEqual({ a: 1 });
  });

  it("mounts the fetch handler below a path and removes the path from requests", async () => {
    const app = new Hono();
    app.mount("/backend", createSampleServer().fetch);
    const ours = await app.request("/backend/rpc/API/Echo", echo);
    expect(await ours.json()).toEqual({ a: 1 });
  });

  it("sends headers that middleware has set", async () => {
    const app = new Hono();
    app.use(async (context, next) => {
      context.header("content-type", "text/plain");
      context.header("x-request-id", "7");
      context.header("set-cookie", "a=1", { append: true });
      context.header("set-cookie", "b=2", { append: true });
      await next();
      context.header("set-cookie", "c=3", { append: true });
    });
    app.all("/*", toHonoHandler(createSampleServer()));
    const { headers } = await app.request("/rpc/API/Echo", echo);
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("x-request-id")).toBe("7");
    expect(headers.getSetCookie()).toEqual(["a=1", "b=2", "c=3"]);
  });

  it("uses a body that middleware has read", async () => {
    const app = new Hono();
    app.use(async (context, next) => {
      expect(await context.req.json()).toEqual({ a: 1 });
      await next();
    });
    app.all("/*", toHonoHandler(createSampleServer()));
    const ours = await app.request("/rpc/API/Echo", echo);
    expect(await ours.json()).toEqual({ a: 1 });
  });

  const upload = {
    method: "POST",
    headers: uploadHeaders,
    body: `${startOfUpload("fits")}content${endOfUpload}`,
  };

  it.each([
    ["uses the bytes of a form that parseBody() has read", "parseBody", 200],
    ["reports that formData() has read a form", "formData", 500],
  ] as const)("%s", async (_, read, status) => {
    const app = new Hono();
    app.use(async ({ req }, next) => {
      await req[read]();
      await next();
    });
    const options = { onError: () => {} };
    app.all("/*", toHonoHandler(createUploads(() => ({}), options)));
    const answer = await app.request("/rpc/Files/Upload", upload);
    expect([answer.status, await answer.text()]).toEqual([
      status,
      status === 200 ? "{}" : expect.stringContaining("front of body parsers"),
    ]);
  });

  it("reports integers that the parser of an old version may have rounded", async () => {
    const app = new Hono();
    app.use(async ({ req }, next) => {
      req.bodyCache = { json: req.raw.json() };
      await next();
    });
    const onError = (): void => {};
    app.all("/*", toHonoHandler(createSampleServer({ onError })));
    const send = (body: string) =>
      app.request("/rpc/API/Echo", { ...echo, body });
    expect(await (await send('{"a":1}')).json()).toEqual({ a: 1 });
    expect((await send('{"a":9007199254740993}')).status).toBe(500);
  });
});

describe("fetch", () => {
  it("gives hosts headers to which they can add their own", async () => {
    // @hono/node-server 1 does this.
    let count = 0;
    class HostResponse extends Response {
      constructor(body: BodyInit | null, init: ResponseInit) {
        const headers: object = init.headers ?? {};
        expect(headers).not.toHaveProperty("x-count");
        Object.assign(headers, { "x-count": String((count += 1)) });
        super(body, init);
      }
    }
    vi.stubGlobal("Response", HostResponse);
    const server = createSampleServer();
    const paths = ["Echo", "Echo", "Nothing", "Nothing"];
    for (const path of paths) {
      const request = new Request(`http://host/rpc/API/${path}`, {
        method: "POST",
        headers: json,
        body: "{}",
      });
      const { headers } = await server.fetch(request);
      expect(headers.get("x-count")).toBe(String(count));
    }
    vi.unstubAllGlobals();
    expect(count).toBe(paths.length);
  });
});
