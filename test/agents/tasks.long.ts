import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import {
  preparePython,
  python,
} from "../../scripts/test-long/prepare-python.js";
import { startLinkedSession, type Trial } from "../install/session.js";

const folder = "test/agents/tasks";
const tasks = readdirSync(folder);

/** A folder with a solved project for each task, instead of our solutions. */
const solved = process.env["RIDLKIT_SOLUTIONS"];

const missing = tasks.includes("14-python") ? preparePython() : null;
if (missing !== null) console.log(`NOT RUN: the task 14-python. ${missing}`);

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
  return trial.attempt(`PYTHON=${resolve(python)} sh -e check.sh`);
}

describe.each(tasks)("the task %s", { concurrent: true }, (name) => {
  const at = `${folder}/${name}`;
  const isSkipped = name === "14-python" && missing !== null;

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

test("there are 20 tasks, each with a title", () => {
  expect(tasks.length).toBe(20);
  for (const name of tasks) {
    expect(readFileSync(`${folder}/${name}/task.md`, "utf8")).toMatch(/^# \w/u);
  }
});
