import { describe, expect, test } from "vitest";
import { createSandbox } from "./support/sandbox.js";

const config = "schema: [a.ridl]\n";
const document = `webrpc = v1
version = v0.0.1

struct Query
  - user_ids: []string

service Users
  - Find(query: Query)
`;

describe("ridl check", () => {
  test("shows lint warnings without failing", async () => {
    const files = { "ridl.config.yaml": config, "a.ridl": document };
    const { exitCode, stderr } = await createSandbox(files).run(["check"]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain("warning[unbounded-list]");
    expect(stderr).toMatch(/\n1 warning\n$/u);
  });

  test("follows the configuration", async () => {
    const lint = `lint:
  categories: [standard]
  rules:
    unbounded-list: error
    method-succinct: off
    field-camel-case: info
`;
    const files = { "ridl.config.yaml": config + lint, "a.ridl": document };
    const sandbox = createSandbox(files);
    const { exitCode, stdout } = await sandbox.run(["check", "--format=json"]);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      diagnostics: [
        { code: "field-camel-case", severity: "info", line: 5 },
        { code: "unbounded-list", severity: "error", line: 5 },
      ],
    });
  });

  test("uses the integer type from the configuration", async () => {
    const text = "webrpc = v1\n\nstruct Item\n  - id: uint64\n";
    const files = { "ridl.config.yaml": config, "a.ridl": text };
    const sandbox = createSandbox(files);
    expect((await sandbox.run(["check"])).stderr).toContain("int64-unsafe");
    sandbox.write({ "ridl.config.yaml": `${config}int64: bigint\n` });
    expect((await sandbox.run(["check"])).stderr).toBe("");
  });
});

test("has no findings for the output of ridl init", async () => {
  const sandbox = createSandbox();
  await sandbox.run(["init"]);
  const result = await sandbox.run(["check"]);
  expect(result).toMatchObject({ exitCode: 0, stderr: "" });
});

describe("ridl check with many warnings", () => {
  const fields = Array.from({ length: 8 }, (_, n) => `  - n${n}: int64\n`);
  const text = `webrpc = v1\n\nstruct Item\n${fields.join("")}`;
  const count = (found: string): number => found.split("[int64-unsafe]").length;

  test("shows five of each kind and the total", async () => {
    const { stderr } = await createSandbox({ "a.ridl": text }).run([
      "check",
      "a.ridl",
    ]);
    expect(count(stderr)).toBe(1 + 5);
    expect(stderr).toMatch(
      /\n3 more of `int64-unsafe`, which `--all` shows\n8 warnings\n$/u,
    );
  });

  test("shows all of them with `--all`", async () => {
    const sandbox = createSandbox({ "a.ridl": text });
    const { stderr } = await sandbox.run(["check", "--all", "a.ridl"]);
    expect(count(stderr)).toBe(1 + 8);
    expect(stderr).not.toContain("more of");
  });

  test("shows all warnings in machine-readable formats, and all errors to people", async () => {
    const lint = "lint: { rules: { int64-unsafe: error } }\n";
    const sandbox = createSandbox({
      "ridl.config.yaml": config + lint,
      "a.ridl": text,
    });
    expect(count((await sandbox.run(["check"])).stderr)).toBe(1 + 8);
    sandbox.write({ "ridl.config.yaml": config });
    const { stdout } = await sandbox.run(["check", "--format", "json"]);
    expect(JSON.parse(stdout).diagnostics).toHaveLength(8);
  });
});

describe("ridl check --fix", () => {
  test("applies fixes, reports them, and then reports the remaining findings", async () => {
    const lint = "lint: { categories: [standard, security] }\n";
    const sandbox = createSandbox({
      "ridl.config.yaml": config + lint,
      "a.ridl": document.replace("struct", "message"),
    });
    const { exitCode, stdout, stderr } = await sandbox.run(["check", "--fix"], {
      isTerminal: true,
    });
    expect(exitCode).toBe(0);
    expect(stdout).toBe("fixed a.ridl\n1 document read\n");
    expect(sandbox.read("a.ridl")).toBe(
      document.replace(
        "user_ids: []string",
        "userIds: []string\n    + json = user_ids",
      ),
    );
    expect(stderr).toContain("unbounded-list");
    expect(stderr).not.toContain("renamed-keyword");
    const before = sandbox.snapshot();
    await sandbox.run(["check", "--fix"]);
    expect(sandbox.snapshot()).toEqual(before);
  });

  test("writes nothing without `--fix`", async () => {
    const files = { "a.ridl": document.replace("struct", "message") };
    const sandbox = createSandbox(files);
    expect((await sandbox.run(["check", "a.ridl"])).exitCode).toBe(1);
    expect(sandbox.snapshot()).toEqual(files);
  });

  test("prints only diagnostics in machine-readable formats", async () => {
    const files = { "a.ridl": document.replace("struct", "message") };
    const sandbox = createSandbox(files);
    const { stdout } = await sandbox.run(
      ["check", "--fix", "--format=json", "a.ridl"],
      { isTerminal: true },
    );
    expect(JSON.parse(stdout)).toMatchObject({
      diagnostics: [{ code: "unbounded-list" }],
    });
  });

  test("finds documents when it runs in another folder", async () => {
    const sandbox = createSandbox({
      "sub/ridl.config.yaml": config,
      "sub/a.ridl": document.replace("struct", "message"),
      "other/x": "",
    });
    await sandbox.run(
      ["check", "--fix", "--config", "../sub/ridl.config.yaml"],
      {
        folder: "other",
      },
    );
    expect(sandbox.read("sub/a.ridl")).toBe(document);
  });
});

describe("ridl generate", () => {
  const silenced = `webrpc = v1

enum Color: string
  - red = r
  - rot = r #! ridl-ignore duplicate-enum-value the old name of red
`;

  test("does not report lint warnings, unlike ridl check", async () => {
    const files = { "ridl.config.yaml": config, "a.ridl": document };
    const result = await createSandbox(files).run(["generate"]);
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("fails if a rule is set to error", async () => {
    const lint = "lint: { rules: { unbounded-list: error } }\n";
    const sandbox = createSandbox({
      "ridl.config.yaml": config + lint,
      "a.ridl": document,
    });
    const { exitCode, stderr } = await sandbox.run(["generate"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("error[unbounded-list]");
    expect(sandbox.has("generated")).toBe(false);
  });

  test("fails if a rule becomes an error after a run", async () => {
    const files = { "ridl.config.yaml": config, "a.ridl": document };
    const sandbox = createSandbox(files);
    expect((await sandbox.run(["generate"])).exitCode).toBe(0);
    const lint = "lint: { rules: { unbounded-list: error } }\n";
    sandbox.write({ "ridl.config.yaml": config + lint });
    expect((await sandbox.run(["generate"])).exitCode).toBe(1);
  });

  test("respects comments that silence warnings", async () => {
    const files = { "ridl.config.yaml": config, "a.ridl": silenced };
    const sandbox = createSandbox(files);
    const quiet = await sandbox.run(["generate"]);
    expect(quiet).toMatchObject({ exitCode: 0, stderr: "" });
    sandbox.write({ "a.ridl": silenced.replace("#!", "#") });
    const loud = await sandbox.run(["generate"]);
    expect(loud.stderr).toContain("warning[duplicate-enum-value]");
  });
});
