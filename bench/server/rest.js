import { isDeepStrictEqual } from "node:util";
import { calls } from "./contract/items.js";
import { ask } from "./load.js";
import { measureInTurn } from "./measure.js";
import { requestBytes } from "./request.js";
import { startServer } from "./server-process.js";
import { ownSubject, rival } from "./subjects/index.js";

const subjects = [
  { name: ownSubject, module: "rest-ridlkit.js" },
  { name: rival, module: "rest-fastify.js" },
];

/**
 * Measures REST methods of our server and of the peer's.
 *
 * Returns the samples of both for each call.
 */
export async function measureRest(plan) {
  const servers = await Promise.all(subjects.map(startServer));
  const tables = [];
  for (const { name, verb, path, body, response } of calls) {
    const headers = body === "" ? { "content-type": null } : {};
    const bytes = requestBytes(path, body, { verb, headers });
    for (const { port } of servers) await check(port, bytes, response);
    const request = { bytes, connections: 10, status: 200 };
    const samples = await measureInTurn(
      servers.map((server) => ({ server, request })),
      plan,
    );
    const [own, other] = samples;
    tables.push({ name, own, other });
  }
  for (const { stop } of servers) stop();
  return tables;
}

async function check(port, bytes, expected) {
  const { status, text } = await ask(port, bytes);
  if (status === 200 && isDeepStrictEqual(JSON.parse(text()), expected)) return;
  throw new Error(`answered ${status}: ${text().slice(0, 300)}`);
}
