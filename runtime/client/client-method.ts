import { same } from "../values/same.js";
import { fillParameters, type AddressParameters } from "./address.js";

/** A header that a method needs, e.g. `["secret", "authorization", "Bearer "]`. */
export type MethodCredential = readonly [
  /** Its name in `credentials` of the client's options. */
  option: string,
  /** In lower case. */
  header: string,
  /** What stands before the value. */
  prefix?: string,
];

/** The path of one call; `fillParameters` of `@ridlkit/runtime/address` is one. */
export type FillPath = (
  path: string,
  parameters: AddressParameters,
  /** The request in its wire form. */
  message: unknown,
) => string;

/** What there is to know about a method, besides its path. */
export interface MethodOptions<Request = unknown, Response = unknown> {
  /** Sent if the client has them; none unless given. */
  readonly credentials?: readonly MethodCredential[];
  /** Whether a call may be repeated; `none` unless given. */
  readonly safety?: "none" | "idempotent" | "readonly";
  /**
   * From the TypeScript form to the wire form; a copy, the request is kept. A
   * method of the type, so that a table can hold methods of several requests.
   */
  encode?(request: Request): unknown;
  /** The other way; may change what it is given. */
  readonly decode?: (message: unknown) => Response;
  /**
   * In place of `JSON.stringify`; `stringifyMessage` of `@ridlkit/runtime/json` for
   * requests with 64-bit integers as `bigint`. Null is no body.
   */
  readonly stringify?: (message: unknown) => string | null;
  /**
   * In place of `JSON.parse`; `parseJsonObject` of `@ridlkit/runtime/json` for
   * responses with 64-bit integers as `bigint`. Throws when the text is not what
   * it should be.
   */
  readonly parse?: (text: string) => unknown;
  /** Fills the placeholders of the path; there are none unless given. */
  readonly fill?: FillPath;
  /** Tells receivers of several webhooks which one it is. */
  readonly event?: string;
}

/** How a method is called, as data; `rpc`, `get` and `webhook` make it, too. */
export interface ClientMethod<
  Request = unknown,
  Response = unknown,
  Failure = unknown,
> extends MethodOptions<Request, Response> {
  /** The path as the contract has it, e.g. `/tokens/{network}/{tokenIDs}`. */
  readonly path: string;
  /** Never there: it carries a type. */
  readonly failure?: Failure;
}

/**
 * A method that is reached by POST, with the request as body.
 *
 * Input: its path, e.g. `/rpc/API/GetSwapPrice` or
 * `/{network}/rpc/Marketplace/GetOrders`.
 */
export function rpc<Request, Response, Failure>(
  path: string,
  options?: MethodOptions<Request, Response>,
): ClientMethod<Request, Response, Failure> {
  return { ...options, path };
}

/**
 * The response that the body of a success is.
 *
 * Errors: something is thrown when it is not what it should be.
 */
export function readMessage(
  { decode = same, parse = parseObject }: ClientMethod,
  text: string,
): unknown {
  return decode(parse(text));
}

/** Text of JSON that begins so is an object; the rest is refused here. */
export function parseObject(text: string): unknown {
  return JSON.parse(/^\s*{/.test(text) ? text : "");
}

/** Where the answer of a REST read belongs. */
export interface GetOptions<Request, Response> extends MethodOptions<
  Request,
  Response
> {
  /** The output field that is the whole body; the body is the message if absent. */
  readonly body?: string;
}

/**
 * A method that is reached by GET, with the request in its path.
 *
 * Input: its path with the fields of the request as placeholders, e.g.
 * `/tokens/{network}/{tokenIDs}`; lists are joined by commas.
 */
export function get<Request, Response, Failure>(
  path: string,
  options: GetOptions<Request, Response> = {},
): ClientMethod<Request, Response, Failure> {
  const { body, parse = body ? JSON.parse : parseObject } = options;
  return {
    ...options,
    path,
    fill: (template, _, message) => fillParameters(template, Object(message)),
    stringify: () => null,
    parse: (text) => (body ? { [body]: parse(text) } : parse(text)),
  };
}

/** A method of an outbound service; every 2xx is a success, whatever it says. */
export function webhook<Request, Failure>(
  options?: MethodOptions<Request, never>,
): ClientMethod<Request, void, Failure> {
  // Nothing of the answer is read.
  return {
    ...rpc<Request, never, Failure>("", options),
    parse: () => undefined,
  };
}
