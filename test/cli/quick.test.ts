import { expect, test } from "vitest";
import { isQuick } from "./support/is-quick.js";
import { createSandbox, type Sandbox } from "./support/sandbox.js";

const schema = `webrpc = v1
name = shop
version = v1.0.0

service Shop
  - Ping()
`;

/**
 * Creates a project with the given configuration in which ridl has already run.
 */
async function generated(
  config: string,
  ...args: readonly string[]
): Promise<Sandbox> {
  const sandbox = createSandbox({
    "ridl.config.yaml": config,
    "a.ridl": schema,
  });
  const result = await sandbox.run(["generate", ...args]);
  expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  return sandbox;
}

test.each([
  "schema:\n  - a.ridl\n",
  "schema: [a.ridl]\nout: src/rpc # here\n",
  'schema: ["*.ridl"]\nout: "./src"\nlint: { rules: { unbounded-list: off } }\n',
  "schema: &a\n- a.ridl\nout: 'generated'\r\nemit: [types]\r\n",
])("does not parse %j if it is unchanged", async (config) => {
  const sandbox = await generated(config);
  expect(isQuick(sandbox)).toBe(true);
  sandbox.write({ "ridl.config.yaml": `${config}# A comment.\n` });
  expect(isQuick(sandbox)).toBe(false);
  const run = await sandbox.run(["generate"]);
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(isQuick(sandbox)).toBe(true);
});

test.each([
  "{ schema: [a.ridl], out: rpc }\n",
  'schema: [a.ridl]\n"out": rpc\n',
  "schema: [a.ridl]\nout: &out rpc\n",
  'schema: [a.ridl]\nout: "r\\u0070c"\n',
])(
  "parses %j, because it does not reveal the output folder without parsing",
  async (config) => {
    const sandbox = await generated(config);
    expect(sandbox.has("rpc/client.ts")).toBe(true);
    expect(isQuick(sandbox)).toBe(false);
    // A manifest that another run left at the guessed location is not used
    // either.
    await sandbox.run(["generate", "--out", "generated"]);
    expect(sandbox.has("generated/client.ts")).toBe(true);
    expect(isQuick(sandbox)).toBe(false);
  },
);

test.each([
  ["documents", ["b.ridl"]],
  ["names", ["--compat", "webrpc"]],
])(
  "parses the configuration after a run with different %s",
  async (_, args) => {
    const sandbox = await generated("schema: [a.ridl]\n");
    sandbox.write({ "b.ridl": schema });
    expect(isQuick(sandbox)).toBe(true);
    await sandbox.run(["generate", ...args]);
    expect(isQuick(sandbox)).toBe(false);
    await sandbox.run(["generate"]);
    expect(isQuick(sandbox)).toBe(true);
  },
);

test("detects new, changed, and missing documents", async () => {
  const sandbox = await generated('schema: ["*.ridl", a.ridl]\n');
  expect(isQuick(sandbox)).toBe(true);
  sandbox.write({ "b.ridl": schema.replaceAll("hop", "tock") });
  expect(isQuick(sandbox)).toBe(false);
  sandbox.remove("b.ridl");
  expect(isQuick(sandbox)).toBe(true);
  sandbox.write({ "a.ridl": `${schema}  - Pong()\n` });
  expect(isQuick(sandbox)).toBe(false);
  sandbox.remove("a.ridl");
  expect(isQuick(sandbox)).toBe(false);
});

test("does not take the shortcut without a configuration", () => {
  expect(isQuick(createSandbox({ "a.ridl": schema }))).toBe(false);
});
