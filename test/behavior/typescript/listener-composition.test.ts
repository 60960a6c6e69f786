import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { toHonoHandler } from "../../../runtime/typescript/hosts/hono.js";
import type { FetchHandler } from "../../../runtime/typescript/hosts/node/node-listener.js";
import { serve } from "./listener-server.js";
import { createSampleServer } from "./sample-server.js";

describe("a generated server next to other handlers", () => {
  const echo = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"a":1}',
  };
  const server = createSampleServer();

  async function ask(
    handler: FetchHandler,
    path = "/rpc/API/Echo",
  ): Promise<readonly [number, string, string | null]> {
    const { url } = await serve(handler);
    const answer = await fetch(url + path, echo);
    const { headers, status } = answer;
    return [status, await answer.text(), headers.get("x-a")];
  }

  it("answers known paths", async () => {
    const handler: FetchHandler = (request) =>
      server.matches(request.url)
        ? server.fetch(request)
        : new Response("another", { headers: { "x-a": "b" } });
    expect(await ask(handler)).toEqual([200, '{"a":1}', null]);
    expect(await ask(handler, "/x")).toEqual([200, "another", "b"]);
  });

  it("passes unknown paths to other handlers", async () => {
    const handler: FetchHandler = async (request) => {
      const answer = await server.fetch(request);
      return answer.status === 404
        ? new Response(await request.text())
        : answer;
    };
    expect(await ask(handler, "/x")).toEqual([200, '{"a":1}', null]);
  });

  it.each<[string, FetchHandler, unknown]>([
    [
      "changed",
      async (request) => {
        const answer = await server.fetch(request);
        answer.headers.set("x-a", String(answer.ok));
        return answer;
      },
      [200, '{"a":1}', "true"],
    ],
    [
      "rebuilt",
      async (request) => {
        const answer = await server.fetch(request);
        const headers = { "x-a": answer.statusText };
        return new Response(answer.body, { ...answer, headers });
      },
      [200, '{"a":1}', ""],
    ],
    [
      "read by a clone",
      async (request) => {
        const answer = await server.fetch(request);
        const copy = await answer.clone().json();
        expect([copy, answer.bodyUsed]).toEqual([{ a: 1 }, false]);
        expect(answer).toBeInstanceOf(Response);
        return answer;
      },
      [200, '{"a":1}', null],
    ],
  ])("can have its response %s", async (_, handler, wanted) => {
    expect(await ask(handler)).toEqual(wanted);
  });

  it("keeps headers that another handler has set", async () => {
    const own = createSampleServer({
      createState: (facts) => ({ caller: facts.header("x-caller") }),
      observe: (request) => () => seen.push(request.header("x-caller")),
    });
    const seen: unknown[] = [];
    await ask((request) => {
      request.headers.set("x-caller", "me");
      return own.fetch(request);
    });
    expect(seen).toEqual(["me"]);
  });

  it.each([
    ["a copy of a request", (request: Request) => request.clone()],
    [
      "a request that has been copied",
      (request: Request) => (request.clone(), request),
    ],
    ["a request created from it", (r: Request) => new Request(r.url, r)],
  ])("accepts %s", async (_, change) => {
    const handler: FetchHandler = (request) => server.fetch(change(request));
    expect(await ask(handler)).toEqual([200, '{"a":1}', null]);
  });

  it("runs in a Hono application", async () => {
    const app = new Hono();
    app.use("/rpc/*", async (context, next) => {
      await next();
      context.header("x-a", "hono");
    });
    app.all("/rpc/*", toHonoHandler(server));
    app.mount("/mounted", server.fetch);
    app.post("/own", async (context) => context.json(await context.req.json()));
    app.use("/read/*", async (context, next) => {
      context.header("x-a", "before");
      await context.req.json();
      await next();
    });
    app.all("/read/*", toHonoHandler(server));
    const own: FetchHandler = (request) => app.fetch(request);
    expect(await ask(own)).toEqual([200, '{"a":1}', "hono"]);
    expect(await ask(own, "/mounted/rpc/API/Echo")).toEqual([
      200,
      '{"a":1}',
      null,
    ]);
    expect(await ask(own, "/own")).toEqual([200, '{"a":1}', null]);
    const [status, , header] = await ask(own, "/read/x");
    expect([status, header]).toEqual([404, "before"]);
  });
});
