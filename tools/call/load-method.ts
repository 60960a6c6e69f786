import { pathOf } from "../../generator/4-emit/typescript/plan/layout.js";
import type {
  HostPlan,
  MessagePlan,
  MethodPlan,
} from "../../generator/4-emit/typescript/plan/plan.js";
import {
  type LoadedFunction,
  isCall,
  type LoadModule,
  loadFunction,
  loadRuntime,
  memberOf,
} from "../loaded.js";
import { restMaker } from "../../generator/4-emit/typescript/plan/methods.js";
import type { WrittenFields } from "./read-request.js";

/**
 * A method of the generated client, which takes and returns JSON instead of
 * TypeScript values. Integers that a number cannot represent are `bigint`.
 */
export interface LoadedMethod {
  /** Parses JSON. Throws if the text is invalid. */
  readonly parseJson: (text: string) => unknown;
  /** Describes why a request is invalid, or returns "". */
  readonly findFault: (request: WrittenFields, parameters: object) => string;
  /** Describes where a response or an item violates the contract, or "". */
  readonly findViolation: (response: unknown) => string;
  /**
   * Calls the method. Returns its items, its file, or its response.
   * Errors: those of the runtime's clients.
   */
  readonly call: (options: object, request: WrittenFields) => unknown;
}

/** The runtime files that {@link loadMethod} loads. */
export const methodFiles = [
  "client",
  "codegen/create-client",
  "codegen/create-tools",
  "codegen/event-stream",
  "codegen/message-json",
  "json",
  "stream",
  "transfer",
  "validation",
] as const;

/** Loads a method from generated modules. */
export async function loadMethod(
  host: HostPlan,
  method: MethodPlan,
  load: LoadModule,
): Promise<LoadedMethod> {
  const runtime = (entry: (typeof methodFiles)[number], name: string) =>
    loadRuntime(load, entry, name);
  const parse = await runtime("json", "parseJson");
  const exact: Exact = {
    parse,
    parseObject: await runtime("codegen/message-json", "parseJsonObject"),
    stringify: await runtime("json", "stringifyJson"),
    createRest: await runtime(
      "codegen/create-client",
      restMaker(method.wire.request.body),
    ),
    keyInQuery: await runtime("codegen/create-client", "keyInQuery"),
    eventStream: await runtime("codegen/event-stream", "eventStream"),
    withJsonData: await runtime("codegen/create-tools", "withJsonData"),
    hasErrorBody: host.errorBody !== null,
  };
  const validate = await runtime("validation", "validate");
  const print = await runtime("validation", "printFailures");
  const describe = (
    check: LoadedFunction | null,
    value: unknown,
    options: object,
  ) => (check === null ? "" : String(print(validate(check, value, options))));
  const client = await load(`${pathOf(host.unit, "client")}.js`);
  const constant = memberOf(client, method.names.constant);
  const send = {
    call: await runtime("client", "call"),
    stream: await runtime("stream", "openStream"),
    transfer: await runtime("transfer", "callTransfer"),
  }[method.kind];
  const inner = { call: null, stream: "item", transfer: "message" }[
    method.kind
  ];
  const row = toJsonMethod(
    inner === null ? constant : memberOf(constant, inner),
    method,
    exact,
  );
  const sent = inner === null ? row : { ...Object(constant), [inner]: row };
  const checkRequest = await loadCheck(method.request, load);
  const checkResponse = await loadCheck(method.response, load);
  return {
    parseJson: (text) => parse(text),
    findFault: (request, parameters) =>
      describe(checkRequest, request, { isRequest: true }) ||
      findRequestFault(row, withoutFiles(request, method.request), parameters),
    findViolation: (response) =>
      describe(checkResponse, response, { dropsNulls: true }),
    call: (options, request) =>
      send(options, sent, request, {
        // A person can wait for the next item as long as they like.
        ...(method.kind === "stream" && { silenceMs: Infinity, maxLineLength }),
      }),
  };
}

/** Maximum length of an item of a stream, in UTF-16 code units. */
const maxLineLength = 4 * 1024 * 1024;

/** Functions that do not round integers. */
interface Exact {
  readonly parse: LoadedFunction;
  readonly parseObject: LoadedFunction;
  readonly stringify: LoadedFunction;
  /** Creates a method with an address of its own. */
  readonly createRest: LoadedFunction;
  readonly keyInQuery: LoadedFunction;
  /** Reads server-sent events. */
  readonly eventStream: LoadedFunction;
  /** Keeps the JSON of the data of errors. */
  readonly withJsonData: LoadedFunction;
  readonly hasErrorBody: boolean;
}

/** Describes the same method with messages in their JSON form. */
function toJsonMethod(
  row: unknown,
  { method, path, wire }: MethodPlan,
  exact: Exact,
): object {
  const { createRest, keyInQuery, parse, parseObject, stringify } = exact;
  const { decode, encode, ...rest } = Object(
    exact.withJsonData(row, exact.hasErrorBody),
  );
  const { response, route } = method;
  if (route.kind !== "rest") return { ...rest, parse: parseObject, stringify };
  const parseBody = wire.response.wholes.length > 0 ? parse : parseObject;
  const options = { ...rest, parse: parseBody, stringify };
  const { verb } = wire.address ?? {};
  const made = Object(keyInQuery(createRest(verb, path, options)));
  return response.isStream
    ? Object(memberOf(exact.eventStream(made), "item"))
    : made;
}

async function loadCheck(
  { object }: MessagePlan,
  load: LoadModule,
): Promise<LoadedFunction | null> {
  if (object.fields.length === 0) return null;
  const path = `${pathOf(object.unit, "validators")}.js`;
  return loadFunction(load, path, `check${object.name}`);
}

/** Removes files, which are not part of the text of a request. */
function withoutFiles(
  request: WrittenFields,
  { fileLists, files }: MessagePlan,
): WrittenFields {
  const names: readonly string[] = [...files, ...fileLists];
  const entries = Object.entries(request);
  return Object.fromEntries(entries.filter(([name]) => !names.includes(name)));
}

/**
 * Filling the path fails if, for example, a list in it is empty, and printing a
 * form if an item of a list is empty.
 */
function findRequestFault(
  row: object,
  request: WrittenFields,
  parameters: object,
): string {
  const fill = memberOf(row, "fill");
  try {
    if (isCall(fill)) fill(memberOf(row, "path"), parameters, request, {});
    const stringify = memberOf(row, "stringify");
    if (isCall(stringify)) stringify(request);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
