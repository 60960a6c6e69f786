import { createStockWebhookSender } from "../../golden/fixtures/platform/expected/stock/client.js";
import { createStockWebhookReceiver } from "../../golden/fixtures/platform/expected/stock/server.js";
import { createChatClient } from "../../golden/fixtures/streams/expected/client.js";
import { RoomGoneError } from "../../golden/fixtures/streams/expected/errors.js";
import { createChatServer } from "../../golden/fixtures/streams/expected/server.js";
import { inProcess } from "../../../runtime/typescript/hosts/in-process.js";
import {
  announceTimeout,
  observe,
  retry,
} from "../../../runtime/typescript/client/interceptors.js";
import { signWebhooks } from "../../../runtime/typescript/client/sign-webhooks.js";

const server = createChatServer({
  cors: { origins: "*" },
  handlers: {
    chat: {
      say({ room, text }) {
        if (room === "gone") throw new RoomGoneError();
        return { id: 2n ** 60n + BigInt(text.length) };
      },
      async *watch() {},
      async *count({ rooms }) {
        for (const room of rooms) yield { room, count: room.length };
      },
      async *tick() {},
    },
    clock: { async *now() {} },
  },
});

const statuses: (number | null)[] = [];

const client = createChatClient({
  baseUrl: "",
  fetch: inProcess(server),
  timeoutMs: 5000,
  use: [
    announceTimeout(),
    retry(),
    observe({ onEnd: (_, { status }) => statuses.push(status) }),
  ],
});

async function webhook(): Promise<string[]> {
  const secret = btoa("a secret of sufficient length");
  const shelves: string[] = [];
  const receiver = createStockWebhookReceiver({
    secrets: [secret],
    handlers: {
      stockWebhook: {
        shelfEmpty: () => {},
        shelfFull: ({ shelf }) => void shelves.push(shelf),
      },
    },
  });
  const sender = createStockWebhookSender({
    fetch: inProcess(receiver),
    use: [signWebhooks(secret)],
  });
  await sender.shelfFull("https://shop.example.com/", { shelf: "a" });
  return shelves;
}

/** Runs the client and the server. Returns the outcome as JSON. */
export async function run(): Promise<string> {
  const { id } = await client.say({ room: "lobby", text: "é😀" });
  const gone = await client.say.result({ room: "gone", text: "" });
  const wrong = await client.say.result({ room: "lobby", text: 7 as never });
  const counts: number[] = [];
  for await (const { count } of client.count({ rooms: ["a", "bc"] })) {
    counts.push(count);
  }
  return JSON.stringify({
    id: String(id),
    gone: !gone.ok && gone.error instanceof RoomGoneError,
    wrong: wrong.ok ? null : wrong.error.cause,
    counts,
    statuses,
    shelves: await webhook(),
  });
}
