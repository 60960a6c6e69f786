import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { median } from "../harness/statistics.js";
import { request, response } from "./contract.js";
import { bare, subjects } from "./subjects.js";
import { bundle } from "./workspace.js";

const json = { headers: { "content-type": "application/json" } };

/**
 * Measures the CPU time of calls with a `fetch` that answers immediately. The
 * subjects take turns.
 *
 * Returns the microseconds of a call by subject, minus those of the bare wrapper
 * in the same round: the value of each round, and their median.
 */
export async function measureCalls(folder, names, plan, say) {
  const loaded = [];
  for (const subject of subjects) {
    loaded.push(await load(subject, folder, names));
  }
  const samples = new Map(subjects.map(({ name }) => [name, []]));
  for (let round = 0; round <= plan.rounds; round++) {
    const spent = new Map();
    for (const { name, call, stub } of loaded) {
      spent.set(name, await spend(call, stub, plan.count));
    }
    say(`calls: round ${round} of ${plan.rounds}`);
    // The first round warms up.
    if (round === 0) continue;
    for (const [name, each] of spent) {
      samples.get(name).push(each - spent.get(bare));
    }
  }
  return new Map(
    [...samples].map(([name, values]) => [
      name,
      { values, middle: median(values) },
    ]),
  );
}

/**
 * Loads a client, and checks the request and the result of its first method.
 * Returns its name, that method, and the `fetch` of the client.
 */
async function load(subject, folder, names) {
  const { name, alias, answer = response, source } = subject;
  const file = join(folder, `${name.replaceAll(/\W/g, "-")}.mjs`);
  writeFileSync(
    file,
    await bundle(source(names), folder, { alias, isMinified: false }),
  );
  const stub = stubOf(JSON.stringify(answer));
  // All clients use the global `fetch`, and some read it at startup.
  globalThis.fetch = stub;
  const { default: create } = await import(pathToFileURL(file).href);
  const call = create()[names[0]];
  const value = await call(request);
  const [{ url, headers, body } = {}] = stub.seen.splice(0);
  const isRight =
    isDeepStrictEqual({ id: value.id, name: value.name }, response) &&
    url.toLowerCase().includes(names[0].toLowerCase()) &&
    headers.get("x-access-key") === "key" &&
    body.includes('"id":"7"');
  if (!isRight)
    throw new Error(`${name} did not make its call: ${url} ${body}`);
  stub.isSeeing = false;
  return { name, call, stub };
}

/**
 * Creates a `fetch` that responds with the given text. It records its requests
 * until `isSeeing` is set to false.
 */
function stubOf(text) {
  const seen = [];
  const stub = async (input, init) => {
    if (stub.isSeeing) {
      const { url, headers, body } = new Request(input, init);
      seen.push({ url, headers, body: await new Response(body).text() });
    }
    return new Response(text, json);
  };
  return Object.assign(stub, { seen, isSeeing: true });
}

async function spend(call, stub, count) {
  globalThis.fetch = stub;
  const start = process.cpuUsage();
  for (let i = 0; i < count; i++) await call(request);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / count;
}
