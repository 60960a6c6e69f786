import { headerOf } from "../../generator/http/credentials.js";
import { isFileField } from "../../generator/http/request.js";
import { sentNameOf } from "../credential-names.js";
import { variantFor } from "../../generator/values/variants.js";
import type { Field, TypeReference } from "../../generator/ir/contract.js";
import {
  type ResolvedValue,
  type ContractValues,
  valuesOf,
} from "../../generator/values/value.js";
import { isList } from "../../generator/4-emit/emitter/json-value.js";
import { type Case, change, type Drawn } from "./cases.js";
import {
  type Alteration,
  createRequest,
  type Parameters,
} from "./drawn-request.js";
import type { Json, WireObject } from "../../generator/values/json.js";
import { hasOwnRefusals } from "./own-refusals.js";
import { hasFiles, jsonBodyOf, type TestedMethod } from "./tested-method.js";
import type * as fc from "fast-check";

/** Requests of a method, drawn as messages and as what is sent. */
interface DrawnRequests {
  readonly messages: fc.Arbitrary<WireObject>;
  readonly requests: Drawn;
  readonly parameters: Parameters;
}

/**
 * Creates requests that servers often get wrong, although most of them are
 * valid. The reference decides which of them a server must refuse.
 */
export function oddRequests(
  tested: TestedMethod,
  drawn: DrawnRequests,
): readonly Case[] {
  const { requests } = drawn;
  const accept = change("header Accept: text/html", requests, (request) => ({
    headers: { ...request.headers, accept: "text/html" },
  }));
  const parameter = change(
    "an unknown query parameter",
    requests,
    (request) => ({
      path: `${request.path}${request.path.includes("?") ? "&" : "?"}no_such_parameter=1`,
    }),
  );
  const isRpc = tested.method.method.route.kind === "rpc";
  const body = jsonBodyOf(tested);
  return [
    // Frameworks may answer 406.
    ...(hasOwnRefusals(tested) ? [] : [accept]),
    ...(isRpc ? [] : [parameter]),
    ...(body === "object" ? oddMessages(tested, drawn) : []),
    ...(body === "none" || hasFiles(tested) ? [] : oddJson(tested, requests)),
  ];
}

/** Other content types and other ways to write the same JSON. */
function oddJson(tested: TestedMethod, requests: Drawn): readonly Case[] {
  const { mediaType } = tested.method.wire.request.body;
  const types = [
    `${mediaType}; charset=utf-8`,
    `${mediaType};charset=UTF-8`,
    mediaType.replace("application", "Application"),
  ];
  const write = (what: string, print: (json: string) => string): Case =>
    change(what, requests, ({ body }) => ({
      body: typeof body === "string" ? print(body) : body,
    }));
  return [
    ...types.map((type) =>
      change(`content type ${type}`, requests, ({ body, headers }) =>
        body === null ? {} : { headers: { ...headers, "content-type": type } },
      ),
    ),
    write("white space around the body", (json) => `\r\n\t ${json} \r\n`),
    write("an escaped letter in a name", (json) =>
      json.replace(/"([a-z])/iu, (_, letter: string) => {
        const code = letter.charCodeAt(0).toString(16);
        return `"\\u00${code}`;
      }),
    ),
  ];
}

function oddMessages(
  tested: TestedMethod,
  { messages, parameters }: DrawnRequests,
): readonly Case[] {
  const values = valuesOf(tested.contract);
  const { body } = tested.method.wire.request;
  const fields = body.fields.filter((field) => !isFileField(field));
  const alter = (what: string, changes: Partial<MessageChange>): Case => ({
    what,
    requests: messages.map((message) => {
      const all = { ...unchanged, ...changes };
      const altered = changeObject(fields, message, values, all);
      return createRequest(tested, altered, parameters);
    }),
  });
  const extra = (name: string): Case =>
    alter(`an unknown field \`${name}\``, {
      object: (object) =>
        Object.fromEntries([...Object.entries(object), [name, { a: [1n] }]]),
    });
  return [
    alter("U+0000 in each text", { text: (text) => `\0${withoutFirst(text)}` }),
    alter("emoji in each text", {
      text: (text) => `\u{1f600}${withoutFirst(text)}`,
    }),
    extra("no such field"),
    extra("__proto__"),
  ];
}

