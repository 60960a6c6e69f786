import type { Contract, Method } from "../../generator/ir/contract.js";
import { allMethods } from "../../generator/ir/methods-of.js";
import type { ExactJson } from "./json.js";

/** A call of a client and its outcome: a line of `client-cases.jsonl`. */
export interface ClientCase {
  readonly name: string;
  readonly service: string;
  readonly method: string;
  /** What not every language can do or represent. */
  readonly needs?: readonly string[];
  /** The request, what the server receives, and the response in one. */
  readonly echo?: unknown;
  readonly request?: unknown;
  readonly received?: unknown;
  /** The requests that the client must send. Default: derived from the call. */
  readonly sent?: readonly SentRequest[];
  readonly response?: CannedResponse;
  /** The responses to the requests of the call, in their order. */
  readonly responses?: readonly CannedResponse[];
  readonly value?: unknown;
  /** The items of a stream. */
  readonly items?: readonly unknown[];
  /** Properties of the error that ends the call or the stream. */
  readonly error?: Readonly<Record<string, unknown>>;
  /**
   * Whether the client must refuse the call before it sends anything, or may,
   * because the request is invalid.
   */
  readonly refuses?: "must" | "may";
  /** Credentials by their names in RIDL. Default: all that are valid. */
  readonly credentials?: Readonly<Record<string, string>>;
  readonly options?: DriverOptions;
}

/** How a call is made. */
export interface DriverOptions {
  readonly timeoutMs?: number;
  /**
   * The maximum number of attempts, by default one, or of consecutive attempts to
   * reopen a lost stream, by default any number.
   */
  readonly attempts?: number;
  readonly idempotencyKey?: string;
  /** Whether the client reopens a lost stream. */
  readonly reconnect?: boolean;
  /** The number of items after which the program leaves the stream. */
  readonly take?: number;
  /** Whether the client checks responses against all limits. */
  readonly checkResponses?: boolean;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that a client must send. */
export interface SentRequest {
  /** Default: POST. */
  readonly verb?: string;
  /** Path and query. Default: those of a call of the method. */
  readonly target?: string;
  /** Headers by lower-case name, or null for one that must be absent. */
  readonly headers?: Readonly<Record<string, string | HeaderPattern | null>>;
  /** The JSON in the body, or null for no body. */
  readonly body?: unknown;
  /** The pairs of a form. */
  readonly form?: readonly (readonly [name: string, value: string])[];
  /** The parts of a form with files, in their order. */
  readonly parts?: readonly SentPart[];
  /** The body as text, if it is a file. */
  readonly content?: string;
}

/** A regular expression that a header must match. */
export interface HeaderPattern {
  readonly pattern: string;
}

/** A part of a form with files. */
export interface SentPart {
  readonly name: string;
  /** The name of the file, or absent for a text. */
  readonly filename?: string;
  readonly type?: string;
  readonly text?: string;
  readonly json?: unknown;
}

/** A response that no generated server sends. */
export interface CannedResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body:
    | string
    | readonly (
        | { readonly text: string; readonly times?: number }
        | { readonly base64: string }
      )[];
  /**
   * What happens after the body: `spaces` follow until the client closes the
   * connection. Default: the response is complete.
   */
  readonly then?: "cut" | "silence" | "spaces";
}

/** Returns the cases in lines of JSON. Large integers are `bigint`. */
export function readCases<Case>(
  text: string,
  { parse }: ExactJson,
): readonly Case[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => parse(line) as Case);
}

/** Returns the bytes of a canned response. */
export function bodyOf({
  body,
}: Pick<CannedResponse, "body">): Uint8Array<ArrayBuffer> {
  const parts = typeof body === "string" ? [{ text: body }] : body;
  return new Uint8Array(
    Buffer.concat(
      parts.map((part) =>
        "base64" in part
          ? Buffer.from(part.base64, "base64")
          : Buffer.from(part.text.repeat(part.times ?? 1)),
      ),
    ),
  );
}

/** Returns the method of a case. */
export function methodOf(
  { hosts }: Contract,
  given: Pick<ClientCase, "name" | "service" | "method">,
): Method {
  const method = allMethods(hosts).find(
    ({ name, service }) => service === given.service && name === given.method,
  );
  if (method === undefined) throw new Error(`no method for ${given.name}`);
  return method;
}
