import { call } from "../client/client.js";
import type { CallOptions, ClientOptions } from "../client/call.js";
import type { ClientMethod } from "../client/client-method.js";
import { printAgentJson } from "../wire/agent-json.js";
import type {
  ObjectSchema,
  Tool,
  ToolDefinition,
  ToolLimits,
} from "../client/mcp.js";
import { openStream, type StreamMethod } from "../client/stream.js";
import { createTransportError } from "../client/transport-error.js";
import { builtInErrors, isRpcError, RpcError } from "../wire/errors.js";
import { parseJson } from "../wire/json.js";
import { memberOf } from "../values/member.js";
import { isRecord, isString } from "../values/predicates.js";
import { randomKey } from "../values/random-key.js";
import {
  type Check,
  printFailures,
  type ReportOptions,
  validate,
} from "../values/validation.js";

/** JSON Schemas by name. They refer to each other with `#/$defs/`. */
export type ToolSchemas = Readonly<Record<string, object>>;

/**
 * A method that is exposed as a tool. Its key in the table is the tool's name.
 */
export interface ToolMethod {
  readonly texts: Pick<ToolDefinition, "title" | "description">;
  readonly safety?: "idempotent" | "readonly";
  readonly method: ClientMethod | StreamMethod;
  /** Whether the data of an error is its body, in place of an envelope. */
  readonly hasErrorBody?: boolean;
  /** Name of the request's schema. */
  readonly input: string;
  /** Name of the response's schema. */
  readonly output: string;
  /** Null if the message has no fields. */
  readonly checkRequest: Check | null;
  readonly checkResponse: Check | null;
  /** The argument with a call's key. */
  readonly key?: string;
}

/** Creates tools from methods and their message schemas. */
export function createTools(
  options: ClientOptions,
  methods: Readonly<Record<string, ToolMethod>>,
  inputs: ToolSchemas,
  outputs: ToolSchemas,
  limits?: ToolLimits,
): readonly Tool[] {
  return Object.entries(methods).map(([name, row]) => {
    const { input, output, safety, texts } = row;
    return {
      definition: {
        name,
        ...texts,
        inputSchema: schemaOf(inputs, input),
        outputSchema: schemaOf(outputs, output),
        annotations: {
          readOnlyHint: safety === "readonly",
          idempotentHint: safety !== undefined,
        },
      },
      call: (request = {}, signal) =>
        callMethod(row, options, request, limits, signal),
    };
  });
}

async function callMethod(
  row: ToolMethod,
  options: ClientOptions,
  request: unknown,
  limits?: ToolLimits,
  signal?: AbortSignal,
): Promise<object> {
  const { checkRequest, key, method } = row;
  const item = "item" in method ? method.item : method;
  const { decode, encode, ...raw } = withJsonData(item, row.hasErrorBody);
  let own: CallOptions | undefined = signal && { signal };
  let cause = "";
  if (key && isRecord(request)) {
    const { [key]: given = randomKey(), ...rest } = request;
    request = rest;
    if (isString(given) && /^[ -~]{1,255}$/.test(given))
      own = { ...own, idempotencyKey: given };
    else cause = key + ": expected 1 to 255 ASCII characters";
  }
  cause ||= findViolations(checkRequest, request, { isRequest: true });
  try {
    if (!cause) {
      item.fill?.(item.path, { ...options.parameters }, request, {});
      item.stringify?.(request);
    }
  } catch (error) {
    // Filling the path fails if, for example, a path parameter is an empty
    // list, and printing a form if an item of a list is empty.
    cause = Object(error).message;
  }
  if (cause) throw new RpcError(builtInErrors.WebrpcBadRequest, { cause });
  try {
    return item === method
      ? readResponse(row, await call(options, raw, request, own))
      : await collect(row, limits, signal, (signal, noteBegin) =>
          openStream(
            {
              ...options,
              fetch: async (url, init) => {
                const response = await (options.fetch ?? fetch)(url, init);
                noteBegin();
                return response;
              },
            },
            { item: raw },
            request,
            { signal },
          ),
        );
  } catch (error) {
    const { code, reason } = Object(error);
    if (key && (reason || code === -1))
      Object(error).repeatWith = { [key]: own?.idempotencyKey };
    throw error;
  }
}

