import { describe, expect, it } from "vitest";
import { callTransfer } from "../../../runtime/typescript/client/transfer.js";
import { call, type Fetch } from "../../../runtime/typescript/client/client.js";
import { openStream } from "../../../runtime/typescript/client/stream.js";
import {
  form,
  get,
  rest,
  rpc,
} from "../../../runtime/typescript/codegen/create-client.js";
import { stream } from "../../../runtime/typescript/codegen/create-streams.js";
import { download } from "../../../runtime/typescript/codegen/create-transfers.js";
import { eventStream } from "../../../runtime/typescript/codegen/event-stream.js";

const item = rest("GET", "/items/{id}", { query: { limit: "limit" } });

/** Records the header of each request. */
function recorder(): { asked: (string | null)[]; fetch: Fetch } {
  const asked: (string | null)[] = [];
  const fetch: Fetch = (_, { headers }) => {
    asked.push(new Headers(headers).get("accept"));
    const type = { "content-type": "text/event-stream" };
    return Promise.resolve(new Response("{}\n\n", { headers: type }));
  };
  return { asked, fetch };
}

/** A server that negotiates, and prefers the first of its types. */
function negotiating(types: readonly string[]): Fetch {
  return (_, { headers }) => {
    const ranges = (new Headers(headers).get("accept") ?? "*/*")
      .split(",")
      .map((range) => range.trim().split(";q="));
    const qualityOf = (type: string): number => {
      const [, quality = "1"] = ranges.find(([each]) => each === type) ??
        ranges.find(([each]) => each === "*/*") ?? ["", "0"];
      return Number(quality);
    };
    const [best = ""] = types.toSorted((a, b) => qualityOf(b) - qualityOf(a));
    const body = best.endsWith("json") ? '{"id":1}' : "<item/>";
    return Promise.resolve(
      qualityOf(best) === 0
        ? new Response("", { status: 406 })
        : new Response(body, { headers: { "content-type": best } }),
    );
  };
}

describe("the header Accept", () => {
  it.each([
    ["XML", ["application/xml", "application/json"]],
    ["HAL", ["application/hal+json", "application/xml"]],
    ["problems", ["application/problem+json"]],
  ])("gets JSON from a server that prefers %s", async (_, types) => {
    const options = { baseUrl: "", fetch: negotiating(types) };
    expect(await call(options, item, { id: "1" })).toEqual({ id: 1 });
    // The server of this test would refuse a client that only reads JSON.
    const strict = { ...options, headers: { accept: "text/plain" } };
    await expect(call(strict, item, { id: "1" })).rejects.toThrow();
  });

  it("is sent by every method with an address that responds with JSON", async () => {
    const { asked, fetch } = recorder();
    const options = { baseUrl: "", fetch };
    const save = rest("PUT", "/items/{id}", { requestBody: true });
    const search = form("POST", "/search", { requestBody: true });
    for (const each of [item, get("/plain/{id}"), save, search]) {
      await call(options, each, { id: "1" });
    }
    expect(new Set(asked)).toEqual(new Set(["application/json, */*;q=0.1"]));
    expect(asked).toHaveLength(4);
  });

  it("allows browsers to send a read without permission", async () => {
    const { asked, fetch } = recorder();
    await call({ baseUrl: "", fetch }, item, { id: "1" });
    // https://fetch.spec.whatwg.org/#cors-safelisted-request-header
    expect(asked[0]).toMatch(
      /^[^\0-\x08\x0A-\x1F"():<>?@[\\\]{}\x7F]{1,128}$/u,
    );
  });

  it("is the one in the headers of the caller", async () => {
    const { asked, fetch } = recorder();
    const options = { baseUrl: "", fetch, headers: { Accept: "text/x" } };
    await call(options, item, { id: "1" });
    const own = { headers: new Headers({ ACCEPT: "application/x+json" }) };
    await call(options, item, { id: "1" }, own);
    expect(asked).toEqual(["text/x", "application/x+json"]);
  });

  // Without the end, a lost stream would look complete.
  it.each([
    ["events", eventStream(get("/events"))],
    ["lines", stream("/rpc/A/B")],
  ])("asks for the end of %s in place of the caller's", async (_, method) => {
    const { asked, fetch } = recorder();
    const headers = { Accept: "application/json" };
    const options = { baseUrl: "", fetch, headers };
    const open = async (): Promise<void> => {
      for await (const _ of openStream(options, method, {}, { headers }))
        throw Error("no item");
    };
    await open().catch(() => {});
    expect(asked).toEqual([expect.stringContaining(";end=1")]);
  });

  it("asks for events, for files of any type, and for nothing in calls", async () => {
    const { asked, fetch } = recorder();
    const options = { baseUrl: "", fetch };
    const events = eventStream(get("/events"));
    for await (const _ of openStream(options, events)) throw Error("no event");
    await callTransfer(options, download(get("/files/{id}"), "file"), {
      id: "1",
    });
    await call(options, rpc("/rpc/A/B"));
    expect(asked).toEqual([
      "text/event-stream, text/event-stream;end=1",
      "*/*",
      null,
    ]);
  });
});
