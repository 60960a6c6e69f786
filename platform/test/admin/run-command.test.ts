import { expect, test } from "vitest";

import { describeError } from "../../admin/describe-error.js";
import { runCommand } from "../../admin/run-command.js";
import { UnauthorizedError } from "../../console/generated/errors.js";

/**
 * Runs a command line. Opening a resource, such as the database, throws an
 * error.
 */
function run(line: string): Promise<unknown> {
  const args = line === "" ? [] : line.split(" ");
  return runCommand(() => {
    throw new Error("opened");
  }, args);
}

test.each([
  ["project create", /^<name> is missing\nusage: project create <name>$/u],
  ["project create a b", /^unexpected value "b"\nusage: project create/u],
  ["key list 1 --secret", /^unexpected flag --secret\nusage: key list/u],
  ["key list 1 --nothing", /Unknown option '--nothing'/u],
  [
    "key lost 1",
    /^there is no command `key lost`\n[^]* {2}key list <project>/u,
  ],
  ["nothing at", /^there is no command `nothing at`\n\n--help lists all/u],
])(
  "rejects `%s` with an error message and the usage",
  async (line, problem) => {
    await expect(run(line)).rejects.toMatchObject({
      name: "UsageError",
      message: expect.stringMatching(problem),
    });
  },
);

test("opens resources for a valid command line", async () => {
  await expect(run("key list 1 --all --json")).rejects.toThrow("opened");
});

test("prints help for all commands, for a group, and for a single command", async () => {
  expect(await run("")).toEqual(await run("--help"));
  const textOf = async (line: string) => String(Object(await run(line)).text);
  expect(await textOf("--help")).toMatch(/project create[^]*operator hash/u);
  const group = await textOf("key --help");
  expect(group.match(/^ {2}\w.*$/gmu)).toEqual([
    "  key create <project> [name] [--secret] [--read-only] [--days <days>]",
    "  key list <project> [--all]",
    "  key roll <project> <id> [--hours <hours>]",
    "  key revoke <key>",
    "  key revoke-id <project> <id>",
  ]);
  expect(await textOf("usage --help")).toContain("counts calls");
});

test("explains what to check if the console rejects the operator token", () => {
  expect(describeError(new UnauthorizedError())).toContain("OPERATOR_TOKEN");
});
