import { stringifyJson } from "@ridlkit/runtime/json";

import { accessKey, secret, type Harness } from "./harness.js";
import { methods, type MethodRow } from "./interface-methods.js";
import { samples, type Operation } from "./samples.js";

/** Returns the row of an operation in the interface table. */
export function rowOf(operation: Operation): MethodRow {
  const row = methods.find(
    ({ service, method }) => `${service}.${method}` === operation,
  );
  if (!row) throw new Error(`the interface table has no ${operation}`);
  return row;
}

/**
 * Returns the HTTP method and path for the sample of an operation. They are
 * based only on the document.
 */
export function placeOf(operation: Operation): readonly [string, string] {
  const { route } = rowOf(operation);
  if (route === null) return ["POST", "/hook"];
  const [verb = "", path = ""] = route.split(" ");
  const values: Readonly<Record<string, unknown>> = {
    network: "polygon",
    ...samples[operation].request,
  };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(values[name]),
  );
  return [verb, filled];
}

/**
 * Returns every header from section 5 that an operation needs, with a valid
 * value.
 */
export function keysOf(operation: Operation): Record<string, string> {
  const values: Readonly<Record<string, string>> = {
    "X-Access-Key": accessKey,
    Authorization: `Bearer ${secret}`,
  };
  const names = rowOf(operation).credentials;
  return Object.fromEntries(names.map((name) => [name, values[name] ?? ""]));
}

/** A response with its body as text. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a handwritten request with an unchanged `body`. */
export async function sendRaw(
  harness: Harness,
  [method, path]: readonly [string, string],
  headers: Readonly<Record<string, string>>,
  body: string | null,
): Promise<RawAnswer> {
  const response = await fetch(harness.baseUrl + path, {
    method,
    headers,
    body,
  });
  const { status } = response;
  return { status, headers: response.headers, text: await response.text() };
}

/**
 * Sends a request to an operation with the operation's keys, a content type,
 * and the given body.
 */
export function sendBody(
  harness: Harness,
  operation: Operation,
  body: unknown,
): Promise<RawAnswer> {
  const headers = {
    "Content-Type": "application/json",
    ...keysOf(operation),
  };
  return sendRaw(harness, placeOf(operation), headers, stringifyJson(body));
}
