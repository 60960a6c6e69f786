import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { drawSome } from "../support/draw-some.js";
import { runTsc } from "../support/run-tsc.js";
import { oldClients } from "../../tools/migrate/clients.js";
import { heyApiCode } from "./hey-api-code.js";
import { createMigrateProject } from "./migrate-project.js";
import { readFiles } from "./read-files.js";

/**
 * Each folder is a case: the files before and after the command, and what the
 * command prints. Its name begins with the client, if it is not openapi-fetch.
 */
const root = join(import.meta.dirname, "cases");
const isUpdating = process.env["UPDATE_GOLDEN"] === "1";

function expectText(name: string, file: string, actual: string): void {
  const path = join(root, name, file);
  if (isUpdating) writeFileSync(path, actual);
  expect(actual).toBe(readFileSync(path, "utf8"));
}

/** The client whose name begins the name of a case. */
function clientOf(name: string): string {
  const { name: client = "openapi-fetch" } =
    oldClients.find((each) => name.startsWith(each.name)) ?? {};
  return client;
}

const all = readdirSync(root);
// Each case loads the compiler four times.
const cases = isUpdating ? all : drawSome(all, 8);

describe.each(cases)("%s", (name) => {
  test("becomes calls of the generated client", async () => {
    const before = readFiles(
      readFileSync(join(root, name, "before.txt"), "utf8"),
    );
    const client = clientOf(name);
    const code = client === "hey-api" ? heyApiCode : {};
    const project = await createMigrateProject({ ...code, ...before });
    const args = ["migrate", client, "src"];
    const dry = await project.run([...args, "--dry-run"]);
    for (const [path, text] of Object.entries(before)) {
      expect(project.read(path)).toBe(text);
    }
    const result = await project.run(args);
    expect(result).toMatchObject({ exitCode: 0, stderr: dry.stderr });
    expect(dry.stdout).toContain(result.stdout);

    for (const [path, text] of Object.entries(code)) {
      expect(project.read(path)).toBe(text);
    }
    const after = Object.keys(before).map(
      (path) => `=== ${path}\n${project.read(path)}`,
    );
    expectText(name, "after.txt", after.join(""));
    expectText(name, "expected.txt", result.stdout + result.stderr);

    const again = await project.run(args);
    expect(again).toMatchObject({ exitCode: 0, stdout: "nothing changed\n" });
    expect(
      Object.keys(before).map((path) => `=== ${path}\n${project.read(path)}`),
    ).toEqual(after);
    // Code that the command leaves alone can have errors.
    if (name.endsWith("leftovers") || isUpdating) return;
    expect(runTsc(join(project.root, "tsconfig.json")).stdout).toBe("");
  });
});
