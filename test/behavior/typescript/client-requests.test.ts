import { describe, expect, it } from "vitest";
import { fillParameters } from "../../../runtime/typescript/client/address.js";
import { address } from "../../../runtime/typescript/client/address.js";
import {
  call,
  connect,
  type CallOptions,
  type ClientMethod,
  type ClientOptions,
} from "../../../runtime/typescript/client/client.js";
import {
  createClient,
  createSender,
  get,
  rpc,
  webhook,
  type MethodCredential,
} from "../../../runtime/typescript/codegen/create-client.js";
import type { RpcError } from "../../../runtime/typescript/wire/errors.js";
import { startServer } from "./local-server.js";

const accessKey: MethodCredential = ["accessKey", "x-access-key"];
const secret: MethodCredential = ["secret", "authorization", "Bearer "];
const open: ClientMethod<{}, {}, RpcError> = rpc("/rpc/API/Open");
const keyed: ClientMethod<{}, {}, RpcError> = rpc("/rpc/API/Keyed", {
  credentials: [accessKey],
});
const both: ClientMethod<{}, {}, RpcError> = rpc("/rpc/API/Both", {
  credentials: [accessKey, secret],
});
const networked: ClientMethod<{}, {}, RpcError> = rpc("/{network}/rpc/M/Get", {
  fill: fillParameters,
});

