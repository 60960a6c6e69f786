import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import pg from "pg";

import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import {
  type ItemStore,
  pgItems,
  streamLog,
  type StreamLog,
} from "../../../runtime/typescript/server/stream-log.js";
import { MessagesGoneError } from "../../../test/golden/fixtures/resumed-streams/expected/errors.js";
import { createChatServer } from "../../../test/golden/fixtures/resumed-streams/expected/server.js";

/** A message as its stream has it. */
interface Message {
  readonly messageId: number;
  readonly text: string;
}

/** Opens the log of one instance. */
export function openMessages(store: ItemStore): StreamLog<string, Message> {
  return streamLog<string, Message>({
    store,
    place: (messageId, text) => ({ messageId, text }),
    gone: () => new MessagesGoneError(),
    tailItems: 200,
  });
}

/** Opens the store of one instance. */
export function openItems(pool: pg.Pool, items: number): ItemStore {
  return pgItems(pool, { items, pollMs: 5, onError: () => undefined });
}

/** Serves the streams of a log. Returns the HTTP server. */
export function serveMessages(log: StreamLog<string, Message>) {
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
  });
  return createServer(toNodeHandler(server));
}

// As a program of its own: an instance on the database of its first argument.
const url = process.argv[2];
if (process.send !== undefined && url?.startsWith("postgres")) {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const http = serveMessages(openMessages(openItems(pool, 1e9)));
  http.listen(0, () => {
    const { port } = http.address() as AddressInfo;
    process.send?.(port);
  });
}
