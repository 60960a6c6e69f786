import { createServer } from "node:http";
import { createSandbox } from "../cli/support/sandbox.js";
import { listenForTest } from "../support/listen-for-test.js";
import type { ToolClient } from "./connect.js";
import { runMcp } from "./run-mcp.js";

const shop = `webrpc = v1
name = shop
version = v1.0.0

# There is no such order.
error 1404 OrderNotFound "order not found" HTTP 404

error 1409 OrderShipped "order shipped" HTTP 409

struct Order
  - id: uint32
  - note?: string

service Shop
  # Finds an order by its number. The note is included.
  @readonly
  - GetOrder(id: uint32) => (order: Order) errors OrderNotFound
  - CancelOrder(id: uint32) => () errors OrderNotFound | OrderShipped
  # Lists all orders.
  @readonly
  - ListOrders() => (orders: []Order, total: uint32)
`;

/** Returns a contract with a number of methods, which is at least 3. */
export function shopWith(count: number): string {
  const added = Array.from(
    { length: count - 3 },
    (_, index) =>
      `  # Counts the parcels of courier ${index}.\n  - CountParcels${index}(name: string) => (order: Order)\n`,
  );
  return `${shop}${added.join("")}`;
}

/** Starts a server that returns the same JSON for every call. */
export async function serveJson(body: unknown, status = 200): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  const { url } = await listenForTest(server);
  return url;
}

/** A running `ridl mcp` with a connected client. */
export interface StartedMcp {
  readonly client: ToolClient;
  /** The cost of `tools/list`: a quarter of its characters. */
  readonly tokens: number;
  /** Ends the command. */
  end(): Promise<number>;
}

/** Runs `ridl mcp` with a contract. */
export async function startMcp(
  contract: string,
  url: string,
  ...flags: readonly string[]
): Promise<StartedMcp> {
  const { root } = createSandbox({ "shop.ridl": contract });
  const mcp = runMcp(["shop.ridl", "--url", url, ...flags], {}, root);
  const failed = mcp.done.then(() => {
    throw new Error(mcp.printed().stderr);
  });
  const client = await Promise.race([mcp.connect(), failed]);
  const tokens = JSON.stringify({ tools: await client.list() }).length / 4;
  return { client, tokens, end: mcp.end };
}
