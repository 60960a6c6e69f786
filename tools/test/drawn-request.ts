import {
  isJsonList,
  type Json,
  membersOf,
  type WireObject,
  writeJson,
} from "../../generator/values/json.js";
import { listMarkOf } from "../../generator/http/request.js";
import { fieldsAt } from "../../generator/http/slots.js";
import type {
  BodyContent,
  WireRequest,
} from "../../generator/http/wire-method.js";
import {
  encodeValue,
  escapePartName,
  formPairs,
  type ValueOf,
  writeForm,
  writeHeaders,
  writeQuery,
} from "../../generator/http/write-request.js";
import { hasFiles, type TestedMethod } from "./tested-method.js";

/** A drawn request without an address or credentials. */
export interface DrawnRequest {
  readonly verb: string;
  /** The path, e.g. `/rpc/Shop/GetBook`. */
  readonly path: string;
  /**
   * Headers by lower-case names, and credentials in the query by their keys, e.g.
   * `?api_key`. Null omits one.
   */
  readonly headers: Readonly<Record<string, string | Alteration | null>>;
  readonly body: string | FormBody | null;
  /** The path of a file that a printed command sends as the body. */
  readonly file?: string;
}

/**
 * A change of a header that the caller gave. The value is secret, so it is not
 * part of the request.
 */
export interface Alteration {
  readonly kind: "cut" | "extended";
}

/** A `multipart/form-data` body. */
export interface FormBody {
  /** Texts by the names of their parts: `json`, or the pairs of a form. */
  readonly texts: readonly (readonly [name: string, text: string])[];
  readonly files: readonly FormFile[];
}

/** A file in a form. */
export interface FormFile {
  /** The name of the part. */
  readonly field: string;
  /** The path that a printed command uses. */
  readonly path: string;
  /** Media type, or "" if a printed command does not state it. */
  readonly type: string;
}

/** Values of path parameters by name, e.g. `network`. */
export type Parameters = ReadonlyMap<string, string>;

/**
 * Creates the request for a message. Returns null if its path or its form cannot
 * be sent.
 */
export function createRequest(
  tested: TestedMethod,
  message: WireObject,
  parameters: Parameters,
): DrawnRequest | null {
  const request = addressRequest(tested, message, parameters);
  const hasKey = tested.method.method.idempotencyKey !== "none";
  if (request === null || !hasKey) return request;
  const headers = {
    ...request.headers,
    "idempotency-key": `"${crypto.randomUUID()}"`,
  };
  return { ...request, headers };
}

function addressRequest(
  tested: TestedMethod,
  message: WireObject,
  parameters: Parameters,
): DrawnRequest | null {
  const { method } = tested;
  const { route } = method.method;
  const isRest = route.kind === "rest";
  const path = fillPath(method.path, (name) => {
    const value = isRest ? message[name] : parameters.get(name);
    return hasComma(value) ? "" : encodeValue(value ?? null);
  });
  if (path === null) return null;
  const { verb = "POST" } = method.wire.address ?? {};
  if (isRest) return restRequest(tested, verb, path, message);
  const json = writeJson(message);
  if (!hasFiles(tested)) {
    return { verb: "POST", path, headers: jsonHeaders, body: json };
  }
  const body = { texts: [["json", json]] as const, files: filesOf(tested, "") };
  return { verb: "POST", path, headers: {}, body };
}

/** Returns a file for each field that takes some. */
function filesOf({ method }: TestedMethod, mark: string): readonly FormFile[] {
  const { fileLists, files } = method.request;
  const names = [...files, ...fileLists.map((name) => name + mark)];
  return names.map((field) => ({ field, path: "file.txt", type: "" }));
}

const jsonHeaders = { "content-type": "application/json" };

/** Creates the request for a message of a REST method, or null for no form. */
function restRequest(
  tested: TestedMethod,
  verb: string,
  path: string,
  message: WireObject,
): DrawnRequest | null {
  const { request } = tested.method.wire;
  const valueOf: ValueOf = ({ jsonName }) => message[jsonName];
  if (isSplit(request, valueOf)) return null;
  const pairs = writeQuery(request, valueOf);
  const target = pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
  const headers = headersOf(request, valueOf);
  if (headers === null) return null;
  const { content, mediaType } = request.body;
  const sent = { verb, path: target };
  if (content.kind === "file") {
    const type = { "content-type": "text/plain" };
    return { ...sent, headers: { ...headers, ...type }, body: "content" };
  }
  const value = contentOf(request, message);
  const isForm = content.kind === "form";
  if (isForm && !fitsForm(value ?? null)) return null;
  if (isForm && hasFiles(tested)) {
    const texts = formPairs(value ?? null, content);
    // A form with files cannot express such names.
    if (texts.some(([name]) => /\\|%(?:22|0[AD])/u.test(name))) return null;
    const body = { texts, files: filesOf(tested, listMarkOf(content)) };
    return { ...sent, headers, body };
  }
  const body = value === undefined ? "" : writeBody(value, content);
  return body === ""
    ? { ...sent, headers, body: null }
    : { ...sent, headers: { ...headers, "content-type": mediaType }, body };
}

