// A server with one method and one stream, for `main.js`. It writes its port
// and, for each line of input, the resources that it has used so far.
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { toNodeHandler } from "@ridlkit/runtime/node";
import { createClocksServer } from "./ridlkit/server.js";

const rpc = createClocksServer({
  handlers: {
    clocks: {
      now: () => ({ time: "12:00" }),
      watch: async function* (request, { signal }) {
        yield { time: "12:00" };
        await new Promise((resolve) =>
          signal.addEventListener("abort", resolve),
        );
      },
    },
  },
});
const server = createServer({ keepAliveTimeout: 600_000 }, toNodeHandler(rpc));
server.listen(0, "127.0.0.1", () => console.log(server.address().port));

for await (const _ of createInterface(process.stdin)) {
  const { user, system } = process.cpuUsage();
  globalThis.gc();
  const { rss } = process.memoryUsage();
  console.log(JSON.stringify({ rss, cpu: (user + system) / 1e6 }));
}