/**
 * Returns a method whose errors have their data as JSON, as it was sent.
 *
 * Input: whether the data is the body of a response, in place of an envelope.
 */
export function withJsonData(
  method: ClientMethod,
  hasErrorBody = false,
): ClientMethod {
  const { error: readError } = method;
  if (readError === undefined) return method;
  return {
    ...method,
    error: (json, status, text, headers, fieldsIn) => {
      let inHeaders = {};
      // Reading the data can change the JSON.
      const isJson = text !== undefined && json !== undefined;
      const sent = isJson ? parseJson(text) : structuredClone(json);
      const error = readError(
        json,
        status,
        text,
        headers,
        fieldsIn && ((fields) => (inHeaders = fieldsIn(fields))),
      );
      // The last line of a stream is always an envelope, but not its last event.
      const isBody = hasErrorBody && text !== undefined;
      const own = isBody ? sent : memberOf(sent, "data");
      const data = isRecord(own) ? { ...own, ...inHeaders } : own;
      const isValid = memberOf(error, "data") !== undefined;
      return isValid
        ? Object.defineProperty(Object(error), "data", { value: data })
        : error;
    },
  };
}

/** Returns a schema along with all schemas that it refers to. */
function schemaOf(schemas: ToolSchemas, name: string): ObjectSchema {
  const found = new Map<string, object | undefined>();
  const search = (schema: object | undefined): void => {
    const text = JSON.stringify(schema);
    for (const [, each = ""] of text.matchAll(/":"#\/\$defs\/([\w.-]+)"/g)) {
      if (Object.hasOwn(schemas, each)) found.set(each, schemas[each]);
    }
  };
  search(schemas[name]);
  found.forEach(search);
  const $defs = Object.fromEntries(found);
  return { type: "object", ...schemas[name], ...(found.size > 0 && { $defs }) };
}

/** Describes the violations, or returns "" if there are none. */
function findViolations(
  check: Check | null,
  message: unknown,
  options: ReportOptions,
): string {
  return check === null ? "" : printFailures(validate(check, message, options));
}

/**
 * Validates a response and returns it as JSON, in which every `bigint` is a
 * string.
 */
function readResponse({ checkResponse }: ToolMethod, message: unknown): object {
  const cause = findViolations(checkResponse, message, { dropsNulls: true });
  if (cause) throw createTransportError("bad-response", { cause }, 200);
  return JSON.parse(printAgentJson(message));
}

/**
 * Collects the items of a stream until it ends or a limit is reached.
 *
 * Input: `open` calls a function when the response begins. Errors: those of the
 * stream; TransportError `timeout` if it does not begin within `maxMs`.
 */
async function collect(
  row: ToolMethod,
  { maxItems = 100, maxMs = 10_000 }: ToolLimits = {},
  signal: AbortSignal | undefined,
  open: (signal: AbortSignal, noteBegin: () => void) => AsyncIterable<unknown>,
): Promise<object> {
  const items: object[] = [];
  // TypeScript 5.4 has no type for `AbortSignal.any`.
  const end = new AbortController();
  const stop = (): void => end.abort(signal?.reason);
  const timer = setTimeout(stop, maxMs);
  signal?.addEventListener("abort", stop);
  let isComplete = false;
  let hasBegun = false;
  const noteBegin = (): void => void (hasBegun = true);
  try {
    signal?.throwIfAborted();
    for await (const item of open(end.signal, noteBegin)) {
      items.push(readResponse(row, item));
      if (items.length >= maxItems) return { items, isComplete };
    }
    isComplete = true;
  } catch (error) {
    if (!end.signal.aborted || signal?.aborted) {
      if (items.length > 0 && isRpcError(error))
        Object.assign(error, { items });
      throw error;
    }
    // An empty list would look as if there were no items.
    if (!hasBegun) {
      const cause = `the server did not begin to respond within ${maxMs / 1000} seconds; some servers send nothing before the first item`;
      throw createTransportError("timeout", { cause });
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    end.abort();
  }
  return { items, isComplete };
}
