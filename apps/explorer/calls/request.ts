import type {
  CredentialData,
  RouteData,
} from "../../../generator/4-emit/docs/explorer-data.js";
import {
  fillParameters,
  printBracketForm,
  printForm,
  printQuery,
} from "../../../runtime/typescript/client/address.js";
import { checkPartNames } from "../../../runtime/typescript/wire/part-names.js";
import { encodeBytes } from "../../../runtime/typescript/wire/bytes.js";
import { printHeaders } from "../../../runtime/typescript/wire/print-headers.js";
import { printFlat, type JsonNode } from "./json-text.js";
import { type Entry, holdsFiles, type Model } from "./model.js";

/** Addresses, parameters and credentials that the user entered. */
export interface Connection {
  /** Base addresses by {@link addressKey}. */
  readonly addresses: ReadonlyMap<string, string>;
  readonly parameters: ReadonlyMap<string, string>;
  /** Keys and secrets by `header` of the credential. */
  readonly credentials: ReadonlyMap<string, string>;
}

/** A call that can be sent or shown. */
export interface CallRequest {
  readonly verb: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly credentials: readonly SentCredential[];
  /** The body, or null if there is none. The text of a form is a literal. */
  readonly message: JsonNode | null;
  /** The texts in a form with files, or null if there is another body. */
  readonly texts: readonly FormText[] | null;
  /**
   * Files by the names of their parts, if the body is a form with files, or the
   * file that is the body.
   */
  readonly files: readonly (readonly [string, File])[];
  /** Reasons why the call cannot be sent yet. */
  readonly problems: readonly string[];
}

/** JSON, or a text as a literal, in a form with files. */
export type FormText = readonly [part: string, content: JsonNode];

/**
 * A credential and the value that the user entered, which is "" if there is
 * none.
 */
export interface SentCredential {
  readonly credential: CredentialData;
  readonly value: string;
}

/** Returns the names of the parameters in the address of a method. */
export function parametersOf(
  entry: Entry,
  connection: Connection,
): readonly string[] {
  const { kind, path = "" } = entry.method.route;
  const address = addressOf(entry, connection);
  const texts = kind === "rpc" ? [address, path] : [address];
  const names = texts.flatMap((text) =>
    [...text.matchAll(/\{(\w+)\}/gu)].map(([, name = ""]) => name),
  );
  return [...new Set(names)];
}

/**
 * Returns the key of a method's base address: its host, or its service if that
 * is outbound.
 */
export function addressKey({
  host,
  service,
}: Pick<Entry, "host" | "service">): string {
  return service.isOutbound ? `${host.name} ${service.name}` : host.name;
}

function addressOf(entry: Entry, { addresses }: Connection): string {
  const address = (addresses.get(addressKey(entry)) ?? "").trim();
  return entry.service.isOutbound ? address : address.replace(/\/+$/u, "");
}

/** Returns the base address of a method with its parameters filled in. */
export function baseUrlOf(entry: Entry, connection: Connection): string {
  const values = valuesOf(connection);
  return fill(addressOf(entry, connection), values, new Set());
}

/** Creates a call. Input: the request message, and files by field. */
export function createRequest(
  model: Model,
  entry: Entry,
  message: JsonNode,
  files: readonly (readonly [string, File])[],
  connection: Connection,
): CallRequest {
  const { method } = entry;
  const { event, isFile, kind, mediaType, path = "" } = method.route;
  const isRest = kind === "rest";
  const isForm = !isFile && hasFiles(model, entry);
  const isPairs = method.route.form !== undefined;
  const address = addressOf(entry, connection);
  const problems = new Set<string>();
  if (!/^https?:\/\//u.test(address)) {
    problems.add("The base address must start with http:// or https://.");
  }
  const values = valuesOf(connection);
  const url =
    fill(address, values, problems) +
    fill(path, isRest ? fieldsOf(message) : values, problems);
  const content = isRest ? bodyOf(method.route, message) : message;
  const body = isPairs
    ? pairsOf(method.route, content, isForm, problems)
    : content;
  return {
    verb: verbOf(method.route),
    url: url + queryOf(method.route, message, problems),
    headers: [
      ...(body === null || isForm
        ? []
        : [["Content-Type", mediaType ?? "application/json"] as const]),
      ...(isFile ? files : []).map(
        ([, { type }]) =>
          ["Content-Type", type || "application/octet-stream"] as const,
      ),
      ...(event === undefined ? [] : [["Webhook-Event", event] as const]),
      ...headersOf(method.route, message, problems),
      ...(method.idempotencyKey === undefined
        ? []
        : [["Idempotency-Key", `"${randomKey()}"`] as const]),
    ],
    credentials: model.credentialsOf(method).map((credential) => ({
      credential,
      value: enteredValue(credential, connection),
    })),
    message: isForm ? null : body,
    texts: isForm ? textsOf(body, isPairs) : null,
    files:
      isForm || isFile
        ? files.map(([name, file]) => [partOf(model, entry, name), file])
        : [],
    problems: [...problems],
  };
}

