import { beforeAll, describe, expect, it } from "vitest";
import type {
  RpcServer,
  ServerRequest,
} from "../../../runtime/typescript/server/server.js";
import { importContract } from "../../support/import-contract.js";
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
type Team: string
  + header = X-Team
  + error = Unauthorized
type Member: string
  + header = X-Member
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
  @http:"POST /stations/{id}/ping"
  @auth:"Cookie:sid"
  - Ping(id: uint32) => ()
  @http:"GET /me"
  @auth:"Cookie:sid"
  - GetMe() => (sid: string)
  @auth:"?api_key"
  - Watch(id: uint32) => stream (degrees: int32)
  - Open() => ()
  @http:"POST /teams/{id}/join"
  @auth:"X-Team,X-Member|Cookie:sid|?api_key"
  - Join(id: uint32) => ()
`;

let emitted: Exports;
let server: RpcServer;
let seen: unknown[] = [];
let observed: ServerRequest[] = [];

beforeAll(async () => {
  emitted = await importContract(ridl);
  const verify = (value: unknown): boolean => {
    seen.push(value);
    return value !== "wrong";
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
        ping: () => ({}),
        getMe: () => ({ sid: seen.at(-1) }),
        async *watch() {
          yield { degrees: 1 };
        },
        open: () => ({}),
        join: () => ({}),
      },
    },
    verifyApiKey: verify,
    verifyToken: verify,
    verifySession: verify,
    verifyTeam: verify,
    verifyMember: verify,
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

describe("a credential in the query", () => {
  it.each([
    ["after the fields", "/stations/1?notify=true&api_key=k"],
    ["before the fields", "/stations/1?api_key=k&notify=true"],
    ["with encoded letters", "/stations/1?%61pi%5Fkey=%6B&notify=true"],
  ])("is read %s", async (_, path) => {
    const { status, text } = await ask(path);
    expect(text).toBe('{"id":1,"notify":true}');
    expect(status).toBe(200);
    expect(seen).toEqual(["k"]);
  });

  it("is decoded as the fields are", async () => {
    await ask("/stations/1?api_key=a+b%26c%3D%C3%A9=");
    expect(seen).toEqual(["a b&c=é="]);
  });

  it.each([
    ["missing", "/stations/1"],
    ["empty", "/stations/1?api_key="],
    ["given without a value", "/stations/1?api_key"],
    ["given twice", "/stations/1?api_key=k&api_key=k"],
    [
      "given twice with different spellings",
      "/stations/1?api_key=k&api%5fkey=k",
    ],
    ["not UTF-8", "/stations/1?api_key=%ff"],
    ["in another case", "/stations/1?API_KEY=k"],
    ["in the fragment", "/stations/1#?api_key=k"],
  ])("is rejected if it is %s", async (_, path) => {
    const { response, status, text } = await ask(path);
    expect(status).toBe(401);
    expect(JSON.parse(text)).toMatchObject({
      error: "Unauthorized",
      cause:
        "query parameter api_key: expected one credential, got none or several",
    });
    expect(response.headers.get("www-authenticate")).toBe(
      'ApiKey query="api_key"',
    );
    expect(seen).toEqual([]);
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

describe("a credential in a cookie", () => {
  it.each([
    ["alone", "sid=abc", "abc"],
    ["among others", "theme=dark; sid=abc;lang=en", "abc"],
    ["with quotes", 'sid="a b"', '"a b"'],
    ["with an equals sign", "sid=a=b==", "a=b=="],
    ["with percent-encoding", "sid=s%3Aabc", "s%3Aabc"],
  ])("is read %s", async (_, cookie, value) => {
    const { status, response } = await ask("/me", { headers: { cookie } });
    expect(status).toBe(200);
    expect(seen).toEqual([value]);
    expect(response.headers.get("vary")).toBe("Cookie");
    expect(response.headers.get("cache-control")).toBe("private, no-cache");
  });

  it.each([
    ["missing", "theme=dark"],
    ["empty", "sid="],
    ["without a value", "sid"],
    ["in another case", "SID=abc"],
    ["given twice", "sid=a; sid=b"],
    ["part of another", "xsid=abc; sid.x=1"],
  ])("is rejected if it is %s", async (_, cookie) => {
    const { response, status, text } = await ask("/me", {
      headers: { cookie },
    });
    expect(status).toBe(401);
    expect(JSON.parse(text)).toMatchObject({
      cause: "cookie sid: expected one credential, got none or several",
    });
    expect(response.headers.get("www-authenticate")).toBe(
      'ApiKey cookie="sid"',
    );
  });

  it("does not authorize a request of a page of another site", async () => {
    const headers = { cookie: "sid=abc", "sec-fetch-site": "cross-site" };
    const foreign = await ask("/stations/1/ping", { method: "POST", headers });
    expect(foreign.status).toBe(415);
    const own = await ask("/stations/1/ping", {
      method: "POST",
      headers: { ...headers, "sec-fetch-site": "same-origin" },
    });
    expect(own.status).toBe(200);
  });
});

describe("alternatives", () => {
  async function join(
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    const all = await ask(`/teams/1/join${path}`, { method: "POST", headers });
    return { ...all, seen };
  }

  it.each([
    ["the first", "", { "x-team": "t", "x-member": "m" }, ["t", "m"]],
    ["the second", "", { cookie: "sid=s" }, ["s"]],
    ["the last", "?api_key=k", {}, ["k"]],
    [
      "the first of several",
      "?api_key=k",
      { "x-team": "t", "x-member": "m", cookie: "sid=s" },
      ["t", "m"],
    ],
    [
      "a complete one beside an incomplete one",
      "?api_key=k",
      { "x-team": "t" },
      ["k"],
    ],
  ])("verify %s", async (_, path, headers, values) => {
    const given: Readonly<Record<string, string>> = Object.fromEntries(
      Object.entries(headers),
    );
    expect(await join(path, given)).toMatchObject({
      status: 200,
      seen: values,
    });
  });

  it("do not accept another one if the first is rejected", async () => {
    const headers = { "x-team": "t", "x-member": "wrong" };
    expect(await join("?api_key=k", headers)).toMatchObject({
      status: 401,
      seen: ["t", "wrong"],
    });
  });

  it("name the first one if there is none", async () => {
    const { response, status, text } = await join("", { "x-team": "t" });
    expect(status).toBe(401);
    expect(text).toContain("header X-Member: expected a credential");
    expect(response.headers.get("www-authenticate")).toBe(
      'ApiKey header="X-Team", ApiKey header="X-Member", ApiKey cookie="sid", ApiKey query="api_key"',
    );
  });

  it("keep the wall before cookies, but not before keys", async () => {
    const foreign = { "sec-fetch-site": "cross-site" };
    const byCookie = await join("", { ...foreign, cookie: "sid=s" });
    expect(byCookie.status).toBe(415);
    const both = await join("?api_key=k", { ...foreign, cookie: "sid=s" });
    expect(both.status).toBe(415);
    const byKey = await join("?api_key=k", foreign);
    expect(byKey.status).toBe(200);
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
