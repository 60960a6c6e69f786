import { beforeAll, describe, expect, it } from "vitest";
import type { RpcServer } from "../../../runtime/typescript/server/server.js";
import { importContract } from "../../support/import-contract.js";
import { exportedFunction, type Exports } from "../../support/run-emitted.js";

const ridl = `webrpc = v1
name = lost
version = v1.0.0

struct Note
  - at: timestamp
  - data?: any
  - names?: map<string,string>
  - all?: []timestamp

service Notes
  - Write(note: Note) => (note: Note)
  @http:"PUT /notes/{id}"
  - Put(id: string, note: Note) => (note: Note)
`;

class Query {
  limit = 1;
  tags: object | undefined;
  onChange = (): void => {};
  #kept = 2;
  get isWhole(): boolean {
    return this.#kept === 2;
  }
}
/** JSON leaves out accessors of classes, and private fields. */
class Accessors {
  #limit = 1;
  get limit(): number {
    return this.#limit;
  }
}
class Inherited extends Accessors {}
class Empty {}

const at = new Date(0);
/** Values that JSON would replace by null or by an empty object. */
const lost: readonly [path: string, note: object][] = [
  ["at", { at: new Date(Number.NaN) }],
  ["at", { at: new Date(Date.UTC(10_000, 0)) }],
  ["all[1]", { at, all: [at, new Date(Number.NaN)] }],
  ["data", { at, data: new Map([["a", 1]]) }],
  ["data", { at, data: { deep: [1, Number.NaN] } }],
  ["data", { at, data: { deep: new Error("a") } }],
  ["data", { at, data: [new Set([1])] }],
  ["data", { at, data: new Date(Number.NaN) }],
  ["data", { at, data: { stream: true, toJSON: 1, deep: new Map() } }],
  ["names", { at, names: new Map([["a", "b"]]) }],
  ["names", { at, names: new Headers({ a: "b" }) }],
  ["names", { at, names: new Error("a") }],
  ["data", { at, data: new Accessors() }],
  ["data", { at, data: [{ deep: new Accessors() }] }],
  ["names", { at, names: new Accessors() }],
];
const kept = {
  at,
  data: { a: [1, null, { b: new Date(0) }], c: undefined, d: {} },
  names: { a: "b" },
};

let made: Exports;
beforeAll(async () => {
  made = await importContract(ridl, { timestamp: "date" });
});

/** Connects the generated client to a server that returns a note. */
function connect(note: object) {
  const causes: string[] = [];
  const seen = { calls: 0 };
  const run = (): object => {
    seen.calls += 1;
    return { note };
  };
  const server = exportedFunction(
    made,
    "createLostServer",
  )({
    handlers: { notes: { write: run, put: run } },
    onError: (error: unknown) => causes.push(String(error)),
  }) as RpcServer;
  const client = exportedFunction(
    made,
    "createLostHostClient",
  )({
    baseUrl: "https://example.com",
    fetch: (url: string, init: RequestInit) =>
      server.fetch(new Request(url, init)),
  }) as {
    notes: Record<"write" | "put", (request: object) => Promise<object>>;
  };
  return { causes, notes: client.notes, seen };
}

