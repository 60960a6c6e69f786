import { readdirSync, readFileSync } from "node:fs";

import type { Schema } from "@ridlkit/runtime/schema";
import { expect, test } from "vitest";

import type { Tools } from "../../admin/command.js";
import { localRuns } from "../../admin/local-runs.js";
import { runCommand } from "../../admin/run-command.js";
import { usages } from "../../admin/usage.js";
import * as schemas from "../../console/generated/schemas.js";
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

const address = `0x${"ab".repeat(20)}`;

/** Values for command lines. All others are 1. */
const samples: Readonly<Record<string, string>> = {
  "linked wallet": address,
  "token id": "7",
  "topic hash": `0x${"ab".repeat(32)}`,
  account: address,
  "order id": `0x${"ab".repeat(32)}`,
  address,
  contract: address,
  event: "Transfer(address,address,uint256)",
  from: "2026-01-01",
  kind: "sequence",
  status: "pending",
  to: "2026-01-02",
  url: "https://example.com/",
  wallet: address,
};

/** Calls a function with each command line that has a different set of values. */
async function runAll(tools: Tools): Promise<void> {
  for (const [name, { flags, values }] of usages) {
    // The others call no API, and read standard input or a database.
    if (name in localRuns) continue;
    const words = values.map((value) => samples[value.slice(1, -1)] ?? "1");
    const options = flags
      .filter(([flag]) => flag !== "--all")
      .map(([flag]) =>
        flag.replace(/<(.*)>/u, (_, value: string) => samples[value] ?? "1"),
      );
    // A secret key has an ID of letters.
    for (const id of ["1", "abcdefgh"]) {
      const given = words.map((word, index) =>
        values[index] === "<id>" ? id : word,
      );
      for (const set of [[], options]) {
        const line = [...name.split(" "), ...given, ...set];
        const args = line.flatMap((word) => word.split(/ (?=[^ ]+$)/u));
        await runCommand(() => tools, args).catch(() => undefined);
      }
    }
  }
}

/**
 * Returns the fields of each method that some command sets, and the requests
 * that the contract does not permit.
 */
async function sentByCommands() {
  const sent = new Map<string, Set<string>>();
  const invalid: string[] = [];
  const answer: unknown = new Proxy(() => undefined, {
    get: (_, name) => (name === "then" ? undefined : answer),
    apply: () => answer,
  });
  const sponsor = { id: 1, address, chainId: 1, name: "Shop" };
  const answers: Readonly<Record<string, unknown>> = {
    listGasSponsors: { gasSponsors: [sponsor] },
    listListeners: { listeners: [] },
    listCalls: { calls: [] },
  };
  const methods = new Proxy(
    {},
    {
      get: (_, method) => (request: object) => {
        const key = String(method);
        const schema: Schema<unknown> = Reflect.get(
          schemas,
          `${key}RequestSchema`,
        );
        const { issues } = schema?.["~standard"].validate(request) ?? {};
        for (const { message } of issues ?? [])
          invalid.push(`${key}: ${message}`);
        const known = sent.get(key) ?? new Set();
        for (const field of Object.keys(request)) known.add(field);
        sent.set(key, known);
        const filters = Reflect.get(request, "filters");
        for (const field of Object.keys(filters ?? {})) {
          known.add(`filters.${field}`);
        }
        return Promise.resolve(answers[key] ?? answer);
      },
    },
  );
  const client = new Proxy({}, { get: () => methods });
  await runAll(Object.assign(Object.create(null), { client }));
  return { invalid, sent };
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
  const { invalid, sent } = await sentByCommands();
  expect(invalid).toEqual([]);
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
  const [, filter = ""] =
    /export interface ListenerFilter \{([^]*?)\n\}/u.exec(types) ?? [];
  const filters = [...filter.matchAll(/^ {2}(?:readonly )?(\w+)\??:/gmu)];
  expect(filters.length).toBeGreaterThan(4);
  for (const [, name = ""] of filters) {
    expect([...(sent.get("addListener") ?? [])]).toContain(`filters.${name}`);
    expect([...(sent.get("updateListener") ?? [])]).toContain(
      `filters.${name}`,
    );
    expect(pages.join("")).toContain(`filters.${name}`);
  }
  expect([...missing.command].sort()).toEqual(Object.keys(exceptions.command));
  expect([...missing.page].sort()).toEqual(Object.keys(exceptions.page));
});
