import type { Contract, Method } from "../../generator/ir/contract.js";
import { valuesOf } from "../../generator/values/value.js";
import { wireOf } from "../../generator/http/wire-of.js";
import { canonical, instantOf, isSame } from "./canonical.js";
import type { ClientCase, SentPart, SentRequest } from "./client-case.js";
import type { ExactJson } from "./json.js";
import type { SeenRequest } from "./record-requests.js";

/** What requests are compared with. */
export interface Expectation {
  readonly contract: Contract;
  readonly method: Method;
  readonly given: ClientCase;
  readonly json: ExactJson;
  /** The idempotency keys of earlier calls. */
  readonly usedKeys: Set<string>;
}

/** Returns what is wrong with the requests of a call, or null. */
export async function compareRequests(
  expected: Expectation,
  seen: readonly SeenRequest[],
): Promise<string | null> {
  const { given, usedKeys } = expected;
  const sent = sentBy(given);
  if (seen.length !== sent.length)
    return `${seen.length} requests instead of ${sent.length}`;
  for (const [index, request] of seen.entries()) {
    const fault = await compareRequest(expected, sent[index] ?? {}, request);
    if (fault !== null)
      return sent.length === 1 ? fault : `request ${index + 1}: ${fault}`;
  }
  const keys = new Set(seen.map(({ headers }) => headers.get(keyHeader)));
  if (keys.size > 1) return "attempts have different idempotency keys";
  const [key] = keys;
  if (key === undefined || given.options?.idempotencyKey !== undefined)
    return null;
  // Servers would not run the call, but repeat the earlier answer.
  if (usedKeys.has(key)) return "has the idempotency key of another call";
  usedKeys.add(key);
  return null;
}

const keyHeader = "idempotency-key";

/** Returns the requests that a call must send. */
export function sentBy({
  refuses,
  responses = [],
  sent,
}: ClientCase): readonly SentRequest[] {
  if (refuses === "must") return [];
  return sent ?? Array.from({ length: responses.length || 1 }, () => ({}));
}

async function compareRequest(
  expected: Expectation,
  sent: SentRequest,
  seen: SeenRequest,
): Promise<string | null> {
  const { method } = expected;
  const verb = sent.verb ?? "POST";
  if (seen.verb !== verb) return `sends ${seen.verb} instead of ${verb}`;
  const target = sent.target ?? rpcTarget(expected);
  if (pathOf(seen.target) !== pathOf(target) || !hasQuery(seen, target))
    return `sends ${seen.target} instead of ${target}`;
  return (
    compareHeaders(expected, sent, seen) ??
    compareAccept(method, seen) ??
    (await compareBody(expected, sent, seen))
  );
}

/** Returns the path of a call. Cases say the targets of other methods. */
function rpcTarget({ method }: Expectation): string {
  return wireOf(method).address?.target ?? "";
}

/**
 * Returns a path with only one way to encode each character but slashes, commas
 * and colons, whose encoded forms mean something else.
 */
function pathOf(target: string): string {
  const [path = ""] = target.split("?");
  return path
    .split(/([/,:])/u)
    .map((part) => (/^[/,:]$/u.test(part) ? part : recoded(part)))
    .join("");
}

function recoded(part: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(part));
  } catch {
    return part;
  }
}

/** Whether a request has the pairs of a query. The order of names is free. */
function hasQuery(seen: SeenRequest, target: string): boolean {
  return isSame(pairsOf(queryOf(seen.target)), pairsOf(queryOf(target)));
}

function queryOf(target: string): string {
  return target.includes("?") ? target.slice(target.indexOf("?") + 1) : "";
}

function pairsOf(query: string): readonly (readonly string[])[] {
  // A comma separates items, and `%2C` is a part of one.
  return sortPairs([...new URLSearchParams(query.replace(/,/gu, "%00"))]);
}

/** Returns a text in one form, if it is a timestamp or a number with an exponent. */
function meaningOf(text: string): string {
  return /^-?[\d.]+e[+-]?\d+$/u.test(text)
    ? String(Number(text))
    : String(instantOf(text));
}

function sortPairs(
  pairs: readonly (readonly [name: string, value: string])[],
): readonly (readonly string[])[] {
  return pairs
    .map(([name, value]) => [name, meaningOf(value)] as const)
    .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
}

/** Headers that clients may send with every request. */
const free =
  /^(?:accept|accept-encoding|accept-language|cache-control|connection|content-length|content-type|host|http2-settings|keep-alive|pragma|priority|request-timeout-ms|sec-fetch-[a-z]+|te|transfer-encoding|upgrade|user-agent)$/u;

/** The contract that clients with the setting `skew` send. */
const contractText = /^conformance@v1\.0\.0;[\w-]{6}$/u;

function compareHeaders(
  { given, method }: Expectation,
  { headers = {} }: SentRequest,
  seen: SeenRequest,
): string | null {
  const mayHaveKey = method.idempotencyKey !== "none";
  for (const [name, value] of seen.headers) {
    const isKey = name === keyHeader && mayHaveKey;
    const isContract = name === "webrpc" && contractText.test(value);
    if (free.test(name) || isKey || isContract || Object.hasOwn(headers, name))
      continue;
    return `sends the header ${name}: ${value}`;
  }
  for (const [name, value] of Object.entries(headers)) {
    const found = seen.headers.get(name) ?? null;
    const isPattern = typeof value === "object" && value !== null;
    const isRight = isPattern
      ? new RegExp(value.pattern, "u").test(found ?? "")
      : found === value;
    const wanted = isPattern ? value.pattern : String(value);
    if (!isRight)
      return `sends the header ${name}: ${String(found)} instead of ${wanted}`;
  }
  const key = seen.headers.get(keyHeader);
  const wanted = given.options?.idempotencyKey;
  const isNeeded = method.idempotencyKey === "required" || wanted !== undefined;
  if (!isNeeded) return null;
  if (key === undefined) return "sends no idempotency key";
  const isValid =
    wanted === undefined
      ? /^"[ !#-[\]-~]{16,255}"$/u.test(key)
      : key === `"${wanted}"`;
  return isValid ? null : `sends the idempotency key ${key}`;
}

