import { createServer, type IncomingMessage, type Server } from "node:http";
import { text } from "node:stream/consumers";

/** Headers of requests that programs of tests set, or that clients set. */
const shown = [
  "authorization",
  "content-type",
  "cookie",
  "if-match",
  "x-key",
  "x-once",
  "x-team",
  "x-trace",
];

/** The status and the body of a response. */
type Answer = readonly [status: number, body?: unknown];

/** Creates the server of `shop.yaml`, which lists each request in `log`. */
export function createShopServer(log: string[]): Server {
  return createServer((request, response) => {
    void text(request).then((body) => {
      log.push(describe(request, body));
      const [status, value] = answer(request, body);
      response.writeHead(
        status,
        value === undefined
          ? {}
          : { "content-type": "application/json", "x-served": "yes" },
      );
      response.end(value === undefined ? undefined : JSON.stringify(value));
    });
  });
}

function describe(
  { headers, method = "", url = "" }: IncomingMessage,
  body: string,
): string {
  // Clients send this header without a body, where it means nothing.
  const names = shown.filter((each) => body !== "" || each !== "content-type");
  const sent = names.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [`${name}: ${String(value)}`];
  });
  return [`${method} ${url}`, ...sent, body].join("; ");
}

function answer({ method, url = "" }: IncomingMessage, body: string): Answer {
  const { pathname, search } = new URL(url, "http://localhost");
  switch (`${String(method)} ${pathname}`) {
    case "GET /v2/orders":
      return [200, [{ id: 1, title: search }]];
    case "POST /v2/orders": {
      const order = JSON.parse(body) as { readonly title: string };
      return order.title === ""
        ? [422, { message: "the title is empty" }]
        : [201, { id: 7, ...order }];
    }
    case "GET /v2/orders/9":
      return [404, { message: "no such order" }];
    case "PUT /v2/orders/5":
      return [500, { message: "broken" }];
    case "PUT /v2/orders/6":
      return [201, JSON.parse(body)];
    case "PUT /v2/orders/3":
      return [200, JSON.parse(body)];
    case "DELETE /v2/orders/3":
      return [204];
    default:
      return [200, { id: Number(pathname.split("/").at(-1)), title: "a" }];
  }
}
