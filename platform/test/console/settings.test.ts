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

/** The types of the fields of each interface. */
const interfaces = new Map(
  [...types.matchAll(/^export interface (\w+) \{\n([^]*?)^\}/gmu)].map(
    ([, name = "", body = ""]) => [
      name,
      new Map(
        [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??: ([^;]+);/gmu)].map(
          ([, field = "", type = ""]) => [field, type],
        ),
      ),
    ],
  ),
);

/** Returns the fields of a method's request. */
const fieldsOf = (method: string): readonly string[] => [
  ...(interfaces.get(`${method}Request`)?.keys() ?? []),
];

const folder = "platform/console/page/";
const pages = readdirSync(folder, { encoding: "utf8", recursive: true })
  .filter((file) => /\.tsx?$/u.test(file))
  .map((file) => readFileSync(folder + file, "utf8"));

/** The code of each column that several pages have. */
const columns = new Map(
  readFileSync(`${folder}tables/columns.tsx`, "utf8")
    .split("export const ")
    .map((code) => [/^\w+/u.exec(code)?.[0] ?? "", code]),
);

/** Returns a page with the code of the columns that it has in common with others. */
function withColumns(page: string): string {
  const used = [...columns].filter(([name]) => page.includes(name));
  const own = used.map(([, code]) => code).join("");
  return own === "" || page.includes(own) ? page : withColumns(page + own);
}

const address = `0x${"ab".repeat(20)}`;

/** The types of values that are declared as another type. */
const aliases = new Map(
  [...types.matchAll(/^export type (\w+) = (\w+(?:\[\])?);/gmu)].map(
    ([, name = "", type = ""]) => [name, type],
  ),
);

/** The unique value of each field with a text or a number, for the responses. */
const values = new Map<string, string>();

/** Returns a value of a field, which differs from that of all other fields. */
function sampleOf(type: string, field: string): unknown {
  const item = /^(.*)\[\]$/u.exec(type)?.[1];
  if (item !== undefined) return [sampleOf(item, field)];
  const alias = aliases.get(type);
  if (alias !== undefined) return sampleOf(alias, field);
  const fields = interfaces.get(type);
  if (fields !== undefined) {
    return Object.fromEntries(
      [...fields].map(([name, each]) => [
        name,
        sampleOf(each, `${type}.${name}`),
      ]),
    );
  }
  const isNumber = type === "number" || type === "bigint";
  if (type === "boolean") return true;
  if (type !== "string" && !isNumber) return {};
  const number = String(1_000_000 + values.size);
  const value = values.get(field) ?? (isNumber ? number : `${field}-`);
  values.set(field, value);
  return type === "number"
    ? Number(value)
    : type === "bigint"
      ? BigInt(value)
      : value;
}

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
async function runAll(tools: Tools): Promise<string> {
  const texts: string[] = [];
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
        const output = await runCommand(() => tools, args).catch(() => null);
        texts.push(output?.text ?? "", output?.note ?? "");
      }
    }
  }
  return texts.join("\n");
}

/**
 * Returns the fields of each method that some command sets, the requests that the
 * contract does not permit, and everything that the commands print.
 */
async function runCommands() {
  const sent = new Map<string, Set<string>>();
  const invalid: string[] = [];
  const sponsor = { id: 1, address, chainId: 1, name: "Shop" };
  const answerOf = (method: string): unknown => {
    const name = `${method.slice(0, 1).toUpperCase()}${method.slice(1)}`;
    const { next, ...answer } = Object(sampleOf(`${name}Response`, ""));
    // Two commands look for the sponsor on the command line.
    return "gasSponsors" in answer
      ? { gasSponsors: [...answer.gasSponsors, sponsor] }
      : answer;
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
        return Promise.resolve(answerOf(key));
      },
    },
  );
  const client = new Proxy({}, { get: () => methods });
  const text = await runAll(Object.assign(Object.create(null), { client }));
  return { invalid, sent, text };
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
  const { invalid, sent } = await runCommands();
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

/** Fields that an interface does not show, and why. */
const hidden = {
  command: {
    "CsvFault.line": "reads a file, which this test does not have",
    "CsvFault.problem": "reads a file, which this test does not have",
    "ExportContactsResponse.file": "prints the contacts in it",
    "GetOrderResponse.order": "prints it if it is JSON, unlike here",
    "ImportContactsResponse.faultCount":
      "reads a file, which this test does not have",
    "ImportedOrder.line": "reads a file, which this test does not have",
    "ImportedOrder.orderId": "reads a file, which this test does not have",
    "ImportedOrder.refusal": "reads a file, which this test does not have",
    "Session.denied": "the command line has the role of the owner",
    "Session.role": "the command line has the role of the owner",
  },
  page: {
    "EndSessionsResponse.count": "the page signs all operators out",
    "GasSponsor.gasTankId": "the chain of the sponsor leads to its tank",
    "GetOrderResponse.order": exceptions.page.GetOrder,
    "ImportedOrder.line": exceptions.page.ImportOrders,
    "ImportedOrder.orderId": exceptions.page.ImportOrders,
    "ImportedOrder.refusal": exceptions.page.ImportOrders,
    "Session.denied": "the page hides what the role does not permit",
  },
};

/** The types that a response contains, at any depth. */
function* typesIn(type: string): Generator<string> {
  const name = type.replace(/\[\]$/u, "");
  const fields = interfaces.get(name);
  if (fields === undefined) return;
  yield name;
  for (const each of fields.values()) yield* typesIn(each);
}

test("each field of the console's API is shown on its page and by the command line", async () => {
  const { text } = await runCommands();
  const missing = { command: new Set<string>(), page: new Set<string>() };
  const methodsOf = new Map<string, string[]>();
  for (const { name } of contractMethods) {
    for (const type of typesIn(`${name}Response`)) {
      methodsOf.set(type, [...(methodsOf.get(type) ?? [type]), lower(name)]);
    }
  }
  // Pages read all networks with a hook.
  methodsOf.get("ConsoleNetwork")?.push("useNetworks?");
  for (const [type, names] of methodsOf) {
    const using = new RegExp(`\\b(?:${names.join("|")})\\b`, "u");
    const page = withColumns(pages.filter((each) => using.test(each)).join(""));
    for (const [field, of] of interfaces.get(type) ?? []) {
      // These contain others, or only lead to the next page.
      const isShown = !typesIn(of).next().done || field === "next";
      if (isShown) continue;
      const place = `${type}.${field}`;
      const word = new RegExp(`\\b${field}\\b`, "u");
      if (!text.includes(values.get(place) ?? field))
        missing.command.add(place);
      if (!word.test(page)) missing.page.add(place);
    }
  }
  expect([...missing.command].sort()).toEqual(Object.keys(hidden.command));
  expect([...missing.page].sort()).toEqual(Object.keys(hidden.page));
});
