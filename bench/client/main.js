// Compares clients: `node client/main.js [--quick]`.
import { createGoals } from "../harness/goals.js";
import { writeHeadline } from "../harness/headline.js";
import { endWith, isQuick, writeChart } from "../harness/report.js";
import { measureCalls } from "./calls.js";
import { methodNames } from "./contract.js";
import { measureParts } from "./parts.js";
import { measurePlatform } from "./platform.js";
import { drawClients, headlineOf, printReport } from "./report.js";
import { bare, ownSubject, subjects } from "./subjects.js";
import { bundle, generateClients, gzipped } from "./workspace.js";

const plan = isQuick
  ? { rounds: 2, count: 1_000 }
  : { rounds: 9, count: 10_000 };
const say = (text) => console.error(text);
const goals = createGoals();

const few = methodNames(1);
const many = methodNames(40);
const [fewFolder, manyFolder] = [few, many].map(generateClients);

const calls = await measureCalls(manyFolder, many, plan, say);
const rows = [];
for (const { name, version, alias, source } of subjects) {
  const one = gzipped(await bundle(source(few), fewFolder, { alias }));
  const forty = gzipped(await bundle(source(many), manyFolder, { alias }));
  rows.push({ name, version, one, forty, call: calls.get(name) });
}
const own = subjects.find(({ name }) => name === ownSubject);
const parts = await measureParts(own.source(few), fewFolder);
const platform = await measurePlatform();

goals.atMost("one method of the platform", platform.one, 1_200, " B");
// 3,000, and 250 for the keys of methods with `@idempotencyKey`.
goals.atMost(
  "all methods of the platform and the whole error table",
  platform.withErrors,
  3_250,
  " B",
);
goals.atMost("the Standard Schema of one method", parts.schema, 500, " B");
goals.atMost("the queries of one method", parts.query, 500, " B");
const mine = rows.find(({ name }) => name === ownSubject);
goals.atMost("a call, beyond bare fetch", mine.call.middle, 2, " µs");
for (const peer of rows) {
  if (peer.name === ownSubject || peer.name === bare) continue;
  goals.atMost(`one method, relative to ${peer.name}`, mine.one / peer.one, 1);
  goals.atMost(
    `forty methods, relative to ${peer.name}`,
    mine.forty / peer.forty,
    1,
  );
}

const report = printReport({
  rows,
  parts,
  platform,
  plan,
  goals: goals.list(),
});
if (await endWith("client", report, goals)) {
  writeChart("client", drawClients(rows));
  writeHeadline("client", headlineOf(rows));
}
