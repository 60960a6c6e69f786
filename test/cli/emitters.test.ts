import { expect, test, vi } from "vitest";
import { createSandbox } from "./support/sandbox.js";
import type { CommandResult, Sandbox } from "./support/sandbox.js";

const schema = `webrpc = v1
name = a
version = v1.0.0

type Big: uint64
  + maximum = 18446744073709551615

struct Item
  - id: Big

service A
  - Get(id: Big) => (item: Item)
`;

const routes = `
export function emit(contract, options) {
  const lines = contract.hosts.flatMap((host) =>
    host.services.flatMap((service) =>
      service.methods.map((method) => method.route.path),
    ),
  );
  return [{ path: "docs/routes.txt", text: lines.join("\\n") + "\\n" }];
}
`;

function project(emitter: string | null, emit = "[./routes.mjs]"): Sandbox {
  return createSandbox({
    "ridl.config.yaml": `schema: [a.ridl]\nemit: ${emit}\n`,
    "a.ridl": schema,
    ...(emitter !== null && { "routes.mjs": emitter }),
  });
}

/** Returns the source of `emit` with the given body. */
const emitting = (body: string): string =>
  `export function emit(contract, options) { ${body} }\n`;

function generate(sandbox: Sandbox): Promise<CommandResult> {
  return sandbox.run(["generate"]);
}

test("a project emitter is a function from the contract to files", async () => {
  const sandbox = project(routes);
  expect(await generate(sandbox)).toMatchObject({ exitCode: 0, stderr: "" });
  const files = sandbox.snapshot("generated");
  expect(Object.keys(files)).toEqual([
    ".ridl-manifest.json",
    "docs/routes.txt",
  ]);
  expect(files["docs/routes.txt"]).toBe("/rpc/A/Get\n");
});

test("a project emitter runs alongside targets, and its files are removed when the emitter is removed", async () => {
  const sandbox = project(routes, "[./routes.mjs, types]");
  expect(await generate(sandbox)).toMatchObject({ exitCode: 0, stderr: "" });
  expect(sandbox.has("generated/types.ts")).toBe(true);
  expect(sandbox.has("generated/docs/routes.txt")).toBe(true);
  sandbox.write({ "ridl.config.yaml": "schema: [a.ridl]\nemit: [types]\n" });
  expect(await generate(sandbox)).toMatchObject({ exitCode: 0, stderr: "" });
  expect(sandbox.has("generated/types.ts")).toBe(true);
  expect(sandbox.has("generated/docs")).toBe(false);
});

test("a project emitter receives its own copies of the contract and the options", async () => {
  const sandbox = project(
    emitting(`
      contract.types.length = 0;
      options.int64 = "bigint";
      return [{ path: "options.json", text: JSON.stringify(options) }];
    `),
    "[./routes.mjs, types]",
  );
  expect(await generate(sandbox)).toMatchObject({ exitCode: 0, stderr: "" });
  expect(sandbox.read("generated/types.ts")).toContain("interface Item");
  expect(sandbox.read("generated/types.ts")).toContain("Big = number");
  expect(JSON.parse(sandbox.read("generated/options.json"))).toMatchObject({
    timestamp: "string",
    runtime: "import",
  });
});

test("waits for an emitter that returns a promise", async () => {
  const sandbox = project(
    `export async function emit() {
      await new Promise((resolve) => setImmediate(resolve));
      return [{ path: "late.txt", text: "late" }];
    }`,
    "[./routes.mjs]",
  );
  expect(await generate(sandbox)).toMatchObject({ exitCode: 0, stderr: "" });
  expect(sandbox.read("generated/late.txt")).toBe("late");
});

test("copies the runtime that the emitted files import", async () => {
  const text = 'import { RpcError } from \\"../runtime/wire/errors.js\\";\\n';
  const sandbox = project(
    emitting(`return [{ path: "mine/a.ts", text: "${text}" }];`),
    "[./routes.mjs]\nruntime: copy",
  );
  expect(await generate(sandbox)).toMatchObject({ exitCode: 0, stderr: "" });
  expect(sandbox.has("generated/runtime/wire/errors.ts")).toBe(true);
});

