import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { oldClients } from "../../tools/migrate/clients.js";
import type { Sandbox } from "../cli/support/sandbox.js";
import { heyApiCode } from "./hey-api-code.js";
import { createMigrateProject } from "./migrate-project.js";
import { readFiles } from "./read-files.js";

/**
 * Each folder is a case: the files before and after the command, and what the
 * command prints. Its name begins with the client, if it is not openapi-fetch.
 */
export const root = join(import.meta.dirname, "cases");
export const isUpdating = process.env["UPDATE_GOLDEN"] === "1";

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

/**
 * Runs the command on a case, and compares what it writes and prints. Returns the
 * project.
 *
 * Input: packages that replace the project's default ones.
 */
export async function expectCase(
  name: string,
  packages: Readonly<Record<string, string>> = {},
): Promise<Sandbox> {
  const before = readFiles(
    readFileSync(join(root, name, "before.txt"), "utf8"),
  );
  const client = clientOf(name);
  const code = client === "hey-api" ? heyApiCode : {};
  const project = await createMigrateProject({ ...code, ...before }, packages);
  const args = ["migrate", client, "src"];
  const dry = await project.run([...args, "--dry-run"]);
  for (const [path, text] of Object.entries(before)) {
    expect(project.read(path)).toBe(text);
  }
  const result = await project.run(args);
  expect(result).toMatchObject({ exitCode: 0, stderr: dry.stderr });
  const next = /^next: .*\n/mu;
  const shown = result.stdout.replace(next, "");
  expect(dry.stdout.replace(next, "")).toContain(shown);

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
  return project;
}
