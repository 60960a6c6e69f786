// A driver of `ridl conformance` for a client in TypeScript.
import {
  checkResponses,
  retry,
  type ResponseChecks,
} from "@ridlkit/runtime/interceptors";
import { basicCredential } from "@ridlkit/runtime/client";
import { RpcError } from "@ridlkit/runtime/errors";
import { parseJson, stringifyJson } from "@ridlkit/runtime/json";

/** Converts values between their JSON and those of generated code. */
export interface Conversions {
  readonly toValues: (call: Call, json: unknown) => unknown;
  readonly toJson: (call: Call, value: unknown) => Promise<unknown>;
  readonly dataToJson: (error: object) => Promise<unknown>;
}

type Method = (request?: unknown, options?: object) => unknown;
type Client = Readonly<Record<string, Readonly<Record<string, Method>>>>;

interface Call {
  readonly url: string;
  readonly service: string;
  readonly method: string;
  readonly request?: unknown;
  readonly credentials: Readonly<Record<string, string>>;
  readonly options: {
    readonly timeoutMs?: number;
    readonly attempts?: number;
    readonly idempotencyKey?: string;
    readonly reconnect?: boolean;
    readonly take?: number;
    readonly checkResponses?: boolean;
    readonly headers?: Readonly<Record<string, string>>;
  };
}

/** Makes the call in a line of JSON. Returns the line about its outcome. */
export async function drive(
  line: string,
  createClient: (options: object) => Client,
  conversions: Conversions,
  checks: ResponseChecks,
): Promise<string> {
  const call = parseJson(line) as Call;
  const create = (options: object): Client => {
    const { attempts, checkResponses: isChecked } = call.options;
    const use = [
      ...(attempts === undefined ? [] : [retry({ attempts, backoffMs: 1 })]),
      ...(isChecked === true ? [checkResponses(checks, "throw")] : []),
    ];
    return createClient({ ...options, use });
  };
  return stringifyJson(await outcomeOf(call, create, conversions)) ?? "null";
}

async function outcomeOf(
  call: Call,
  createClient: (options: object) => Client,
  { dataToJson, toJson, toValues }: Conversions,
): Promise<object> {
  const items: unknown[] = [];
  let isStream = false;
  try {
    const result = methodOf(call, createClient)(
      toValues(call, call.request),
      optionsOf(call),
    );
    isStream = Symbol.asyncIterator in Object(result);
    if (!isStream) return { value: await toJson(call, (await result) ?? {}) };
    for await (const item of result as AsyncIterable<unknown>) {
      items.push(await toJson(call, item));
      if (items.length === call.options.take) break;
    }
    return { items };
  } catch (error) {
    if (!(error instanceof RpcError)) return { refused: String(error) };
    const { cause, code, message, name, status } = error;
    const reason = "reason" in error ? error.reason : null;
    const shown = { name, code, status, message, reason, cause: cause ?? null };
    const failure = { error: { ...shown, data: await dataToJson(error) } };
    return isStream ? { items, ...failure } : failure;
  }
}

function methodOf(
  { credentials, method, options, service, url }: Call,
  createClient: (options: object) => Client,
): Method {
  const { headers, timeoutMs } = options;
  const client = createClient({
    baseUrl: url,
    credentials: Object.fromEntries(
      Object.entries(credentials).map(([name, value]) => [
        camel(name),
        name === "UserLogin" ? loginOf(value) : value,
      ]),
    ),
    ...(headers !== undefined && { headers }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  const found = client[camel(service)]?.[camel(method)];
  if (found === undefined) throw new Error(`there is no ${service}.${method}`);
  return found;
}

function optionsOf({ options }: Call): object {
  const { attempts, idempotencyKey, reconnect } = options;
  return {
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(reconnect === true && {
      reconnect: { minDelayMs: 1, ...(attempts !== undefined && { attempts }) },
    }),
  };
}

/** Returns the credential of a user and a password, given the base64 form of both. */
function loginOf(value: string): string {
  const text = Buffer.from(value, "base64").toString();
  const [username = "", ...rest] = text.split(":");
  return basicCredential({ username, password: rest.join(":") });
}

function camel(name: string): string {
  const joined = name.replace(/\/(\w)/gu, (_, letter: string) =>
    letter.toUpperCase(),
  );
  return joined.replace(/^[A-Z]+(?![a-z])|^[A-Z]/u, (start) =>
    start.toLowerCase(),
  );
}
