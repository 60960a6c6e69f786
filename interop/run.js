// Generates OpenAPI documents of two contracts with ridlkit, lints them,
// creates clients from them with other generators, and calls every method of a
// server with each client. Also compiles the options generated for TanStack
// Query with each of its frameworks, and tests webrpc's Go server.
//   npm run interop                   tests all clients, and TanStack Query
//   npm run interop -- orval hey-api  tests only the clients of these generators
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checkBruno, checkPostman } from "./collections.js";
import { checkWebhooks } from "./webhooks.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const work = `${here}.work`;

/**
 * For each contract, the path of its document and the folder for its clients.
 */
const shop = {
  name: "shop",
  document: ".work/generated/openapi.yaml",
  folder: ".work",
};
const platform = {
  name: "platform",
  document: ".work/platform/generated/openapi.yaml",
  folder: ".work/platform",
};

const unions = {
  name: "unions",
  document: ".work/unions/generated/openapi.yaml",
  folder: ".work/unions",
};

/**
 * Runs a command in this folder, and returns its standard output.
 *
 * Errors: an error with the whole output if the command fails.
 */
function run(command, args, options = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: here,
    encoding: "utf8",
    ...options,
    env: { ...process.env, ...options.env },
  });
  if (status === 0) return stdout;
  throw new Error(
    `${[command, ...args].join(" ")}\n${stdout ?? ""}${stderr ?? "not found"}`,
  );
}

const bin = (name, ...args) => run(`node_modules/.bin/${name}`, args);

/**
 * Runs a client, and returns what it prints. Does not block, because the client
 * calls a server in this process.
 */
function call(command, args, options = {}) {
  const child = spawn(command, args, { cwd: here, ...options });
  const printed = [];
  const complaints = [];
  child.stdout.on("data", (data) => printed.push(data));
  child.stderr.on("data", (data) => complaints.push(data));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => {
      if (status === 0) resolve(Buffer.concat(printed).toString());
      else
        reject(
          new Error(Buffer.concat([...printed, ...complaints]).toString()),
        );
    });
  });
}

/** Describes a client in TypeScript. All of them are compiled together. */
function inTypeScript(name, generate) {
  return {
    name,
    language: "TypeScript",
    generate,
    call: (address) =>
      call(process.execPath, [`.work/dist/clients/${name}.js`, address]),
    callAll: (args) =>
      call(process.execPath, [".work/dist/clients/platform.js", name, ...args]),
  };
}

const venv = ".work/python/venv/bin/python";
const python = (args) =>
  call(venv, args, {
    env: { ...process.env, PYTHONPATH: `${work}/python` },
  });
const maven = ["-q", "-B", "-f", "unions/java/pom.xml"];
const goFolder = `${work}/go`;
const goTools = { env: { GOBIN: `${work}/bin`, GOFLAGS: "-mod=mod" } };