it.each(["write", "put"] as const)(
  "a client does not send what JSON would lose: %s",
  async (method) => {
    const { notes, seen } = connect(kept);
    for (const [path, note] of lost) {
      const error: unknown = await notes[method]({ id: "a", note }).catch(
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toContain(`TypeError: request.note.${path}`);
      expect(String(error)).toContain(": expected ");
    }
    expect(seen.calls).toBe(0);
    expect(await notes[method]({ id: "a", note: kept })).toEqual({
      note: { ...kept, data: { a: [1, null, { b: at.toJSON() }], d: {} } },
    });
  },
);

it("a server does not return what JSON would lose", async () => {
  for (const [path, note] of lost) {
    const { causes, notes } = connect(note);
    await expect(notes.write({ note: kept })).rejects.toMatchObject({
      name: "WebrpcBadResponse",
      status: 500,
    });
    expect(causes).toEqual([
      expect.stringContaining(`note.${path}: expected `),
    ]);
  }
});

const queries = (more: string, wire = ""): string => `webrpc = v1
name = lost
version = v1.0.0

struct Query
  - limit?: uint32
  - tags?: map<string,string>

service Notes
${wire}
  - Find(query: Query${more}) => (ok: bool)
  - Read() => (query: Query, sums?: map<string,bigint>)
  - All(limit?: uint32) => (ok: bool)
`;

/** Values whose content is neither in properties nor in accessors. */
const foreign: readonly object[] = [
  new Map([["limit", 1]]),
  new Set(),
  new WeakMap(),
  new Headers({ limit: "1" }),
  new URLSearchParams("limit=1"),
  new FormData(),
  new Error("a"),
  Promise.resolve({ limit: 1 }),
  new ArrayBuffer(1),
  /a/u,
];

const contracts = [
  ["no dates", "", "", /^bad-request$/u],
  ["64-bit integers", ", id?: int64", "", /^bad-request$/u],
  ["dates", ", at?: timestamp", "", /^request[.\w]*: expected /u],
  ["values of any type", ", data?: any", "", /^request[.\w]*: expected /u],
  ["bytes", ", data?: []byte", "", /^request[.\w]*: expected /u],
  ["REST", "", `  @http:"PUT /notes"`, /^request[.\w]*: expected /u],
  ["forms", "", `  @http:"PUT /notes" @form`, /^request[.\w]*: expected /u],
] as const;

describe.each(contracts)(
  "a client of a contract with %s",
  (_, more, wire, fault) => {
    const bodies: unknown[] = [];
    const fetch = async (_: string, { body }: RequestInit) => {
      const text = String(body);
      bodies.push(text.startsWith("{") ? JSON.parse(text) : text);
      return Response.json({ ok: true });
    };
    let made: Exports;
    beforeAll(async () => {
      made = await importContract(queries(more, wire), {
        timestamp: "date",
        int64: "bigint",
      });
    });
    const call = async (name: string, request: object): Promise<unknown> => {
      const create = exportedFunction(made, "createLostHostClient");
      const { notes } = create({ baseUrl: "https://example.com", fetch }) as {
        notes: Record<string, (request: object) => Promise<unknown>>;
      };
      return notes[name]?.(request);
    };

    it("sends the properties of instances of classes", async () => {
      await call("find", { query: new Query() });
      await call("find", { query: Object.create(null) as object });
      expect(bodies.splice(0)).toEqual(
        wire.includes("form")
          ? ["query%5Blimit%5D=1", "null"]
          : [{ query: { limit: 1 } }, { query: {} }],
      );
    });

    it.each([
      ...foreign,
      new Accessors(),
      new Inherited(),
      new Empty(),
      Object.create({ limit: 1 }) as object,
    ])("refuses %o, which JSON would lose", async (value) => {
      for (const request of [{ query: value }, { query: { tags: value } }])
        await expect(call("find", request)).rejects.toThrow(fault);
      await expect(call("all", value)).rejects.toThrow(TypeError);
      expect(bodies).toEqual([]);
    });
  },
);

describe.each([
  ["a field", "daily: float64", "daily", (daily: number) => ({ daily })],
  ["a list", "days: []Amount", "days[0]", (day: number) => ({ days: [day] })],
  ["a map", "of: map<string,Amount>", "of.a", (a: number) => ({ of: { a } })],
  ["a union", "any: AmountOrText", "any", (any: number) => ({ any })],
] as const)(
  "a client of %s of numbers that can be null",
  (name, field, path, from) => {
    it.each(["", '  @http:"PUT /limits"'])(
      "refuses those that JSON would turn into null (%s)",
      async (wire) => {
        const made = await importContract(`webrpc = v1
name = lost
version = v1.0.0

type Amount: float64
  + nullable = true

type AmountOrText: any
  + oneOf = float64|string|null

struct Limits
  - ${field}
${name === "a field" ? "    + nullable = true" : ""}
service Notes
${wire}
  - Patch(limits: Limits) => (ok: bool)
`);
        const bodies: unknown[] = [];
        const fetch = async (_: string, { body }: RequestInit) => {
          bodies.push(JSON.parse(String(body)));
          return Response.json({ ok: true });
        };
        const create = exportedFunction(made, "createLostHostClient");
        const { notes } = create({ baseUrl: "https://a.example", fetch }) as {
          notes: { patch(request: object): Promise<unknown> };
        };
        for (const number of [Number.NaN, Infinity, -Infinity]) {
          const message = `request.limits.${path}: expected a finite number`;
          await expect(notes.patch({ limits: from(number) })).rejects.toThrow(
            message,
          );
        }
        expect(bodies).toEqual([]);
        await notes.patch({ limits: from(-1.5e300) });
        expect(bodies).toEqual([{ limits: from(-1.5e300) }]);
      },
    );
  },
);

describe("a REST client whose request is itself what JSON would lose", () => {
  const methods = `webrpc = v1
name = lost
version = v1.0.0

struct Query
  - limit?: uint32

service Notes
  @http:"PUT /notes"
  - Put(limit?: uint32) => (ok: bool)
  @http:"PATCH /notes"
  - Patch(limit?: uint32, at?: timestamp) => (ok: bool)
  @http:"PUT /tags"
  - Tag(tags?: map<string,string>) => (ok: bool)
  @http:"PUT /queries" @requestBody:query
  - Save(query?: Query) => (ok: bool)
  @http:"GET /notes?limit"
  - List(limit?: uint32) => (ok: bool)
  @http:"DELETE /notes" @requestHeaders:"X-Limit={limit}"
  - Delete(limit?: uint32) => (ok: bool)
  @http:"PUT /forms" @form
  - Send(limit?: uint32) => (ok: bool)
  @get:"/events?limit"
  - Watch(limit?: uint32) => stream (n: uint32)
`;
  const sent: string[] = [];
  const fetch = async (url: string) => {
    sent.push(url);
    return Response.json({ ok: true });
  };
  type Method = (request: object) => Promise<unknown> | AsyncIterable<unknown>;
  let notes: Readonly<Record<string, Method>>;
  beforeAll(async () => {
    const made = await importContract(methods, { timestamp: "date" });
    const create = exportedFunction(made, "createLostHostClient");
    ({ notes } = create({ baseUrl: "https://example.com", fetch }) as {
      notes: Readonly<Record<string, Method>>;
    });
  });

  it.each(["put", "patch", "tag", "save", "list", "delete", "send", "watch"])(
    "refuses it before it is sent: %s",
    async (name) => {
      for (const request of foreign) {
        const call = async (): Promise<void> => {
          const made = notes[name]?.(request) ?? expect.unreachable();
          if (Symbol.asyncIterator in made)
            for await (const _ of made) continue;
          else await made;
        };
        await expect(call()).rejects.toThrow(
          new TypeError("request: expected an object that JSON can represent"),
        );
      }
      expect(sent).toEqual([]);
    },
  );
});

describe.each([
  ["no dates", ""],
  ["dates", ", at?: timestamp"],
  ["values of any type", ", data?: any"],
])("a server of a contract with %s", (_, more) => {
  let made: Exports;
  beforeAll(async () => {
    made = await importContract(queries(more), { timestamp: "date" });
  });

  /** Returns what the server sends, or why it sends an error. */
  const read = async (result: object): Promise<unknown> => {
    const causes: string[] = [];
    const create = exportedFunction(made, "createLostServer");
    const server = create({
      handlers: {
        notes: { all: () => ({}), find: () => ({}), read: () => result },
      },
      onError: (error: unknown) => causes.push(String(error)),
    }) as RpcServer;
    const headers = { "content-type": "application/json" };
    const response = await server.fetch(
      new Request("https://example.com/rpc/Notes/Read", {
        method: "POST",
        headers,
        body: "{}",
      }),
    );
    return response.ok ? response.json() : causes.join();
  };

  it("returns the properties and accessors of instances", async () => {
    for (const query of [{ limit: 1 }, new Query(), new Accessors()])
      expect(await read({ query })).toEqual({ query: { limit: 1 } });
    expect(await read({ query: Object.create(null) })).toEqual({ query: {} });
  });

  it("does not return what JSON would lose", async () => {
    for (const value of foreign) {
      const results = {
        query: { query: value },
        "query.tags": { query: { tags: value } },
        sums: { query: {}, sums: value },
      };
      for (const [path, result] of Object.entries(results)) {
        expect(await read(result)).toContain(
          `: ${path}: expected an object, got an object (`,
        );
      }
    }
  });
});
