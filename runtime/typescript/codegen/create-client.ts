import type {
  Call,
  CallOptions,
  ClientOptions,
  Fetch,
  Send,
  SenderOptions,
} from "../client/call.js";
import { type ClientMethod, withoutUrl } from "../client/client-method.js";
import { limit } from "../client/limit-responses.js";
import { callsOf, settle } from "../client/settle.js";
import { call } from "../client/client.js";

export {
  bracketForm,
  fillKeys,
  form,
  get,
  hideUrl,
  keyInQuery,
  readHeaders,
  readStatuses,
  rest,
  rpc,
  sendAs,
  webhook,
  withoutUrl,
  type ClientMethodOptions,
  type GetOptions,
  type HeaderField,
  type MethodCredential,
  type RestOptions,
} from "../client/client-method.js";

/** A client for a table of methods. Each method is a `Call`. */
export type Client<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends ClientMethod<
    infer Request,
    infer Response,
    infer Failure
  >
    ? Call<Request, Response, Failure>
    : never;
};

/** A sender for a table of outbound methods. Each method is a `Send`. */
export type Sender<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends ClientMethod<
    infer Request,
    unknown,
    infer Failure
  >
    ? Send<Request, Failure>
    : never;
};

type MethodTable = Readonly<Record<string, ClientMethod>>;

/**
 * Creates a client for a table of methods.
 *
 * Example: `createClient(options, { getOrders: marketplaceGetOrders })`.
 */
export function createClient<Methods extends MethodTable>(
  options: ClientOptions,
  methods: Methods,
): Client<Methods>;
/** Implements the signature above. */
export function createClient(
  options: ClientOptions,
  methods: MethodTable,
): unknown {
  const callOf =
    (method: ClientMethod) => (request?: unknown, own?: CallOptions) =>
      call(options, method, request, own);
  return callsOf(methods, callOf, settle);
}

/**
 * Creates a sender for the methods of an outbound service. Every 2xx response
 * is a success, regardless of its body.
 *
 * Anyone can be a receiver, so a call takes at most `timeoutMs` (default:
 * 30,000) and reads at most 64 KiB of an error. Without `options.fetch`, the cause
 * of a network error has only its `code`, because some platforms write the URL
 * there.
 *
 * Example: `createSender(options, { notify: indexerWebhookNotify })`.
 */
export function createSender<Methods extends MethodTable>(
  options: SenderOptions,
  methods: Methods,
): Sender<Methods>;
/** Implements the signature above. */
export function createSender(
  options: SenderOptions,
  methods: MethodTable,
): unknown {
  const sendOf =
    (method: ClientMethod) =>
    (baseUrl: string, request: unknown, own?: CallOptions) => {
      // The URL of a receiver can be a secret.
      const send = options.fetch ?? withoutUrl(fetch);
      // Use the URL unchanged, including trailing slashes.
      const guarded: Fetch = async (_, init) =>
        withoutContent(await send(baseUrl, withEvent(init, method.event)));
      // Programs without `exactOptionalPropertyTypes` can pass undefined.
      const timeoutMs = own?.timeoutMs ?? options.timeoutMs ?? 30_000;
      const all = { ...options, baseUrl, fetch: guarded };
      return call(all, method, request, { ...own, timeoutMs });
    };
  return callsOf(methods, sendOf, settle);
}

function withEvent(init: RequestInit, event: string | undefined): RequestInit {
  if (event === undefined) return init;
  const headers = new Headers(init.headers);
  headers.set("webhook-event", event);
  return { ...init, headers };
}

/** Maximum size of an error from a receiver. An error is one envelope. */
const maxErrorBytes = 65_536;

/**
 * Discards the body of a successful response and limits that of any other,
 * because receivers may send anything, even an endless body.
 */
function withoutContent(response: Response): Response | Promise<Response> {
  if (!response.ok) return limit(response, maxErrorBytes);
  response.body?.cancel().catch(() => {});
  const { headers, status } = response;
  return new Response(null, { headers, status });
}
