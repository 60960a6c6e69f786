// Sends hostile requests to servers: `node hostile/main.js [--quick]`.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createGoals, printGoals } from "../harness/goals.js";
import { describeMachine } from "../harness/machine.js";
import { endWith } from "../harness/report.js";
import { attacks } from "./attacks.js";
import { generate } from "./generate.js";
import { send } from "./send.js";
import { subjects } from "./subjects.js";

const program = fileURLToPath(new URL("server.js", import.meta.url));

/** Starts a server in a new process, so that no attack affects the next one. */
async function startServer(index, mode) {
  const env = { ...process.env, NODE_ENV: mode };
  const child = fork(program, [String(index)], { env, silent: true });
  child.stderr.resume();
  child.stdout.resume();
  let isAlive = true;
  const exited = once(child, "exit").then(() => {
    isAlive = false;
    return [{ observed: null, memory: 0 }];
  });
  const [port] = await Promise.race([once(child, "message"), exited]);
  if (typeof port !== "number")
    throw new Error(`server ${index} did not start`);
  return {
    port,
    isAlive: () => isAlive,
    async observe() {
      if (isAlive) child.send("observe", () => {});
      const [answer] = await Promise.race([once(child, "message"), exited]);
      return answer;
    },
    stop: () => child.kill("SIGKILL"),
  };
}

/** Returns the functions with which attacks call a server. */
function callerOf(subject, server) {
  const { isRejected = () => false, methods = {}, request } = subject;
  const own = new Map(Object.entries(methods));
  const toRequest = (method, value) =>
    request(own.get(method) ?? method, value);
  return {
    toBody: (method, value) => toRequest(method, value).body,
    async call(method, value, changes = {}) {
      const made = toRequest(method, value);
      const before = await server.observe();
      const { status, text } = await send(server.port, {
        ...made,
        ...changes,
        headers: { ...made.headers, ...changes.headers },
      });
      const { memory, observed } = await server.observe();
      return {
        status,
        text,
        isRejected: status !== 200 || isRejected(text),
        seen: observed,
        memory: memory - before.memory,
        isAlive: server.isAlive(),
      };
    },
  };
}

async function tryAttack(index, { act }, mode) {
  const server = await startServer(index, mode);
  try {
    return await act(callerOf(subjects[index], server));
  } finally {
    server.stop();
  }
}

/** Throws unless a server answers a valid request. */
async function checkSubject(index) {
  const { name } = subjects[index];
  const valid = '{"name":"a","counts":{"b":8},"data":{"c":9}}';
  const act = ({ call }) => call("save", valid);
  const { seen, status, text } = await tryAttack(index, { act }, "production");
  if (status !== 200 || String(seen?.keys) !== "b" || !text.includes('"c":9'))
    throw new Error(
      `${name} responded to a valid request with ${status} ${text}`,
    );
}

/** Returns what each attack does to a server, one text for each. */
async function tryAttacks(index) {
  await checkSubject(index);
  const outcomes = [];
  for (const attack of attacks) {
    const { modes = ["production"], name } = attack;
    const found = [];
    for (const mode of modes) found.push(await tryAttack(index, attack, mode));
    const [first, ...others] = new Set(found);
    const outcome = [first, ...others.map((each) => `in development: ${each}`)];
    outcomes.push(outcome.join("; "));
    console.error(`${subjects[index].name}: ${name}: ${outcomes.at(-1)}`);
  }
  return outcomes;
}

generate();
const columns = [];
for (const index of subjects.keys()) columns.push(await tryAttacks(index));
const rows = attacks.map(
  ({ name }, row) =>
    `| ${[name, ...columns.map((column) => column[row])].join(" | ")} |`,
);
const [own] = columns;
const goals = createGoals();
const harmed = own.filter((outcome) => outcome.includes("**")).length;
goals.atMost("attacks in bold, ridlkit", harmed, 0);
for (const [row, { name }] of attacks.entries()) {
  const [, memory] = /\+(\d+) MB$/u.exec(own[row]) ?? [];
  if (memory)
    goals.atMost(`memory, ${name}, ridlkit`, Number(memory), 30, " MB");
}

await endWith(
  "hostile",
  `# Hostile requests

${describeMachine()} Each server is set up as the guide of its tool shows for Node, with zod 4 where it
needs schemas (ts-rest: zod 3), with \`NODE_ENV=production\` and the limits that the tool has by default.
Each request goes to a new process. A cell has the HTTP status, whether the handler ran, and by
how much the peak memory of the process grew. Bold outcomes let the request do something that its
sender should not be able to do, or change what it says.

| | ${subjects.map(({ name }) => name).join(" | ")} |
| --- | ${subjects.map(() => "---").join(" | ")} |
${rows.join("\n")}

Options change many of these outcomes. The size of a body is limited by \`maxBodySize\` (tRPC),
\`BodyLimitPlugin\` (oRPC 1), \`bodyLimit\` (Hono) and \`readMaxBytes\` (Connect). tRPC's \`errorFormatter\`
and Cap'n Web's \`onSendError\` can hide messages. Cap'n Web validates with the package \`capnweb-validate\`,
which rewrites sources in a bundler. Encore is not in the table, because its runtime is not an npm package.

## Goals

${printGoals(goals.list())}
`,
  goals,
);
