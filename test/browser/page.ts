import {
  withInvalidHeaders,
  withInvalidUrls,
  withoutAnswer,
} from "../behavior/invalid-requests.js";
import { RoomGoneError } from "../golden/fixtures/streams/expected/errors.js";
import { createChatClient } from "../golden/fixtures/streams/expected/client.js";
import {
  TransportError,
  type ClientOptions,
} from "../../runtime/typescript/client/client.js";
import {
  announceTimeout,
  retry,
} from "../../runtime/typescript/client/interceptors.js";
import {
  isRpcError,
  toEnvelope,
} from "../../runtime/typescript/wire/errors.js";

/** A function of the page. It resolves to a value that JSON can represent. */
export type Scenario = (baseUrl: string) => Promise<unknown>;

function clientAt(baseUrl: string, options: Partial<ClientOptions> = {}) {
  return createChatClient({ baseUrl, ...options });
}

async function reasonOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    return error instanceof TransportError ? error.reason : String(error);
  }
}

const say = { room: "lobby", text: "é😀" };

export const scenarios = {
  async call(baseUrl) {
    const { id } = await clientAt(`${baseUrl}/`).say(say);
    return String(id);
  },

  async typedError(baseUrl) {
    const items = clientAt(baseUrl).watch({ room: "gone" });
    try {
      for await (const _ of items) return "an item";
      return "the end";
    } catch (error) {
      const isTyped =
        error instanceof RoomGoneError && isRpcError(error, "RoomGone");
      return isTyped ? { ...toEnvelope(error), isTyped } : String(error);
    }
  },

  async validationError(baseUrl) {
    const result = await clientAt(baseUrl).say.result({
      ...say,
      text: 7 as never,
    });
    return result.ok ? "accepted" : toEnvelope(result.error);
  },

  /** Lasts until the page calls `abort`. */
  async abort(baseUrl) {
    const controller = new AbortController();
    const { signal } = controller;
    Object.assign(globalThis, { abort: () => controller.abort("left") });
    return reasonOf(
      clientAt(baseUrl).say({ ...say, room: "slow" }, { signal }),
    );
  },

  async timeout(baseUrl) {
    // Not announced, because the server could respond at the same time.
    const client = clientAt(baseUrl, { timeoutMs: 50 });
    return reasonOf(client.say({ ...say, room: "slow" }));
  },

  async unreachable() {
    return reasonOf(clientAt("http://127.0.0.1:1").say(say));
  },

  async refusedByCors(baseUrl) {
    const headers = { "X-Not-Allowed": "1" };
    return reasonOf(clientAt(baseUrl, { headers }).say(say));
  },

  async credentialsAndInterceptors(baseUrl) {
    const headers = () => ({ "X-Trace": "7" });
    const use = [announceTimeout(), retry({ backoffMs: 1 })];
    const options = { headers, use, timeoutMs: 60_000 };
    const traced = { ...say, room: "traced" };
    const { id } = await clientAt(baseUrl, options).say(traced);
    return String(id);
  },

  async stream(baseUrl) {
    const texts: string[] = [];
    for await (const message of clientAt(baseUrl).watch({ room: "lobby" })) {
      texts.push(`${message.text} ${typeof message.reward}`);
    }
    return texts;
  },

  async leaveStream(baseUrl) {
    for await (const message of clientAt(baseUrl).watch({ room: "endless" })) {
      return message.text;
    }
    return "the end";
  },

  invalidHeaders: () => withInvalidHeaders(),
  invalidUrls: () => withInvalidUrls(),
  // The port is refused, and the server cuts its responses.
  noAnswer: (url) => withoutAnswer(["http://127.0.0.1:9", url, `${url}/gone`]),
} satisfies Record<string, Scenario>;
