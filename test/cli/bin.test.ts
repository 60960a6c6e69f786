import { spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";

/** Runs the built program as users do. */
const ridl = (...args: string[]) =>
  spawnSync(process.execPath, ["bin/ridl.js", ...args], { encoding: "utf8" });

test("bin/ridl.js prints the version of the package", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(ridl("--version")).toMatchObject({
    status: 0,
    stdout: `${version}\n`,
    stderr: "",
  });
});

test("bin/ridl.js exits with the command's exit code", () => {
  expect(ridl("generate", "--nonsense").status).toBe(2);
  expect(ridl("generate", "no-such-file.ridl").status).toBe(1);
});

test("bin/ridl.js formats documents if standard input is a pipe, as in programs that start it", () => {
  const folder = mkdtempSync(join(tmpdir(), "ridl-bin-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const document = join(folder, "shop.ridl");
  writeFileSync(document, "webrpc   =   v1\n");
  writeFileSync(join(folder, "ridl.config.yaml"), "schema: [shop.ridl]\n");
  spawnSync(process.execPath, [resolve("bin/ridl.js"), "fmt"], {
    cwd: folder,
    stdio: "pipe",
  });
  expect(readFileSync(document, "utf8")).toBe("webrpc = v1\n");
});

test.each([
  [
    "await new Promise(() => {});\n",
    "  = note: `./emitter.js` waits for a promise that never settles\n",
  ],
  ["process.exit(0);\n", "error: code of the project ended the process\n"],
  ["setInterval(() => {}, 1e6);\nthrow 'open';\n", "  = note: open\n"],
])(
  "bin/ridl.js fails if an emitter does not end, or ends the process: %j",
  (emitter, end) => {
    const folder = mkdtempSync(join(tmpdir(), "ridl-bin-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const files = {
      "shop.ridl": "webrpc = v1\nname = shop\nversion = v1.0.0\n",
      "emitter.js": emitter,
      "package.json": '{ "type": "module" }\n',
      "ridl.config.yaml":
        "schema: [shop.ridl]\nout: generated\nemit: [types, ./emitter.js]\n",
    };
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(folder, name), text);
    }
    const { status, stderr } = spawnSync(
      process.execPath,
      [resolve("bin/ridl.js"), "generate", "--check"],
      { cwd: folder, encoding: "utf8" },
    );
    expect(stderr).toContain(end);
    expect(status).toBe(1);
  },
);

test("bin/ridl.js writes files only if something has changed", () => {
  const folder = mkdtempSync(join(tmpdir(), "ridl-bin-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const generate = (): number | null =>
    spawnSync(process.execPath, [resolve("bin/ridl.js"), "generate"], {
      cwd: folder,
    }).status;
  expect(generate()).toBe(2);
  const files = {
    "shop.ridl":
      "webrpc = v1\nname = shop\nversion = v1.0.0\n\nstruct Book\n  - isbn: string\n",
    "ridl.config.yaml": "schema: [shop.ridl]\n",
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
  }
  const types = join(folder, "generated/types.ts");
  expect(generate()).toBe(0);
  const text = readFileSync(types, "utf8");
  const { mtimeMs } = statSync(types);
  expect(generate()).toBe(0);
  expect(statSync(types).mtimeMs).toBe(mtimeMs);
  writeFileSync(types, "");
  expect(generate()).toBe(0);
  expect(readFileSync(types, "utf8")).toBe(text);
});

test("bin/ridl.js compiles and packages clients", () => {
  const folder = mkdtempSync(join(tmpdir(), "ridl-bin-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { status, stderr } = ridl("package", "--out", folder);
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(readdirSync(join(folder, "dist"))).toContain("client.d.ts");
});

test.runIf(existsSync("/dev/full"))(
  "bin/ridl.js reports in one line that it cannot write its output",
  () => {
    const full = openSync("/dev/full", "w");
    onTestFinished(() => closeSync(full));
    const { status, stderr } = spawnSync(
      process.execPath,
      ["bin/ridl.js", "--help"],
      { encoding: "utf8", stdio: ["ignore", full, "pipe"] },
    );
    expect(stderr).toBe(
      "error[file-access]: cannot write `standard output`: no space left\n",
    );
    expect(status).toBe(1);
  },
);

test("bin/ridl.js prints the stack trace of an emitter's error without ridl's own frames", () => {
  const folder = mkdtempSync(join(tmpdir(), "ridl-bin-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string): void =>
    writeFileSync(join(folder, name), text);
  write("shop.ridl", "webrpc = v1\nname = shop\nversion = v1.0.0\n");
  write("ridl.config.yaml", "schema: [shop.ridl]\nemit: [./routes.mjs]\n");
  const notes = (emitter: string): readonly string[] => {
    write("routes.mjs", emitter);
    const { stderr } = spawnSync(
      process.execPath,
      [resolve("bin/ridl.js"), "generate"],
      { cwd: folder, encoding: "utf8" },
    );
    return stderr.split("\n").filter((line) => / = (?:note|help):/u.test(line));
  };
  expect(notes("export const emit = () => null.hosts;")).toEqual([
    "  = note: TypeError: Cannot read properties of null (reading 'hosts')",
    expect.stringMatching(/= note: at emit \(file:.*\/routes\.mjs:1:\d+\)$/u),
  ]);
  expect(notes("export function emit( {")).toEqual([
    expect.stringContaining("= note: SyntaxError: "),
    "  = help: `node --check ./routes.mjs` shows where",
  ]);
});

test("bin/ridl.js ends although a router keeps the process running", () => {
  const folder = mkdtempSync(join(tmpdir(), "ridl-bin-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const module = "setInterval(() => {}, 1000);\nexport const router = 1;\n";
  writeFileSync(join(folder, "router.mjs"), module);
  const { status, stderr } = spawnSync(
    process.execPath,
    [resolve("bin/ridl.js"), "import", "trpc", "router.mjs"],
    { cwd: folder, encoding: "utf8", timeout: 60_000 },
  );
  expect(stderr).toContain("the module exports no router of tRPC");
  expect(status).toBe(1);
});
