import { createServer } from "node:http";
import { expect, test } from "vitest";
import { createShopClient } from "../../golden/fixtures/idempotency-keys/expected/index.js";
import { createShopServer } from "../../golden/fixtures/idempotency-keys/expected/server.js";
import { retry } from "../../../runtime/typescript/client/interceptors.js";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import {
  idempotency,
  memoryAnswers,
} from "../../../runtime/typescript/server/idempotency.js";
import { isLong, isSample } from "../../support/draw-some.js";
import { listenForTest } from "../../support/listen-for-test.js";
import { Random } from "../../support/random.js";

const longCount = isSample ? 200 : 10_000;
const callCount = isLong ? longCount : 60;

test("runs each call once although connections are cut", async () => {
  const random = new Random(7);
  const runs = new Map<string, number>();
  const answers = memoryAnswers();
  let cuts = 0;
  const open = async (): Promise<string> => {
    const server = createShopServer({
      idempotency: idempotency(answers),
      handlers: {
        shop: {
          order: async ({ sku }) => {
            runs.set(sku, (runs.get(sku) ?? 0) + 1);
            await new Promise((resolve) => setImmediate(resolve));
            return { orderId: `${sku} ${runs.get(sku)}` };
          },
          addNote: () => ({ noteId: 1 }),
          setNote: () => ({}),
          countOrders: () => ({ count: 1 }),
        },
      },
    });
    const handle = toNodeHandler(server);
    const listener = createServer((request, response) => {
      void handle(request, response);
      const cut = (): void => {
        cuts += 1;
        request.socket.destroy();
      };
      // Before the handler runs, while it runs, or before its answer arrives.
      const lot = random.below(6);
      if (lot === 0) cut();
      if (lot === 1) request.on("end", cut);
      if (lot === 2) request.on("end", () => setImmediate(cut));
    });
    return (await listenForTest(listener)).url;
  };
  const urls = [await open(), await open()];
  const use = [retry({ attempts: 60, backoffMs: 1, maxBackoffMs: 2000 })];
  const shop = createShopClient({
    baseUrl: "http://shop.test",
    use,
    // Each attempt reaches one of the instances.
    fetch: (url, init) =>
      fetch(
        url.replace(/^http:..shop.test/, `${random.maybeOneOf(urls)}`),
        init,
      ),
  });
  const skus = Array.from({ length: callCount }, (_, index) => `sku ${index}`);
  const queue = [...skus];
  const results = new Map<string, string>();
  const work = async (): Promise<void> => {
    for (let sku = queue.pop(); sku !== undefined; sku = queue.pop()) {
      const { orderId } = await shop.order({ sku, count: 1 });
      results.set(sku, orderId);
    }
  };
  await Promise.all(Array.from({ length: 20 }, work));
  expect(cuts).toBeGreaterThan(callCount / 4);
  expect([...runs.values()].every((count) => count === 1)).toBe(true);
  expect([...results].every(([sku, id]) => id === `${sku} 1`)).toBe(true);
  expect(results.size).toBe(callCount);
}, 600_000);
