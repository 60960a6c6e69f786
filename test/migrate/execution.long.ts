import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../cli/support/sandbox.js";
import { installedPackage } from "../support/installed-package.js";
import { listenForTest } from "../support/listen-for-test.js";
import { runTsc } from "../support/run-tsc.js";
import { createShopServer } from "./execution/shop-server.js";
import { readFiles } from "./read-files.js";

const folder = join(import.meta.dirname, "execution");
const read = (name: string): string => readFileSync(join(folder, name), "utf8");

const tsconfig = {
  compilerOptions: {
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2022", "dom", "dom.iterable"],
    types: ["node"],
    strict: true,
    skipLibCheck: true,
    noUnusedLocals: true,
    noEmit: true,
  },
  include: ["src", "generated"],
};

/** Links to packages of this repository, by name. */
const links = {
  "@ridlkit/runtime": "runtime/typescript",
  "@types/node": "node_modules/@types/node",
  typescript: installedPackage("typescript-5.9"),
};

/** Creates a project with packages from the registry. */
async function createProject(
  program: string,
  packages: readonly string[],
): Promise<Sandbox> {
  const sandbox = createSandbox({
    "package.json": '{ "type": "module", "private": true }',
    "tsconfig.json": JSON.stringify(tsconfig),
    "ridl.config.yaml": "schema: [shop.ridl]\n",
    "shop.yaml": read("shop.yaml"),
    ...readFiles(read(program)),
  });
  run(sandbox, "npm", "install", "--no-audit", "--no-fund", ...packages);
  for (const [name, path] of Object.entries(links)) {
    const link = join(sandbox.root, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    if (sandbox.has(`node_modules/${name}`)) {
      sandbox.remove(`node_modules/${name}`);
    }
    symlinkSync(resolve(path), link);
  }
  return sandbox;
}

/** Imports a document, and generates the client. */
async function importDocument(sandbox: Sandbox, path: string): Promise<void> {
  for (const args of [["import", "openapi", path], ["generate"]]) {
    expect(await sandbox.run(args)).toMatchObject({ exitCode: 0 });
  }
}

function run({ root }: Sandbox, command: string, ...args: string[]): void {
  const { status, stderr, stdout } = spawnSync(command, args, {
    cwd: root,
    encoding: "utf8",
  });
  expect(status, stdout + stderr).toBe(0);
}

/** Makes one file of a program, and returns its path. */
async function bundle(root: string, name: string): Promise<string> {
  const outfile = join(root, `${name}.mjs`);
  await build({
    entryPoints: [join(root, `src/${name}.ts`)],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
  });
  return outfile;
}

/** Compiles the program, runs it, and returns its output and its requests. */
async function runProgram({ root }: Sandbox): Promise<string> {
  expect(runTsc(join(root, "tsconfig.json")).stdout).toBe("");
  const outfile = await bundle(root, "main");
  const requests: string[] = [];
  const { url } = await listenForTest(createShopServer(requests));
  const program = spawn(process.execPath, [outfile], {
    env: { ...process.env, SHOP: url },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output] = await Promise.all([
    text(program.stdout),
    once(program, "exit"),
  ]);
  expect(program.exitCode).toBe(0);
  return [output, ...requests].join("\n");
}

test("hey-api: a migrated program sends and prints the same", async () => {
  const project = await createProject("hey-api.txt", [
    "@hey-api/openapi-ts@0.99.0",
  ]);
  await importDocument(project, "shop.yaml");
  const cli = "node_modules/@hey-api/openapi-ts/bin/run.js";
  const plugins = [
    "@hey-api/client-fetch",
    "@hey-api/sdk",
    "@hey-api/typescript",
  ];
  run(
    project,
    "node",
    cli,
    "-i",
    "shop.yaml",
    "-o",
    "src/api",
    "-p",
    ...plugins,
  );
  const before = await runProgram(project);
  expect(before).toContain("x-trace: 7");
  const args = ["migrate", "hey-api", "src"];
  const result = await project.run(args);
  expect(result.exitCode).toBe(0);
  expect(result.stdout).toContain("migrated 19 of 22 calls");
  expect(result.stderr.match(/it sends .*/gu)).toEqual([
    "it sends `Authorization: …`, and the method of the contract sends `Authorization: Bearer …`",
    "it sends `Authorization: Basic …`, and the method of the contract sends `Authorization: Bearer …`",
  ]);
  expect(await runProgram(project)).toBe(before);
  expect(project.read("src/api-client.ts")).toContain(", oldClient);");
  expect((await project.run(args)).stdout).toBe("nothing changed\n");

  // A person changes the calls that stayed.
  const main = project.read("src/main.ts");
  const changed = main
    .replace(
      "getOrder(options)",
      'getOrder({ path: { "order-id": options.path["order-id"] } })',
    )
    .replaceAll(
      /await get(?:Raw|Login)\(\)/gu,
      "await outcomeOf(apiClient.orders.getOpen.result())",
    )
    .replaceAll(/\bget(?:Raw|Login), /gu, "");
  project.write({ "src/main.ts": changed });
  const last = await project.run(args);
  expect(last).toMatchObject({ exitCode: 0, stderr: "" });
  expect(project.read("src/main.ts")).not.toContain("getOrder(");
  expect(project.read("src/api-client.ts")).not.toContain("client.gen");
  const [open = ""] = /^GET \/v2\/open.*$/mu.exec(before) ?? [];
  expect(await runProgram(project)).toBe(
    before.replaceAll(/^GET \/v2\/(?:raw|login).*$/gmu, open),
  );
  expect((await project.run(args)).stdout).toBe("nothing changed\n");
}, 300_000);

test("ts-rest: a migrated program sends and prints the same", async () => {
  const project = await createProject("ts-rest.txt", [
    "@ts-rest/core@3.52.1",
    "@ts-rest/open-api@3.52.1",
    "zod@3.25.76",
  ]);
  run(project, "node", await bundle(project.root, "document"));
  await importDocument(project, "shop.json");
  const before = await runProgram(project);
  expect(before).toContain("x-trace: 7");
  const args = ["migrate", "ts-rest", "src"];
  const result = await project.run(args);
  expect(result.exitCode).toBe(0);
  expect(result.stdout).toContain("migrated 12 of 14 calls");
  expect(await runProgram(project)).toBe(before);
  expect(project.read("src/main.ts")).toContain("addClient(");
  expect((await project.run(args)).stdout).toBe("nothing changed\n");

  // A person changes the calls that stayed.
  const main = project.read("src/main.ts");
  const changed = main
    .replace(', tags: ["a", "b"]', "")
    .replace('served.headers.get("x-served")', '"yes"');
  project.write({ "src/main.ts": changed });
  const last = await project.run(args);
  expect(last).toMatchObject({ exitCode: 0, stderr: "" });
  expect(project.read("src/main.ts")).not.toContain("addClient(");
  expect(await runProgram(project)).toBe(
    before.replace("&tags%5B0%5D=a&tags%5B1%5D=b", ""),
  );
  expect((await project.run(args)).stdout).toBe("nothing changed\n");
}, 300_000);

/** Starts a bundled server, runs the program, and returns its output. */
async function runWithServer(
  { root }: Sandbox,
  serve: string,
): Promise<string> {
  expect(runTsc(join(root, "tsconfig.json")).stdout).toBe("");
  const server = spawn(process.execPath, [await bundle(root, serve)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [started] = await once(server.stdout, "data");
    const port = /port: (\d+)/u.exec(String(started))?.[1];
    const program = spawn(process.execPath, [await bundle(root, "main")], {
      env: { ...process.env, SHOP: `http://localhost:${port}` },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [output] = await Promise.all([
      text(program.stdout),
      once(program, "exit"),
    ]);
    expect(program.exitCode).toBe(0);
    return output;
  } finally {
    server.kill();
  }
}

test("tRPC: a migrated program prints the same with a server of the contract", async () => {
  const project = await createProject("trpc.txt", [
    "@trpc/client@11.25.2",
    "@trpc/server@11.25.2",
    "superjson@2.2.7",
    "zod@4.6.7",
    "esbuild@0.28.2",
  ]);
  const args = ["import", "trpc", "src/router.ts", "--out", "shop.ridl"];
  expect(await project.run(args)).toMatchObject({ exitCode: 0 });
  const error = 'error 1401 Unauthorized "who are you?" HTTP 401\n\n';
  const contract = project.read("shop.ridl");
  project.write({
    "shop.ridl": contract.replace("struct ", `${error}struct `),
  });
  expect(await project.run(["generate"])).toMatchObject({ exitCode: 0 });
  const before = await runWithServer(project, "serve-trpc");
  const migrate = ["migrate", "trpc", "src"];
  const result = await project.run(migrate);
  expect(result.exitCode).toBe(0);
  expect(result.stdout).toContain("migrated 14 of 15 calls");
  // The call that stays has no server anymore.
  expect(await runWithServer(project, "serve-contract")).toBe(
    before.replace("\ntitles\n", "\nno titles\n"),
  );
  expect((await project.run(migrate)).stdout).toBe("nothing changed\n");

  // A person changes the call that stayed.
  const main = project.read("src/main.ts");
  const changed = main.replace("order.admin.titles.query", "order.list.query");
  project.write({ "src/main.ts": changed });
  const last = await project.run(migrate);
  expect(last.exitCode).toBe(0);
  expect(project.read("src/main.ts")).not.toContain("@trpc/client");
  expect(await runWithServer(project, "serve-contract")).toBe(
    before.replace("\ntitles\n", "\nno titles\n"),
  );
  expect((await project.run(migrate)).stdout).toBe("nothing changed\n");
}, 300_000);
