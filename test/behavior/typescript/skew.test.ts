import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, it, vi } from "vitest";
import {
  type ContractHistory,
  knowContracts,
} from "../../../runtime/typescript/codegen/know-contracts.js";
import { createServer } from "../../../runtime/typescript/codegen/create-server.js";
import { call } from "../../../runtime/typescript/client/client.js";
import {
  type ContractSkew,
  onSkew,
} from "../../../runtime/typescript/client/on-skew.js";
import { Refusal } from "../../../runtime/typescript/server/model/refusal.js";
import type { ClientMethod } from "../../../runtime/typescript/client/call.js";
import type { Outcome } from "../../../runtime/typescript/server/server.js";
import { createTelemetry } from "../../../runtime/typescript/server/opentelemetry.js";
import {
  isRecord,
  isString,
} from "../../../runtime/typescript/values/validation.js";
import type { Report } from "../../../runtime/typescript/values/validation.js";
import { builtInErrors } from "../../../runtime/typescript/wire/errors.js";
import { runtimeEntries } from "../../support/runtime-entries.js";
import { createTelemetryApi } from "./telemetry-api.js";

const now = "shop@v1.4.0;nowNOW";
const then = "shop@v1.3.0;oldOLD";

const isbn = {
  text: "requests now require `Shop.Buy.isbn`",
  since: "v1.4.0",
  isCertain: true,
  side: "request",
  places: [
    { at: "isbn", was: { type: "string", mayBeAbsent: true, mayBeNull: true } },
  ],
} as const;

const history: ContractHistory = {
  header: now,
  version: "v1.4.0",
  past: [
    {
      digest: "oldOLD",
      version: "v1.3.0",
      methods: {
        "Shop.Buy": [
          isbn,
          {
            text: "`Shop.Buy.number` was removed from responses",
            since: "v1.4.0",
            isCertain: true,
            side: "response",
          },
        ],
        "Shop.Rate": [
          {
            ...isbn,
            text: "fewer stars",
            places: [{ at: "list[].stars", was: { type: "unknown" } }],
          },
        ],
      },
      gone: [
        {
          verb: "PUT",
          path: "/books/{isbn}",
          text: "method `Shop.Put` was removed",
          since: "v1.4.0",
        },
      ],
    },
  ],
};

function checkBuy(value: unknown, report: Report): void {
  if (!isRecord(value)) return report.fail("an object", value);
  if (!isString(value["isbn"]))
    report.failAt("isbn", "a string", value["isbn"]);
  if (value["other"] !== undefined)
    report.failAt("other", "nothing", value["other"]);
}

function serve(outcomes: Outcome[] = []) {
  const skew = knowContracts(history);
  return createServer(
    {
      handlers: { shop: { buy: () => ({ id: 1 }) } },
      cors: { origins: "*" },
      observe: () => (outcome: Outcome) => void outcomes.push(outcome),
    } as object,
    [
      {
        service: "Shop",
        name: "Buy",
        handler: ["shop", "buy"],
        route: { kind: "rpc", path: "/rpc/Shop/Buy" },
        credentials: [],
        checkRequest: checkBuy,
        checkResponse: null,
        skew,
        validationError: builtInErrors.WebrpcBadRequest,
      },
    ],
  );
}

async function send(
  header: string | null,
  body: object,
  path = "/rpc/Shop/Buy",
  method = "POST",
) {
  const response = await serve().fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        ...(header !== null && { webrpc: header }),
      },
      body: JSON.stringify(body),
    }),
  );
  const { cause } = Object(await response.json());
  return { cause, told: response.headers.get("webrpc"), response };
}

const refused = "isbn: expected a string, got nothing";

