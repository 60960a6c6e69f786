import { describe, expect, test } from "vitest";
import { createSandbox } from "../cli/support/sandbox.js";
import {
  admin,
  compile,
  createHandlerProject,
  implement,
  isWithin,
  runProgram,
  shop,
} from "./handler-project.js";

const unlike = {
  // Uses arrow functions and end-of-line comments, but no trailing commas.
  "src/shop.ts": `import { createShopServer } from "../generated/server.js";

export const server = createShopServer({
  handlers: {
    shop: {
      // About the price.
      getPrice: ({ isbn }) => ({ cents: isbn.length }), // cheap
      ping: () => ({}) // always
    },
    admin: {},
  },
});
`,
  // Uses tabs, CRLF, single quotes, and a byte order mark, but no semicolons.
  "src/tabs.ts": [
    "\uFEFFimport type { ShopHandler } from '../generated/server.js'",
    "",
    "export const handler = {",
    "\torder() {",
    "\t\treturn { id: 1 }",
    "\t},",
    "",
    "\t/** Never fails. */",
    "\tputBook(book) { return book },",
    "} satisfies ShopHandler",
  ].join("\r\n"),
  // Uses a class.
  "src/admin.ts": `import type { AdminHandler } from "../generated/server.js";
import {
  type GetStatisticsResponse,
} from "../generated/types.js";

export class Admin implements AdminHandler {
  #calls = 0;

  /** Counts. */
  public stop(): void {
    this.#calls++;
  }

  private count(): GetStatisticsResponse {
    return { count: this.#calls };
  }
}

class SpecialAdmin extends Admin {}

// It has no method of its own that is missing.
export class MostSpecialAdmin extends SpecialAdmin implements AdminHandler {}
`,
  // Has a handler on a single line, and passes untyped objects to the server.
  "src/loose.ts": `import { createShopServer } from "../generated/server.js";
const admin = {
};
const shop = { ping() {}, unrelated: 1 };
createShopServer({ handlers: { shop, admin } });
createShopServer({ handlers: { shop: { ...shop }, admin: { ...admin } } });
`,
};

/**
 * A file whose handlers consist of several parts. The types show which methods
 * each part has.
 */
const parts = `import type { ShopHandler } from "../generated/server.js";

type Stock = Pick<ShopHandler, "getPrice" | "putBook">;

export function createHandler(): ShopHandler {
  return { ...createStock(), ...createRest() };
}

function createStock(): Stock {
  return {
    putBook: (book) => book,
  };
}

function createRest(): Omit<ShopHandler, keyof Stock> {
  return {
    watch: async function* () {},
    order: async () => ({ id: 1 }),
  };
}
`;

const handlers = { ...unlike, "src/parts.ts": parts };