/** The generators, and how to create and run a client with each. */
const clients = [
  inTypeScript("openapi-fetch", ({ document, folder }) =>
    bin(
      "openapi-typescript",
      document,
      "-o",
      `${folder}/openapi-typescript.ts`,
    ),
  ),
  {
    ...inTypeScript("hey-api", ({ document, folder }) =>
      bin(
        "openapi-ts",
        ...["-i", document, "-o", `${folder}/hey-api`],
        ...["-c", "@hey-api/client-fetch"],
      ),
    ),
    contracts: [shop, platform, unions],
    sendUnions: (address) =>
      call(process.execPath, [".work/dist/unions/hey-api.js", address]),
  },
  inTypeScript("orval", ({ document, folder, name }) =>
    bin(
      "orval",
      ...["--input", document, "--output", `${folder}/orval/${name}.ts`],
      ...["--client", "fetch"],
    ),
  ),
  {
    name: "openapi-python-client",
    language: "Python",
    /** Installs the tool. Throws if Python or the registry is missing. */
    prepare() {
      const tool = "openapi-python-client==0.29.1";
      run("python3", ["-m", "venv", ".work/python/venv"]);
      run(venv, ["-m", "pip", "install", "-q", tool]);
    },
    generate({ document, name }) {
      run(venv, [
        ...["-m", "openapi_python_client", "generate", "--meta", "none"],
        ...["--path", document, "--output-path", `.work/python/${name}_client`],
      ]);
    },
    call: (address) => python(["clients/python/main.py", address]),
    callAll: (args) => python(["clients/python/platform_calls.py", ...args]),
    contracts: [shop, platform, unions],
    sendUnions: (address) => python(["unions/main.py", address]),
  },
  {
    name: "openapi-generator",
    language: "TypeScript and Java",
    contracts: [unions],
    prepare: () => run("mvn", ["--version"]),
    generate() {
      run("mvn", [...maven, "compile"]);
      bin("tsc", "-p", "unions/tsconfig.json");
    },
    async sendUnions(address) {
      const program = ".work/dist/unions/openapi-generator.js";
      await call(process.execPath, [program, address]);
      await call("mvn", [...maven, "exec:java", `-Dexec.args=${address}`]);
    },
  },
  {
    name: "oapi-codegen",
    language: "Go",
    prepare() {
      const tool = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen";
      run("go", ["install", `${tool}@v2.8.2`], goTools);
      cpSync(`${here}clients/go`, goFolder, { recursive: true });
      run("go", ["mod", "download"], { cwd: goFolder, ...goTools });
    },
    generate({ document, name }) {
      mkdirSync(`${goFolder}/${name}`, { recursive: true });
      run(".work/bin/oapi-codegen", [
        ...["-generate", "types,client,skip-prune", "-package", name],
        ...["-o", `.work/go/${name}/${name}.go`, document],
      ]);
      run("go", ["build", "-o", `../bin/${name}-calls`, `./${name}-calls`], {
        cwd: goFolder,
        ...goTools,
      });
    },
    call: (address) => call(".work/bin/shop-calls", [address]),
    callAll: (args) => call(".work/bin/platform-calls", args),
  },
];

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
        ...["../bin/ridl.js", "test", url, `${goServer}/test.ridl`],
        ...["--writes", "--webrpc", "--runs", "400", "--max-time", "500"],
      ]);
      const [, requests] = / (\d+) requests, 0 failures/.exec(printed) ?? [];
      if (!(Number(requests) > 10_000)) throw new Error(printed);
    } finally {
      server.kill();
    }
  },
};

const named = process.argv.slice(2);
const isAsked = ({ name }) => named.length === 0 || named.includes(name);
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
  await step(`${name}: ridlkit`, () =>
    run(process.execPath, ["../bin/ridl.js", "generate", "--config", config]),
  );
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
  await step(`unions: ridlkit (${config})`, () =>
    run(process.execPath, [
      ...["../bin/ridl.js", "generate"],
      ...["--config", `unions/${config}`],
    ]),
  );
}
await step("shop: webhooks", () => checkWebhooks(`${here}${shop.document}`));

/**
 * Checks the types that the compiler infers for each framework of TanStack
 * Query.
 */
function checkQueries() {
  for (const query of ["react", "vue", "svelte", "solid"]) {
    const folder = `${work}/query/${query}`;
    mkdirSync(folder, { recursive: true });
    const schema = ["../../../query/shop.ridl"];
    const config = { schema, out: ".", emit: ["defaults", { query }] };
    writeFileSync(`${folder}/ridl.config.yaml`, JSON.stringify(config));
    run(process.execPath, ["../../../../bin/ridl.js", "generate"], {
      cwd: folder,
    });
  }
  bin("tsc", "-p", "query/tsconfig.json");
}

if (named.length === 0) await step("TanStack Query: types", checkQueries);
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
  run("../node_modules/.bin/esbuild", [
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
for (const { call, callAll, language, name, sendUnions } of made) {
  let count = 0;
  const isRight =
    (call === undefined ||
      ((await step(`${name}: shop`, () => call(address))) &&
        (await step(`${name}: platform`, async () => {
          count = await tryClient(callAll);
        })))) &&
    (sendUnions === undefined ||
      (await step(`${name}: unions`, () => sendUnions(unionsAddress))));
  const cells = [
    ...(call === undefined ? ["–", "–"] : ["7 of 7", `${count} of ${count}`]),
    sendUnions === undefined ? "–" : "yes",
  ];
  if (isRight) rows.push(`| ${[name, language, ...cells].join(" | ")} |`);
}
closeUnions();
close();
await closePlatform();

console.log(`
| generator | language | methods and errors of the shop | of the platform | unions |
|---|---|---|---|---|
${rows.join("\n")}
`);
if (skipped.length > 0) console.log(`not run: ${skipped.join(", ")}`);
if (failed.length > 0) console.error(`failed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
