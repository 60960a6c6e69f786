import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import {
  memoryItems,
  streamLog,
} from "../../../runtime/typescript/server/stream-log.js";
import { MessagesGoneError } from "../../golden/fixtures/resumed-streams/expected/errors.js";
import { createChatServer } from "../../golden/fixtures/resumed-streams/expected/server.js";

/** A program that serves a log, and publishes what its parent asks for. */
const log = streamLog({
  store: memoryItems({ items: 6000 }),
  place: (messageId, text: string) => ({ messageId, text }),
  gone: () => new MessagesGoneError(),
  tailItems: 100,
});

const server = createChatServer({
  handlers: {
    chat: {
      watch: ({ room, since: after }, { signal }) =>
        log.subscribe(room, { after, signal }),
      watchAll: async function* () {},
      follow: async function* () {},
      tick: async function* () {},
    },
  },
  maxConcurrent: 20_000,
});

interface Order {
  readonly publish?: number;
  readonly size?: number;
}

process.on("message", async ({ publish, size = 0 }: Order) => {
  if (publish === undefined) {
    globalThis.gc?.();
    process.send?.(process.memoryUsage().heapUsed);
    return;
  }
  let last = 0;
  for (let index = 0; index < publish; index += 1) {
    last = await log.publish("lobby", String(Date.now()).padEnd(size, "x"));
  }
  process.send?.(last);
});

const http = createServer(toNodeHandler(server));
http.listen(0, () => {
  const { port } = http.address() as AddressInfo;
  process.send?.(port);
});
