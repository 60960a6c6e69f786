import { describe, expect, it } from "vitest";
import type { RpcServer } from "@ridlkit/runtime/server";
import {
  createResponsesServer,
  type ResponsesHandler,
  type ResponsesServerOptions,
} from "../golden/fixtures/responses/expected/server.js";
import type {
  Holder,
  Item,
} from "../golden/fixtures/responses/expected/types.js";

/**
 * Creates a frozen database row with null for missing values and with more
 * columns than declared.
 */
function rowOf(id: number) {
  const row = { id, note: null, passwordHash: `secret ${id}` };
  // The contract does not allow null here, but untyped code may return it.
  return Object.freeze(row) as unknown as Item;
}

/** A row from an object mapper, with class getters and nested instances. */
class Entity implements Item {
  readonly #id: number;
  readonly owner: Entity = this;
  constructor(id: number) {
    this.#id = id;
  }
  get id(): number {
    return this.#id;
  }
  get note(): string {
    return `note ${this.#id}`;
  }
  toJSON(): never {
    throw new Error("not asked");
  }
}

const holder: Holder = Object.freeze({
  first: rowOf(1),
  last: null,
  items: Object.freeze([rowOf(2), new Entity(3)]) as Item[],
  grid: [[], [rowOf(4), new Entity(5)]],
  byName: Object.freeze({ 'a "b"': [rowOf(6)], none: [] }),
  data: { passwordHash: "a part of it" },
  passwordHash: "secret",
});

const handlers: ResponsesHandler = {
  hold: () => holder,
  async *watch() {
    yield Object.freeze({ item: rowOf(1), passwordHash: "secret" });
    yield { item: new Entity(2) };
  },
  count: () => ({
    ledger: Object.freeze({ balance: 10n ** 20n, item: rowOf(1), more: 1 }),
  }),
  items: () => ({ items: { a: rowOf(1), b: new Entity(2) } }),
  last: () => ({ item: rowOf(1) }),
};

function createServer(options: Partial<ResponsesServerOptions> = {}) {
  return createResponsesServer({
    handlers: { responses: handlers },
    ...options,
  });
}

async function textOf(server: RpcServer, path: string): Promise<string> {
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body: "{}" };
  const isRead = !path.startsWith("/rpc/");
  const request = new Request(`http://host${path}`, isRead ? {} : init);
  const response = await server.fetch(request);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text;
}

describe("responses", () => {
  it.each([
    [
      "/rpc/Responses/Hold",
      '{"first":{"id":1},"last":null' +
        ',"items":[{"id":2},{"id":3,"note":"note 3"}]' +
        ',"grid":[[],[{"id":4},{"id":5,"note":"note 5"}]]' +
        ',"byName":{"a \\"b\\"":[{"id":6}],"none":[]}' +
        ',"data":{"passwordHash":"a part of it"}}',
    ],
    [
      "/rpc/Responses/Watch",
      '\n{"item":{"id":1}}\n{"item":{"id":2,"note":"note 2"}}\n',
    ],
    [
      "/rpc/Responses/Count",
      '{"ledger":{"balance":"100000000000000000000","item":{"id":1}}}',
    ],
    ["/items", '{"a":{"id":1},"b":{"id":2,"note":"note 2"}}'],
    ["/last", '{"id":1}'],
  ])(
    "contain only the declared fields of %s, and leave the handler's objects unchanged",
    async (path, text) => {
      const server = createServer();
      expect(await textOf(server, path)).toBe(text);
      // Send the same objects again.
      expect(await textOf(server, path)).toBe(text);
    },
  );

  it("omit undefined from maps", async () => {
    const items = { items: { a: rowOf(1), b: undefined } } as object as {
      items: Record<string, Item>;
    };
    const server = createServer({
      handlers: { responses: { ...handlers, items: () => items } },
    });
    expect(await textOf(server, "/items")).toBe('{"a":{"id":1}}');
  });
});