/** Returns a key. `randomUUID` does not exist on pages without TLS. */
function randomKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

/** Base64 contains no colon, so a value with one is still to be encoded. */
function enteredValue(
  { header, scheme }: CredentialData,
  { credentials }: Connection,
): string {
  const value = (credentials.get(header) ?? "").trim();
  return isBasic(scheme) && value.includes(":")
    ? encodeBytes(new TextEncoder().encode(value))
    : value;
}

/** Whether a scheme's values are a user name and a password (RFC 7617). */
export function isBasic(scheme = ""): boolean {
  return /^basic$/iu.test(scheme);
}

/** Whether the request of a method has files. If so, its body is a form. */
function hasFiles(model: Model, { method }: Entry): boolean {
  return model
    .fieldsOf(method.request)
    .some(({ type }) => holdsFiles(model, model.shape(type)));
}

function textsOf(body: JsonNode | null, isPairs: boolean): FormText[] {
  if (body === null) return [];
  if (!isPairs) return [["json", body]];
  return [...new URLSearchParams(printFlat(body))].map(([name, text]) => [
    name,
    { kind: "literal", text },
  ]);
}

/** Returns the name of the parts of a file, or a list of files. */
export function partOf(
  model: Model,
  { method: { request, route } }: Entry,
  name: string,
): string {
  const hasMark =
    route.form === "bracketed" &&
    model
      .fieldsOf(request)
      .some(
        (field) =>
          field.name === name && model.shape(field.type).kind === "list",
      );
  return hasMark ? `${name}[]` : name;
}

/** Returns the headers to send, with credentials. */
export function sentHeaders({
  credentials,
  headers,
}: CallRequest): readonly (readonly [string, string])[] {
  return [
    ...headers,
    ...credentials.flatMap(({ credential, value }) => {
      const name = headerOf(credential);
      if (name === null || value === "") return [];
      return [[name, `${prefixOf(credential)}${value}`] as const];
    }),
  ];
}

/** Returns the address to send to, with credentials. */
export function sentUrl({ credentials, url }: CallRequest): string {
  const pairs = credentials.flatMap(({ credential, value }) =>
    credential.place === "query" && value !== ""
      ? [[credential.parameter ?? "", [value]] as const]
      : [],
  );
  const query = printQuery(Object.fromEntries(pairs), {});
  return url + (url.includes("?") ? query.replace("?", "&") : query);
}

/** Returns the header that carries a credential, or null for the query. */
export function headerOf({ header, place }: CredentialData): string | null {
  if (place === "query") return null;
  return place === "cookie" ? "Cookie" : header;
}

/** Returns the prefix of a credential's value, e.g. `Bearer `. */
export function prefixOf({ parameter, scheme }: CredentialData): string {
  if (parameter !== undefined) return `${parameter}=`;
  return scheme === undefined ? "" : `${scheme} `;
}

/** Values for the placeholders of an address or a path, by name. */
type Values = ReadonlyMap<string, string | readonly string[]>;

function valuesOf({ parameters }: Connection): Values {
  return new Map([...parameters].map(([name, value]) => [name, value.trim()]));
}

