import type { Contract } from "../../generator/ir/contract.js";
import { isRecord } from "../../generator/ir/is-record.js";
import { pathOf } from "../../generator/4-emit/typescript/plan/layout.js";
import type {
  HostPlan,
  MethodPlan,
  Plan,
} from "../../generator/4-emit/typescript/plan/plan.js";
import { errorsOf } from "../../generator/ir/errors-of.js";
import { extraFieldOf } from "../../generator/ir/extra-members.js";
import type {
  Diagnosed,
  Diagnostic,
} from "../../generator/diagnostics/diagnostic.js";
import {
  type LoadedFunction,
  isCall,
  type LoadModule,
  loadFunction,
  loadRuntime,
  memberOf,
} from "../loaded.js";

/** The response to requests that match. */
export interface Override {
  /**
   * The part of its JSON that the request must contain. The request may contain
   * more.
   */
  readonly request: unknown;
  /**
   * The handler's result. For a stream, it is a list of items or a single item.
   */
  readonly response: unknown;
  /** Name of the error to return, or null to return the response. */
  readonly error: string | null;
  /** The data of the error. If undefined, it is generated. */
  readonly data: unknown;
  /** The status of an error that can have any. Default: that of the contract. */
  readonly status?: number;
}

/** Overrides by `Service/Method`. The first one that matches is used. */
export type Overrides = ReadonlyMap<string, readonly Override[]>;

/** The parts that are needed to read overrides. */
interface Reading {
  readonly load: LoadModule;
  readonly parse: LoadedFunction;
  readonly validate: LoadedFunction;
  readonly print: LoadedFunction;
}

interface Target {
  readonly contract: Contract;
  readonly host: HostPlan;
  readonly method: MethodPlan;
}

/** The runtime files that {@link readOverrides} loads. */
export const overrideFiles = ["json", "validation"] as const;

/**
 * Reads the files of a folder with overrides.
 *
 * Input: the text of each file by its path in the folder, e.g.
 * `Shop/GetOrder.json`. `load` loads generated modules. Errors:
 * `invalid-override`.
 */
export async function readOverrides(
  texts: ReadonlyMap<string, string>,
  plan: Plan,
  load: LoadModule,
): Promise<Diagnosed<Overrides>> {
  const reading: Reading = {
    load,
    parse: await loadRuntime(load, "json", "parseJson"),
    validate: await loadRuntime(load, "validation", "validate"),
    print: await loadRuntime(load, "validation", "printFailures"),
  };
  const overrides = new Map<string, readonly Override[]>();
  const diagnostics: Diagnostic[] = [];
  for (const [path, text] of texts) {
    try {
      const { key, target } = findTarget(plan, path);
      const entries = entriesOf(parseText(reading, text));
      const read = entries.map((entry) => readEntry(reading, target, entry));
      overrides.set(key, await Promise.all(read));
    } catch (error) {
      if (!(error instanceof OverrideFault)) throw error;
      diagnostics.push(error.toDiagnostic(path));
    }
  }
  return { value: overrides, diagnostics };
}

/** The reason why a file is not a valid override. */
class OverrideFault extends Error {
  readonly help: string | null;

  constructor(message: string, help: string | null = null) {
    super(message);
    this.help = help;
  }

  toDiagnostic(path: string): Diagnostic {
    return {
      code: "invalid-override",
      severity: "error",
      message: `override \`${path}\`: ${this.message}`,
      ...(this.help !== null && { help: this.help }),
    };
  }
}

function findTarget(
  { contract, hosts }: Plan,
  path: string,
): { readonly key: string; readonly target: Target } {
  const key = path.replace(/\.json$/u, "");
  for (const host of hosts) {
    for (const { methods, service } of host.served) {
      for (const method of methods) {
        if (`${service.name}/${method.method.name}` !== key) continue;
        return { key, target: { contract, host, method } };
      }
    }
  }
  throw new OverrideFault(
    "the contract has no such method",
    "name it `<Service>/<Method>.json`, as in the schema",
  );
}

