import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { createDataFolder, startProcess } from "../start/start-platform.js";
import {
  createDatabase,
  createMigratedDatabase,
} from "../support/test-database.js";

const text = readFileSync("platform/README.md", "utf8");

/** The shell commands of the runbook, in order. */
const commands = [...text.matchAll(/^( *)```sh\n([^]*?)\n *```$/gmu)].flatMap(
  ([, indent = "", code = ""]) =>
    code.split("\n").map((line) => line.slice(indent.length)),
);

/** Commands that start or build the platform, which other tests do. */
const others = [
  "npm start",
  "npm run build && node scripts/build-platform.js",
  "node dist/platform/main.js",
];

test("every command of the runbook runs, in the order of the runbook", async () => {
  const folder = createDataFolder();
  const databaseUrl = await createMigratedDatabase();
  await startProcess(folder, {
    ALLOW_PRIVATE_TARGETS: "true",
    DATABASE_URL: databaseUrl,
  });
  expect(commands).toEqual(expect.arrayContaining(others));
  const backup = join(folder, "backup.dump");
  const restored = await createDatabase();
  const lines = commands
    .filter((line) => !others.includes(line))
    .map((line) =>
      line
        .replace("backup.dump", backup)
        // A test has no name server.
        .replace("https://example.com/", "http://127.0.0.1:9/")
        .replace(/^(?=.*database restore)/u, `DATABASE_URL=${restored} `),
    );
  expect(lines.length).toBeGreaterThan(20);
  const run = promisify(execFile);
  // `npm run platform` builds the platform first, each time.
  const npm = 'npm() { shift 4; node dist/platform/admin/main.js "$@"; }';
  const script = [npm, ...lines].join("\n");
  const { stdout } = await run("bash", ["-exc", script], {
    env: { ...process.env, DATA_FOLDER: folder, DATABASE_URL: databaseUrl },
  });
  expect(stdout).toContain("scrypt$");
  expect(stdout).toMatch(/whsec_/u);
});

test("the runbook is short", () => {
  expect(text.split(/\s+/u).length).toBeLessThanOrEqual(3000);
});