/** Removes the first character, which can be two units of UTF-16. */
function withoutFirst(text: string): string {
  return [...text].slice(1).join("");
}

/** Changes the parts of a message. */
interface MessageChange {
  /** Changes text without a pattern or format. */
  text(text: string): string;
  /** Changes an object with declared fields. */
  object(object: WireObject): WireObject;
}

const unchanged: MessageChange = {
  text: (text) => text,
  object: (object) => object,
};

function changeObject(
  fields: readonly Field[],
  object: WireObject,
  values: ContractValues,
  changes: MessageChange,
): WireObject {
  const byName = new Map(fields.map((field) => [field.jsonName, field]));
  const members = Object.entries(object).map(([name, value]) => {
    const field = byName.get(name);
    return [
      name,
      field === undefined ? value : changePart(field, value, values, changes),
    ];
  });
  return changes.object(Object.fromEntries(members));
}

function changePart(
  part: Field | TypeReference,
  json: Json,
  values: ContractValues,
  changes: MessageChange,
): Json {
  const value = values.valueOf(part);
  const each = (inner: TypeReference) => (item: Json) =>
    changePart(inner, item, values, changes);
  switch (value.kind) {
    case "scalar":
      return typeof json === "string" && isFreeText(value)
        ? changes.text(json)
        : json;
    case "list":
      return isList(json) ? json.map(each(value.element)) : json;
    case "map":
      return isObject(json)
        ? Object.fromEntries(
            Object.entries(json).map(([name, member]) => [
              name,
              each(value.held)(member),
            ]),
          )
        : json;
    case "union": {
      const variant = variantFor(values, value.declaration, json);
      return variant ? each(variant.type)(json) : json;
    }
    case "struct":
      return isObject(json)
        ? changeObject(value.declaration.fields, json, values, changes)
        : json;
    case "bytes":
    case "enum":
      return json;
  }
}

function isFreeText(value: ResolvedValue): boolean {
  const { enum: listed, format, pattern } = value.limits;
  return (
    value.kind === "scalar" &&
    value.scalar === "string" &&
    (format ?? pattern ?? listed) === undefined
  );
}

function isObject(value: Json): value is WireObject {
  return typeof value === "object" && value !== null && !isList(value);
}

/** Creates paths whose case differs, which are other paths. */
export function oddPaths(
  { method: { method } }: TestedMethod,
  requests: Drawn,
): readonly Case[] {
  const cases = [
    change("a path that starts in a different case", requests, ({ path }) => ({
      path: path.replace(/[a-z]/iu, swapCase),
    })),
  ];
  if (method.route.kind !== "rpc") return cases;
  return [
    ...cases,
    change("a method in a different case", requests, ({ path }) => ({
      path: path.replace(/[^/]+$/u, swapCase),
    })),
  ];
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/giu, (letter) =>
    letter === letter.toLowerCase()
      ? letter.toUpperCase()
      : letter.toLowerCase(),
  );
}

/** Creates credentials that resemble the given one. */
export function oddCredentials(
  { method: { credentials } }: TestedMethod,
  requests: Drawn,
  given: ReadonlyMap<string, string>,
): readonly Case[] {
  return credentials.flatMap((credential) => {
    const { key } = credential;
    const { prefix = "" } = headerOf(credential) ?? {};
    const name = sentNameOf(credential);
    const set = (what: string, value: string | Alteration): Case =>
      change(what, requests, ({ headers }) => ({
        headers: { ...headers, [name]: value },
      }));
    return [
      set(`an empty ${key}`, prefix),
      ...(given.has(name)
        ? [
            set(`${key} without its last character`, { kind: "cut" }),
            set(`${key} with another character`, { kind: "extended" }),
          ]
        : []),
    ];
  });
}