describe("ridl implement", () => {
  test("adds missing methods and leaves all other text unchanged", async () => {
    const sandbox = await createHandlerProject(handlers, shop + admin);
    const printed = await implement(sandbox);
    expect(printed.trimEnd().split("\n")).toMatchInlineSnapshot(`
      [
        "add \`getStatistics\` to src/admin.ts:6:1",
        "add \`getPrice\` to src/loose.ts:4:14",
        "add \`order\` to src/loose.ts:4:14",
        "add \`watch\` to src/loose.ts:4:14",
        "add \`putBook\` to src/loose.ts:4:14",
        "add \`stop\` to src/loose.ts:2:15",
        "add \`getStatistics\` to src/loose.ts:2:15",
        "add \`getPrice\` to src/parts.ts:10:10",
        "add \`ping\` to src/parts.ts:16:10",
        "add \`order\` to src/shop.ts:5:11",
        "add \`watch\` to src/shop.ts:5:11",
        "add \`putBook\` to src/shop.ts:5:11",
        "add \`stop\` to src/shop.ts:10:12",
        "add \`getStatistics\` to src/shop.ts:10:12",
        "add \`getPrice\` to src/tabs.ts:3:24",
        "add \`ping\` to src/tabs.ts:3:24",
        "add \`watch\` to src/tabs.ts:3:24",
      ]
    `);
    for (const [path, text] of Object.entries(handlers)) {
      expect(isWithin(text, sandbox.read(path))).toBe(true);
    }
    expect(sandbox.read("src/shop.ts")).toMatchInlineSnapshot(`
      "import { createShopServer } from "../generated/server.js";
      import { WebrpcEndpointError } from "../generated/errors.js";

      export const server = createShopServer({
        handlers: {
          shop: {
            // About the price.
            getPrice: ({ isbn }) => ({ cents: isbn.length }), // cheap
            order: (_request) => {
              throw new WebrpcEndpointError({
                cause: "Shop/Order is not implemented",
              });
            },
            ping: () => ({}), // always
            watch: (_request) => {
              throw new WebrpcEndpointError({
                cause: "Shop/Watch is not implemented",
              });
            },
            putBook: (_request) => {
              throw new WebrpcEndpointError({
                cause: "Shop/PutBook is not implemented",
              });
            }
          },
          admin: {
            stop() {
              throw new WebrpcEndpointError({
                cause: "Admin/Stop is not implemented",
              });
            },
            getStatistics(_request) {
              throw new WebrpcEndpointError({
                cause: "Admin/GetStatistics is not implemented",
              });
            },
          },
        },
      });
      "
    `);
    const tabs = sandbox.read("src/tabs.ts");
    expect(tabs.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/u);
    expect(tabs.replaceAll("\r\n", "\n")).toMatchInlineSnapshot(`
      "﻿import type { ShopHandler } from '../generated/server.js'
      import { WebrpcEndpointError } from '../generated/errors.js'

      export const handler = {
      	getPrice(_request) {
      		throw new WebrpcEndpointError({ cause: 'Shop/GetPrice is not implemented' })
      	},

      	order() {
      		return { id: 1 }
      	},

      	ping() {
      		throw new WebrpcEndpointError({ cause: 'Shop/Ping is not implemented' })
      	},

      	watch(_request) {
      		throw new WebrpcEndpointError({ cause: 'Shop/Watch is not implemented' })
      	},

      	/** Never fails. */
      	putBook(book) { return book },
      } satisfies ShopHandler"
    `);
    expect(sandbox.read("src/admin.ts")).toMatchInlineSnapshot(`
      "import type { AdminHandler } from "../generated/server.js";
      import {
        type GetStatisticsResponse,
        type GetStatisticsRequest,
      } from "../generated/types.js";
      import { WebrpcEndpointError } from "../generated/errors.js";

      export class Admin implements AdminHandler {
        #calls = 0;

        /** Counts. */
        public stop(): void {
          this.#calls++;
        }

        public getStatistics(
          _request: GetStatisticsRequest,
        ): Promise<GetStatisticsResponse> {
          throw new WebrpcEndpointError({
            cause: "Admin/GetStatistics is not implemented",
          });
        }

        private count(): GetStatisticsResponse {
          return { count: this.#calls };
        }
      }

      class SpecialAdmin extends Admin {}

      // It has no method of its own that is missing.
      export class MostSpecialAdmin extends SpecialAdmin implements AdminHandler {}
      "
    `);
    expect(sandbox.read("src/loose.ts")).toMatchInlineSnapshot(`
      "import { createShopServer } from "../generated/server.js";
      import { WebrpcEndpointError } from "../generated/errors.js";
      import type {
        GetPriceRequest,
        GetPriceResponse,
        OrderRequest,
        OrderResponse,
        WatchRequest,
        WatchResponse,
        Book,
        GetStatisticsRequest,
        GetStatisticsResponse,
      } from "../generated/types.js";
      const admin = {
        stop(): Promise<void> {
          throw new WebrpcEndpointError({ cause: "Admin/Stop is not implemented" });
        },
        getStatistics(
          _request: GetStatisticsRequest,
        ): Promise<GetStatisticsResponse> {
          throw new WebrpcEndpointError({
            cause: "Admin/GetStatistics is not implemented",
          });
        },
      };
      const shop = {
        getPrice(_request: GetPriceRequest): Promise<GetPriceResponse> {
          throw new WebrpcEndpointError({
            cause: "Shop/GetPrice is not implemented",
          });
        },
        order(_request: OrderRequest): Promise<OrderResponse> {
          throw new WebrpcEndpointError({ cause: "Shop/Order is not implemented" });
        },
        ping() {},
        watch(_request: WatchRequest): AsyncIterable<WatchResponse> {
          throw new WebrpcEndpointError({ cause: "Shop/Watch is not implemented" });
        },
        putBook(_request: Book): Promise<Book> {
          throw new WebrpcEndpointError({ cause: "Shop/PutBook is not implemented" });
        },
        unrelated: 1 };
      createShopServer({ handlers: { shop, admin } });
      createShopServer({ handlers: { shop: { ...shop }, admin: { ...admin } } });
      "
    `);
    expect(sandbox.read("src/parts.ts")).toMatchInlineSnapshot(`
      "import type { ShopHandler } from "../generated/server.js";
      import { WebrpcEndpointError } from "../generated/errors.js";

      type Stock = Pick<ShopHandler, "getPrice" | "putBook">;

      export function createHandler(): ShopHandler {
        return { ...createStock(), ...createRest() };
      }

      function createStock(): Stock {
        return {
          getPrice: (_request) => {
            throw new WebrpcEndpointError({
              cause: "Shop/GetPrice is not implemented",
            });
          },
          putBook: (book) => book,
        };
      }

      function createRest(): Omit<ShopHandler, keyof Stock> {
        return {
          watch: async function* () {},
          order: async () => ({ id: 1 }),
          ping() {
            throw new WebrpcEndpointError({ cause: "Shop/Ping is not implemented" });
          },
        };
      }
      "
    `);
    expect(compile(sandbox)).toBe("");
    const before = sandbox.snapshot("src");
    expect(await implement(sandbox)).toBe("nothing changed\n");
    expect(sandbox.snapshot("src")).toEqual(before);
  });

  test("writes handlers that throw WebrpcEndpointError", async () => {
    const sandbox = await createHandlerProject({}, shop + admin);
    const part = ["--service", "Admin", "--out", "src/one.ts", "--dry-run"];
    expect(await implement(sandbox, ...part)).toBe("create src/one.ts\n");
    expect(await implement(sandbox, "--out", "src/handlers")).toBe(
      "create src/handlers/shop.ts\ncreate src/handlers/admin.ts\n",
    );
    sandbox.write({ "src/main.ts": program });
    expect(compile(sandbox)).toBe("");
    expect(runProgram(sandbox, "dist/src/main.js")).toBe(
      "400 WebrpcEndpoint Shop/GetPrice is not implemented\n",
    );
  });

  test("warns about a new handler that tsconfig.json does not include", async () => {
    const sandbox = await createHandlerProject({}, shop);
    expect(await implement(sandbox, "--out", "handlers")).toBe(
      "create handlers/shop.ts\nwarning: `tsconfig.json` does not include handlers/shop.ts; add it to `include`, or import it\n",
    );
  });

  test("writes JavaScript to a JavaScript file", async () => {
    const sandbox = await createHandlerProject({}, shop);
    await implement(sandbox, "--out", "src/shop.js");
    const text = sandbox.read("src/shop.js");
    expect(text).toContain(
      '@type {import("../generated/server.js").ShopHandler}',
    );
    expect(text).toContain("export const shopHandler = {\n");
  });

  test("--check reports missing and extra methods", async () => {
    const sandbox = await createHandlerProject(leftover, shop + admin);
    const { exitCode, stderr } = await sandbox.run(["implement", "--check"]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatchInlineSnapshot(`
      "error[missing-handler-method]: method \`Shop/GetPrice\` is not implemented
       --> src/shop.ts:4:14
        |
      4 | export class Shop implements ShopHandler {
        |              ^^^^
        = help: run \`ridl implement\`

      error[missing-handler-method]: method \`Shop/Order\` is not implemented
       --> src/shop.ts:4:14
        |
      4 | export class Shop implements ShopHandler {
        |              ^^^^
        = help: run \`ridl implement\`

      error[missing-handler-method]: method \`Shop/Ping\` is not implemented
       --> src/shop.ts:4:14
        |
      4 | export class Shop implements ShopHandler {
        |              ^^^^
        = help: run \`ridl implement\`

      error[missing-handler-method]: method \`Shop/Watch\` is not implemented
       --> src/shop.ts:4:14
        |
      4 | export class Shop implements ShopHandler {
        |              ^^^^
        = help: run \`ridl implement\`

      error[missing-handler-method]: method \`Shop/PutBook\` is not implemented
       --> src/shop.ts:4:14
        |
      4 | export class Shop implements ShopHandler {
        |              ^^^^
        = help: run \`ridl implement\`

      error[missing-handler-method]: method \`Shop/GetPrice\` is not implemented
        --> src/shop.ts:19:37
         |
      19 | export const handler: ShopHandler = {
         |                                     ^
         = help: run \`ridl implement\`

      error[missing-handler-method]: method \`Shop/Order\` is not implemented
        --> src/shop.ts:19:37
         |
      19 | export const handler: ShopHandler = {
         |                                     ^
         = help: run \`ridl implement\`

      error[missing-handler-method]: method \`Shop/Watch\` is not implemented
        --> src/shop.ts:19:37
         |
      19 | export const handler: ShopHandler = {
         |                                     ^
         = help: run \`ridl implement\`

      error[missing-handler-method]: method \`Shop/PutBook\` is not implemented
        --> src/shop.ts:19:37
         |
      19 | export const handler: ShopHandler = {
         |                                     ^
         = help: run \`ridl implement\`

      error[unknown-handler-method]: \`findPrice\` is not a method of service \`Shop\`
       --> src/shop.ts:5:9
        |
      5 |   async findPrice(request: FindPriceRequest) {
        |         ^^^^^^^^^
        = help: remove it, or make it \`private\` if it is not called by clients

      error[unknown-handler-method]: \`twice\` is not a method of service \`Shop\`
        --> src/shop.ts:12:3
         |
      12 |   twice(request: FindPriceRequest) {
         |   ^^^^^
         = help: remove it, or make it \`private\` if it is not called by clients

      error[unknown-handler-method]: \`findPrice\` is not a method of service \`Shop\`
        --> src/shop.ts:21:3
         |
      21 |   "findPrice": () => ({ cents: 1 }),
         |   ^^^^^^^^^^^
         = help: remove it

      error[missing-handler]: service \`Admin\` of \`shop.ridl\` has no handler
       = help: run \`ridl implement --out <folder>\` to write one

      13 errors
      "
    `);
    expect(sandbox.read("src/shop.ts")).toBe(leftover["src/shop.ts"]);
  });

  test("--rename keeps method bodies under their new names", async () => {
    const sandbox = await createHandlerProject(leftover, shop);
    const renamings = ["--rename", "FindPrice=GetPrice"];
    const result = await sandbox.run(["implement", ...renamings]);
    expect(result).toMatchInlineSnapshot(`
      {
        "exitCode": 0,
        "stderr": "warning[unknown-handler-method]: \`twice\` is not a method of service \`Shop\`
        --> src/shop.ts:12:3
         |
      12 |   twice(request: FindPriceRequest) {
         |   ^^^^^
         = help: remove it, or make it \`private\` if it is not called by clients

      1 warning
      ",
        "stdout": "rename \`findPrice\` to \`getPrice\` in src/shop.ts:4:1
      rename \`findPrice\` to \`getPrice\` in src/shop.ts:19:37
      add \`order\` to src/shop.ts:4:1
      add \`ping\` to src/shop.ts:4:1
      add \`watch\` to src/shop.ts:4:1
      add \`putBook\` to src/shop.ts:4:1
      add \`order\` to src/shop.ts:19:37
      add \`watch\` to src/shop.ts:19:37
      add \`putBook\` to src/shop.ts:19:37
      ",
      }
    `);
    expect(sandbox.read("src/shop.ts")).toMatchInlineSnapshot(`
      "import type { ShopHandler } from "../generated/server.js";
      import type { GetPriceRequest, OrderRequest, OrderResponse, WatchRequest, WatchResponse, Book } from "../generated/types.js";
      import { WebrpcEndpointError } from "../generated/errors.js";

      export class Shop implements ShopHandler {
        async getPrice(request: GetPriceRequest) {
          return { cents: request.isbn.length };
        }

        order(_request: OrderRequest): Promise<OrderResponse> {
          throw new WebrpcEndpointError({ cause: "Shop/Order is not implemented" });
        }

        ping(): Promise<void> {
          throw new WebrpcEndpointError({ cause: "Shop/Ping is not implemented" });
        }

        watch(_request: WatchRequest): AsyncIterable<WatchResponse> {
          throw new WebrpcEndpointError({ cause: "Shop/Watch is not implemented" });
        }

        putBook(_request: Book): Promise<Book> {
          throw new WebrpcEndpointError({ cause: "Shop/PutBook is not implemented" });
        }

        /** Not a method of the contract, and no mistake. */
        close(): void {}

        twice(request: GetPriceRequest) {
          return this.getPrice(request);
        }
      }

      export class OtherShop extends Shop implements ShopHandler {}

      export const handler: ShopHandler = {
        ping: () => ({}),
        watch: (_request) => {
          throw new WebrpcEndpointError({ cause: "Shop/Watch is not implemented" });
        },
        putBook: (_request) => {
          throw new WebrpcEndpointError({ cause: "Shop/PutBook is not implemented" });
        },
        "getPrice": () => ({ cents: 1 }),
        order: (_request) => {
          throw new WebrpcEndpointError({ cause: "Shop/Order is not implemented" });
        },
      };
      "
    `);
    expect(sandbox.read("src/caller.ts")).toMatchInlineSnapshot(`
      "import { handler, type Shop } from "./shop.js";

      export const { getPrice: findPrice, ping: always } = handler;
      export const later = ({ getPrice: price }: Shop) => price;
      export const findPriceLater = () => [handler.getPrice, handler?.["getPrice"]];
      "
    `);
  });

  test.each([
    ["Old", "`Old` is not a renaming such as `GetPrice=FindPrice`"],
    ["Ping=Order", "the contract still has the method `Shop/Ping`"],
    ["Old=New", "the contract has no method `New`"],
    ["None/Old=New", "there is no service `None`"],
  ])("rejects --rename %s", async (renaming, message) => {
    const sandbox = createSandbox({ "shop.ridl": shop });
    const result = await sandbox.run([
      "implement",
      "shop.ridl",
      "--rename",
      renaming,
    ]);
    expect(result).toMatchObject({ exitCode: 2 });
    expect(result.stderr).toContain(`error: ${message}`);
  });
});

const program = `import { createShopServer } from "../generated/server.js";
import { adminHandler } from "./handlers/admin.js";
import { shopHandler } from "./handlers/shop.js";

const server = createShopServer({
  handlers: { shop: shopHandler, admin: adminHandler },
});
const answer = await server.fetch(
  new Request("http://localhost/rpc/Shop/GetPrice", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"isbn":"1"}',
  }),
);
const { error, cause } = await answer.json();
console.log(answer.status, error, cause);
`;

const leftover = {
  "src/shop.ts": `import type { ShopHandler } from "../generated/server.js";
import type { FindPriceRequest } from "../generated/types.js";

export class Shop implements ShopHandler {
  async findPrice(request: FindPriceRequest) {
    return { cents: request.isbn.length };
  }

  /** Not a method of the contract, and no mistake. */
  close(): void {}

  twice(request: FindPriceRequest) {
    return this.findPrice(request);
  }
}

export class OtherShop extends Shop implements ShopHandler {}

export const handler: ShopHandler = {
  ping: () => ({}),
  "findPrice": () => ({ cents: 1 }),
};
`,
  "src/caller.ts": `import { handler, type Shop } from "./shop.js";

export const { findPrice, ping: always } = handler;
export const later = ({ findPrice: price }: Shop) => price;
export const findPriceLater = () => [handler.findPrice, handler?.["findPrice"]];
`,
};
