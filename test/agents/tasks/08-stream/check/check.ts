import { deepStrictEqual, strictEqual } from "node:assert";
import { once } from "node:events";
import { createServer } from "node:http";
import { toNodeHandler } from "@ridlkit/runtime/node";
import { createMatchClient } from "./generated/client.js";
import { score, scored } from "./goals.js";
import { match } from "./match.js";

const http = createServer(toNodeHandler(match)).listen(0);
await once(http, "listening");
const { port } = Object(http.address());
const client = createMatchClient({ baseUrl: `http://localhost:${port}` });

score("Ada");
score("Bob");
const seen: string[] = [];
for await (const { goal } of client.watchGoals({ match: "7" })) {
  seen.push(`${goal.number} ${goal.player}`);
  if (goal.number === 2) score("Eve");
  if (goal.number === 3) break;
}
deepStrictEqual(seen, ["1 Ada", "2 Bob", "3 Eve"]);
for await (const { goal } of client.watchGoals({ match: "7", after: 2 })) {
  strictEqual(goal.player, "Eve");
  break;
}
for await (const result of client.watchGoals.result({ match: "8" })) {
  strictEqual(result.ok ? "" : result.error.name, "MatchNotFound");
}

// Without clients, nothing waits anymore.
const deadline = Date.now() + 20_000;
while (scored.listenerCount("goal") > 0) {
  if (Date.now() > deadline) throw new Error("the server still waits");
  await new Promise((resolve) => setTimeout(resolve, 10));
}
http.closeAllConnections();
http.close();
