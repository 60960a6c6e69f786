import { randomBytes } from "node:crypto";
import { createServer as createHttp } from "node:http";
import { createServer } from "../../../runtime/codegen/create-server.js";
import { toNodeHandler } from "../../../runtime/hosts/node/node.js";
import { closeGracefully } from "../../../runtime/hosts/node/shutdown.js";
import { createPricesServer } from "../../golden/fixtures/event-streams/expected/server.js";
import { partBytes } from "./part-bytes.js";
import { plainRow } from "../../runtime/sample-server.js";
import { createClock } from "../../runtime/stream-server.js";

/** How a transfer ends after two items, according to the request. */
type Ending = "complete" | "throw" | "wait";

const later = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

async function end(ending: Ending): Promise<void> {
  if (ending === "throw") throw new Error("the source failed");
  if (ending === "wait") await later(600_000);
}

const endingOf = (request: unknown): Ending => Object(request).ending;
const onError = (): void => {};

const clock = createClock(
  async function* (request) {
    yield { n: 1 };
    yield { n: 2 };
    await end(endingOf(request));
  },
  { onError },
);

const prices = createPricesServer({
  onError,
  verifyKey: () => true,
  handlers: {
    prices: {
      async *watch({ ticker }) {
        const item = { amount: 1n, ticker };
        yield { ...item, id: 1 };
        yield { ...item, id: 2 };
        await end(ticker as Ending);
      },
      async *ask() {},
      async *beat() {},
      async *follow() {},
    },
  },
});

/** More than proxies keep back, also if they compress it. */
const part = randomBytes(partBytes);

const all = {
  onError,
  handlers: {
    files: {
      download: (request: unknown) => {
        let sent = 0;
        const content = new ReadableStream<Uint8Array>({
          async pull(controller) {
            sent += 1;
            if (sent <= 2) return controller.enqueue(part);
            await end(endingOf(request));
            controller.close();
          },
        });
        const size = Object(request).size;
        const file = { type: "a/b", stream: () => content };
        return { file: size === undefined ? file : { ...file, size } };
      },
    },
  },
};
const files = createServer(all, [
  {
    ...plainRow,
    service: "Files",
    name: "Download",
    handler: ["files", "download"],
    route: { kind: "rpc", path: "/rpc/Files/Download" },
    checkRequest: () => {},
    checkResponse: () => {},
    download: "file",
  },
]);

const handlers = [clock, prices, files].map(
  (server) => [server, toNodeHandler(server)] as const,
);
const http = createHttp((request, response) => {
  const { url = "/" } = request;
  for (const [server, handle] of handlers)
    if (server.matches(url)) return handle(request, response);
  return response.writeHead(404).end();
});
http.listen(0, "127.0.0.1", () => {
  const address = http.address();
  console.log(`"port":${String(Object(address).port)}`);
});
process.on("SIGTERM", () => {
  void closeGracefully(http, { graceMs: 200 }).then(() => process.exit());
});
