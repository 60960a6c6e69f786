import type { BareError } from "../wire/bare-error.js";
import {
  type AddressParameters,
  fillParameters,
  printBracketForm,
  printForm,
  printHeaders,
  printQuery,
  type QueryFields,
} from "./address.js";
import { same } from "../values/same.js";

/**
 * A header or a parameter of the query that carries a credential, e.g. `["secret", "authorization", "Bearer
 * "]`.
 */
export type MethodCredential = readonly [
  /** Name of the credential in the client's `credentials` option. */
  option: string,
  /**
   * Name of the header in lowercase, or `?` and the name of the parameter (see
   * `fillKeys`).
   */
  header: string,
  /** Text before the value. */
  prefix?: string,
];

/**
 * Fills the path of a call, like `fillParameters` in
 * `@ridlkit/runtime/client`.
 */
export type FillPath = (
  path: string,
  parameters: AddressParameters,
  /** The request in its wire form. */
  message: unknown,
  /** The headers of the request, which the function can change. */
  headers: Record<string, string>,
) => string;

/**
 * Reads an envelope, like `fromEnvelope` in `@ridlkit/runtime/errors`. Input: the
 * JSON of a response or of the end of a stream, its HTTP status, and the text of
 * the response, from which integers can be read without rounding.
 */
export type ReadError = (
  json: unknown,
  status: number,
  text?: string,
) => BareError | undefined;

/** Properties of a method other than its path. */
export interface ClientMethodOptions<Request = unknown, Response = unknown> {
  /** Credentials that are sent if the client has them. Default: none. */
  readonly credentials?: readonly MethodCredential[];
  /** Whether a call may be repeated. Default: `none`. */
  readonly safety?: "none" | "idempotent" | "readonly";
  /**
   * Converts a request to its JSON form without changing the request. `encode`
   * is declared as a method so that methods with any request type are assignable
   * to `ClientMethod`.
   */
  encode?(request: Request): unknown;
  /** Converts a response to its TypeScript form. May change its argument. */
  readonly decode?: (message: unknown) => Response;
  /**
   * Replaces `JSON.stringify`, e.g. with `stringifyMessage` from
   * `@ridlkit/runtime/codegen/message-json` for requests with `bigint`. If it returns null, the
   * request has no body.
   */
  readonly stringify?: (message: unknown) => string | null;
  /**
   * Replaces `JSON.parse`, e.g. with `parseJsonObject` from
   * `@ridlkit/runtime/codegen/message-json` for responses with `bigint`. Throws if the text is
   * invalid.
   */
  readonly parse?: (text: string) => unknown;
  /**
   * Reads the envelope of a failed call. Default: `fromEnvelope`, which ignores
   * the error's data.
   */
  readonly error?: ReadError;
  /** Fills the placeholders of the path. Default: the path has none. */
  readonly fill?: FillPath;
  /** The HTTP method. Default: POST. */
  readonly verb?: string;
  /** Identifies the webhook to receivers that accept several. */
  readonly event?: string;
}

/**
 * Describes how to call a method. `rpc`, `rest`, `get`, and `webhook` create
 * such objects.
 */
export interface ClientMethod<
  Request = unknown,
  Response = unknown,
  Failure = unknown,
> extends ClientMethodOptions<Request, Response> {
  /** The path in the contract, e.g. `/tokens/{network}/{tokenIDs}`. */
  readonly path: string;
  /** Always absent. It only carries a type. */
  readonly failure?: Failure;
}

/**
 * Describes a method that is called with POST and has its request in the body.
 *
 * Input: its path, e.g. `/{network}/rpc/Marketplace/GetOrders`.
 */
export function rpc<Request, Response, Failure>(
  path: string,
  options?: ClientMethodOptions<Request, Response>,
): ClientMethod<Request, Response, Failure> {
  return { ...options, path };
}

