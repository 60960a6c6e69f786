import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { goCache, prepareGo } from "../../scripts/test-long/prepare-go.js";
import {
  kotlin,
  prepareKotlin,
} from "../../scripts/test-long/prepare-kotlin.js";
import {
  preparePython,
  python,
} from "../../scripts/test-long/prepare-python.js";
import { startLinkedSession, type Trial } from "../install/session.js";

const folder = "test/agents/tasks";
const tasks = readdirSync(folder);

/** A folder with a solved project for each task, instead of our solutions. */
const solved = process.env["RIDLKIT_SOLUTIONS"];

const nginx = "/usr/sbin/nginx";

/** What tasks need besides Node. The functions return what is missing, or null. */
const needs: Readonly<Record<string, () => string | null>> = {
  "14-python": preparePython,
  "26-go-server": prepareGo,
  "27-two-contracts-go": prepareGo,
  "28-kotlin-client": prepareKotlin,
  "29-behind-proxy": () =>
    existsSync(nginx) ? null : "nginx is not installed.",
};

const skipped = tasks.filter((name) => {
  const missing = needs[name]?.() ?? null;
  if (missing !== null) console.log(`NOT RUN: the task ${name}. ${missing}`);
  return missing !== null;
});

/** Where checks find programs, and what others have compiled. */
const variables = {
  PYTHON: resolve(python),
  KOTLIN: resolve(kotlin),
  NGINX_PROGRAM: nginx,
  ...(skipped.includes("26-go-server") ? {} : { GOCACHE: goCache() }),
};
const assigned = Object.entries(variables)
  .map(([name, value]) => `${name}='${value}'`)
  .join(" ");

/** Checks TypeScript, unless a task has commands of its own. */
const usual = "ridl check\nridl generate\ntsc\nnode dist/check.js\n";

let session: Trial;
beforeAll(async () => {
  session = await startLinkedSession();
});

/** Runs the check of a task in a project. Input: the folders of its files. */
async function check(
  name: string,
  kind: string,
  folders: readonly string[],
): Promise<{ readonly status: number; readonly output: string }> {
  const trial = session.within(`${name}-${kind}`);
  const ours = ["package.json", "ridl.config.yaml", "tsconfig.json"];
  for (const path of ours) {
    cpSync(`templates/init/node/${path}`, trial.path(path));
  }
  for (const each of [...folders, `${folder}/${name}/check`]) {
    cpSync(each, trial.path("."), { recursive: true });
  }
  if (!existsSync(trial.path("check.sh"))) {
    writeFileSync(trial.path("check.sh"), usual);
  }
  return trial.attempt(`${assigned} sh -e check.sh`);
}

describe.each(tasks)("the task %s", { concurrent: true }, (name) => {
  const at = `${folder}/${name}`;
  const isSkipped = skipped.includes(name);

  test.skipIf(isSkipped)("is not solved at the start", async () => {
    const { status, output } = await check(name, "start", [`${at}/start`]);
    expect(status, output).not.toBe(0);
    expect(output).not.toContain("not found");
  });

  test.skipIf(isSkipped)("is solved by its solution", async () => {
    const own = solved === undefined ? `${at}/solution` : `${solved}/${name}`;
    const { status, output } = await check(name, "solved", [
      `${at}/start`,
      own,
    ]);
    expect(status, output).toBe(0);
  });
});

test("there are 30 tasks, which are numbered and have titles", () => {
  const numbers = tasks.map((name) => Number(/^(\d\d)-\w/u.exec(name)?.[1]));
  expect(numbers).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  for (const name of tasks) {
    expect(readFileSync(`${folder}/${name}/task.md`, "utf8")).toMatch(/^# \w/u);
  }
});
