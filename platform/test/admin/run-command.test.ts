import { Readable } from "node:stream";

import { expect, test, vi } from "vitest";

import { describeError } from "../../admin/describe-error.js";
import { runCommand } from "../../admin/run-command.js";
import { usages } from "../../admin/usage.js";
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
  [
    "project create",
    /^error: missing required argument 'name'\nusage: project create <name>$/u,
  ],
  [
    "project create a b",
    /^error: too many arguments[^]*\nusage: project create/u,
  ],
  ["key list 1 --secret", /^error: unknown option '--secret'\nusage: key/u],
  ["key list 1 --nothing", /^error: unknown option '--nothing'/u],
  [
    "key lits 1",
    /^error: unknown command 'lits'\n\(Did you mean list\?\)[^]* {2}key list \[options\] <project>/u,
  ],
  ["key", /^Usage: [^]* {2}key list \[options\] <project>/u],
  ["nothing at", /^error: unknown command 'nothing'\n--help lists all/u],
])(
  "rejects `%s` with an error message and the usage",
  async (line, problem) => {
    await expect(run(line)).rejects.toMatchObject({
      name: "UsageError",
      message: expect.stringMatching(problem),
    });
  },
);

const count = "It must be 0 or a positive whole number.";

test.each([
  ["key list one", "project", count],
  ["key list 1.5", "project", count],
  ["key list -1", "project", count],
  ["key list 9007199254740993", "project", "It is too large."],
  ["key create 1 --days 0x1", "--days <days>", count],
  ["key roll 1 2 --hours=-1", "--hours <hours>", count],
  [
    "relay list 1 lost",
    "status",
    "Allowed choices are pending, done, reverted, expired.",
  ],
  [
    `sponsor add 1 137 0x${"ab".repeat(20)} --daily 0.01`,
    "--daily <limit>",
    "It must be a whole number in the smallest unit, such as 10000000000000000 for 0.01, or none.",
  ],
])(
  "rejects the value in `%s` and sends nothing",
  async (line, name, problem) => {
    await expect(run(line)).rejects.toMatchObject({
      name: "UsageError",
      message: expect.stringMatching(
        new RegExp(`'${name}'[^\n]* ${problem.replaceAll("?", "\\?")}\n`, "u"),
      ),
    });
  },
);

const ofAddresses = /address|wallet|contract|account/u;

/** Each value and flag of a command that is an address. */
const addresses = [...usages]
  .flatMap(([name, { flags, values }]) => [
    ...values.map((value) => [name, value] as const),
    ...flags.map(([flag]) => [name, flag] as const),
  ])
  .filter(([, value]) => ofAddresses.test(value));

test("sponsors, links and listeners have addresses", () => {
  const names = new Set(addresses.map(([name]) => name));
  expect([...names]).toEqual([
    ...["link add", "link list", "sponsor add", "listener add"],
    "listener edit",
  ]);
});

test.each(addresses)(
  "%s rejects a wrong checksum in %s",
  async (name, place) => {
    const values = usages.get(name)?.values ?? [];
    const wrong = "0x52908400098527886E0F7030069857D2E4169eE7";
    const words = values.map((value) => (value === place ? wrong : "1"));
    const flag = place.startsWith("--") ? [place.split(" ")[0], wrong] : [];
    await expect(
      run([name, ...words, ...flag].join(" ")),
    ).rejects.toMatchObject({
      name: "UsageError",
      message: expect.stringMatching(/Its checksum is wrong\./u),
    });
  },
);

test.each(["one\ntwo\n", "one\r\n\r\n", "\n", ""])(
  "operator hash rejects %j, which is not one line",
  async (input) => {
    vi.spyOn(process, "stdin", "get").mockReturnValue(
      Object(Readable.from([input])),
    );
    const tools = () => Object({});
    await expect(runCommand(tools, ["operator", "hash"])).rejects.toThrow(
      "expected a password in one line on standard input",
    );
  },
);

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
  expect(group.match(/^ {2}key .*?(?= {2})/gmu)).toEqual([
    "  key create [options] <project> [name]",
    "  key list [options] <project>",
    "  key roll [options] <project> <id>",
    "  key revoke <key>",
    "  key revoke-id <project> <id>",
  ]);
  expect(await textOf("key create --help")).toMatch(/--days <days> /u);
  expect(await textOf("usage --help")).toContain("counts calls");
});

/** Runs a command line with some methods of the console. */
function runWith(client: object, line: string): Promise<unknown> {
  return runCommand(() => Object({ client }), line.split(" "));
}

test("listener edit removes filters with any, and keeps those that are not given", async () => {
  const filters = {
    ...{ contractAddresses: ["0x1"], events: ["A()"] },
    ...{ accounts: ["0x2"], tokenIDs: ["3"] },
  };
  const sent: object[] = [];
  const webhooks = {
    listListeners: async () => ({ listeners: [{ id: 2, filters }] }),
    updateListener: async (request: object) => {
      sent.push(request);
      return { listener: {} };
    },
  };
  const line = "listener edit 1 2 https://a.test any --account any --token 4";
  await runWith({ webhooks }, line);
  const changed = { events: [], accounts: [], tokenIDs: ["4"] };
  expect(sent).toEqual([
    {
      ...{ projectId: 1, id: 2, url: "https://a.test" },
      filters: { ...filters, ...changed },
    },
  ]);
});

test("call show prints a call whose request ID others have used later", async () => {
  const pages = [
    { calls: [{ id: 3 }, { id: 2 }], next: "2" },
    { calls: [{ id: 1 }] },
  ];
  const listCalls = async () => pages.shift();
  const shown = await runWith({ activity: { listCalls } }, "call show a");
  expect(shown).toMatchObject({ value: [{ id: 3 }, { id: 2 }, { id: 1 }] });
});

test("explains what to check if the console rejects the owner's password", () => {
  expect(describeError(new UnauthorizedError())).toMatch(
    /the owner's password: check OPERATOR_TOKEN/u,
  );
});
