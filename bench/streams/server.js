// Streams of items to many subscribers, for `main.js`: with ridlkit, or by hand on
// `node:http`. It writes its port. A line of input is an item to publish, or asks for
// the CPU time in microseconds or the memory in bytes that it has used so far.
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { toNodeHandler } from "@ridlkit/runtime/node";
import { memoryItems, streamLog } from "@ridlkit/runtime/stream-log";
import { createChatServer } from "./ridlkit/server.js";

/** The generated server with a log whose items all subscribers share. */
function withRidlkit() {
  const log = streamLog({
    store: memoryItems(),
    place: (id, message) => ({ id, ...message }),
    gone: () => new Error("gone"),
  });
  const rpc = createChatServer({
    handlers: {
      chat: {
        follow: (_, { signal }) => log.subscribe("all", { signal }),
      },
    },
  });
  return {
    handler: toNodeHandler(rpc),
    publish: (message) => log.publish("all", message),
  };
}

/** What a person writes without a framework: no validation, no limits. */
function byHand() {
  const subscribers = new Set();
  let id = 0;
  return {
    handler: (request, response) => {
      request.resume();
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      response.write("\n");
      subscribers.add(response);
      response.on("close", () => subscribers.delete(response));
    },
    publish: (message) => {
      id += 1;
      const line = `${JSON.stringify({ id, ...message })}\n`;
      for (const response of subscribers) response.write(line);
    },
  };
}

const { handler, publish } =
  process.argv[2] === "ridlkit" ? withRidlkit() : byHand();
const server = createServer({ keepAliveTimeout: 600_000 }, handler);
server.listen(0, "127.0.0.1", () => console.log(server.address().port));

const commands = {
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  memory: () => {
    globalThis.gc();
    return process.memoryUsage().rss;
  },
};

for await (const line of createInterface(process.stdin)) {
  if (Object.hasOwn(commands, line)) console.log(commands[line]());
  else await publish(JSON.parse(line));
}
