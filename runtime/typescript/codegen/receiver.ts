import { builtInErrors, RpcError } from "../wire/errors.js";
import type { BodyLimits } from "../server/model/body-pace.js";
import {
  changeRequest,
  type RpcServer,
  type ServerRequest,
  type ServerResponse,
} from "../server/model/exchange.js";
import { toFetch } from "../server/fetch.js";
import { Chunks } from "../wire/chunks.js";
import { assertMethodsKnown } from "../server/model/known-options.js";
import { requireNumber } from "../server/model/option-number.js";
import { decodeBody } from "../server/requests/body.js";
import type { ServerMethod } from "../server/model/server-method.js";
import type { ServerOptions } from "../server/model/server-options.js";
import { createServer } from "./create-server.js";
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
   * Secrets of the sender according to the Standard Webhooks specification: at
   * least 24 bytes in base64, with or without `whsec_`. List both secrets during
   * a rotation.
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
 * Creates a receiver from a generated table. It responds at every path. The
 * `webhook-event` header names the method. If there is only one, the header may
 * be missing.
 *
 * Input: `method` names the only method to receive. If it is given, the header
 * is ignored.
 * Errors: `TypeError` as in `createServer`, if `secrets` is empty, if a secret
 * is not base64 or too short, or if `toleranceMs` is not a number. If there are
 * `secrets`, a request without a valid signature fails with 401
 * `WebrpcBadRequest`.
 */
export function createReceiver<State = undefined>(
  options: ReceiverOptions<State>,
  methods: Readonly<Record<string, ServerMethod>>,
  method?: string,
): RpcServer {
  const { secrets, toleranceMs = 300_000 } = options;
  if (secrets?.length === 0) throw new TypeError("there is no secret");
  const keys = secrets?.map(importSecret);
  requireNumber("toleranceMs", toleranceMs);
  assertMethodsKnown(options, Object.values(methods));
  const server = createServer(options, rowsOf(methods, method));
  if (keys === undefined) return server;
  const handle = async (request: ServerRequest): Promise<ServerResponse> => {
    const answer = await server.handle(checked(request, keys, toleranceMs));
    return answer.status === 401 ? challenged(answer) : answer;
  };
  return { ...server, fetch: toFetch(handle), handle };
}

/** Returns all methods, or the one with this name, which receives any event. */
function rowsOf(
  methods: Readonly<Record<string, ServerMethod>>,
  method: string | undefined,
): readonly ServerMethod[] {
  if (method === undefined) return Object.values(methods);
  return Object.entries(methods).flatMap(([name, row]) =>
    name === method
      ? { ...row, route: { kind: "webhook", isAnyEvent: true } }
      : [],
  );
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
    for await (const chunk of request.chunks(limits, "text")) chunks.add(chunk);
    const body = chunks.join();
    // Keep the bytes, because decoding drops a byte order mark, which the
    // signature covers.
    await assertSigned(request, body, keys, toleranceMs);
    return body;
  };
  return changeRequest(request, {
    text: (limits) => bytes(limits).then(decodeBody),
    async *chunks(limits) {
      yield await bytes(limits);
    },
  });
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
