// Compares servers: `node server/main.js [--quick]`.
import { createGoals } from "../harness/goals.js";
import { writeHeadline } from "../harness/headline.js";
import { endWith, isQuick, writeChart } from "../harness/report.js";
import { ratio } from "../harness/statistics.js";
import { cells } from "./cells.js";
import { generate } from "./generate.js";
import { checkAnswer, measureInTurn, requestOf } from "./measure.js";
import { measureMemory } from "./memory.js";
import { measureRefusals } from "./refusals.js";
import { drawServers, headlineOf, printReport } from "./report.js";
import { measureRest } from "./rest.js";
import { startServer } from "./server-process.js";
import {
  baseline,
  ownSubject,
  ownFetchSubject,
  rival,
  subjects,
} from "./subjects/index.js";

const plan = isQuick
  ? { rounds: 1, ms: 20, warmCount: 50, memoryRounds: 1 }
  : { rounds: 11, ms: 250, warmCount: 5_000, memoryRounds: 7 };
const say = (text) => console.error(text);
const goals = createGoals();

generate();
const started = [];
for (const subject of subjects) {
  started.push({ subject, server: await startServer(subject) });
}

const tables = [];
for (const cell of cells) {
  say(cell.name);
  for (const { subject, server } of started) {
    await checkAnswer(subject, server, cell);
  }
  const samples = await measureInTurn(
    started.map(({ subject, server }) => ({
      server,
      request: requestOf(subject, cell),
    })),
    plan,
  );
  tables.push({
    cell,
    rows: subjects.map((subject, index) => ({
      subject,
      samples: samples[index],
    })),
  });
}

say("refused requests");
const native = started.find(({ subject }) => subject.name === ownSubject);
const refused = await measureRefusals(native.subject, native.server, plan);
for (const { server } of started) server.stop();

say("REST methods");
const rest = await measureRest(plan);

say("memory");
const memory = await measureMemory(subjects, plan.memoryRounds);
const memoryOf = (name) =>
  memory[subjects.findIndex((subject) => subject.name === name)];

for (const { cell, rows } of tables) {
  const samplesOf = (name) =>
    rows.find(({ subject }) => subject.name === name).samples;
  const [own, byFetch, bare, other] = [
    ownSubject,
    ownFetchSubject,
    baseline,
    rival,
  ].map(samplesOf);
  if (cell.goals.bare !== null) {
    goals.atLeast(
      `capacity, ${cell.name}: native adapter, relative to ${baseline}`,
      ratio(bare, own, "cpu"),
      cell.goals.bare,
    );
    goals.atLeast(
      `capacity, ${cell.name}: fetch on toNodeListener, relative to ${baseline}`,
      ratio(bare, byFetch, "cpu"),
      0.9,
    );
  }
  goals.atLeast(
    `capacity, ${cell.name}: native adapter, relative to ${rival}`,
    ratio(other, own, "cpu"),
    cell.goals.rival,
  );
  goals.atMost(
    `p99, ${cell.name}: native adapter, relative to ${rival}`,
    ratio(own, other, "p99"),
    1.1,
  );
}
for (const { name, own, other } of rest) {
  goals.atLeast(
    `capacity, ${name}: native adapter, relative to ${rival}`,
    ratio(other, own, "cpu"),
    1,
  );
}
goals.atMost(
  `peak memory: native adapter, relative to ${rival}`,
  ratio(memoryOf(ownSubject), memoryOf(rival), "peak"),
  1.03,
);
for (const { name, rows } of refused) {
  const [valid, ...kinds] = rows;
  for (const { isThrown, name: kind, samples } of kinds) {
    goals.atMost(
      `CPU, ${name}: ${kind}, relative to a valid request`,
      ratio(samples, valid.samples, "cpu"),
      isThrown ? 1.5 : 1,
    );
  }
}

const report = printReport({
  tables,
  memory,
  refused,
  rest,
  rounds: plan.rounds,
  goals: goals.list(),
});
if (await endWith("server", report, goals)) {
  writeChart("server", drawServers(tables));
  writeHeadline("server", headlineOf(tables));
}
