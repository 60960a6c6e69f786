import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, onTestFinished, test } from "vitest";

import { openDatabase } from "../../database/pool.js";
import {
  createDataFolder,
  type Ready,
  startProcess,
} from "../start/start-platform.js";
import { headersOf } from "../support/serve-platform.js";
import {
  createDatabase,
  createMigratedDatabase,
  silent,
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

/** Makes a call, and returns the ID of its request once it is stored. */
async function makeCall(ready: Ready, databaseUrl: string): Promise<string> {
  const { headers } = await fetch(
    `${ready.baseUrl}/rpc/Builder/ListAudiences`,
    {
      method: "POST",
      headers: { "content-type": "application/json", ...headersOf(ready) },
      body: JSON.stringify({ projectId: ready.projectId }),
    },
  );
  const id = headers.get("x-request-id") ?? "";
  const { database } = openDatabase(databaseUrl, silent);
  onTestFinished(() => database.destroy());
  const find = () =>
    database
      .selectFrom("logged_calls")
      .select("request_id")
      .where("request_id", "=", id)
      .execute();
  await expect.poll(find).toEqual([{ request_id: id }]);
  return id;
}

// Each command is a process, which a busy machine starts slowly.
const timeout = 600_000;

test(
  "every command of the runbook runs, in the order of the runbook",
  { timeout },
  async () => {
    const folder = createDataFolder();
    const databaseUrl = await createMigratedDatabase();
    const { ready } = await startProcess(folder, {
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
      env: {
        ...{ ...process.env, DATA_FOLDER: folder, DATABASE_URL: databaseUrl },
        REQUEST: await makeCall(ready, databaseUrl),
      },
    });
    expect(stdout).toContain("scrypt$");
    expect(stdout).toMatch(/whsec_/u);
  },
);

test("the runbook is short", () => {
  expect(text.split(/\s+/u).length).toBeLessThanOrEqual(3000);
});
