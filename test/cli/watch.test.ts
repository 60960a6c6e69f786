import { expect, onTestFinished, test, vi } from "vitest";
import { createSandbox } from "./support/sandbox.js";
import type { CommandResult, Sandbox } from "./support/sandbox.js";

const config = "schema: [schema/**/*.ridl]\n";
const contract = (field: string): string =>
  `webrpc = v1\n\nimport "../lib/common.ridl"\n\nstruct Item\n  - ${field}: Id\n`;
const common = "webrpc = v1\n\ntype Id: string\n";

/** A running `ridl generate --watch`. */
interface Watching {
  readonly sandbox: Sandbox;
  /**
   * Returns what the command has printed to standard output and standard error
   * so far.
   */
  output(): string;
  stop(): Promise<CommandResult>;
}

function startWatching(
  onOutput = (_text: string): void => {},
  isTerminal = false,
  onRun = (): void => {},
): Watching {
  const sandbox = createSandbox({
    "ridl.config.yaml": config,
    "schema/item.ridl": contract("first"),
    "lib/common.ridl": common,
  });
  let interrupt = (): void => {};
  let output = "";
  const ended = sandbox.run(["generate", "--watch"], {
    isTerminal,
    patch: () => ({ beforeWork: onRun }),
    untilInterrupted: () => new Promise((resolve) => (interrupt = resolve)),
    onOutput: (text) => {
      output += text;
      onOutput(text);
    },
  });
  return {
    sandbox,
    output: () => output,
    stop: () => {
      interrupt();
      return ended;
    },
  };
}

const eventually = (check: () => void): Promise<void> =>
  vi.waitFor(check, { timeout: 30_000, interval: 20 });

test("--watch follows documents, imports, and the configuration, and continues after faults", async () => {
  const { sandbox, output, stop } = startWatching();
  const types = (): string => sandbox.read("generated/types.ts");

  await eventually(() => expect(types()).toContain("first: Id"));
  sandbox.write({ "schema/item.ridl": contract("second") });
  await eventually(() => expect(types()).toContain("second: Id"));

  sandbox.write({ "lib/common.ridl": common.replace("string", "uint32") });
  await eventually(() => expect(types()).toContain("Id = number"));

  sandbox.write({ "schema/item.ridl": "struct struct" });
  await eventually(() => expect(output()).toContain("schema/item.ridl:1"));
  expect(types()).toContain("second: Id");

  sandbox.write({ "schema/item.ridl": contract("third") });
  await eventually(() => expect(types()).toContain("third: Id"));

  sandbox.write({ "ridl.config.yaml": "schema: nonsense\n" });
  await eventually(() => expect(output()).toContain("invalid-config-value"));

  sandbox.write({ "ridl.config.yaml": `${config}out: elsewhere\n` });
  await eventually(() =>
    expect(sandbox.read("elsewhere/types.ts")).toContain("third: Id"),
  );

  sandbox.write({
    "schema/new/other.ridl": "webrpc = v1\n\nstruct Other\n  - a: string\n",
  });
  await eventually(() =>
    expect(JSON.stringify(sandbox.snapshot("elsewhere"))).toContain("Other"),
  );

  expect(await stop()).toMatchObject({ exitCode: 0 });
});

test("--watch reports a fault only once, even if the report is written to a watched file", async () => {
  const { sandbox, output, stop } = startWatching((text) =>
    sandbox.write({ "schema/watch.log": text }),
  );
  await eventually(() => expect(sandbox.has("generated/types.ts")).toBe(true));
  sandbox.write({ "schema/item.ridl": "struct struct" });
  await eventually(() => expect(output()).toContain("schema/item.ridl:1"));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(output().match(/2 errors/gu)).toHaveLength(1);

  sandbox.write({ "schema/item.ridl": contract("second") });
  await eventually(() =>
    expect(sandbox.read("generated/types.ts")).toContain("second: Id"),
  );
  const before = output();
  sandbox.write({ "schema/item.ridl": "struct struct" });
  await eventually(() => expect(output()).not.toBe(before));
  expect(await stop()).toMatchObject({ exitCode: 1 });
});

test("--watch runs while another program writes all the time", async () => {
  const { sandbox, output, stop } = startWatching();
  await eventually(() => expect(output()).toContain("4 created"));
  let writes = 0;
  const timer = setInterval(() => {
    writes += 1;
    sandbox.write({ "program.log": String(writes) });
  }, 2);
  onTestFinished(() => clearInterval(timer));
  await eventually(() => expect(writes).toBeGreaterThan(10));
  sandbox.write({ "schema/item.ridl": contract("second") });
  await eventually(() =>
    expect(sandbox.read("generated/types.ts")).toContain("second: Id"),
  );
  clearInterval(timer);
  expect(await stop()).toMatchObject({ exitCode: 0 });
});