test.each([
  ["the file is missing", null, "error[missing-emitter]: there is no emitter"],
  [
    "it is not JavaScript",
    "export function emit( {",
    "error[invalid-emitter]: the emitter `./routes.mjs` cannot be loaded",
  ],
  [
    "it throws when it is loaded",
    "throw new Error('no database');",
    "Error: no database",
  ],
  [
    "it exports something else",
    "export const emit = 5; export function generate() {}",
    "error[invalid-emitter]: `./routes.mjs` does not export a function `emit`",
  ],
  [
    "it throws when it runs",
    emitting("throw new TypeError('odd contract');"),
    "error[failed-emitter]: the emitter `./routes.mjs` failed",
  ],
  [
    "it throws an error with several lines",
    emitting("throw new Error('odd\\ncontract');"),
    "= note: Error: odd\n  = note: contract\n  = note: at emit (",
  ],
  [
    "it throws something other than an error",
    emitting("throw 'a word';"),
    "note: a word",
  ],
  [
    "it returns something other than a list",
    emitting("return { path: 'a', text: '' };"),
    "error[invalid-output]: the emitter `./routes.mjs` does not return a list of files",
  ],
  [
    "it returns a promise of something other than a list",
    "export async function emit() { return {}; }",
    "error[invalid-output]: the emitter `./routes.mjs` does not return a list of files",
  ],
  [
    "its promise is rejected",
    "export async function emit() { throw new Error('no formatter'); }",
    "Error: no formatter",
  ],
  [
    "it returns a file without text",
    emitting("return [{ path: 'a.txt' }];"),
    "returns a file without a path, or with neither text nor statements",
  ],
  [
    "it returns null as a file",
    emitting("return [null];"),
    "returns a file without",
  ],
  [
    "it writes outside of the output folder",
    emitting("return [{ path: '../a.txt', text: '' }];"),
    'writes outside the output folder: "../a.txt"',
  ],
  [
    "it returns an absolute path",
    emitting("return [{ path: '/tmp/a.txt', text: '' }];"),
    'writes outside the output folder: "/tmp/a.txt"',
  ],
  [
    "it returns a path that is not normalized",
    emitting("return [{ path: 'a/../b.txt', text: '' }];"),
    'returns a path that is not normalized: "a/../b.txt"',
  ],
  [
    "it returns a path with backslashes",
    emitting("return [{ path: 'a\\\\b.txt', text: '' }];"),
    "returns a path that is not normalized",
  ],
  [
    "it writes the manifest",
    emitting("return [{ path: '.ridl-manifest.json', text: '' }];"),
    "writes a file that ridl itself writes",
  ],
  [
    "it writes the same file twice",
    emitting(
      "const text = ''; return [{ path: 'a', text }, { path: 'A', text }];",
    ),
    "error[clashing-output]: the emitter `./routes.mjs` writes `A`, and so does `./routes.mjs`",
  ],
  [
    "it writes a file and a folder at the same path",
    emitting(
      "const text = ''; return [{ path: 'a', text }, { path: 'a/b', text }];",
    ),
    "error[clashing-output]: the emitter `./routes.mjs` writes `a/b`",
  ],
])(
  "writes nothing and reports the location in the configuration if %s",
  async (...row) => {
    const [, emitter, expected] = row;
    const sandbox = project(emitter);
    const { exitCode, stderr } = await generate(sandbox);
    expect(stderr).toContain(expected);
    expect(stderr).toContain("--> ridl.config.yaml:2:8");
    expect(exitCode).toBe(1);
    expect(sandbox.has("generated")).toBe(false);
  },
);

test("does not overwrite files of a target", async () => {
  const sandbox = project(
    emitting("return [{ path: 'types.ts', text: '' }];"),
    "[./routes.mjs, types]",
  );
  const { exitCode, stderr } = await generate(sandbox);
  expect(stderr).toContain(
    "the emitter `./routes.mjs` writes `types.ts`, and so does ridl itself",
  );
  expect(exitCode).toBe(1);
});

test("reports faults in documents and emitters together", async () => {
  const sandbox = project(null);
  sandbox.write({ "a.ridl": `${schema}  - Put(a: Missing)\n` });
  const { stderr } = await generate(sandbox);
  expect(stderr).toContain("missing-emitter");
  expect(stderr).toContain("unknown-type");
});

test("runs again after an emitter changes", async () => {
  const sandbox = project(routes);
  const run = () => sandbox.run(["generate"], { isTerminal: true });
  expect((await run()).stdout).toContain("docs/routes.txt");
  expect((await run()).stdout).toContain("nothing changed");
  sandbox.write({
    "routes.mjs": routes.replace("lines.join", '"GET " + lines.join'),
  });
  expect((await run()).stdout).not.toContain("nothing changed");
  expect(sandbox.read("generated/docs/routes.txt")).toBe("GET /rpc/A/Get\n");
  const check = await sandbox.run(["generate", "--check"]);
  expect(check).toMatchObject({ exitCode: 0, stderr: "" });
});

test("`--watch` follows changes to the emitter", async () => {
  const sandbox = project(routes, "[./tools/routes.mjs]");
  let interrupt = (): void => {};
  let output = "";
  const ended = sandbox.run(["generate", "--watch"], {
    untilInterrupted: () => new Promise((resolve) => (interrupt = resolve)),
    onOutput: (text) => (output += text),
  });
  const eventually = (check: () => void): Promise<void> =>
    vi.waitFor(check, { timeout: 30_000, interval: 20 });
  const text = (): string => sandbox.read("generated/docs/routes.txt");

  await eventually(() => expect(output).toContain("missing-emitter"));
  sandbox.write({ "tools/routes.mjs": routes });
  await eventually(() => expect(text()).toBe("/rpc/A/Get\n"));
  sandbox.write({ "tools/routes.mjs": "export function emit( {" });
  await eventually(() => expect(output).toContain("invalid-emitter"));
  sandbox.write({
    "tools/routes.mjs": routes.replace("lines.join", '"V2 " + lines.join'),
  });
  await eventually(() => expect(text()).toBe("V2 /rpc/A/Get\n"));

  interrupt();
  expect(await ended).toMatchObject({ exitCode: 0 });
});
