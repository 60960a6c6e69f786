// Generates OpenAPI documents of two contracts with ridlkit, lints them,
// creates clients from them with other generators, and calls every method of a
// server with each client. Also compiles the options generated for TanStack
// Query with each of its frameworks, and tests webrpc's Go server.
//   npm run test:long -- interop                   tests most clients, and TanStack Query
//   npm run test:long -- interop --all          also tests those that take minutes
//   npm run test:long -- interop orval hey-api  tests only the clients of these generators
import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { checkBruno, checkPostman } from "./collections.js";
import { bin, here, ridl, run, work } from "./commands.js";
import { clients, goTools, platform, shop } from "./generators.js";
import { checkOldestPeers } from "./oldest-peers.js";
import { checkWebhooks } from "./webhooks.js";

const goServer = `${work}/go-server`;

/** The server of webrpc's own tests, whose code webrpc generated for Go. */
const webrpcServer = {
  name: "ridl test with webrpc's Go server",
  prepare() {
    mkdirSync(goServer, { recursive: true });
    const require = "require github.com/webrpc/webrpc v0.31.0";
    writeFileSync(
      `${goServer}/go.mod`,
      `module server\n\ngo 1.24\n\n${require}\n`,
    );
    run("go", ["build", "github.com/webrpc/webrpc/cmd/webrpc-test"], {
      cwd: goServer,
      ...goTools,
    });
  },
  /** Throws if `ridl test` reports a failure. */
  check() {
    const program = `${goServer}/webrpc-test`;
    const url = "http://localhost:9988";
    writeFileSync(`${goServer}/test.ridl`, run(program, ["-printRIDL"]));
    const options = { stdio: "ignore" };
    const flags = ["-server", "-port=9988", "-timeout=10m"];
    const server = spawn(program, flags, options);
    try {
      run(program, ["-waitForServer", `-url=${url}`, "-timeout=60s"]);
      const printed = run(process.execPath, [
        ...["../../../bin/ridl.js", "test", url, `${goServer}/test.ridl`],
        ...["--writes", "--webrpc", "--runs", "400", "--max-time", "500"],
      ]);
      const [, requests] = / (\d+) requests, 0 failures/.exec(printed) ?? [];
      if (!(Number(requests) > 10_000)) throw new Error(printed);
    } finally {
      server.kill();
    }
  },
};

const isAll = process.argv.includes("--all");
const named = process.argv.slice(2).filter((each) => each !== "--all");
const isAsked = ({ isLong = false, name }) =>
  named.length === 0 ? isAll || !isLong : named.includes(name);
const unknown = named.filter((name) =>
  clients.every((each) => each.name !== name),
);
if (unknown.length > 0) {
  const names = clients.map(({ name }) => name).join(", ");
  console.error(
    `error: no client is named ${unknown.join(", ")}; expected ${names}`,
  );
  process.exit(2);
}
// The compiler needs all clients in TypeScript, because it compiles them
// together.
const chosen = clients.filter(
  (each) => isAsked(each) || each.language === "TypeScript",
);
const skipped = [];
const failed = [];

