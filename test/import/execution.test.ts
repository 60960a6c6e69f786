import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { compileContract } from "../../generator/compile.js";
import { emitContract } from "../../generator/4-emit/emit.js";
import { emitters } from "../../generator/4-emit/registry.js";
import { importOpenapi } from "../../tools/import/import-openapi.js";
import type { RpcServer } from "../../runtime/typescript/server/server.js";
import { importEmitted } from "../support/import-emitted.js";
import { listenForTest } from "../support/listen-for-test.js";
import { exportedFunction, type Exports } from "../support/run-emitted.js";

const options = {
  int64: "number",
  timestamp: "string",
  runtime: "import",
  importExtension: ".js",
} as const;
const folder = join(import.meta.dirname, "cases/shop");
const order = {
  id: uuid(1),
  status: "open",
  items: [{ isbn: "9780262510875", count: 1 }],
  payment: { kind: "invoice" },
};

function uuid(number: number): string {
  return `00000000-0000-4000-8000-00000000000${number}`;
}

async function importShop(): Promise<Exports> {
  const read = (path: string) => ({
    text: readFileSync(join(folder, path), "utf8"),
  });
  const { documents } = importOpenapi("openapi.yaml", read, "shop");
  const { value } = compileContract(["shop.ridl"], {
    read: (path) => documents?.get(path) ?? null,
  });
  if (value === null) throw new Error("the contract has errors");
  return importEmitted(
    emitContract(value, emitters, options, { runtimeSources: new Map() }),
    ['export * from "/client.js";', 'export * from "/server.js";'],
  );
}

describe("an imported contract", () => {
  let code: Exports = {};
  beforeAll(async () => {
    code = await importShop();
  });

  test("makes a server that answers at the original addresses", async () => {
    const seen: unknown[] = [];
    const take = (request: unknown) => {
      seen.push(request);
      return { ...order, order, orders: [order], xCount: 7 };
    };
    const orders = {
      listOrders: take,
      createOrder: take,
      getOrder: take,
      replaceOrder: take,
      deleteOrder: (request: unknown) => {
        take(request);
        return { etag: '"3"' };
      },
    };
    const server = exportedFunction(
      code,
      "createBookShopServer",
    )({
      handlers: { orders },
      verifyKey: (value: unknown) => value === "good",
    });
    let headers = new Headers();
    const call = async (verb: string, path: string, body?: object) => {
      const request = new Request(`https://api.example.com/v1${path}`, {
        method: verb,
        headers: { "x-api-key": "good", "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
      const answer = await handle(server, request);
      const text = await answer.text();
      headers = answer.headers;
      return [answer.status, text === "" ? null : JSON.parse(text)];
    };
    const list = await call(
      "GET",
      "/orders?page-size=5&status=open&status=sent",
    );
    expect(list).toEqual([200, [order]]);
    expect([headers.get("x-count"), headers.get("link")]).toEqual(["7", null]);
    expect(
      await call("POST", "/orders", {
        items: [{ isbn: "9780262510875", count: 1 }],
      }),
    ).toEqual([201, order]);
    expect(await call("GET", `/orders/${uuid(2)}`)).toEqual([200, order]);
    expect(await call("DELETE", `/orders/${uuid(3)}`)).toEqual([204, null]);
    expect(headers.get("etag")).toBe('"3"');
    expect(seen).toMatchObject([
      { pageSize: 5, status: ["open", "sent"] },
      { items: [{ count: 1 }] },
      { id: uuid(2) },
      { id: uuid(3) },
    ]);
  });

  test("makes a client that calls the original API", async () => {
    const seen: string[] = [];
    const { url } = await listenForTest(
      createServer((request, response) => {
        seen.push(
          `${request.method} ${request.url} ${String(request.headers["x-api-key"])}`,
        );
        const isList = request.url?.startsWith("/v1/orders?") === true;
        const status =
          request.method === "DELETE"
            ? 204
            : request.method === "POST"
              ? 201
              : 200;
        response.writeHead(status, {
          "content-type": "application/json",
          ...(isList && { "x-count": "7", link: "<https://example.com>" }),
        });
        response.end(
          status === 204 ? undefined : JSON.stringify(isList ? [order] : order),
        );
      }),
    );
    const orders = exportedFunction(
      code,
      "createOrdersClient",
    )({
      baseUrl: url,
      credentials: { key: "good" },
    });
    const call = (name: string, request: object): unknown =>
      exportedFunction(orders as Exports, name)(request);
    expect(
      await call("listOrders", { pageSize: 5, status: ["open", "sent"] }),
    ).toEqual({ orders: [order], xCount: 7, link: "<https://example.com>" });
    expect(
      await call("createOrder", {
        items: [{ isbn: "9780262510875", count: 1 }],
      }),
    ).toEqual(order);
    expect(await call("getOrder", { id: uuid(2) })).toEqual({ order });
    await call("deleteOrder", { id: uuid(3) });
    expect(
      seen.map((line) => line.replace(/ (?:good|undefined)$/u, "")),
    ).toEqual([
      "GET /v1/orders?page-size=5&status=open&status=sent",
      "POST /v1/orders",
      `GET /v1/orders/${uuid(2)}`,
      `DELETE /v1/orders/${uuid(3)}`,
    ]);
  });
});

function handle(server: unknown, request: Request): Promise<Response> {
  const { fetch } = server as Pick<RpcServer, "fetch">;
  return Promise.resolve(fetch(request));
}
