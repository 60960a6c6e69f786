// Generates the contract with ridlkit, lints its OpenAPI, makes clients from it
// with other generators, and has each call every method of a server. Compiles what
// is generated for TanStack Query with each of its frameworks.
//   npm run interop                    all of them
//   npm run interop -- orval python    some of them
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const work = `${here}.work`;
const description = ".work/generated/openapi.yaml";

/** Runs a command in this folder; what it prints is shown if it fails. */
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

/** Runs a client, which calls the server of this process, so in the background. */
function call(command, args, options = {}) {
  const child = spawn(command, args, { cwd: here, ...options });
  const printed = [];
  child.stdout.on("data", (data) => printed.push(data));
  child.stderr.on("data", (data) => printed.push(data));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => {
      if (status === 0) resolve();
      else reject(new Error(Buffer.concat(printed).toString()));
    });
  });
}

/** A client in TypeScript: compiled with all others, run by Node. */
function inTypeScript(name, generate) {
  return {
    name,
    generate,
    call: (address) =>
      call(process.execPath, [`.work/dist/clients/${name}.js`, address]),
  };
}

const venv = ".work/python/venv/bin/python";
const goFolder = `${work}/go`;
const goTools = { env: { GOBIN: `${work}/bin`, GOFLAGS: "-mod=mod" } };

/** Each makes a client, and calls the server with it. */
const clients = [
  inTypeScript("openapi-fetch", () =>
    bin("openapi-typescript", description, "-o", ".work/openapi-typescript.ts"),
  ),
  inTypeScript("hey-api", () =>
    bin(
      "openapi-ts",
      ...["-i", description, "-o", ".work/hey-api"],
      ...["-c", "@hey-api/client-fetch"],
    ),
  ),
  inTypeScript("orval", () =>
    bin(
      "orval",
      ...["--input", description, "--output", ".work/orval/shop.ts"],
      ...["--client", "fetch"],
    ),
  ),
  {
    name: "python",
    /** Whether the tool and its registry are there. */
    prepare() {
      run("python3", ["-m", "venv", ".work/python/venv"]);
      run(venv, [
        "-m",
        "pip",
        "install",
        "-q",
        "openapi-python-client==0.29.1",
      ]);
    },
    generate() {
      run(venv, [
        ...["-m", "openapi_python_client", "generate", "--meta", "none"],
        ...["--path", description, "--output-path", ".work/python/shop"],
      ]);
    },
    call: (address) =>
      call(venv, ["clients/python/main.py", address], {
        env: { ...process.env, PYTHONPATH: `${work}/python` },
      }),
  },
  {
    name: "go",
    prepare() {
      const tool = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen";
      run("go", ["install", `${tool}@v2.8.2`], goTools);
      cpSync(`${here}clients/go`, goFolder, { recursive: true });
      run("go", ["mod", "download"], { cwd: goFolder, ...goTools });
    },
    generate() {
      mkdirSync(`${goFolder}/shop`, { recursive: true });
      run(".work/bin/oapi-codegen", [
        ...["-generate", "types,client,skip-prune", "-package", "shop"],
        ...["-o", ".work/go/shop/shop.go", description],
      ]);
      run("go", ["build", "-o", "../bin/client", "."], {
        cwd: goFolder,
        ...goTools,
      });
    },
    call: (address) => call(".work/bin/client", [address]),
  },
];

const named = process.argv.slice(2);
const chosen = clients.filter(
  ({ name }) => named.length === 0 || named.includes(name),
);
const skipped = [];
const failed = [];

/** Does a step and says how long it took. Output: whether it succeeded. */
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
await step("ridlkit", () =>
  run(process.execPath, [
    "../bin/ridl.js",
    "generate",
    "--config",
    "ridl.config.yaml",
  ]),
);
await step("redocly", () =>
  console.log(bin("redocly", "lint", description, "--extends", "recommended")),
);
await step("spectral", () =>
  console.log(bin("spectral", "lint", description, "-r", "spectral.yaml")),
);

/** Has the compiler infer types of TanStack Query in each framework. */
function checkQueries() {
  for (const query of ["react", "vue", "svelte", "solid"]) {
    const folder = `${work}/query/${query}`;
    mkdirSync(folder, { recursive: true });
    const config = { schema: ["../../../query/shop.ridl"], out: ".", query };
    writeFileSync(`${folder}/ridl.config.yaml`, JSON.stringify(config));
    run(process.execPath, ["../../../../bin/ridl.js", "generate"], {
      cwd: folder,
    });
  }
  bin("tsc", "-p", "query/tsconfig.json");
}

if (named.length === 0) await step("TanStack Query: types", checkQueries);

const made = [];
for (const client of chosen.filter(isReady)) {
  const { generate, name } = client;
  if (await step(`${name}: generate`, generate)) made.push(client);
}
await step("tsc", () => bin("tsc", "-p", "tsconfig.json"));

const { startServer } = await import("./server.js");
const { address, close } = await startServer();
for (const { name, call } of made) {
  await step(`${name}: call`, () => call(address));
}
close();

if (skipped.length > 0) console.log(`not run: ${skipped.join(", ")}`);
if (failed.length > 0) console.error(`failed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
