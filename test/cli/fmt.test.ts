import {
  chmodSync,
  lstatSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox } from "./support/sandbox.js";
import { toDrive } from "./support/windows.js";

const untidy = "webrpc   =   v1\n\n\n\nstruct Item\n- id: string # an id\n";
const broken = "struct Item\n  - id string\n";

/** Returns the canonical form of `untidy`, as printed for standard input. */
async function tidy(): Promise<string> {
  const { stdout } = await createSandbox().run(["fmt", "-"], { input: untidy });
  return stdout;
}

describe("ridl fmt", () => {
  test("formats standard input to standard output", async () => {
    const text = await tidy();
    expect(text).toMatch(
      /^webrpc = v1\n\nstruct Item\n {2}- id: string +# an id\n$/u,
    );
    const again = await createSandbox().run(["fmt", "-"], { input: text });
    expect(again).toEqual({ exitCode: 0, stdout: text, stderr: "" });
  });

  test("reads standard input only if it is named", async () => {
    const sandbox = createSandbox({
      "ridl.config.yaml": "schema: [a.ridl]\n",
      "a.ridl": untidy,
    });
    const { exitCode } = await sandbox.run(["fmt"], { input: broken });
    expect(exitCode).toBe(0);
    expect(sandbox.read("a.ridl")).toBe(await tidy());
  });

  test.each([["nosuch"], ["--check", "nosuch"], ["--check", "nosuch.json"]])(
    "reports a missing document: %s %s",
    async (...args) => {
      const { exitCode, stderr } = await createSandbox().run(["fmt", ...args]);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(
        `error[missing-file]: there is no document \`${args.at(-1)}\``,
      );
    },
  );

  test("reports unformatted standard input with --check", async () => {
    const check = (input: string) =>
      createSandbox().run(["fmt", "--check", "-"], { input });
    const { stdout } = await createSandbox().run(["fmt", "-"], {
      input: untidy,
    });
    expect(await check(stdout)).toMatchObject({ exitCode: 0, stderr: "" });
    const { exitCode, stderr } = await check(untidy);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("`<stdin>` is not formatted");
  });

  test("prints nothing if standard input has a fault", async () => {
    const result = await createSandbox().run(["fmt", "-"], { input: broken });
    expect(result).toMatchObject({ exitCode: 1, stdout: "" });
    expect(result.stderr).toContain("--> <stdin>:2:");
  });

  test("formats the named documents, and lists them if the output is a terminal", async () => {
    const sandbox = createSandbox({ "a.ridl": untidy, "b.ridl": untidy });
    const result = await sandbox.run(["fmt", "a.ridl"], { isTerminal: true });
    expect(result).toEqual({
      exitCode: 0,
      stdout: "formatted a.ridl\n",
      stderr: "",
    });
    expect(sandbox.read("a.ridl")).toBe(await tidy());
    expect(sandbox.read("b.ridl")).toBe(untidy);
    const again = await sandbox.run(["fmt", "a.ridl"], { isTerminal: true });
    expect(again).toEqual({
      exitCode: 0,
      stdout: "nothing changed\n",
      stderr: "",
    });
  });

  test.skipIf(process.platform === "win32")(
    "keeps symbolic links and permissions",
    async () => {
      const sandbox = createSandbox({ "real/a.ridl": untidy });
      const real = join(sandbox.root, "real/a.ridl");
      const link = join(sandbox.root, "a.ridl");
      chmodSync(real, 0o600);
      symlinkSync(real, link);
      await sandbox.run(["fmt", "a.ridl"]);
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
      expect(sandbox.read("real/a.ridl")).toBe(await tidy());

      sandbox.write({ "real/a.ridl": untidy });
      await sandbox.run(["fmt", "real"]);
      expect(sandbox.read("real/a.ridl")).toBe(await tidy());
      expect(lstatSync(real).mode & 0o777).toBe(0o600);
      expect(readdirSync(sandbox.root).sort()).toEqual(["a.ridl", "real"]);
    },
  );

  test("formats the configured documents if no document is named", async () => {
    const sandbox = createSandbox({
      "ridl.config.yaml": "schema: [schema]\n",
      "schema/a.ridl": untidy,
      "schema/b.json": "{}",
    });
    expect(await sandbox.run(["fmt"])).toMatchObject({ exitCode: 0 });
    expect(sandbox.read("schema/a.ridl")).toBe(await tidy());
    expect(sandbox.read("schema/b.json")).toBe("{}");
  });

  test("`--check` lists unformatted documents, and writes nothing", async () => {
    const sandbox = createSandbox({ "a.ridl": untidy, "b.ridl": await tidy() });
    const args = ["fmt", "--check", "*.ridl"];
    const result = await sandbox.run(args);
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain("error[unformatted]: `a.ridl`");
    expect(result.stderr).not.toContain("b.ridl");
    expect(sandbox.read("a.ridl")).toBe(untidy);
    await sandbox.run(["fmt", "a.ridl"]);
    expect(await sandbox.run(args)).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("skips documents with faults, and formats the others", async () => {
    const sandbox = createSandbox({ "a.ridl": broken, "b.ridl": untidy });
    const { exitCode, stderr } = await sandbox.run(["fmt", "*.ridl"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("--> a.ridl:2:");
    expect(sandbox.read("a.ridl")).toBe(broken);
    expect(sandbox.read("b.ridl")).toBe(await tidy());
  });

  test.each([
    ["dangling-annotation", "service A\n- B()\n@deprecated\n"],
    ["trailing-text", "service A\n- B() errors C later\n"],
    ["nul-character", "struct A\n- b: int\n\0\nstruct C\n"],
  ])("leaves text that has no meaning in place: %s", async (code, rest) => {
    const text = `webrpc = v1\n${rest}`;
    const sandbox = createSandbox({ "a.ridl": text });
    const result = await sandbox.run(["fmt", "a.ridl"]);
    expect(result.stderr).toContain(`warning[${code}]`);
    expect(sandbox.read("a.ridl")).toBe(text);
    const piped = await sandbox.run(["fmt", "-"], { input: text });
    expect(piped).toMatchObject({ exitCode: 1, stdout: "" });
  });

  test("keeps Windows line breaks", async () => {
    const windows = (text: string): string => text.replaceAll("\n", "\r\n");
    const sandbox = createSandbox({ "a.ridl": windows(untidy) });
    await sandbox.run(["fmt", "a.ridl"]);
    const after = sandbox.read("a.ridl");
    expect(after).toBe(windows(await tidy()));
    for (const args of [
      ["fmt", "--check", "a.ridl"],
      ["fmt", "--check", "-"],
    ]) {
      const check = await sandbox.run(args, { input: after });
      expect(check).toMatchObject({ exitCode: 0, stderr: "" });
    }
  });

  test("reports a missing document, and does not create it", async () => {
    const sandbox = createSandbox();
    const { exitCode, stderr } = await sandbox.run(["fmt", "no.ridl"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("there is no document `no.ridl`");
    expect(sandbox.has("no.ridl")).toBe(false);
  });
});

test.each([
  ["fmt", ["fmt"], "struct"],
  ["check --fix", ["check", "--fix"], "message"],
])(
  "`%s` keeps what an editor saves in the meantime, and writes nothing",
  async (_, args, keyword) => {
    const faulty = (name: string): string =>
      `webrpc = v1\nname = ${name}\nversion = v1\n${keyword}   ${name}\n- a: string\n`;
    const sandbox = createSandbox({
      "ridl.config.yaml":
        "schema: ['*.ridl']\nlint: { categories: [standard] }\n",
      "a.ridl": faulty("A"),
      "b.ridl": faulty("B"),
    });
    const before = sandbox.snapshot();
    const saved = `${before["b.ridl"]}# new\n`;
    const { exitCode, stderr } = await sandbox.run(args, {
      patch: ({ createText }) => ({
        createText: (path, text) => {
          sandbox.write({ "b.ridl": saved });
          createText(path, text);
        },
      }),
    });
    expect(stderr).toMatch(/b\.ridl`: it was changed in the meantime/u);
    expect(exitCode).toBe(1);
    expect(sandbox.snapshot()).toEqual({ ...before, "b.ridl": saved });
  },
);

test("does not remove text that has no meaning behind a thousand warnings", async () => {
  const values = Array.from({ length: 1001 }, (_, i) => `- A${i} = -${i}\n`);
  const text = `webrpc = v1\nenum E: int32\n${values.join("")}service S\n- A()\n@later\n`;
  const sandbox = createSandbox({ "a.ridl": text });
  const { exitCode, stderr } = await sandbox.run(["fmt", "a.ridl"]);
  expect(stderr).toContain("warning[dangling-annotation]");
  expect(exitCode).toBe(0);
  expect(sandbox.read("a.ridl")).toBe(text);
});

test("does not change documents that are not UTF-8", async () => {
  const sandbox = createSandbox({ "good.ridl": "webrpc = v1\n# \uFFFD\n" });
  const path = join(sandbox.root, "latin1.ridl");
  const bytes = Buffer.from("webrpc = v1\n\n\n# caf\u00E9\n", "latin1");
  writeFileSync(path, bytes);
  const good = await sandbox.run(["fmt", "good.ridl"]);
  expect(good.exitCode).toBe(0);
  for (const [command, problem] of [
    ["fmt", `cannot read \`${toDrive(path)}\``],
    ["check", "`latin1.ridl` cannot be read"],
    ["generate", "`latin1.ridl` cannot be read"],
  ] as const) {
    const { exitCode, stderr } = await sandbox.run([command, "latin1.ridl"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      `error[file-access]: ${problem}: it is not UTF-8 text`,
    );
  }
  expect(readFileSync(path).equals(bytes)).toBe(true);
});