function parseText({ parse }: Reading, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OverrideFault(`it is not valid JSON: ${reason}`);
  }
}

/** Reads the entries of a file: a list of them, or a single response. */
function entriesOf(json: unknown): readonly object[] {
  if (!Array.isArray(json)) return [{ response: json }];
  return json.map((entry: unknown) => {
    const fault = faultOf(entry);
    if (fault === null) return Object(entry);
    throw new OverrideFault(
      `an entry in its list ${fault}`,
      'write `[{ "request": { … }, "response": { … } }]`',
    );
  });
}

/** Describes what is wrong with an entry. Returns null if it is valid. */
function faultOf(entry: unknown): string | null {
  const { request = {}, ...rest } = isRecord(entry) ? entry : {};
  const { data, error, response, status, ...others } = rest;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `has the unknown property \`${unknown}\``;
  if (!isRecord(request)) return "has a `request` that is not an object";
  if (error !== undefined && response !== undefined) {
    return "has both `response` and `error`";
  }
  if (data !== undefined && error === undefined) {
    return "has `data` without an `error`";
  }
  if (status !== undefined && error === undefined) {
    return "has `status` without an `error`";
  }
  const isEmpty = error === undefined && response === undefined;
  return isEmpty ? "has neither `response` nor `error`" : null;
}

async function readEntry(
  reading: Reading,
  target: Target,
  entry: object,
): Promise<Override> {
  const request = memberOf(entry, "request") ?? {};
  checkRequest(target.method, request);
  const error = memberOf(entry, "error");
  if (error !== undefined) {
    const name = knownError(target, error);
    const json = memberOf(entry, "data");
    const data =
      json === undefined
        ? undefined
        : await readData(reading, target, name, json);
    const status = readStatus(target, name, memberOf(entry, "status"));
    return { request, response: null, error: name, data, ...status };
  }
  const answer = memberOf(entry, "response");
  const { message } = target.method.response;
  const read = await createReader(reading, target);
  const response =
    message.isStream && Array.isArray(answer) ? answer.map(read) : read(answer);
  return { request, response, error: null, data: undefined };
}

/** Checks the fields of a request. Errors: an {@link OverrideFault}. */
function checkRequest({ request }: MethodPlan, json: unknown): void {
  if (extraFieldOf(request.message.fields) !== undefined) return;
  const names = request.message.fields.map(({ jsonName }) => jsonName);
  const unknown = Object.keys(Object(json)).find((key) => !names.includes(key));
  if (unknown === undefined) return;
  const list = names.map((name) => `\`${name}\``).join(", ");
  throw new OverrideFault(
    `the method's requests have no field \`${unknown}\``,
    list === "" ? "they are empty" : `their fields are ${list}`,
  );
}

function knownError({ host, method }: Target, error: unknown): string {
  const names = errorsOf(host.host, method.method);
  const name = names.find((each) => each === error);
  if (name !== undefined) return name;
  const list = names.map((each) => `\`${each}\``).join(", ");
  throw new OverrideFault(
    `the method cannot return the error \`${String(error)}\``,
    list === "" ? "it returns no errors" : `its errors are ${list}`,
  );
}

/** Reads the status of an error, which only some errors let a handler choose. */
function readStatus(
  { contract }: Target,
  error: string,
  status: unknown,
): Pick<Override, "status"> {
  if (status === undefined) return {};
  const declared = contract.errors.find(({ name }) => name === error);
  if (declared?.anyStatus !== true) {
    throw new OverrideFault(
      `the error \`${error}\` always has the status ${declared?.status}`,
      "remove `status`, or declare it with `+ anyStatus = true`",
    );
  }
  if (isErrorStatus(status)) return { status };
  throw new OverrideFault(
    `the error \`${error}\` cannot have the status ${JSON.stringify(status)}`,
    "use a number from 300 to 599, other than 304",
  );
}

/** Whether servers send a status, instead of 500. */
function isErrorStatus(status: unknown): status is number {
  return (
    Number.isInteger(status) &&
    Number(status) >= 300 &&
    Number(status) < 600 &&
    status !== 304
  );
}

