import type { Parameters } from "./address.js";

/** A header that a method needs. */
export interface MethodCredential {
  /** Its name in `credentials` of the client's options, e.g. `accessKey`. */
  readonly option: string;
  /** E.g. `X-Access-Key`. */
  readonly header: string;
  /** Word before the value, e.g. `Bearer`; null when it stands alone. */
  readonly scheme: string | null;
}

/** What there is to know about a method, besides its path. */
export interface MethodOptions<Request = unknown, Response = unknown> {
  /** Sent if the client has them; none unless given. */
  readonly credentials?: readonly MethodCredential[];
  /** Whether a call may be repeated; `none` unless given. */
  readonly safety?: "none" | "idempotent" | "readonly";
  /** From the TypeScript form to the wire form; a copy, the request is kept. */
  readonly encodeRequest?: (request: Request) => unknown;
  /** The other way; may change what it is given. */
  readonly decodeResponse?: (value: unknown) => Response;
  /**
   * Replaces `JSON`: `exactJson` of `ridlkit/runtime/json` for messages with
   * 64-bit integers as `bigint`.
   */
  readonly json?: {
    parse(text: string): unknown;
    stringify(value: unknown): string;
  };
}

/** How a method is called; made by `rpc`, `get` and `webhook`. */
export interface ClientMethod<Request, Response, Failure> extends MethodOptions<
  Request,
  Response
> {
  /** After the base address; may have placeholders. Null: the caller says where. */
  readonly path: string | null;
  /** For methods without a body: values for the path. */
  readonly pathValues?: (request: unknown) => Parameters;
  /** What the answer is made of; unless given, an object of JSON and nothing else. */
  readonly readBody?: (json: unknown) => unknown;
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
  { body, ...options }: GetOptions<Request, Response> = {},
): ClientMethod<Request, Response, Failure> {
  return {
    ...options,
    path,
    pathValues: (request) => ({ ...Object(request) }),
    ...(body === undefined ? {} : { readBody: (json) => ({ [body]: json }) }),
  };
}

/** A method of an outbound service; every 2xx is a success, whatever it says. */
export function webhook<Request, Response, Failure>(
  options?: MethodOptions<Request, Response>,
): ClientMethod<Request, Response, Failure> {
  return { ...options, path: null };
}