test("--watch reports folders that cannot be watched", async () => {
  const sandbox = createSandbox({
    "ridl.config.yaml": config,
    "schema/item.ridl": contract("first"),
    "lib/common.ridl": common,
  });
  let interrupt = (): void => {};
  const ended = sandbox.run(["generate", "--watch"], {
    patch: () => ({
      watch: () => {
        throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
      },
    }),
    untilInterrupted: () => new Promise((resolve) => (interrupt = resolve)),
  });
  await eventually(() => expect(sandbox.has("generated/types.ts")).toBe(true));
  interrupt();
  const { exitCode, stderr } = await ended;
  expect(stderr).toContain("error[file-access]: cannot watch `");
  expect(stderr).not.toContain("bug");
  expect(stderr.match(/schema`: programs already watch/gu)).toHaveLength(1);
  expect(exitCode).toBe(0);
});

test("--watch does not loop if an import names a folder", async () => {
  let runs = 0;
  const count = (): void => void (runs += 1);
  const { sandbox, output, stop } = startWatching(undefined, false, count);
  await eventually(() => expect(output()).toContain("4 created"));
  const text = contract("first").replace("common.ridl", "folder.ridl");
  sandbox.write({ "lib/folder.ridl/note.txt": "", "schema/item.ridl": text });
  await eventually(() => expect(output()).toContain("missing-file"));
  sandbox.write({ "schema/item.ridl": contract("second") });
  await eventually(() => expect(output()).toContain("2 updated"));
  expect(output()).not.toContain("cannot read");
  expect(runs).toBeLessThan(10);
  expect(await stop()).toMatchObject({ exitCode: 0 });
});

test("--watch prints one line per run without a terminal", async () => {
  const { sandbox, output, stop } = startWatching();
  const first =
    "watching for changes; press Ctrl-C to stop\n4 files: 4 created\n";
  await eventually(() => expect(output()).toBe(first));
  const updated = "4 files: 2 updated, 2 unchanged\n";
  sandbox.write({ "schema/item.ridl": contract("second") });
  await eventually(() => expect(output()).toBe(first + updated));
  sandbox.write({ "schema/item.ridl": contract("third") });
  await eventually(() => expect(output()).toBe(first + updated + updated));
  expect(await stop()).toMatchObject({ exitCode: 0 });
});

test("--watch tells a terminal user that it is watching and that a fault is fixed", async () => {
  const { sandbox, output, stop } = startWatching(() => {}, true);
  await eventually(() => expect(output()).toContain("created"));
  expect(output()).toMatch(/^watching for changes; press Ctrl-C to stop\n/u);
  sandbox.write({ "schema/item.ridl": "struct struct" });
  await eventually(() => expect(output()).toContain("schema/item.ridl"));
  sandbox.write({ "schema/item.ridl": contract("first") });
  await eventually(() => expect(output()).toMatch(/nothing changed\n$/u));
  expect(await stop()).toMatchObject({ exitCode: 0 });
});

/** A program that says that it has started, and then runs until it is stopped. */
const program = `require("node:fs").appendFileSync("started", String(process.pid) + " ");
setInterval(() => {}, 60_000);
`;

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}

test("--run starts commands once the code is generated, and stops them", async () => {
  const sandbox = createSandbox({
    "ridl.config.yaml": config,
    "schema/item.ridl": "struct struct",
    "lib/common.ridl": common,
    "first.cjs": program,
    "second.cjs": program,
  });
  let interrupt = (): void => {};
  let output = "";
  const commands = ["first", "second"].flatMap((name) => [
    "--run",
    `node ${name}.cjs`,
  ]);
  const ended = sandbox.run(["generate", "--watch", ...commands], {
    untilInterrupted: () => new Promise((resolve) => (interrupt = resolve)),
    onOutput: (text) => (output += text),
  });
  const started = (): readonly number[] =>
    sandbox.has("started")
      ? sandbox.read("started").trim().split(" ").map(Number)
      : [];
  await eventually(() => expect(output).toContain("schema/item.ridl:1"));
  expect(started()).toEqual([]);
  for (const field of ["first", "second"]) {
    sandbox.write({ "schema/item.ridl": contract(field) });
    await eventually(() =>
      expect(sandbox.read("generated/types.ts")).toContain(`${field}: Id`),
    );
    await eventually(() => expect(started()).toHaveLength(2));
  }
  expect(started().every(isRunning)).toBe(true);
  interrupt();
  expect(await ended).toMatchObject({ exitCode: 0 });
  expect(started().filter(isRunning)).toEqual([]);
});

test("--watch ends with the exit code of the command", async () => {
  const sandbox = createSandbox({
    "ridl.config.yaml": config,
    "schema/item.ridl": contract("first"),
    "lib/common.ridl": common,
  });
  sandbox.write({ "end.cjs": "process.exit(3);\n" });
  const args = ["generate", "--watch", "--run", "node end.cjs"];
  const { exitCode } = await sandbox.run(args, {
    untilInterrupted: () => new Promise(() => {}),
  });
  expect(exitCode).toBe(3);
});

test("--run needs --watch", async () => {
  const { exitCode, stderr } = await createSandbox().run([
    "generate",
    "--run",
    "true",
  ]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("`--run` needs `--watch`");
});