/** Checks and converts the data of an error in its JSON form. */
async function readData(
  reading: Reading,
  { host }: Target,
  error: string,
  json: unknown,
): Promise<unknown> {
  const own = host.errorData.find((each) => each.error === error);
  const found = own ?? host.errorBody;
  if (found === null) {
    throw new OverrideFault(
      `the error \`${error}\` has no data`,
      "remove `data`, or declare it with `+ dataOf`",
    );
  }
  const { name, unit } = found.object;
  const { load } = reading;
  const validators = `${pathOf(unit, "validators")}.js`;
  const check = await loadFunction(load, validators, `check${name}`);
  // The server adds parts of the error to the data before it checks it.
  if (found.members.length === 0)
    checkJson(reading, check, json, `data of \`${error}\`: `);
  if (!unit.needs.ofComposite(found.object).reads) return json;
  const codecs = `${pathOf(unit, "codecs")}.js`;
  return (await loadFunction(load, codecs, `read${name}`))(json);
}

/** Checks a value in its JSON form. Errors: an {@link OverrideFault}. */
function checkJson(
  { print, validate }: Reading,
  check: LoadedFunction,
  json: unknown,
  prefix = "",
): void {
  const text = String(print(validate(check, json, { dropsNulls: true })));
  if (text !== "") throw new OverrideFault(prefix + text);
}

/** Creates a function that checks and converts a message in its JSON form. */
async function createReader(
  reading: Reading,
  { host, method }: Target,
): Promise<(json: unknown) => unknown> {
  const { load } = reading;
  const { files, message, object } = method.response;
  if (files.length > 0) {
    throw new OverrideFault(
      "the method returns a file, which JSON cannot represent",
    );
  }
  if (object.fields.length === 0) return () => ({});
  const validators = `${pathOf(object.unit, "validators")}.js`;
  const check = await loadFunction(load, validators, `check${object.name}`);
  const client = await load(`${pathOf(host.unit, "client")}.js`);
  const constant = memberOf(client, method.names.constant);
  const call = message.isStream ? memberOf(constant, "item") : constant;
  const decode = memberOf(call, "decode");
  const checkStatus = await createStatusCheck(load, method);
  return (json) => {
    checkJson(reading, check, json);
    checkStatus(json);
    return isCall(decode) ? decode(json) : json;
  };
}

/** Creates a function that checks that a response fits one of several statuses. */
async function createStatusCheck(
  load: LoadModule,
  { method: { name, route, service }, wire: { response } }: MethodPlan,
): Promise<(json: unknown) => void> {
  if (response.byStatus.length === 0) return () => {};
  const path = "runtime/server/responses/success.js";
  const successOf = await loadFunction(load, path, "successOf");
  const statuses = Object.fromEntries(
    response.byStatus.map(({ body, status }) => [
      status,
      body?.jsonName ?? null,
    ]),
  );
  const statusField = response.status?.jsonName;
  const row = { name, service, route: { ...route, statuses, statusField } };
  return (json) => {
    try {
      successOf(row, json);
    } catch (error) {
      throw new OverrideFault(String(memberOf(error, "cause")));
    }
  };
}

/**
 * Finds the override that answers a request, whose extra members are joined.
 * Returns null if none does.
 */
export function findOverride(
  overrides: readonly Override[],
  request: unknown,
): Override | null {
  return overrides.find((each) => isPart(each.request, request)) ?? null;
}

/** Whether a value equals JSON, except for members that the JSON omits. */
function isPart(json: unknown, value: unknown): boolean {
  if (Array.isArray(json)) {
    return (
      Array.isArray(value) &&
      json.length === value.length &&
      json.every((item, index) => isPart(item, value[index]))
    );
  }
  if (isRecord(json)) {
    return (
      isRecord(value) &&
      Object.entries(json).every(
        ([key, item]) => Object.hasOwn(value, key) && isPart(item, value[key]),
      )
    );
  }
  const isBytes = value instanceof Uint8Array;
  return String(json) === (isBytes ? toBase64(value) : String(value));
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
