import { fillAddress, type AddressParameters } from "../address.js";

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
   * In place of `JSON`, for messages with 64-bit integers as `bigint`:
   * `parseJson` and `stringifyJson` of `ridlkit/runtime/json`, or only one of them
   * where only the response or only the request has some.
   */
  readonly json?: {
    readonly parse: (text: string) => unknown;
    readonly stringify: (value: unknown) => string;
  };
  /** Fills the placeholders of the path from the parameters of a call. */
  readonly fill?: (path: string, parameters: AddressParameters) => string;
  /** Tells receivers of several webhooks which one it is. */
  readonly event?: string;
}

/** How a method is called; made by `rpc`, `get` and `webhook`. */
export interface ClientMethod<Request, Response, Failure> {
  readonly credentials?: readonly MethodCredential[];
  readonly safety?: "none" | "idempotent" | "readonly";
  /** The path as the contract has it, e.g. `/tokens/{network}/{tokenIDs}`. */
  readonly path: string;
  /** What comes after the base address; `fill` does the rest, if it is there. */
  readonly toPath: (request: Request) => string;
  readonly fill?: (path: string, parameters: AddressParameters) => string;
  readonly event?: string;
  /** The body; null for GET. */
  readonly write: (request: Request) => string | null;
  /**
   * Throws when the body of a success is not what it should be. `look` is shown
   * the message before it is decoded.
   */
  readonly read: (text: string, look?: (message: unknown) => void) => Response;
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
  options: MethodOptions<Request, Response> = {},
): ClientMethod<Request, Response, Failure> {
  const { encodeRequest, decodeResponse, json = JSON } = options;
  return {
    ...options,
    path,
    toPath: () => path,
    write: (request) =>
      json.stringify(encodeRequest ? encodeRequest(request) : request),
    read(text, look) {
      // Text of JSON that begins so is an object; the rest is refused here.
      const message: unknown = json.parse(/^\s*{/.test(text) ? text : "");
      look?.(message);
      // Without a decoder the contract says that both forms are the same.
      return decodeResponse ? decodeResponse(message) : (message as Response);
    },
  };
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
  const { body, encodeRequest, decodeResponse, json = JSON } = options;
  const method = rpc<Request, Response, Failure>(path, options);
  return {
    ...method,
    toPath: (request) => {
      const message = encodeRequest ? encodeRequest(request) : request;
      // A map, because objects inherit values that nobody gave.
      const fields = new Map<string, unknown>(Object.entries(Object(message)));
      return fillAddress(path, (name) =>
        [fields.get(name) ?? ""].flat().map(encodeSegment).join(),
      );
    },
    write: () => null,
    read: (text, look) => {
      if (body === undefined) return method.read(text, look);
      const message = { [body]: json.parse(text) };
      look?.(message);
      return decodeResponse ? decodeResponse(message) : (message as Response);
    },
  };
}

function encodeSegment(value: unknown): string {
  return encodeURIComponent(String(value));
}

/** A method of an outbound service; every 2xx is a success, whatever it says. */
export function webhook<Request, Response, Failure>(
  options?: MethodOptions<Request, Response>,
): ClientMethod<Request, void, Failure> {
  return { ...rpc<Request, Response, Failure>("", options), read: () => {} };
}