describe("a server that knows earlier contracts", () => {
  it("names the change that explains a failure", async () => {
    const { cause, told } = await send(then, {});
    expect(cause).toBe(
      `${refused}; this client was made from v1.3.0; in v1.4.0: requests now require \`Shop.Buy.isbn\` (breaking)`,
    );
    expect(told).toBe(
      `${now};why@in%20v1.4.0%3A%20%60Shop.Buy.number%60%20was%20removed%20from%20responses%20(breaking)`,
    );
  });

  it("names no change if another field is wrong", async () => {
    const { cause } = await send(then, { isbn: "1", other: 1 });
    expect(cause).toBe(
      "other: expected nothing, got 1; this client was made from v1.3.0, and this server from v1.4.0",
    );
  });

  it("names no change if the old contract forbids the value, too", async () => {
    const { cause } = await send(then, { isbn: 7 });
    expect(cause).toBe(
      "isbn: expected a string, got 7; this client was made from v1.3.0, and this server from v1.4.0",
    );
  });

  it("names the removal of a method", async () => {
    const { cause } = await send(then, {}, "/books/123", "PUT");
    expect(cause).toBe(
      "there is no method at PUT /books/123; this client was made from v1.3.0; in v1.4.0: method `Shop.Put` was removed (breaking)",
    );
    const other = await send(then, {}, "/nothing", "PUT");
    expect(other.cause).toBe("there is no method at PUT /nothing");
  });

  it("says nothing to clients with the same contract, or with none", async () => {
    for (const header of [
      now,
      null,
      "webrpc@v0.22.1;gen-typescript@v0.16.3;shop@v1.3.0",
    ]) {
      const { cause, told } = await send(header, {});
      expect([cause, told]).toEqual([refused, null]);
    }
  });

  it("does not repeat what the header of an unknown contract contains", async () => {
    const { cause, told } = await send("evil@v9.9.9;evil00;<script>", {});
    expect(cause).toBe(
      `${refused}; this client was made from another contract than this server (v1.4.0)`,
    );
    expect(told).toBe(now);
  });

  it.each([
    `${then};${"x".repeat(2000)}`,
    "__proto__@constructor;__proto__",
    "shop;oldOLD",
    ";;;@@@",
    "",
  ])("ignores the header %s", async (header) => {
    const { cause, told } = await send(header, {});
    expect([cause, told]).toEqual([refused, null]);
  });

  it.each([429, 503])(
    "says nothing about a refusal with status %i",
    (status) => {
      const definition = { ...builtInErrors.WebrpcRequestFailed, status };
      const refusal = new Refusal(definition, "too many requests at once");
      const request = { header: () => then } as never;
      const method = { service: "Shop", name: "Buy" };
      const told = knowContracts(history).explain(refusal, request, method);
      expect(told).toBe(refusal);
    },
  );

  it("looks for the method only if the contracts differ", () => {
    const skew = knowContracts(history);
    const response = { status: 200, headers: {}, body: "{}" } as never;
    const methodOf = vi.fn(() => null);
    for (const header of [now, null, "evil@v9.9.9;evil00"])
      skew.tell(response, { header: () => header } as never, methodOf);
    expect(methodOf).not.toHaveBeenCalled();
    const request = { header: () => then, method: "POST" } as never;
    skew.tell(response, request, methodOf);
    expect(methodOf).toHaveBeenCalledOnce();
  });

  it("names a changed setting to clients with the same contract", () => {
    const change = { ...isbn, text: "larger", side: "response" } as const;
    const settings = { "Shop.Buy": [isbn, change], "Shop.Rate": [isbn] };
    const skew = knowContracts({ ...history, settings });
    const response = { status: 200, headers: {}, body: "{}" } as never;
    const told = (header: string | null, name: string): unknown => {
      const request = { header: () => header, method: "POST" } as never;
      const method = { service: "Shop", name };
      return skew.tell(response, request, () => method).headers["webrpc"];
    };
    const why = `${now};why@in%20v1.4.0%3A%20larger%20(breaking)`;
    expect(told(now, "Buy")).toBe(why);
    expect(told(null, "Buy")).toBeUndefined();
    expect(told(now, "Rate")).toBeUndefined();
    expect(told(then, "Buy")).toContain("removed");
  });

  it("exposes its header to pages of other origins", async () => {
    const { response } = await send(then, {});
    const exposed = response.headers.get("access-control-expose-headers");
    expect(exposed).toBe("Retry-After, Webrpc");
  });

  it("reports the reason and the version to observers", async () => {
    const outcomes: Outcome[] = [];
    const request = new Request("http://localhost/rpc/Shop/Buy", {
      method: "POST",
      headers: { "content-type": "application/json", webrpc: then },
      body: "{}",
    });
    await serve(outcomes).fetch(request);
    expect(outcomes[0]?.skew).toBe(
      "this client was made from v1.3.0; in v1.4.0: requests now require `Shop.Buy.isbn` (breaking)",
    );
  });
});

describe("the places of changes", () => {
  const rows = [
    { path: ["list", 3, "stars"], isNamed: true },
    { path: ["list", "stars"], isNamed: false },
    { path: ["list", 3, "stars", 0], isNamed: true },
    { path: ["stars"], isNamed: false },
  ];
  it.each(rows)("are compared with $path", ({ isNamed, path }) => {
    const failure = { path, expected: "a number", got: "9" };
    const refusal = new Refusal(builtInErrors.WebrpcBadRequest, "x", [failure]);
    const request = {
      header: () => then,
      method: "POST",
      target: "/",
    } as never;
    const told = knowContracts(history).explain(refusal, request, {
      service: "Shop",
      name: "Rate",
    });
    expect(
      told.cause?.includes("which may be the reason; in v1.4.0: fewer"),
    ).toBe(isNamed);
  });
});

const buy: ClientMethod = {
  path: "/rpc/Shop/Buy",
  use: [
    (next) => (sent) =>
      next({ ...sent, headers: [{ webrpc: then }, ...sent.headers] }),
  ],
};

