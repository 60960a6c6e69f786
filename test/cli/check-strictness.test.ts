import { expect, test } from "vitest";
import { createSandbox } from "./support/sandbox.js";

const document = (line: string): string =>
  `webrpc = v1\nname = a\nversion = v1\n\nstruct A\n  - name: string\n    ${line}\n`;

const mistyped = document("+ maxLenght = 20");

test("rejects a metadata key that resembles a known one", async () => {
  for (const command of ["check", "generate"]) {
    const sandbox = createSandbox({ "a.ridl": mistyped });
    const { exitCode, stderr } = await sandbox.run([command, "a.ridl"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("error[unknown-metadata]");
  }
});

test.each([
  ["warning", 0],
  ["off", 0],
  ["error", 1],
])(
  "reports the key with the configured severity: %s",
  async (severity, expected) => {
    const sandbox = createSandbox({
      "a.ridl": mistyped,
      "ridl.config.yaml": `schema: [a.ridl]\nlint:\n  rules: { unknown-metadata: ${severity} }\n`,
    });
    for (const command of ["check", "generate"]) {
      const { exitCode, stderr } = await sandbox.run([command]);
      expect(exitCode).toBe(expected);
      expect(stderr.includes("unknown-metadata")).toBe(severity !== "off");
    }
  },
);

test("generates again after the configuration becomes stricter", async () => {
  const config = "schema: [a.ridl]\n";
  const sandbox = createSandbox({
    "a.ridl": mistyped,
    "ridl.config.yaml": `${config}lint:\n  rules: { unknown-metadata: off }\n`,
  });
  expect((await sandbox.run(["generate"])).exitCode).toBe(0);
  sandbox.write({ "ridl.config.yaml": config });
  expect((await sandbox.run(["generate"])).exitCode).toBe(1);
});

test("fails on warnings only with `--strict`", async () => {
  const sandbox = createSandbox({ "a.ridl": document("+ format = phone") });
  expect((await sandbox.run(["check", "a.ridl"])).exitCode).toBe(0);
  const args = ["check", "--strict", "a.ridl"];
  expect((await sandbox.run(args)).exitCode).toBe(1);
});

test("changes the contract only with `--fix-all`", async () => {
  const sandbox = createSandbox({ "a.ridl": document("+ nulable = true") });
  await sandbox.run(["check", "--fix", "a.ridl"]);
  expect(sandbox.read("a.ridl")).toContain("+ nulable");
  const args = ["check", "--fix-all", "a.ridl"];
  expect((await sandbox.run(args)).exitCode).toBe(0);
  expect(sandbox.read("a.ridl")).toContain("+ nullable");
});

const foreign = `webrpc = v1
name = a
version = v1

service Shop
  @route:"GET /a" @shop.cache @internal
  - A()
  @route:"GET /b"
  - B()
`;

test.each(["check", "generate"])(
  "warns once about a word that no tool is known to read: %s",
  async (command) => {
    const sandbox = createSandbox({ "a.ridl": foreign });
    const { exitCode, stderr } = await sandbox.run([command, "a.ridl"]);
    expect(exitCode).toBe(0);
    expect(stderr.match(/warning\[unknown-word\]/gu)).toHaveLength(1);
    expect(stderr).toContain("annotation `@route`");
  },
);

test.each([
  "lint: { words: [route] }",
  "lint: { rules: { unknown-word: off } }",
  'filter: { ignore: ["@route:GET /b"] }',
])("reports no word that the configuration knows: %s", async (setting) => {
  const sandbox = createSandbox({
    "a.ridl": foreign,
    "ridl.config.yaml": `schema: [a.ridl]\n${setting}\n`,
  });
  for (const command of ["check", "generate"]) {
    const { exitCode, stderr } = await sandbox.run([command]);
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain("unknown-word");
  }
});

test("generates again after a word is no longer known", async () => {
  const config = "schema: [a.ridl]\nlint:\n  rules: { unknown-word: error }\n";
  const sandbox = createSandbox({
    "a.ridl": foreign,
    "ridl.config.yaml": `${config}  words: [route]\n`,
  });
  expect((await sandbox.run(["generate"])).exitCode).toBe(0);
  sandbox.write({ "ridl.config.yaml": config });
  const { exitCode, stderr } = await sandbox.run(["generate"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("error[unknown-word]");
});

test.each([
  ["off", 0],
  ["warning", 0],
  ["error", 1],
])(
  "applies the severity of a pattern to every command: %s",
  async (severity, expected) => {
    const sandbox = createSandbox({
      "a.ridl": document('+ pattern = "^(a+)+$"'),
      "ridl.config.yaml": `schema: [a.ridl]\nlint:\n  rules: { pattern-redos: ${severity} }\n`,
    });
    for (const command of ["check", "generate"]) {
      const { exitCode } = await sandbox.run([command]);
      expect(exitCode).toBe(expected);
    }
  },
);
