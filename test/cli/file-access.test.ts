import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "./support/sandbox.js";

const importing = (path: string): string => `webrpc = v1\nimport "${path}"\n`;

test("does not read imports from outside the project", async () => {
  const sandbox = createSandbox({
    "secret.txt": "password = hunter2\n",
    "project/a.ridl": importing("../secret.txt"),
  });
  const args = ["check", "a.ridl"];
  const { exitCode, stderr } = await sandbox.run(args, { folder: "project" });
  expect(exitCode).toBe(1);
  expect(stderr).toContain("outside the project");
  expect(stderr).not.toContain("hunter2");
});

test.each([
  ["check"],
  ["generate"],
  ["breaking", "--against", "."],
  ["export", "--format", "json"],
])(
  "points to the import of a document that cannot be read: %s",
  async (...args) => {
    const sandbox = createSandbox({
      "ridl.config.yaml": "schema: [a.ridl]\n",
      "a.ridl": importing("b.ridl"),
      "b.ridl": "webrpc = v1\n# \uFFFD\n",
    });
    const { exitCode, stderr } = await sandbox.run(args, {
      patch: () => ({ readBytes: () => Uint8Array.of(0xff) }),
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      "error[file-access]: imported file `b.ridl` cannot be read: it is not UTF-8 text\n --> a.ridl:2:8\n",
    );
  },
);

test.each([
  ["check"],
  ["generate"],
  ["fmt"],
  ["breaking", "--against", "."],
  ["export", "--format", "json"],
])(
  "points to the setting that lists a missing document: %s",
  async (...args) => {
    const sandbox = createSandbox({
      "project/ridl.config.yaml": 'schema:\n  - "*.ridl"\n  - ./b.ridl\n',
      "project/a.ridl": "webrpc = v1\n",
    });
    const { exitCode, stderr } = await sandbox.run([
      ...args,
      "--config",
      "project/ridl.config.yaml",
    ]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /error\[missing-file\].*b\.ridl.*\n --> project\/ridl\.config\.yaml:3:5\n/u,
    );
  },
);

test("points to the setting that lists an unreadable document", async () => {
  const sandbox = createSandbox({
    "ridl.config.yaml": "schema: [a.ridl]\n",
    "a.ridl": "webrpc = v1\n# \uFFFD\n",
  });
  const { exitCode, stderr } = await sandbox.run(["check"], {
    patch: () => ({ readBytes: () => Uint8Array.of(0xff) }),
  });
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    "error[file-access]: `a.ridl` cannot be read: it is not UTF-8 text\n --> ridl.config.yaml:1:10\n",
  );
});

test("points to the setting of an emitter that cannot be read", async () => {
  const sandbox = createSandbox({
    "ridl.config.yaml": "schema: [a.ridl]\nemit: [./emitter.js]\n",
    "a.ridl": "webrpc = v1\nname = a\nversion = v1\n",
    "emitter.js": "// \uFFFD\n",
  });
  const { exitCode, stderr } = await sandbox.run(["generate"], {
    patch: () => ({ readBytes: () => Uint8Array.of(0xff) }),
  });
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    "error[file-access]: the emitter `./emitter.js` cannot be read: it is not UTF-8 text\n --> ridl.config.yaml:2:8\n",
  );
});

test("reads imports from folders that the configuration allows", async () => {
  const sandbox = createSandbox({
    "shared/common.ridl": "webrpc = v1\nstruct Common\n",
    "project/b.ridl": importing("../shared/common.ridl"),
    "project/ridl.config.yaml":
      "schema: [b.ridl]\nimportFolders: [../shared]\n",
    "other/ridl.config.yaml": "schema: [b.ridl]\n",
    "other/b.ridl": importing("../shared/common.ridl"),
  });
  const allowed = await sandbox.run(["check"], { folder: "project" });
  expect([allowed.exitCode, allowed.stderr]).toEqual([0, ""]);
  const refused = await sandbox.run(["check"], { folder: "other" });
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain("outside the project");
});

test.skipIf(process.platform === "win32")(
  "does not wait for input from a named pipe",
  async () => {
    const sandbox = createSandbox({ "a.ridl": importing("pipe.ridl") });
    execFileSync("mkfifo", [join(sandbox.root, "pipe.ridl")]);
    const { exitCode, stderr } = await sandbox.run(["check", "a.ridl"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("it is not a regular file");
  },
);

test("rejects a document of more than 16 MB", async () => {
  const sandbox = createSandbox({ "a.ridl": `# ${"x".repeat(16_000_000)}\n` });
  const { exitCode, stderr } = await sandbox.run(["check", "a.ridl"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("larger than 16 MB");
});

test.skipIf(process.platform !== "linux")(
  "fails if a folder cannot be created",
  async () => {
    const sandbox = createSandbox({
      "a.ridl": "webrpc = v1\nname = a\nversion = v1\nstruct A\n",
    });
    const args = ["generate", "a.ridl", "--out", "/proc/x"];
    const { exitCode, stderr } = await sandbox.run(args);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("error[file-access]");
  },
);

test("looks up a document once, even if `schema` names it several times", async () => {
  const sandbox = createSandbox({ "a.ridl": "webrpc = v1\nstruct Item\n" });
  const lookUps = async (schema: readonly string[]): Promise<number> => {
    let count = 0;
    sandbox.write({ "ridl.config.yaml": `schema: [${schema.join(", ")}]\n` });
    const { exitCode } = await sandbox.run(["check"], {
      patch: ({ listFolder }) => ({
        listFolder: (path) => {
          count += 1;
          return listFolder(path);
        },
      }),
    });
    expect(exitCode).toBe(0);
    return count;
  };
  const once = await lookUps(["a.ridl"]);
  expect(await lookUps(Array<string>(50).fill("a.ridl"))).toBe(once);
});

test("ignores links without a target that a pattern matches", async () => {
  const sandbox = createSandbox({
    "schema/a.ridl": "webrpc = v1\nname = a\nversion = v1\n",
  });
  symlinkSync("nowhere", join(sandbox.root, "schema/b.ridl"));
  for (const documents of ["schema/*.ridl", "schema"]) {
    expect(await sandbox.run(["check", documents])).toMatchObject({
      exitCode: 0,
      stderr: "",
    });
  }
});

test.each([
  ["/", "is the root of a disk"],
  ["~/generated", "is not your home folder"],
])("refuses %s as the output folder", async (out, message) => {
  const sandbox = createSandbox({
    "a.ridl": "webrpc = v1\nname = a\nversion = v1\n",
    "ridl.config.yaml": `schema: [a.ridl]\nout: ${out}\n`,
  });
  const runs = [
    await sandbox.run(["generate", "--dry-run"]),
    await sandbox.run(["generate", "a.ridl", "--dry-run", "--out", out]),
    await sandbox.run(["package", "--out", out]),
  ];
  for (const { exitCode, stderr } of runs) {
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  }
});