interface Sent {
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** Returns the URL and headers that one call passes to `fetch`. */
async function sentBy(
  options: Partial<ClientOptions>,
  method: ClientMethod<{}, {}, RpcError>,
  callOptions: CallOptions = {},
): Promise<Sent> {
  const sent: Sent[] = [];
  const fetch = (url: string, init: RequestInit) => {
    sent.push({ url, headers: Object.fromEntries(new Headers(init.headers)) });
    return Promise.resolve(new Response("{}"));
  };
  const all = { baseUrl: "http://host", fetch, ...options };
  await connect(all).call(method, {}, callOptions);
  expect(sent).toHaveLength(1);
  return sent[0] ?? { url: "", headers: {} };
}

const json = { "content-type": "application/json" };

describe("headers", () => {
  it("declare the body as JSON, and contain nothing else", async () => {
    expect((await sentBy({}, open)).headers).toEqual(json);
  });

  it.each([
    ["an object", { "X-A": "1", "x-b": "2" }],
    ["Headers", new Headers({ "X-A": "1", "x-b": "2" })],
    [
      "pairs",
      [
        ["X-A", "1"],
        ["x-b", "2"],
      ] as [string, string][],
    ],
    ["a function", () => ({ "X-A": "1", "x-b": "2" })],
    ["an async function", async () => new Headers({ "X-A": "1", "x-b": "2" })],
  ])("are accepted as %s from the client and the call", async (_, headers) => {
    const expected = { ...json, "x-a": "1", "x-b": "2" };
    expect((await sentBy({ headers }, open)).headers).toEqual(expected);
    expect((await sentBy({}, open, { headers })).headers).toEqual(expected);
  });

  it("are merged regardless of case, and those of the call take precedence", async () => {
    const { headers } = await sentBy(
      {
        headers: new Headers({ "X-A": "client", "X-B": "client" }),
        credentials: { accessKey: "key" },
      },
      keyed,
      { headers: { "x-a": "call", "CONTENT-TYPE": "application/json; a=b" } },
    );
    expect(headers).toEqual({
      "content-type": "application/json; a=b",
      "x-a": "call",
      "x-b": "client",
      "x-access-key": "key",
    });
  });

  it("may replace a credential", async () => {
    const { headers } = await sentBy(
      { credentials: { accessKey: "key" } },
      keyed,
      { headers: { "x-ACCESS-key": "other" } },
    );
    expect(headers["x-access-key"]).toBe("other");
  });

  it("are not changed in the caller's object", async () => {
    const headers = new Headers({ "x-a": "1" });
    await sentBy({ headers }, both, { headers: { "x-a": "2" } });
    expect([...headers]).toEqual([["x-a", "1"]]);
  });
});

describe("credentials", () => {
  it("are omitted if the client has none", async () => {
    for (const given of [{}, { accessKey: "" }, { secret: () => "" }]) {
      const { headers } = await sentBy({ credentials: given }, both);
      expect(headers).toEqual(json);
    }
    expect((await sentBy({}, both)).headers).toEqual(json);
  });

  it("are requested for each call, but only if needed", async () => {
    let asked = 0;
    const given = { accessKey: () => `key${(asked += 1)}` };
    await sentBy({ credentials: given }, open);
    expect(asked).toBe(0);
    await sentBy({ credentials: given }, keyed);
    const { headers } = await sentBy({ credentials: given }, keyed);
    expect(headers["x-access-key"]).toBe("key2");
  });

  it("fail the call with their own error if they are unavailable", async () => {
    const broken = new Error("no token");
    const given = { accessKey: () => Promise.reject(broken) };
    const options = { baseUrl: "http://host", credentials: given };
    await expect(connect(options).result(keyed)).rejects.toBe(broken);
  });
});

describe("addresses", () => {
  it.each(["http://host", "http://host/", "http://host///"])(
    "start with %s",
    async (baseUrl) => {
      const { url } = await sentBy({ baseUrl }, open);
      expect(url).toBe("http://host/rpc/API/Open");
    },
  );

  it("are filled with the client's and the call's parameters", async () => {
    const options = {
      baseUrl: address("https://{network}-{zone}.example.com/{zone}/"),
      parameters: { network: "mainnet", zone: "eu" },
    };
    expect((await sentBy(options, networked)).url).toBe(
      "https://mainnet-eu.example.com/eu/mainnet/rpc/M/Get",
    );
    const parameters = { network: "base" };
    expect((await sentBy(options, networked, { parameters })).url).toBe(
      "https://base-eu.example.com/eu/base/rpc/M/Get",
    );
  });

  it("contain percent-encoded parameters", async () => {
    const parameters = { network: "a/../b?c#d é{zone}" };
    const { url } = await sentBy({ parameters }, networked);
    expect(url).toBe(
      "http://host/a%2F..%2Fb%3Fc%23d%20%C3%A9%7Bzone%7D/rpc/M/Get",
    );
  });

  it.each([{}, { network: "" }, { network: "." }, { network: ".." }])(
    "are rejected before anything is sent with the parameters %j",
    async (parameters) => {
      let isSent = false;
      const fetch = () => {
        isSent = true;
        return Promise.resolve(new Response("{}"));
      };
      const options = { baseUrl: "http://host", fetch, parameters };
      const failure = expect(call(options, networked)).rejects;
      await failure.toThrow(TypeError);
      await expect(call(options, networked)).rejects.toThrow(/network/);
      expect(isSent).toBe(false);
    },
  );

  it("ignore inherited properties", async () => {
    for (const name of ["constructor", "toString", "__proto__"]) {
      const method: ClientMethod<{}, {}, RpcError> = rpc(`/{${name}}/x`, {
        fill: fillParameters,
      });
      const read: ClientMethod<{}, {}, RpcError> = get(`/{${name}}/x`);
      const options = { baseUrl: "http://host" };
      await expect(call(options, method)).rejects.toThrow(TypeError);
      await expect(call(options, read)).rejects.toThrow(TypeError);
      const parameters = Object.fromEntries([[name, "own"]]);
      const { url } = await sentBy({ parameters }, method);
      expect(url).toBe("http://host/own/x");
    }
  });
});

describe("the global fetch", () => {
  it("is looked up for each call", async () => {
    const original = globalThis.fetch;
    const connection = connect({ baseUrl: "http://host" });
    try {
      globalThis.fetch = () => Promise.resolve(new Response('{"x":1}'));
      expect(await connection.call(open)).toEqual({ x: 1 });
    } finally {
      globalThis.fetch = original;
    }
  });
});

const notify: ClientMethod<{}, void, RpcError> = webhook();

describe("a redirect", () => {
  it.each([301, 302, 307, 308])(
    "is a failure with the status %d",
    async (status) => {
      const elsewhere = await startServer((response) => response.end("{}"));
      const server = await startServer((response) => {
        response.writeHead(status, {
          location: `${elsewhere.url}/rpc/API/Keyed`,
        });
        response.end();
      });
      const credentials = { accessKey: "key" };
      const failure = { ok: false, error: { reason: "bad-response", status } };
      const client = createClient(
        { baseUrl: server.url, ...{ credentials } },
        { keyed },
      );
      expect(await client.keyed.result()).toMatchObject(failure);
      const sender = createSender({}, { notify });
      const sent = await sender.notify.result(server.url, {});
      expect(sent).toMatchObject(failure);
      // Neither the key nor the message was forwarded.
      expect(elsewhere.seen).toEqual([]);
      await Promise.all([server.close(), elsewhere.close()]);
    },
  );
});
