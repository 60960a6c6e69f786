import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { toNodeHandler } from "../../../../runtime/typescript/hosts/node/node.js";
import {
  idempotency,
  memoryAnswers,
} from "../../../../runtime/typescript/server/idempotency.js";
import {
  memoryItems,
  streamLog,
} from "../../../../runtime/typescript/server/stream-log.js";
import type {
  Observe,
  ServerOptions,
} from "../../../../runtime/typescript/server/server.js";
import { createShopServer } from "../../../golden/fixtures/idempotency-keys/expected/server.js";
import { createPicturesServer } from "../../../golden/fixtures/file-bodies/expected/server.js";
import { MessagesGoneError } from "../../../golden/fixtures/resumed-streams/expected/errors.js";
import { createChatServer } from "../../../golden/fixtures/resumed-streams/expected/server.js";
import { measure } from "./measure.js";

/** A program that serves calls, streams and files, and measures itself. */
let running = 0;
const observe: Observe = (_request, facts) => {
  if (facts === null) return undefined;
  running += 1;
  return () => {
    running -= 1;
  };
};
const options: ServerOptions = {
  maxConcurrent: 500,
  timeoutMs: 2000,
  observe,
  onError: () => undefined,
};

const log = streamLog({
  store: memoryItems({ items: 100, topics: 100 }),
  place: (messageId, text: string) => ({ messageId, text }),
  gone: () => new MessagesGoneError(),
});
const picture = new Blob([new Uint8Array(200_000)]);

const servers = [
  createShopServer({
    ...options,
    idempotency: idempotency(memoryAnswers(), { keepMs: 1000 }),
    handlers: {
      shop: {
        order: async ({ count, sku }) => {
          await sleep(count);
          await log.publish(sku, sku);
          return { orderId: sku };
        },
        addNote: () => {
          throw new Error("failed");
        },
        setNote: () => ({}),
        countOrders: () => ({ count: 1 }),
      },
    },
  }),
  createChatServer({
    ...options,
    handlers: {
      chat: {
        watch: ({ room, since: after }, { signal }) =>
          log.subscribe(room, { after, signal }),
        watchAll: async function* () {},
        follow: async function* () {},
        async *tick() {
          for (let n = 1; n <= 20; n += 1) yield { n };
        },
      },
    },
  }),
  createPicturesServer({
    ...options,
    handlers: {
      pictures: {
        async add({ content }) {
          const { byteLength } = await new Response(
            content.stream(),
          ).arrayBuffer();
          return { picture: { id: "1", bytes: byteLength } };
        },
        put: () => {},
        scan: () => ({ text: "" }),
        get: () => ({ file: picture }),
        render: () => ({ image: picture }),
        convert: ({ source }) => ({ result: source }),
        merge: () => ({ file: picture }),
      },
    },
  }),
].map((server) => [server, toNodeHandler(server)] as const);

const http = createServer((request, response) => {
  const { url = "/" } = request;
  for (const [server, handle] of servers)
    if (server.matches(url)) return handle(request, response);
  return response.writeHead(404).end();
});
http.listen(0, "127.0.0.1", () => {
  process.send?.(Object(http.address()).port);
});
process.on("message", async () => process.send?.(await measure(running)));