/** Runs a step and prints its duration. Returns whether it succeeded. */
async function step(name, act) {
  const startedAt = performance.now();
  try {
    await act();
  } catch (error) {
    failed.push(name);
    console.error(error.message);
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(
    `${failed.includes(name) ? "FAILED" : "ok    "} ${name} (${seconds} s)`,
  );
  return !failed.includes(name);
}

function isReady({ name, prepare }) {
  try {
    prepare?.();
    return true;
  } catch (error) {
    console.log(`NOT RUN: ${name}. ${error.message.trim().slice(-500)}`);
    skipped.push(name);
    return false;
  }
}

rmSync(work, { recursive: true, force: true });
for (const { document, name } of [shop, platform]) {
  const config = `${name}.config.yaml`;
  await step(`${name}: ridlkit`, () => ridl(config));
  await step(`${name}: redocly`, () =>
    console.log(bin("redocly", "lint", document, "--extends", "recommended")),
  );
  await step(`${name}: spectral`, () =>
    console.log(bin("spectral", "lint", document, "-r", "spectral.yaml")),
  );
  await step(`${name}: Postman`, () => {
    const collection = `.work/${name}.postman.json`;
    bin("openapi2postmanv2", "-s", document, "-o", collection);
    checkPostman(`${here}${document}`, `${here}${collection}`);
  });
  await step(`${name}: Bruno`, () => checkBruno(`${here}${document}`));
}
for (const config of ["unions.config.yaml", "unions-3.0.config.yaml"]) {
  await step(`unions: ridlkit (${config})`, () => ridl(`unions/${config}`));
}
await step("shop: webhooks", () => checkWebhooks(`${here}${shop.document}`));

const frameworks = ["react", "vue", "svelte", "solid", "preact", "core"];

/**
 * Checks the types that the compiler infers for each framework of TanStack
 * Query.
 */
function checkQueries() {
  for (const query of frameworks) {
    const folder = `${work}/query/${query}`;
    mkdirSync(folder, { recursive: true });
    const schema = ["../../../query/shop.ridl"];
    const config = { schema, out: ".", emit: ["defaults", { query }] };
    writeFileSync(`${folder}/ridl.config.yaml`, JSON.stringify(config));
    run(process.execPath, ["../../../../../../bin/ridl.js", "generate"], {
      cwd: folder,
    });
  }
  bin("tsc", "-p", "query/tsconfig.json");
}

if (named.length === 0) {
  await step("TanStack Query: types", checkQueries);
  await step("TanStack Query: oldest versions", () =>
    checkOldestPeers(frameworks),
  );
}
if (named.length === 0 && isReady(webrpcServer)) {
  await step(webrpcServer.name, webrpcServer.check);
}

const made = [];
for (const client of chosen.filter(isReady)) {
  const { contracts = [shop, platform], generate, name } = client;
  const isMade = await step(`${name}: generate`, () => {
    for (const contract of contracts) generate(contract);
  });
  if (isMade && isAsked(client)) made.push(client);
}
await step("tsc", () => bin("tsc", "-p", "tsconfig.json"));
await step("servers", () =>
  run("../../../node_modules/.bin/esbuild", [
    ...["platform/harness.ts", "--bundle", "--platform=node", "--format=esm"],
    "--outfile=.work/platform/harness.js",
  ]),
);

const { startServer } = await import("./server.js");
const { address, close } = await startServer();
const { startPlatform } = await import("./platform/run.js");
const { tryClient, close: closePlatform } = await startPlatform(
  `${here}${platform.folder}`,
);
const { startServer: startUnions } = await import("./unions/server.js");
const { address: unionsAddress, close: closeUnions } = await startUnions();
const rows = [];
for (const client of made) {
  const { call, callAll, language, methods = "7 of 7", name } = client;
  const { sendUnions, tool = name, version } = client;
  let count = 0;
  const isRight =
    (call === undefined ||
      (await step(`${name}: shop`, () => call(address)))) &&
    (callAll === undefined ||
      (await step(`${name}: platform`, async () => {
        count = await tryClient(callAll);
      }))) &&
    (sendUnions === undefined ||
      (await step(`${name}: unions`, () => sendUnions(unionsAddress))));
  const cells = [
    call === undefined ? "–" : methods,
    callAll === undefined ? "–" : `${count} of ${count}`,
    sendUnions === undefined ? "–" : "yes",
  ];
  if (isRight)
    rows.push(`| ${[tool, version, language, ...cells].join(" | ")} |`);
}
closeUnions();
close();
await closePlatform();

console.log(`
| generator | version | language | methods and errors of the shop | of the platform | unions |
|---|---|---|---|---|---|
${rows.join("\n")}
`);
if (skipped.length > 0) console.log(`not run: ${skipped.join(", ")}`);
if (failed.length > 0) console.error(`failed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
