import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import * as json from "../../../runtime/typescript/wire/json.js";
import {
  type ClientCase,
  readCases,
} from "../../../tools/conformance/client-case.js";
import type { Driver } from "../../../tools/conformance/driver.js";
import type {
  CaseResult,
  Exceptions,
} from "../../../tools/conformance/exceptions.js";
import { createRecorder } from "../../../tools/conformance/record-requests.js";
import { runClients } from "../../../tools/conformance/run-clients.js";
import {
  callsOfEvents,
  callsOfLines,
} from "../../../tools/conformance/stream-cases.js";
import { listen } from "../../support/listen.js";
import type { WireOptions } from "./load-contract.js";
import { contract, serveContract } from "./served-contract.js";
import type { ExactJson } from "../../../tools/conformance/json.js";

/** JSON without rounding. */
export const exactJson: ExactJson = {
  parse: json.parseJson,
  stringify: (value) => json.stringifyJson(value) ?? "null",
};

const read = <Case>(name: string): readonly Case[] =>
  readCases(
    readFileSync(
      new URL(`../../../runtime/cases/${name}.jsonl`, import.meta.url),
      "utf8",
    ),
    exactJson,
  );

/** All cases of clients, as `ridl conformance client` runs them. */
export const kitCases: readonly ClientCase[] = [
  ...read<ClientCase>("client-cases"),
  ...callsOfLines(read("line-cases")),
  ...callsOfEvents(read("event-cases")),
];

const exact: WireOptions = { int64: "bigint", timestamp: "string" };

/** Runs cases with drivers, in this process. */
export async function runKit(
  start: () => Driver,
  exceptions: Exceptions,
  onResult?: (result: CaseResult) => boolean,
  cases: readonly ClientCase[] = kitCases,
): Promise<readonly CaseResult[]> {
  const { server } = await serveContract(exact);
  const recorder = createRecorder();
  const { close, url } = await listen(createServer(recorder.listen));
  const bench = {
    contract,
    json: exactJson,
    recorder,
    serve: server.fetch,
    url: url.replace(/\/$/u, ""),
    usedKeys: new Set<string>(),
  };
  try {
    return await runClients(cases, bench, exceptions, start, onResult);
  } finally {
    await close();
  }
}
