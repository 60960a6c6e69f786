import { builtInErrors, RpcError } from "../wire/errors.js";
import type { BodyLimits } from "./model/body-pace.js";
import type {
  RpcServer,
  ServerRequest,
  ServerResponse,
} from "./model/exchange.js";
import { toFetch } from "./fetch.js";
import { Chunks } from "../wire/chunks.js";
import { decodeBody } from "./requests/body.js";
import type { ServerMethod } from "./model/server-method.js";
import type { ServerOptions } from "./model/server-options.js";
import { createServer } from "./server.js";
import {
  importSecret,
  isSigned,
  type WebhookKey,
} from "../wire/webhook-signature.js";

/** Options, besides the handlers, that every generated receiver accepts. */
export interface ReceiverOptions<
  State = undefined,
> extends ServerOptions<State> {
  /**
   * Secrets of the sender according to the Standard Webhooks specification, in
   * base64 with or without `whsec_`. List both secrets during a rotation.
   * Default: signatures are not verified, so anyone can send anything.
   */
  readonly secrets?: readonly string[];
  /**
   * Maximum difference in milliseconds between the delivery's timestamp and the
   * current time, in either direction. Default: 300,000.
   */
  readonly toleranceMs?: number;
}

/**
 * Creates a receiver from a generated table. It responds at every path. If
 * there are several methods, the `webhook-event` header selects one.
 *
 * Input: `method` names the only method to receive. If it is given, the header
 * is ignored.
 * Errors: `TypeError` as in `createServer`, or if `secrets` is empty or not
 * base64. If there are `secrets`, a request without a valid signature fails
 * with 401 `WebrpcBadRequest`.
 */
export function createReceiver<State = undefined>(
  options: ReceiverOptions<State>,
  methods: Readonly<Record<string, ServerMethod>>,
  method?: string,
): RpcServer {
  const { secrets, toleranceMs = 300_000 } = options;
  if (secrets?.length === 0) throw new TypeError("there is no secret");
  const keys = secrets?.map(importSecret);
  const rows = Object.entries(methods).flatMap(([name, row]) =>
    method === undefined || name === method ? row : [],
  );
  const server = createServer(options, rows);
  if (keys === undefined) return server;
  const handle = async (request: ServerRequest): Promise<ServerResponse> => {
    const answer = await server.handle(checked(request, keys, toleranceMs));
    return answer.status === 401 ? challenged(answer) : answer;
  };
  return { ...server, fetch: toFetch(handle), handle };
}

/** Adds a challenge that asks for a signature instead of a credential. */
function challenged(answer: ServerResponse): ServerResponse {
  const challenge = { "www-authenticate": "StandardWebhooks" };
  return { ...answer, headers: { ...answer.headers, ...challenge } };
}

/** Returns a request whose body can be read only if its signature is valid. */
function checked(
  request: ServerRequest,
  keys: readonly WebhookKey[],
  toleranceMs: number,
): ServerRequest {
  const bytes = async (limits: BodyLimits): Promise<Uint8Array> => {
    const chunks = new Chunks();
    for await (const chunk of request.chunks(limits)) chunks.add(chunk);
    const body = chunks.join();
    // Keep the bytes, because decoding drops a byte order mark, which the
    // signature covers.
    await assertSigned(request, body, keys, toleranceMs);
    return body;
  };
  return {
    method: request.method,
    target: request.target,
    address: request.address ?? null,
    header: (name) => request.header(name),
    text: (limits) => bytes(limits).then(decodeBody),
    async *chunks(limits) {
      yield await bytes(limits);
    },
    signal: () => request.signal(),
  };
}

async function assertSigned(
  request: ServerRequest,
  body: Uint8Array,
  keys: readonly WebhookKey[],
  toleranceMs: number,
): Promise<void> {
  const id = request.header("webhook-id");
  const time = request.header("webhook-timestamp");
  const signatures = request.header("webhook-signature");
  if (!id || !time || !signatures) throw unsigned("is missing");
  if (!/^[0-9]{1,12}$/.test(time)) throw unsigned("has no valid timestamp");
  const timestamp = Number(time);
  if (Math.abs(Date.now() - timestamp * 1000) > toleranceMs) {
    throw unsigned("has a timestamp that is too old or too new");
  }
  const message = { id, timestamp, body };
  if (!(await isSigned(keys, message, signatures))) {
    throw unsigned("does not match");
  }
}

function unsigned(fault: string): RpcError {
  const definition = { ...builtInErrors.WebrpcBadRequest, status: 401 };
  return new RpcError(definition, { cause: `the signature ${fault}` });
}
