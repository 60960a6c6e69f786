import { expect, test } from "vitest";
import { type AbsolutePath, parentOf } from "../../cli/system/paths.js";
import { createSandbox } from "./support/sandbox.js";

/** Lists the severity, code, and location of each finding, in order. */
async function findings(
  files: Readonly<Record<string, string>>,
  ...documents: string[]
): Promise<string[]> {
  const args = ["check", "--format", "json", ...documents];
  const { stdout } = await createSandbox(files).run(args);
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: Record<string, string>[];
  };
  return diagnostics.map(
    ({ severity, code, file, line, column }) =>
      `${severity} ${code} ${file}:${line}:${column}`,
  );
}

test("five mistakes of five kinds cause five findings", async () => {
  const text = `webrpc = v1
name = shop
version = v1.0.0

struct Order
  - id: uint64
  - price bigint
  - owner: Addres

type Address: string

enum Side: strin
  - Buy

service Orders
  @readonyl
  - Get(id: uint64 => (order: Order)
  - List() => (orders: []Order) errors NotFuond

error 404 NotFound "not found" HTTP 404
`;
  expect(await findings({ "a.ridl": text }, "a.ridl")).toEqual([
    "error missing-type a.ridl:7:11",
    "error unknown-type a.ridl:8:12",
    "error invalid-enum-base a.ridl:12:12",
    "error unclosed-bracket a.ridl:17:20",
    "error unknown-error a.ridl:18:40",
  ]);
});

test("shows the chain of an import cycle, and the file of each step", async () => {
  const importing = (path: string): string => `webrpc = v1\nimport "${path}"\n`;
  const sandbox = createSandbox({
    "a.ridl": importing("sub/b.ridl"),
    "sub/b.ridl": importing("c.ridl"),
    "sub/c.ridl": importing("../a.ridl"),
  });
  const { stderr, exitCode } = await sandbox.run(["check", "a.ridl"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("`a.ridl` → `sub/b.ridl` → `sub/c.ridl` → `a.ridl`");
  for (const place of ["sub/c.ridl:2:8", "a.ridl:2:8", "sub/b.ridl:2:8"]) {
    expect(stderr).toContain(place);
  }
  expect(stderr).toContain("1 error\n");
});

test("finds a cycle of listed documents without services", async () => {
  const files = {
    "a.ridl": 'webrpc = v1\nimport "b.ridl"\n',
    "b.ridl": 'webrpc = v1\nimport "a.ridl"\n',
  };
  expect(await findings(files, "a.ridl", "b.ridl")).toEqual([
    "error import-cycle b.ridl:2:8",
  ]);
});

test("reports the faults of a document once, even if two others import it", async () => {
  const files = {
    "a.ridl": "webrpc = v1\nimport b.ridl\nimport c.ridl\n",
    "b.ridl": "webrpc = v1\nimport d.ridl\nstruct B\n  - d: D\n",
    "c.ridl": "webrpc = v1\nimport d.ridl\nstruct C\n  - d: D\n",
    "d.ridl": "webrpc = v1\nstruct D\n  - a: Missing\n",
  };
  expect(await findings(files, "a.ridl")).toEqual([
    "error unknown-type d.ridl:3:8",
  ]);
});

test("rejects a folder as a document, wherever it is imported", async () => {
  const files = {
    "a.ridl": "webrpc = v1\nimport sub\nimport ./\nstruct A\n  - b: Nope\n",
    "sub/b.ridl": "webrpc = v1\n",
  };
  expect(await findings(files, "a.ridl")).toEqual([
    "error missing-file a.ridl:2:8",
    "error missing-file a.ridl:3:8",
  ]);
});

test("reports the location of mistakes in JSON and YAML", async () => {
  const files = {
    "a.json": `{
  "webrpc": "v1",
  "types": [
    { "kind": "struct", "name": "A", "fields": [{ "name": "a", "type": "[]strng" }] }
  ]
}`,
    "b.yaml": `webrpc: v1
types:
  - kind: alias
    name: B
    type: map<string,int[]>
  - kind: strct
    name: C
`,
    "c.ridl": "webrpc = v1\nimport d.yml\nstruct C\n  - d: D\n",
    "d.yml":
      "webrpc: v1\ntypes:\n  - {kind: struct, name: D, fields: []}\nextra: 1\n",
  };
  expect(await findings(files, "a.json", "b.yaml", "c.ridl")).toEqual([
    "error unknown-type a.json:4:75",
    "error unexpected-token b.yaml:5:25",
    "error invalid-form b.yaml:6:11",
    "warning unknown-key d.yml:4:1",
  ]);
});

test("reports a file that cannot be read as a diagnostic", async () => {
  const sandbox = createSandbox({ "a.ridl": "webrpc = v1\nimport b.ridl\n" });
  const { exitCode, stdout } = await sandbox.run(
    ["check", "a.ridl", "--format", "json"],
    {
      patch: (system) => ({
        readText: (path) => {
          if (path.endsWith("b.ridl")) throw denied(path, system.readText);
          return system.readText(path);
        },
      }),
    },
  );
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    diagnostics: [{ code: "file-access", severity: "error" }],
  });
});

/** Returns the operating system's own error, by reading a folder as text. */
function denied(
  path: AbsolutePath,
  read: (path: AbsolutePath) => unknown,
): unknown {
  try {
    return read(parentOf(path));
  } catch (error) {
    return error;
  }
}

test("explains how to report a crash that occurs while it reads a document", async () => {
  const sandbox = createSandbox({ "a.ridl": "webrpc = v1\n" });
  const { exitCode, stderr } = await sandbox.run(["check", "a.ridl"], {
    patch: () => ({
      readText: () => {
        throw new RangeError("too much");
      },
    }),
  });
  expect(exitCode).toBe(70);
  expect(stderr).toMatch(/^error: ridl crashed\. This is a bug in ridlkit/u);
  expect(stderr).toContain("RangeError: too much");
  expect(stderr).toContain("please report it");
});
