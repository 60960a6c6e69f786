import { expect, test } from "vitest";

import type { Tools } from "../../admin/command.js";
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

test.each([
  ["key list one", 'project: expected a number, got "one"'],
  ["key list 1.5", 'project: expected a number, got "1.5"'],
  ["key list 9007199254740993", "project: 9007199254740993 is too large"],
  ["key create 1 --days 0x1", 'days: expected a number, got "0x1"'],
  ["key roll 1 2 --hours=-1", 'hours: expected a number, got "-1"'],
  [
    `sponsor add 1 137 0x${"ab".repeat(20)} --daily 0.01`,
    'limit: expected a whole number in the smallest unit, such as 10000000000000000 for 0.01, got "0.01"',
  ],
  [
    "sponsor add 1 137 0x52908400098527886E0F7030069857D2E4169eE7",
    "address: the checksum of 0x52908400098527886E0F7030069857D2E4169eE7 is wrong",
  ],
  [
    "listener add 1 137 https://a.test --contract 0x52908400098527886E0F7030069857D2E4169eE7",
    "contract: the checksum of 0x52908400098527886E0F7030069857D2E4169eE7 is wrong",
  ],
])("rejects the value in `%s` and sends nothing", async (line, message) => {
  const tools = (): Tools => ({
    get client(): Tools["client"] {
      throw new Error("opened");
    },
    get settings(): Tools["settings"] {
      throw new Error("opened");
    },
  });
  const answer = runCommand(tools, line.split(" "));
  await expect(answer).rejects.toMatchObject({ name: "UsageError", message });
});

test.each([
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0x52908400098527886e0f7030069857d2e4169ee7",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED",
])("accepts the address %s", async (address) => {
  await expect(run(`sponsor add 1 137 ${address}`)).rejects.toThrow("opened");
});

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
