import type { Contract, Field } from "../../generator/ir/contract.js";
import { isRecord } from "../../generator/ir/is-record.js";
import { type ContractValues, valuesOf } from "../../generator/values/value.js";
import { canonical, isSame } from "./canonical.js";
import { type ClientCase, methodOf } from "./client-case.js";
import { compareRequests, only, parseOr } from "./compare-requests.js";
import type { Driver, DriverCall, DriverOutcome } from "./driver.js";
import type { ExactJson } from "./json.js";
import type { Recorder } from "./record-requests.js";

/** What cases of clients run with. */
export interface ClientBench {
  readonly contract: Contract;
  readonly json: ExactJson;
  readonly recorder: Recorder;
  /** The address of the recorder. */
  readonly url: string;
  /** The server of the contract. */
  readonly serve: (request: Request) => Promise<Response>;
  /** The idempotency keys of earlier calls. */
  readonly usedKeys: Set<string>;
}

/** The credentials that the server of the contract accepts. */
export const validCredentials: Readonly<Record<string, string>> = {
  Key: "key",
  Secret: "secret",
  UserLogin: "w6k6YTpi",
  ApiKey: "k&y é=",
  Session: "s=1",
};

/** Runs a case. Returns what is wrong, or null. */
export async function runClientCase(
  bench: ClientBench,
  driver: Driver,
  given: ClientCase,
): Promise<string | null> {
  const { contract, json, recorder, serve, url, usedKeys } = bench;
  const method = methodOf(contract, given);
  const { response, responses = response ? [response] : [] } = given;
  recorder.begin({ responses, serve });
  const request = given.echo ?? given.request;
  const call: DriverCall = {
    url,
    service: given.service,
    method: given.method,
    ...(request !== undefined && { request }),
    credentials: given.credentials ?? validCredentials,
    options: given.options ?? {},
  };
  const line = await driver.ask(json.stringify(call));
  const outcome = parseOr(json, line);
  if (!isRecord(outcome)) return `the driver wrote ${line}`;
  await recorder.untilClosed();
  const seen = recorder.seen();
  const isRefused = "refused" in outcome || "error" in outcome;
  if (given.refuses !== undefined && isRefused && seen.length === 0)
    return null;
  return (
    (await compareRequests(
      { contract, given, json, method, usedKeys },
      seen,
    )) ?? compareOutcome(bench, given, outcome)
  );
}

function compareOutcome(
  { contract, json }: ClientBench,
  given: ClientCase,
  outcome: DriverOutcome,
): string | null {
  if (given.refuses === "must") return shown(outcome, json, "a refusal");
  const { response: message } = methodOf(contract, given);
  const values = valuesOf(contract);
  const simplify = (value: unknown): unknown =>
    canonical(values, message.fields, value);
  // Whether clients drop members that no field declares is up to them.
  const declared = (json: unknown): unknown =>
    only(message.fields, simplify(json));
  const { error, items, value } = outcome;
  if (message.isStream) {
    const wanted = (given.items ?? []).map(simplify);
    if (!Array.isArray(items) || !isSame(items.map(simplify), wanted))
      return shown(outcome, json, json.stringify({ items: given.items }));
  }
  if (given.error !== undefined)
    return compareError(contract, values, given, error, json);
  if (message.isStream)
    return error ? shown(outcome, json, "the end of the stream") : null;
  const wanted = given.echo ?? given.value ?? {};
  return value !== undefined && isSame(declared(value), declared(wanted))
    ? null
    : shown(outcome, json, json.stringify({ value: wanted }));
}

function shown(found: DriverOutcome, json: ExactJson, wanted: string): string {
  return `${json.stringify(found).slice(0, 1000)} instead of ${wanted}`;
}

function compareError(
  contract: Contract,
  values: ContractValues,
  { error: wanted = {}, response }: ClientCase,
  found: DriverOutcome["error"],
  json: ExactJson,
): string | null {
  if (!isRecord(found)) return `no error instead of ${json.stringify(wanted)}`;
  const isBad =
    response !== undefined && wanted["name"] === "WebrpcBadResponse";
  const all = { ...wanted, ...(isBad && { reason: "bad-response" }) };
  const fields = dataFieldsOf(contract, found["name"]);
  for (const [name, value] of Object.entries(all)) {
    const one = canonicalData(values, name, fields, found[name] ?? null);
    const other = canonicalData(values, name, fields, value);
    if (!isSame(one, other))
      return `the ${name} of the error is ${json.stringify(found[name] ?? null)} instead of ${json.stringify(value)}`;
  }
  return null;
}

function canonicalData(
  values: ContractValues,
  name: string,
  fields: readonly Field[],
  value: unknown,
): unknown {
  if (name === "data") return canonical(values, fields, value);
  // No cause is the same as an empty one.
  return name === "cause" ? (value ?? "") : value;
}

function dataFieldsOf(contract: Contract, name: unknown): readonly Field[] {
  const struct = contract.errors.find((each) => each.name === name)?.data;
  const type = contract.types.find((each) => each.name === struct);
  return type?.kind === "struct" ? type.fields : [];
}