/** Returns the HTTP method of a route. */
export function verbOf({ kind, verb = "GET" }: RouteData): string {
  return kind === "rest" ? verb : "POST";
}

/** Returns the part of a REST method's message that is its body, or null. */
function bodyOf(
  { headers = [], path = "", query = [], requestBody }: RouteData,
  message: JsonNode,
): JsonNode | null {
  if (requestBody === undefined || message.kind !== "object") return null;
  const { entries } = message;
  if (requestBody !== true) return new Map(entries).get(requestBody) ?? null;
  const bound = new Set([
    ...[...path.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name),
    ...query.map((each) => (each.kind === "field" ? each.field : "")),
    ...headers.map(({ field }) => field),
  ]);
  const rest = entries.filter(([name]) => !bound.has(name));
  return { kind: "object", entries: rest };
}

/** Returns the text of a form, or null if it is empty. */
function pairsOf(
  { form }: RouteData,
  content: JsonNode | null,
  hasParts: boolean,
  problems: Set<string>,
): JsonNode | null {
  const print = form === "bracketed" ? printBracketForm : printForm;
  try {
    const text = content && print(valueOf(content));
    if (hasParts) checkPartNames(text);
    return text ? { kind: "literal", text } : null;
  } catch (error) {
    problems.add(`The form cannot be sent: ${Object(error).message}.`);
    return null;
  }
}

/** Returns a value whose numbers are texts, so that none is rounded. */
function valueOf(node: JsonNode): unknown {
  switch (node.kind) {
    case "literal":
      return node.text === "null" ? null : node.text;
    case "string":
      return node.value;
    case "list":
      return node.items.map(valueOf);
    case "object":
      return Object.fromEntries(
        node.entries.map(([name, member]) => [name, valueOf(member)]),
      );
  }
}

/** Prints a query as the client does. Adds a problem if the client rejects it. */
function queryOf(
  { query = [] }: RouteData,
  message: JsonNode,
  problems: Set<string>,
): string {
  const sources = query.map((each) => [
    each.name,
    each.kind === "fixed" ? [each.value] : each.field,
  ]);
  try {
    const joined = query.flatMap((each) =>
      each.kind === "field" && each.isJoined ? each.name : [],
    );
    return printQuery(
      Object.fromEntries(sources),
      Object.fromEntries(fieldsOf(message)),
      joined,
    );
  } catch (error) {
    problems.add(`The address cannot be written: ${Object(error).message}.`);
    return "";
  }
}

/** Returns the fields in headers. Adds a problem if the client rejects one. */
function headersOf(
  { headers = [] }: RouteData,
  message: JsonNode,
  problems: Set<string>,
): [string, string][] {
  const names = headers.map(({ field, name }) => [name, field]);
  const fields = Object.fromEntries(fieldsOf(message));
  try {
    return Object.entries(printHeaders(Object.fromEntries(names), fields));
  } catch (error) {
    problems.add(`A header cannot be sent: ${Object(error).message}.`);
    return [];
  }
}

/**
 * Returns the fields of a REST method, which can be in its address. As in the
 * client, null is the same as nothing.
 */
function fieldsOf(message: JsonNode): Values {
  const fields = message.kind === "object" ? message.entries : [];
  return new Map(
    fields
      .filter(([, node]) => printFlat(node) !== "null")
      .map(([name, node]) => [
        name,
        node.kind === "list" ? node.items.map(printPlain) : printPlain(node),
      ]),
  );
}

function printPlain(node: JsonNode): string {
  return node.kind === "string" ? node.value : printFlat(node);
}

/**
 * Fills in placeholders as the client does. Keeps those that the client
 * rejects, and adds a problem for each of them.
 */
function fill(text: string, values: Values, problems: Set<string>): string {
  return text.replace(/\{(\w+)\}/gu, (placeholder, name: string) => {
    try {
      return fillParameters(placeholder, { [name]: values.get(name) });
    } catch {
      problems.add(
        `The address needs a value for ${name} other than "." and "..". Items of a list must not contain commas.`,
      );
      return placeholder;
    }
  });
}
