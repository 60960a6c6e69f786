import { beforeAll, describe, expect, it } from "vitest";
import {
  composeServers,
  type RpcServer,
  type ServerRequest,
} from "../../../runtime/typescript/server/server.js";
import { importContract } from "../../support/import-contract.js";
import { createSampleServer } from "./sample-server.js";
import { exportedFunction, type Exports } from "../../support/run-emitted.js";

const ridl = `webrpc = v1
name = weather
version = v1.0.0
error 1 Unauthorized "unauthorized" HTTP 401
type ApiKey: string
  + query = api_key
  + error = Unauthorized
type Token: string
  + query = Token
  + error = Unauthorized
type Session: string
  + cookie = sid
  + error = Unauthorized
service Weather
  @http:"GET /stations/{id}?notify&sort=name"
  @auth:"?api_key"
  - GetStation(id: uint32, notify?: bool) => (id: uint32, notify?: bool)
  @readonly @auth:"?api_key,?Token"
  - ListStations(name?: string) => (name?: string)
  @http:"POST /stations 201"
  @auth:"?api_key"
  - AddStation(name: string) => (name: string)
  @http:"GET /me"
  @auth:"Cookie:sid"
  - GetMe() => (sid: string)
  @auth:"?api_key"
  - Watch(id: uint32) => stream (degrees: int32)
  - Open() => ()
`;

let emitted: Exports;
let server: RpcServer;
let seen: unknown[] = [];
let observed: ServerRequest[] = [];

beforeAll(async () => {
  emitted = await importContract(ridl);
  const verify = (value: unknown): boolean => {
    seen.push(value);
    return true;
  };
  server = exportedFunction(
    emitted,
    "createWeatherServer",
  )({
    handlers: {
      weather: {
        getStation: (request: object) => request,
        listStations: (request: object) => request,
        addStation: (request: object) => request,
        getMe: () => ({ sid: seen.at(-1) }),
        async *watch() {
          yield { degrees: 1 };
        },
        open: () => ({}),
      },
    },
    verifyApiKey: verify,
    verifyToken: verify,
    verifySession: verify,
    readsByGet: true,
    observe: (request: ServerRequest) => {
      observed.push(request);
    },
    methods: { "Weather/GetStation": { cacheControl: "max-age=60" } },
  }) as RpcServer;
});

async function ask(path: string, init: RequestInit = {}) {
  seen = [];
  observed = [];
  const response = await server.fetch(new Request(`http://a${path}`, init));
  return { response, status: response.status, text: await response.text() };
}

// Conformance shows on every host which credentials servers accept.
describe("a credential in the query", () => {
  it("is hidden from the server that refuses an unknown path", async () => {
    const targets: string[] = [];
    const observe = ({ target }: ServerRequest) => void targets.push(target);
    const all = composeServers(createSampleServer({ observe }), server);
    const unknown = new Request("http://a/rpc/Weather/None?api_key=secret1");
    expect((await all.fetch(unknown)).status).toBe(404);
    expect(targets).toEqual(["/rpc/Weather/None"]);
    const known = new Request("http://a/stations/7?api_key=secret1&sort=name");
    expect((await all.fetch(known)).status).toBe(200);
  });

  it("is not read from the fragment", async () => {
    const { status } = await ask("/stations/1#?api_key=k");
    expect([status, seen]).toEqual([401, []]);
  });

  it.each([
    ["of a request that succeeds", "/stations/1?notify=true&api_key=secret1"],
    ["of a request that fails", "/stations/x?api_key=secret1"],
    ["of an unknown path", "/nothing?api_key=secret1"],
    ["of a method without it", "/rpc/Weather/Open?api_key=secret1"],
  ])("is not in the target %s", async (_, path) => {
    const { text } = await ask(path);
    expect(text).not.toContain("secret1");
    expect(observed.length).toBe(1);
    expect(observed[0]?.target).not.toContain("secret1");
  });

  it("does not take part in a request that is read from the query", async () => {
    const request = encodeURIComponent('{"name":"x"}');
    const path = `/rpc/Weather/ListStations?request=${request}&api_key=k&Token=t`;
    const { response, text } = await ask(path);
    expect(text).toBe('{"name":"x"}');
    expect(seen).toEqual(["k", "t"]);
    expect(response.headers.get("cache-control")).toBe("private, no-cache");
    expect(response.headers.get("vary")).toBeNull();
  });

  it("keeps responses out of shared caches", async () => {
    const { response } = await ask("/stations/1?api_key=k");
    expect(response.headers.get("cache-control")).toBe("private, max-age=60");
  });
});

describe("a client", () => {
  let urls: string[] = [];
  let sent: RequestInit[] = [];

  function connect(credentials: object) {
    urls = [];
    sent = [];
    return Object(
      exportedFunction(
        emitted,
        "createWeatherClient",
      )({
        baseUrl: "http://a/",
        credentials,
        fetch: (url: string, init: RequestInit) => {
          urls.push(url);
          sent.push(init);
          return server.fetch(new Request(url, init));
        },
      }),
    );
  }

  it("adds keys to the query of every kind of call", async () => {
    const client = connect({ apiKey: "a&b é", token: () => "t" });
    const key = "api_key=a%26b%20%C3%A9";
    expect(await client.getStation({ id: 1, notify: true })).toEqual({
      id: 1,
      notify: true,
    });
    expect(await client.listStations({})).toEqual({});
    expect(await client.addStation({ name: "x" })).toEqual({ name: "x" });
    for await (const item of client.watch({ id: 1 })) {
      expect(item).toEqual({ degrees: 1 });
    }
    expect(urls).toEqual([
      `http://a/stations/1?notify=true&sort=name&${key}`,
      `http://a/rpc/Weather/ListStations?${key}&Token=t`,
      `http://a/stations?${key}`,
      `http://a/rpc/Weather/Watch?${key}`,
    ]);
    for (const { body, headers } of sent) {
      expect(JSON.stringify([body, headers])).not.toContain("a&b");
    }
  });

  it("sends a cookie", async () => {
    const client = connect({ session: "abc" });
    expect(await client.getMe()).toEqual({ sid: "abc" });
    expect(new Headers(sent[0]?.headers).get("cookie")).toBe("sid=abc");
  });

  it("sends nothing without a value", async () => {
    const client = connect({});
    await expect(client.getStation({ id: 1 })).rejects.toMatchObject({
      name: "Unauthorized",
    });
    expect(urls).toEqual(["http://a/stations/1?sort=name"]);
  });

  it("does not quote a key that is not text", async () => {
    const client = connect({ apiKey: "secret\ud800" });
    const error = await client
      .addStation({ name: "x" })
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toBe(
      "TypeError: parameter api_key has an unpaired surrogate",
    );
  });
});
