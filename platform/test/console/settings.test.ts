import { readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { commands } from "../../admin/commands.js";
import { localCommands } from "../../admin/local-commands.js";
import type { Tools } from "../../admin/command.js";
import { contractMethods } from "./contract-methods.js";

const types = readFileSync("platform/console/generated/types.ts", "utf8");

/** Returns the fields of a method's request. */
function fieldsOf(method: string): readonly string[] {
  const [, body = ""] =
    new RegExp(`export interface ${method}Request \\{([^]*?)\\n\\}`, "u").exec(
      types,
    ) ?? [];
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??:/gmu)].map(
    ([, name = ""]) => name,
  );
}

const folder = "platform/console/page/";
const pages = readdirSync(folder, { encoding: "utf8", recursive: true })
  .filter((file) => /\.tsx?$/u.test(file))
  .map((file) => readFileSync(folder + file, "utf8"));

/** Returns the fields of each method that some command sets. */
async function sentByCommands(): Promise<ReadonlyMap<string, Set<string>>> {
  const sent = new Map<string, Set<string>>();
  const answer: unknown = new Proxy(() => undefined, {
    get: (_, name) => (name === "then" ? undefined : answer),
    apply: () => answer,
  });
  const client = new Proxy(
    {},
    {
      get: () =>
        new Proxy(
          {},
          {
            get: (_, method) => (request: object) => {
              const key = String(method);
              const known = sent.get(key) ?? new Set();
              for (const field of Object.keys(request)) known.add(field);
              sent.set(key, known);
              return Promise.resolve(answer);
            },
          },
        ),
    },
  );
  for (const command of commands) {
    // The others call no API, and read standard input or a database.
    if (localCommands.includes(command)) continue;
    const flags = [...command.flags].filter(([flag]) => flag !== "all");
    const names = flags.flatMap(([, name]) => name ?? []);
    const all = [...command.required, ...command.optional, ...names];
    const values = new Map(all.map((name) => [name, "1"]));
    if (values.has("status")) values.set("status", "pending");
    // A secret key has an ID of letters, and an access key no number of days.
    const others = new Map(values);
    others.delete("days");
    if (values.has("id")) others.set("id", "a");
    const tools: Tools = Object.assign(Object.create(null), { client });
    for (const set of [[], flags.map(([flag]) => `--${flag}`)]) {
      for (const given of [values, others]) {
        await command.run(tools, given, new Set(set)).catch(() => undefined);
      }
    }
  }
  return sent;
}

const lower = (name: string): string =>
  name.slice(0, 1).toLowerCase() + name.slice(1);

/** Methods and fields that an interface does not have, and why. */
const exceptions = {
  command: {
    "CorrectGasTank.key": "each run is a change of its own",
    "FillGasTank.key": "each run is a change of its own",
    GetAudience: "the list of audiences has the same facts",
    GetProject: "the list of projects has the same facts",
    ImportContacts: "reads a file, which this test does not have",
    ImportOrders: "reads a file, which this test does not have",
    "ReplayDeadDeliveries.projectId": "replays those of all projects",
    SignIn: "the command line sends the operator token",
  },
  page: {
    CorrectGasTank: "mistakes are rare, and corrected in the command line",
    GetOrder: "only programs and the command line look up orders",
    ImportOrders: "orders are in a file on the disk of the operator",
    "RevokeKey.key": "the page revokes keys in its lists",
    "SignIn.asToken": "the page has a cookie",
  },
};

test("each setting and filter of the console's API exists on its page and in the command line", async () => {
  const sent = await sentByCommands();
  const missing = { command: new Set<string>(), page: new Set<string>() };
  for (const { name } of contractMethods) {
    const method = lower(name);
    const using = new RegExp(`\\b${method}\\b`, "u");
    const page = pages.filter((text) => using.test(text)).join("");
    const fields = fieldsOf(name);
    const lacking = {
      command: fields.filter((each) => sent.get(method)?.has(each) !== true),
      page: fields.filter(
        (each) => !new RegExp(`\\b${each}\\b`, "u").test(page),
      ),
    };
    for (const place of ["command", "page"] as const) {
      if (name in exceptions[place]) {
        if (lacking[place].length > 0) missing[place].add(name);
      } else {
        for (const each of lacking[place])
          missing[place].add(`${name}.${each}`);
      }
    }
  }
  expect([...missing.command].sort()).toEqual(Object.keys(exceptions.command));
  expect([...missing.page].sort()).toEqual(Object.keys(exceptions.page));
});