/** Each kind of response is asked for, so that servers with several choose it. */
function compareAccept(
  { response, route }: Method,
  { headers }: SeenRequest,
): string | null {
  const accept = (headers.get("accept") ?? "").replace(/\s/gu, "");
  const ranges = accept.split(",");
  const wanted = response.isStream
    ? route.kind === "rest"
      ? ["text/event-stream", "text/event-stream;end=1"]
      : ["application/x-ndjson;end=1", "*/*"]
    : route.kind === "rest" && !hasFile(response)
      ? ["application/json", "*/*;q=0.1"]
      : [];
  return wanted.every((range) => ranges.includes(range))
    ? null
    : `sends Accept: ${accept} instead of ${wanted.join(", ")}`;
}

function hasFile({ fields }: Method["response"]): boolean {
  return fields.some(({ type }) => /^(?:list:)?file$/u.test(nameOf(type)));
}

function nameOf(type: Method["response"]["fields"][number]["type"]): string {
  if (type.kind === "list") return `list:${nameOf(type.element)}`;
  return type.kind === "scalar" ? type.name : "";
}

async function compareBody(
  { contract, given, json, method }: Expectation,
  sent: SentRequest,
  { body, headers }: SeenRequest,
): Promise<string | null> {
  const text = new TextDecoder().decode(body);
  const type = headers.get("content-type") ?? null;
  const media = type?.split(";")[0]?.trim().toLowerCase() ?? null;
  const expectType = (wanted: string | null): string | null =>
    media === wanted ? null : `sends the content type ${String(type)}`;
  if (sent.content !== undefined)
    return text === sent.content ? null : `sends the body ${text}`;
  if (sent.parts !== undefined) {
    return (
      expectType("multipart/form-data") ??
      compareParts(sent.parts, await partsOf(body, type ?? ""), json)
    );
  }
  if (sent.form !== undefined) {
    const pairs = [...new URLSearchParams(text)];
    return (
      expectType("application/x-www-form-urlencoded") ??
      (isSame(sortPairs(pairs), sortPairs(sent.form))
        ? null
        : `sends the form ${text}`)
    );
  }
  const wanted =
    sent.body !== undefined
      ? sent.body
      : sent.target === undefined
        ? (given.received ?? given.echo ?? given.request ?? {})
        : null;
  if (wanted === null)
    return text === "" ? expectType(null) : `sends the body ${text}`;
  const own = sent.headers?.["content-type"];
  const found = parseOr(json, text);
  const values = valuesOf(contract);
  const { fields } = method.request;
  // Servers ignore members that no field declares.
  const isDeclared = sent.body === undefined && given.received !== undefined;
  const simplify = (value: unknown): unknown =>
    canonical(values, fields, isDeclared ? only(fields, value) : value);
  return (
    (own === undefined ? expectType("application/json") : null) ??
    (isSame(simplify(found), simplify(wanted))
      ? null
      : `sends the body ${text}`)
  );
}

/** Returns an object without members that no field declares. */
export function only(
  fields: Method["request"]["fields"],
  value: unknown,
): unknown {
  if (fields.some(({ isExtra }) => isExtra)) return value;
  const names = new Set(fields.map(({ jsonName }) => jsonName));
  return Object.fromEntries(
    Object.entries(Object(value)).filter(([name]) => names.has(name)),
  );
}

/** Returns the value of JSON, or the text itself if it is none. */
export function parseOr({ parse }: ExactJson, text: string): unknown {
  try {
    return parse(text);
  } catch {
    return text;
  }
}

interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly type?: string;
  readonly text: string;
}

async function partsOf(
  body: Uint8Array<ArrayBuffer>,
  type: string,
): Promise<readonly Part[]> {
  const headers = { "content-type": type };
  // Quotes in names are `%22` in browsers, and `\"` in RFC 2183.
  const text = Buffer.from(body)
    .toString("latin1")
    .replace(/ filename="(?:[^"\\\r\n]|\\.)*"/gu, (name) =>
      name.replaceAll('\\"', "%22"),
    );
  const bytes = new Uint8Array(Buffer.from(text, "latin1"));
  const form = await new Response(bytes, { headers })
    .formData()
    .catch(() => []);
  return Promise.all(
    [...form].map(async ([name, value]) =>
      typeof value === "string"
        ? { name, text: value }
        : {
            name,
            filename: value.name,
            type: value.type,
            text: await value.text(),
          },
    ),
  );
}

function compareParts(
  wanted: readonly SentPart[],
  found: readonly Part[],
  json: ExactJson,
): string | null {
  const isEqual =
    wanted.length === found.length &&
    wanted.every(({ json: value, ...part }, index) => {
      const { text = "", ...rest } = found[index] ?? { name: "" };
      return value === undefined
        ? isSame({ ...rest, text }, part)
        : isSame(rest, part) && isSame(parseOr(json, text), value);
    });
  return isEqual ? null : `sends the parts ${JSON.stringify(found)}`;
}