/** Parses a JSON object. Rejects any other JSON value. */
export function parseObject(text: string): unknown {
  return JSON.parse(/^\s*{/.test(text) ? text : "");
}

/** Properties of a method that is called with GET, other than its path. */
export interface GetOptions<Request, Response> extends ClientMethodOptions<
  Request,
  Response
> {
  /**
   * The response field that makes up the body. Default: the body is the whole
   * response.
   */
  readonly body?: string;
}

/**
 * Describes a method that is called with GET and has its request in the path.
 *
 * Input: its path with request fields as placeholders, e.g.
 * `/tokens/{network}/{tokenIDs}`. Lists are joined with commas.
 */
export function get<Request, Response, Failure>(
  path: string,
  options: GetOptions<Request, Response> = {},
): ClientMethod<Request, Response, Failure> {
  const { body, parse = body ? JSON.parse : parseObject } = options;
  return {
    ...options,
    path,
    verb: "GET",
    fill: (template, _, message) => fillParameters(template, Object(message)),
    stringify: () => null,
    parse: (text) => (body ? { [body]: parse(text) } : parse(text)),
  };
}

/** Properties of a method with an address of its own, other than its path. */
export interface RestOptions<Request, Response> extends GetOptions<
  Request,
  Response
> {
  /**
   * Request fields by their names in the query, e.g. `{ limit: "pageSize" }`. A
   * list in place of a field contains the values themselves, e.g. `{ beta:
   * ["true"] }`.
   */
  readonly query?: QueryFields;
  /** Names in the query of lists whose items are separated by commas. */
  readonly joined?: readonly string[];
  /** Request fields by the lowercase names of their headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The request field that makes up the body, or true if the body is an object
   * of all fields that are in no other part of the request. Default: no body.
   */
  readonly requestBody?: string | true;
  /** Whether the response has no fields, so that its body is ignored. */
  readonly isEmpty?: boolean;
}

/**
 * Describes a method with any verb, whose request is in the path, as with `get`,
 * the query, headers, and the body. Lists are one pair for each item in the query,
 * and separated by commas in headers.
 *
 * Input: the verb, e.g. `PUT`, and the path, e.g. `/orders/{id}`.
 */
export function rest<Request, Response, Failure>(
  verb: string,
  path: string,
  options: RestOptions<Request, Response> = {},
): ClientMethod<Request, Response, Failure> {
  const {
    headers: inHeaders = {},
    isEmpty,
    joined,
    query = {},
    requestBody,
    stringify = JSON.stringify,
  } = options;
  const base = get<Request, Response, Failure>(path, options);
  const bound = [
    ...Object.values(query),
    ...Object.values(inHeaders),
    ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name),
  ];
  return {
    ...base,
    verb,
    fill: (template, _, message, headers) => {
      Object.assign(headers, printHeaders(inHeaders, message));
      return (
        fillParameters(template, Object(message)) +
        printQuery(query, message, joined)
      );
    },
    stringify: (message) => {
      if (!requestBody) return null;
      const entries = Object.entries(Object(message));
      const content =
        requestBody === true
          ? Object.fromEntries(
              entries.filter(([name]) => !bound.includes(name)),
            )
          : new Map(entries).get(requestBody);
      return content === undefined ? null : stringify(content);
    },
    ...(isEmpty && { parse: () => ({}) }),
  };
}

/**
 * Describes a method like `rest`, but with a form as its body
 * (`application/x-www-form-urlencoded`). Lists are `a=1&a=2`, as in a query, and
 * members of objects are `a[b]=1`.
 */
export function form<Request, Response, Failure>(
  verb: string,
  path: string,
  options: RestOptions<Request, Response>,
  print: (fields: unknown) => string = printForm,
): ClientMethod<Request, Response, Failure> {
  const { fill, ...method } = rest<Request, Response, Failure>(verb, path, {
    ...options,
    stringify: (fields) => print(fields) || null,
  });
  return {
    ...method,
    fill: (template, parameters, message, headers) => {
      // The client has set it, because there is a body.
      if (headers["content-type"] === "application/json") {
        headers["content-type"] = "application/x-www-form-urlencoded";
      }
      return fill?.(template, parameters, message, headers) ?? template;
    },
  };
}

/** Describes a method like `form`, but with lists as `a[]=1&a[]=2`. */
export function bracketForm<Request, Response, Failure>(
  verb: string,
  path: string,
  options: RestOptions<Request, Response>,
): ClientMethod<Request, Response, Failure> {
  return form(verb, path, options, printBracketForm);
}

/** Describes a method like the given one, but with credentials in the query. */
export function keyInQuery<Request, Response, Failure>({
  fill,
  ...method
}: ClientMethod<Request, Response, Failure>): ClientMethod<
  Request,
  Response,
  Failure
> {
  return { ...method, fill: fillKeys(fill) };
}

/**
 * Returns a function that fills a path, and moves credentials from headers such
 * as `?api_key` to its query. They are headers until then, so nothing else sees
 * an address with them.
 *
 * Errors: the function throws what `fill` throws, and TypeError if a credential
 * contains an unpaired surrogate.
 */
export function fillKeys(fill: FillPath = same): FillPath {
  return (template, parameters, message, headers) => {
    const path = fill(template, parameters, message, headers);
    const keys = Object.entries(headers).filter(([name]) => name[0] === "?");
    const pairs = keys.map(([name, value]) => {
      delete headers[name];
      return [name.slice(1), [value]] as const;
    });
    const query = printQuery(Object.fromEntries(pairs), {});
    return path + (path.includes("?") ? query.replace("?", "&") : query);
  };
}

/**
 * Describes a method of an outbound service. Every 2xx response is a success,
 * regardless of its body.
 */
export function webhook<Request, Failure>(
  options?: ClientMethodOptions<Request, never>,
): ClientMethod<Request, void, Failure> {
  // The content of the response is ignored.
  return {
    ...rpc<Request, never, Failure>("", options),
    parse: () => undefined,
  };
}