/** Whether a server would split an item of a list in the query or a header. */
function isSplit(request: WireRequest, valueOf: ValueOf): boolean {
  // In a path, an empty segment tells that a list has such items.
  const slots = [...fieldsAt(request, "query"), ...fieldsAt(request, "header")];
  return slots.some(
    ({ field, list }) => list === "joined" && hasComma(valueOf(field)),
  );
}

/** Returns the headers that contain fields, or null if a value does not fit. */
function headersOf(
  request: WireRequest,
  valueOf: ValueOf,
): Readonly<Record<string, string>> | null {
  const headers = writeHeaders(request, valueOf);
  const fits = headers.every(([, texts]) =>
    texts.every((text) => /^[!-~](?:[ -~]*[!-~])?$/u.test(text)),
  );
  if (!fits) return null;
  return Object.fromEntries(
    headers.map(([{ name }, texts]) => [name.toLowerCase(), texts.join(",")]),
  );
}

/**
 * Whether a form can express a value: no name contains a bracket, and no item of
 * a list is empty.
 */
function fitsForm(value: Json): boolean {
  if (isJsonList(value)) {
    return value.every(
      (item) =>
        writeForm({ item }, { kind: "form", list: "repeated" }) !== "" &&
        fitsForm(item),
    );
  }
  return membersOf(value).every(
    ([name, member]) => !/[[\]]/u.test(name) && fitsForm(member),
  );
}

function writeBody(value: Json, content: BodyContent): string {
  return content.kind === "form" ? writeForm(value, content) : writeJson(value);
}

/** Returns the value of a body, or undefined if there is none. */
function contentOf(
  request: WireRequest,
  message: WireObject,
): Json | undefined {
  const { body } = request;
  switch (body.kind) {
    case "none":
      return undefined;
    case "whole":
      return message[body.whole.jsonName];
    case "object": {
      // The body can also contain members that no field declares.
      const elsewhere = (["path", "query", "header"] as const)
        .flatMap((place) => fieldsAt(request, place))
        .map(({ field }) => field.jsonName);
      return Object.fromEntries(
        Object.entries(message).filter(([name]) => !elsewhere.includes(name)),
      );
    }
  }
}

/** Replaces the parameters of a path. Returns null if one is unusable. */
function fillPath(
  template: string,
  valueOf: (name: string) => string,
): string | null {
  let isUsable = true;
  const path = template.replace(/\{(\w+)\}/gu, (_, name: string) => {
    const text = valueOf(name);
    // Clients would resolve `.` and `..` as relative path segments.
    if (/^\.{0,2}$/u.test(text)) isUsable = false;
    return text;
  });
  return isUsable ? path : null;
}

/** Whether a server would split an item of a list. */
function hasComma(value: Json | undefined): boolean {
  return (
    value !== undefined &&
    isJsonList(value) &&
    value.some((item) => typeof item === "string" && item.includes(","))
  );
}

/**
 * Converts a request to a path and options of `fetch`, with the given headers
 * and credentials.
 */
export function toSent(
  { body, headers, path, verb }: DrawnRequest,
  given: ReadonlyMap<string, string>,
): { readonly path: string; readonly init: RequestInit } {
  const all = new Map<string, string | Alteration | null>([
    ...given,
    ...Object.entries(headers),
  ]);
  const sent = [...all].flatMap(([name, value]): [string, string][] => {
    if (value === null) return [];
    if (typeof value === "string") return [[name, value]];
    const text = given.get(name) ?? "";
    return [[name, value.kind === "cut" ? text.slice(0, -1) : `${text}x`]];
  });
  const keys = sent.filter(([name]) => name.startsWith("?"));
  const pairs = keys.map(
    ([name, value]) =>
      `${encodeURIComponent(name.slice(1))}=${encodeURIComponent(value)}`,
  );
  const mark = path.includes("?") ? "&" : "?";
  return {
    path: pairs.length === 0 ? path : path + mark + pairs.join("&"),
    init: {
      method: verb,
      headers: sent.filter((each) => !keys.includes(each)),
      redirect: "manual",
      ...(body !== null && {
        body:
          // Send bytes, because a string would get a content type.
          typeof body === "string"
            ? new TextEncoder().encode(body)
            : toParts(body),
      }),
    },
  };
}

/** `FormData` would change line breaks in texts. The type becomes a header. */
function toParts({ files, texts }: FormBody): Blob {
  const boundary = crypto.randomUUID();
  const part = (name: string, head: string, content: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${escapePartName(name)}"${head}\r\n\r\n${content}\r\n`;
  const parts = [
    ...texts.map(([name, text]) => part(name, "", text)),
    ...files.map(({ field, path }) => {
      const head = `; filename="${escapePartName(path)}"\r\nContent-Type: text/plain`;
      return part(field, head, "content");
    }),
  ];
  const type = `multipart/form-data; boundary=${boundary}`;
  return new Blob([...parts, `--${boundary}--\r\n`], { type });
}
