import { deepStrictEqual, rejects } from "node:assert";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { isRpcError } from "@ridlkit/runtime/errors";
import { createStock } from "./stock.js";

const base = "/api/v2/articles";

const article = (number: number) => ({
  sku: `AB-000${number}`,
  name: `article ${number}`,
  stock: number,
  "min-stock": null,
  price: number === 1 ? null : { amount: "9.90" },
  createdAt: "2026-01-31T08:00:00+01:00",
  "x-legacy": { any: ["thing"] },
  warehouse_only: true,
});

/** What was changed, in order. */
const changes: unknown[] = [];

/** Answers a request as the document says. */
async function answer(
  request: IncomingMessage,
): Promise<readonly [status: number, body: unknown]> {
  const { headers, method, url = "" } = request;
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const parts: Uint8Array[] = [];
  for await (const part of request) parts.push(part);
  const body = new Uint8Array(Buffer.concat(parts));
  const type = headers["content-type"] ?? "";
  if (headers["x-warehouse-key"] !== "key-of-the-shop") {
    return [401, { error_code: "NO_KEY", message: "the key is unknown" }];
  }
  const query = Object.fromEntries(searchParams);
  switch (`${method} ${pathname}`) {
    case `GET ${base}`: {
      const { cursor, ...rest } = query;
      const expected = { tags: "cold,fragile & dear", "in-stock": "true" };
      deepStrictEqual(rest, { ...expected, sort: "name" });
      const page = ["", "second", "third"].indexOf(cursor ?? "");
      const next = [{ "next-cursor": "second" }, { "next-cursor": "third" }][
        page
      ];
      const items = page === 1 ? [] : [article(page + 1), article(page + 2)];
      return [200, { items, ...(next ?? { "next-cursor": null }), total: 4 }];
    }
    case `POST ${base}/AB-0001/movements`: {
      const movement = JSON.parse(new TextDecoder().decode(body));
      deepStrictEqual([type, query], ["application/json", {}]);
      if (movement.amount < -5) {
        const text = "only 5 are left";
        return [422, { errors: [{ field: "amount", text }] }];
      }
      changes.push(movement);
      const stock = 5 + movement.amount;
      return [201, { href: "/movements/7", id: 7, stock, Booked_By: "shop" }];
    }
    case `POST ${base}/AB-0001/photo`: {
      const init = { headers: { "content-type": type } };
      const form = await new Response(body, init).formData();
      const file = form.get("file");
      if (!(file instanceof Blob)) return [500, { message: "no file" }];
      const content = [...new Uint8Array(await file.arrayBuffer())];
      changes.push([content, file.type, form.get("alt-text")]);
      return [200, { href: "https://photos.example/1", width: 1, height: 2 }];
    }
    default:
      return [404, { error_code: "NO_ARTICLE", message: "no such article" }];
  }
}

const http = createServer((request, response) => {
  answer(request)
    .catch((error: unknown) => {
      console.error(error);
      return [500, { message: String(error) }] as const;
    })
    .then(([status, body]) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    });
}).listen(0);
await once(http, "listening");
const { port } = Object(http.address());

try {
  const baseUrl = `http://localhost:${port}`;
  const stock = createStock(baseUrl, "key-of-the-shop");
  const names = await stock.listNames(["cold", "fragile & dear"]);
  const numbers = [1, 2, 3, 4];
  deepStrictEqual(
    names,
    numbers.map((number) => article(number).name),
  );

  deepStrictEqual(await stock.sell("AB-0001", 3), 2);
  deepStrictEqual(await stock.sell("AB-0001", 9), ["only 5 are left"]);
  const png = new Blob([new Uint8Array([1, 2, 3])], { type: "image/png" });
  const href = await stock.addPhoto("AB-0001", png, "a box, half open");
  deepStrictEqual(href, "https://photos.example/1");
  deepStrictEqual(changes, [
    { amount: -3, reason: "sale" },
    [[1, 2, 3], "image/png", "a box, half open"],
  ]);

  for (const [key, status, message] of [
    ["key-of-the-shop", 404, "no such article"],
    ["another key", 401, "the key is unknown"],
  ] as const) {
    await rejects(createStock(baseUrl, key).sell("ZZ-9999", 1), (error) => {
      if (!isRpcError(error)) return false;
      deepStrictEqual([error.status, error.message], [status, message]);
      return true;
    });
  }
} finally {
  http.closeAllConnections();
  http.close();
}
