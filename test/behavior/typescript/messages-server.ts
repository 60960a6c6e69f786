import {
  memoryItems,
  streamLog,
  type StreamLog,
} from "../../../runtime/typescript/server/stream-log.js";
import type {
  RpcServer,
  ServerOptions,
} from "../../../runtime/typescript/server/server.js";
import { MessagesGoneError } from "../../golden/fixtures/resumed-streams/expected/index.js";
import {
  type ChatHandler,
  createChatServer,
} from "../../golden/fixtures/resumed-streams/expected/server.js";

interface Message {
  readonly messageId: number;
  readonly text: string;
}

export type Messages = StreamLog<string, Message>;

/** Opens a log. Input: what to do whenever an item is placed. */
export const openMessages = (onPlace: () => void = () => {}): Messages =>
  streamLog({
    store: memoryItems(),
    place: (messageId, text: string) => {
      onPlace();
      return { messageId, text };
    },
    gone: () => new MessagesGoneError(),
  });

type Watch = ChatHandler["watch"];

/** Returns a handler whose rooms are the topics of a log. */
export const subscribeTo =
  (log: Messages): Watch =>
  ({ room }, { signal }) =>
    log.subscribe(room, { signal });

/** Creates a server with one method, which is `watch`. */
export function serveMessages(
  watch: Watch,
  options: ServerOptions = {},
): RpcServer {
  return createChatServer({
    ...options,
    handlers: {
      chat: {
        watch,
        watchAll: async function* () {},
        follow: async function* () {},
        tick: async function* () {},
      },
    },
  });
}