function answer(body: string, headers: Record<string, string>) {
  return async () => new Response(body, { headers });
}

describe("onSkew", () => {
  it("adds the contracts to errors about responses that cannot be read", async () => {
    const seen: ContractSkew[] = [];
    const options = {
      baseUrl: "",
      fetch: answer("[]", { webrpc: `${now};why@in%20v1.4.0%3A%20x` }),
      use: [onSkew((skew) => void seen.push(skew))],
    };
    const error = await call(options, buy, {}).catch((thrown) => thrown);
    expect(error).toMatchObject({
      name: "WebrpcBadResponse",
      reason: "bad-response",
      status: 200,
      cause:
        "[]; the contracts differ: this client was made from v1.3.0, and the server from v1.4.0, which may be the reason; in v1.4.0: x",
    });
    expect(seen).toEqual([
      {
        clientVersion: "v1.3.0",
        serverVersion: "v1.4.0",
        change: "in v1.4.0: x",
        error,
      },
    ]);
  });

  it("reports successful calls, and leaves other errors alone", async () => {
    const seen: ContractSkew[] = [];
    const use = [onSkew((skew) => void seen.push(skew))];
    const fetch = answer("{}", { webrpc: now });
    await call({ baseUrl: "", fetch, use }, buy, {});
    expect(seen.map(({ error }) => error)).toEqual([null]);
    const fails = async () => Promise.reject(new Error("offline"));
    await expect(
      call({ baseUrl: "http://host", fetch: fails, use }, buy, {}),
    ).rejects.toMatchObject({ reason: "network" });
    expect(seen).toHaveLength(1);
  });

  it.each([
    {},
    { webrpc: then },
    { webrpc: "nonsense" },
    { webrpc: "x".repeat(9999) },
  ])("reports nothing for the header %o", async (headers) => {
    let count = 0;
    const use = [onSkew(() => (count += 1))];
    const fetch = answer("[]", headers);
    await expect(
      call({ baseUrl: "", fetch, use }, buy, {}),
    ).rejects.toMatchObject({ cause: "[]" });
    expect(count).toBe(0);
  });

  it("ignores a change that is not percent-encoded", async () => {
    const seen: ContractSkew[] = [];
    const use = [onSkew((skew) => void seen.push(skew))];
    const fetch = answer("{}", { webrpc: `${now};why@%zz` });
    await call({ baseUrl: "", fetch, use }, buy, {});
    expect(seen[0]?.change).toBeNull();
  });
});

describe("telemetry", () => {
  it.each([
    [then, "v1.3.0"],
    [now, "v1.4.0"],
    ["evil@v9.9.9;evil00;<script>", "unknown"],
  ])(
    "counts calls by the contract of the client: %s",
    async (header, version) => {
      const { api, spans } = createTelemetryApi();
      const { observe } = createTelemetry(api);
      const server = createServer(
        { handlers: { shop: { buy: () => ({}) } }, observe } as object,
        [
          {
            service: "Shop",
            name: "Buy",
            handler: ["shop", "buy"],
            route: { kind: "rpc", path: "/rpc/Shop/Buy" },
            credentials: [],
            checkRequest: checkBuy,
            checkResponse: null,
            skew: knowContracts(history),
            validationError: builtInErrors.WebrpcBadRequest,
          },
        ],
      );
      await server.fetch(
        new Request("http://localhost/rpc/Shop/Buy", {
          method: "POST",
          headers: { "content-type": "application/json", webrpc: header },
          body: "{}",
        }),
      );
      expect(spans[0]?.attributes["ridl.client.contract"]).toBe(version);
    },
  );
});

describe("a client that says which contract it has", () => {
  async function sizeOf(use: string): Promise<number> {
    const method = (name: string) =>
      `{ path: "/rpc/API/${name}"${use && ", use"} }`;
    const contents = `
      import { createClient } from "../../../runtime/typescript/codegen/create-client.ts";
      ${use}
      export const client = (options) => createClient(options, {
        getPrice: ${method("GetPrice")}, buy: ${method("Buy")}, sell: ${method("Sell")},
      });`;
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: import.meta.dirname, loader: "ts" },
      bundle: true,
      minify: true,
      format: "esm",
      target: "es2022",
      alias: runtimeEntries,
      write: false,
    });
    return gzipSync(outputFiles[0]?.text ?? "", { level: 9 }).length;
  }

  it("has at most 60 bytes more", async () => {
    const more = await sizeOf(
      `const contract = "shop@v1.3.0;aB3_x9";
       const sendContract = (next) => (call) => next({ ...call, headers: [{ webrpc: contract }, ...call.headers] });
       const use = [sendContract];`,
    );
    const difference = more - (await sizeOf(""));
    expect(difference).toBeGreaterThan(20);
    expect(difference).toBeLessThanOrEqual(60);
  });
});
