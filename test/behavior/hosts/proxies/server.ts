import { randomBytes } from "node:crypto";
import { createServer as createHttp, type Server } from "node:http";
import express from "express";
import { createServer } from "../../../../runtime/typescript/codegen/create-server.js";
import { toExpressHandler } from "../../../../runtime/typescript/hosts/express.js";
import { toNodeHandler } from "../../../../runtime/typescript/hosts/node/node.js";
import { closeGracefully } from "../../../../runtime/typescript/hosts/node/shutdown.js";
import { createPricesServer } from "../../../golden/fixtures/event-streams/expected/server.js";
import { createPicturesServer } from "../../../golden/fixtures/file-bodies/expected/server.js";
import { partBytes } from "./part-bytes.js";
import { plainRow } from "../../typescript/sample-server.js";
import { createClock } from "../../typescript/stream-server.js";

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

/** Returns a file. Its size is NaN if it is unknown. */
function fileOf(ending: Ending, size: number) {
  let sent = 0;
  const content = new ReadableStream<Uint8Array>({
    async pull(controller) {
      sent += 1;
      if (sent <= 2) return controller.enqueue(part);
      await end(ending);
      controller.close();
    },
  });
  const file = { type: "a/b", stream: () => content };
  return { file: Number.isNaN(size) ? file : { ...file, size } };
}

const pictures = createPicturesServer({
  onError,
  handlers: {
    pictures: {
      add: () => ({ picture: { id: "", bytes: 0 } }),
      put: () => {},
      scan: () => ({ text: "" }),
      get: ({ id }) => {
        const [ending, size] = id.split(",");
        return fileOf(ending as Ending, Number(size));
      },
      render: () => ({ image: new Blob() }),
      convert: ({ source }) => ({ result: source }),
      merge: () => ({ file: new Blob() }),
    },
  },
});

const all = {
  onError,
  handlers: {
    files: {
      download: (request: unknown) =>
        fileOf(endingOf(request), Number(Object(request).size)),
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

const servers = [clock, prices, files, pictures];

/** Returns a server on `node:http`, or on Express below `compression()`. */
async function openHttp(middleware: string | undefined): Promise<Server> {
  if (middleware !== undefined) {
    const app = express();
    const { default: compression } = Object(await import(middleware));
    app.use(compression());
    for (const server of servers) app.use(toExpressHandler(server));
    return createHttp(app);
  }
  const handlers = servers.map(
    (server) => [server, toNodeHandler(server)] as const,
  );
  return createHttp((request, response) => {
    const { url = "/" } = request;
    for (const [server, handle] of handlers)
      if (server.matches(url)) return handle(request, response);
    return response.writeHead(404).end();
  });
}

const http = await openHttp(process.argv[2]);
http.listen(0, "127.0.0.1", () => {
  const address = http.address();
  console.log(`"port":${String(Object(address).port)}`);
});
process.on("SIGTERM", () => {
  void closeGracefully(http, { graceMs: 200 }).then(() => process.exit());
});
