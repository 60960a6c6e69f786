import {
  fillParameters,
  printBracketForm,
  printForm,
  printQuery,
  type QueryFields,
} from "./address.js";
import { same } from "../values/same.js";
import { printHeaders } from "../wire/print-headers.js";
import type {
  ClientInterceptor,
  ClientMethod,
  ClientMethodOptions,
  Fetch,
  FillPath,
  HeaderField,
} from "./call.js";

export type {
  ClientMethod,
  ClientMethodOptions,
  FillPath,
  HeaderField,
  MethodCredential,
  ReadError,
} from "./call.js";

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
  const { body, parse = JSON.parse } = options;
  return {
    ...options,
    path,
    verb: "GET",
    fill: (template, _, message, headers) => {
      headers["accept"] ??= "application/json, */*;q=0.1";
      return fillParameters(template, message as object);
    },
    stringify: () => null,
    ...(body && { parse: (text) => ({ [body]: parse(text) }) }),
  };
}

/**
 * Describes a method like the given one, but with a header `Accept`, in place of the
 * caller's.
 */
export function askFor<Request, Response, Failure>(
  type: string,
  method: ClientMethod<Request, Response, Failure>,
): ClientMethod<Request, Response, Failure> {
  const { fill = same } = method;
  return {
    ...method,
    fill: (template, parameters, message, headers) => {
      headers["accept"] = type;
      return fill(template, parameters, message, headers);
    },
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
  const { fill = same, ...base } = get<Request, Response, Failure>(
    path,
    options,
  );
  const bound = [
    ...Object.values(query),
    ...Object.values(inHeaders),
    ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name),
  ];
  return {
    ...base,
    verb,
    fill: (template, parameters, message, headers) => {
      Object.assign(headers, printHeaders(inHeaders, message));
      return (
        fill(template, parameters, message, headers) +
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
  return sendAs(
    "application/x-www-form-urlencoded",
    rest(verb, path, {
      ...options,
      stringify: (fields) => print(fields) || null,
    }),
  );
}

/** Describes a method like the given one, but with another type of the body. */
export function sendAs<Request, Response, Failure>(
  type: string,
  method: ClientMethod<Request, Response, Failure>,
): ClientMethod<Request, Response, Failure> {
  const { fill = same } = method;
  return {
    ...method,
    fill: (template, parameters, message, headers) => {
      // The client has set it, because there is a body.
      if (headers["content-type"] === "application/json") {
        headers["content-type"] = type;
      }
      return fill(template, parameters, message, headers);
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

/**
 * Describes a method like the given one, but with response fields in headers.
 *
 * Input: the fields by the lowercase names of their headers.
 */
export function readHeaders<Request, Response, Failure>(
  method: ClientMethod<Request, Response, Failure>,
  fields: Readonly<Record<string, HeaderField>>,
): ClientMethod<Request, Response, Failure> {
  const read = withResponse(({ parse = parseObject }, response) => ({
    parse: (text) => ({
      ...Object(parse(text)),
      ...fieldsIn(response().headers, fields),
    }),
  }));
  return { ...method, use: [...(method.use ?? []), read] };
}

/**
 * Returns an interceptor that changes how a method reads responses.
 *
 * Input: a function that returns the changes. It gets a function that returns the
 * last response, whose body belongs to the client.
 */
export function withResponse(
  change: (
    method: ClientMethod,
    response: () => Response,
  ) => Partial<ClientMethod>,
): ClientInterceptor {
  return (next) => (call) => {
    const { fetch: send = fetch, method } = call;
    let response = new Response();
    return next({
      ...call,
      fetch: async (url, init) => (response = await send(url, init)),
      method: { ...method, ...change(method, () => response) },
    });
  };
}

/**
 * Describes a method like the given one, but with several statuses of a success.
 * Responses with other statuses are invalid.
 *
 * Input: the response field that is the body with each status, or null if there
 * is no body, and the field that contains the status itself.
 */
export function readStatuses<Request, Response, Failure>(
  method: ClientMethod<Request, Response, Failure>,
  bodies: Readonly<Record<number, string | null>>,
  statusField?: string,
): ClientMethod<Request, Response, Failure> {
  const read = withResponse(({ parse = JSON.parse }, response) => ({
    parse: (text) => {
      const { status } = response();
      const field = bodies[status];
      if (field === undefined) throw new TypeError(`the status is ${status}`);
      return {
        ...(field !== null && { [field]: parse(text) }),
        ...(statusField !== undefined && { [statusField]: status }),
      };
    },
  }));
  return { ...method, use: [...(method.use ?? []), read] };
}

/** Returns the fields in headers in their JSON form. */
export function fieldsIn(
  headers: Headers,
  fields: Readonly<Record<string, HeaderField>>,
): object {
  const pairs = Object.entries(fields).flatMap(
    ([name, [field, form = "text", absent]]) => {
      const text = headers.get(name);
      const isList = form.endsWith("s");
      if (text === null || (isList && text === "")) {
        return absent ? [[field, [...absent]]] : [];
      }
      // A pattern would take time in proportion to the square of the length.
      const items = isList
        ? text.split(",").map((item) => item.trim())
        : [text];
      const values = form.startsWith("json") ? items.map(scalarIn) : items;
      return [[field, isList ? values : values[0]]];
    },
  );
  return Object.fromEntries(pairs);
}

/** Returns a number or a boolean. A large integer keeps all digits. */
function scalarIn(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const isExact = !/^-?\d+$/.test(text) || Number.isSafeInteger(value);
  return isExact ? value : BigInt(text);
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
      return [name.slice(1), [value.trim()]] as const;
    });
    const query = printQuery(Object.fromEntries(pairs), {});
    return path + (path.includes("?") ? query.replace("?", "&") : query);
  };
}

/** An interceptor that does the same as `withoutUrl`, for calls without files. */
export const hideUrl: ClientInterceptor = (next) => (call) =>
  next({ ...call, fetch: withoutUrl(call.fetch ?? fetch) });

/**
 * Returns a `fetch` for methods whose URL can contain a credential or a sensitive
 * field. On Bun and Deno, errors of `fetch` and of the body contain the URL, so
 * another error takes their place, with the same `code` in its text.
 */
export function withoutUrl(send: Fetch): Fetch {
  return async (url, init) => {
    let response: Response;
    try {
      response = await send(url, init);
    } catch (error) {
      throw withoutText(error);
    }
    const { body, headers, status } = response;
    // A realm whose responses have no streams, such as React Native, has no URL in
    // errors.
    if (typeof ReadableStream !== "function" || !body || !("getReader" in body))
      return response;
    if (!new Response("").body) return response;
    const content = readWithoutUrl(body);
    try {
      return new Response(content, { headers, status });
    } catch {
      // It rejects a status such as 999, which no client accepts.
      return response;
    }
  };
}

function readWithoutUrl(
  body: ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      try {
        const { done, value } = await (reader ??= body.getReader()).read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        throw withoutText(error);
      }
    },
    cancel: (reason) => (reader ?? body).cancel(reason),
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}

/** Returns an error that has nothing of another one but its code. */
function withoutText(error: unknown): Error {
  const { cause, code = Object(cause).code } = Object(error);
  const isCode = typeof code === "string";
  return Object.assign(
    new TypeError(`fetch failed${isCode ? `: ${code}` : ""}`),
    isCode && { code },
  );
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
