import { refusals } from "./cells.js";
import { ask } from "./load.js";
import { measureInTurn, requestOf } from "./measure.js";
import { requestBytes } from "./request.js";

const connections = 10;

/**
 * Measures what refused requests cost our server, compared with valid ones.
 *
 * Returns the kinds of requests of each method with their samples. The valid
 * request comes first.
 */
export async function measureRefusals(subject, server, plan) {
  const tables = [];
  for (const { name, method, message, kinds } of refusals) {
    const valid = requestOf(subject, { method, message, connections });
    const requests = kinds.map(({ path, body, change, status }) => ({
      bytes: requestBytes(path ?? subject.paths[method], body, change),
      connections,
      status,
    }));
    await Promise.all(requests.map((request) => check(server, request)));
    const samples = await measureInTurn(
      [valid, ...requests].map((request) => ({ server, request })),
      plan,
    );
    tables.push({
      name,
      rows: [{ name: "valid request", status: 200 }, ...kinds].map(
        (kind, index) => ({ ...kind, samples: samples[index] }),
      ),
    });
  }
  return tables;
}

/** Checks that a refusal is an envelope with the expected status. */
async function check(server, { bytes, status }) {
  const answer = await ask(server.port, bytes);
  const envelope = JSON.parse(answer.text());
  if (answer.status === status && envelope.status === status) return;
  throw new Error(`answered ${answer.status}, not ${status}`);
}
