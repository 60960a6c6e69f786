import { fillAddress } from "./address.js";
import type { CallOptions, ClientOptions, SenderOptions } from "./call.js";
import { runWithin } from "./cancellation.js";
import type { ClientMethod } from "./client-method.js";
import { fromEnvelope, type RpcError } from "./errors.js";
import { toHeaders } from "./headers.js";
import { TransportError } from "./transport-error.js";

/** As much of an answer as an error repeats. */
const maxExcerpt = 500;

/** Calls a method at the address that client, method and request make. */
export async function callMethod<Request, Response>(
  options: ClientOptions,
  method: ClientMethod<Request, Response, unknown>,
  request: Request,
  call: CallOptions = {},
): Promise<Response> {
  const message = toMessage(method, request);
  const parameters = { ...options.parameters, ...call.parameters };
  const pathValues = { ...parameters, ...method.pathValues?.(message) };
  const url =
    fillAddress(options.baseUrl.replace(/\/+$/, ""), parameters) +
    fillAddress(method.path ?? "", pathValues);
  return readAnswer(
    method,
    await exchange(options, method, url, message, call),
  );
}

/** Calls a method of an outbound service at `url`. */
export async function sendTo<Request>(
  options: SenderOptions,
  method: ClientMethod<Request, unknown, unknown>,
  url: string,
  request: Request,
  call: CallOptions = {},
): Promise<void> {
  const message = toMessage(method, request);
  const answer = await exchange(options, method, url, message, call);
  if (!answer.ok) throw toError(method, answer);
}

/** What is left of an HTTP response once it is read. */
interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly text: string;
}

function toMessage<Request>(
  method: ClientMethod<Request, unknown, unknown>,
  request: Request,
): unknown {
  return method.encodeRequest ? method.encodeRequest(request) : request;
}

function exchange(
  options: SenderOptions,
  method: ClientMethod<never, unknown, unknown>,
  url: string,
  message: unknown,
  call: CallOptions,
): Promise<Answer> {
  const init = method.pathValues
    ? { method: "GET" }
    : { method: "POST", body: (method.json ?? JSON).stringify(message) };
  const signals = [options.signal, call.signal];
  const timeoutMs = call.timeoutMs ?? options.timeoutMs;
  return runWithin({ signals, timeoutMs }, async (signal) => {
    const headers = await toHeaders(options, method, call);
    try {
      signal.throwIfAborted();
      const send = options.fetch ?? fetch;
      const response = await send(url, { ...init, headers, signal });
      const { ok, status } = response;
      // What the receiver of a webhook says on success does not matter.
      const isRead = method.path !== null || !ok;
      if (!isRead) response.body?.cancel().catch(() => {});
      return { ok, status, text: isRead ? await response.text() : "" };
    } catch (cause) {
      throw new TransportError("network", { cause });
    }
  });
}

function readAnswer<Response>(
  method: ClientMethod<never, Response, unknown>,
  answer: Answer,
): Response {
  if (!answer.ok) throw toError(method, answer);
  try {
    const json: unknown = (method.json ?? JSON).parse(answer.text);
    const body = (method.readBody ?? toObject)(json);
    // Without a decoder the contract says that both forms are the same.
    return method.decodeResponse
      ? method.decodeResponse(body)
      : (body as Response);
  } catch (error) {
    throw badResponse(answer, error);
  }
}

function toObject(json: unknown): object {
  if (typeof json === "object" && json !== null && !Array.isArray(json)) {
    return json;
  }
  throw new TypeError("expected an object");
}

function toError(
  method: ClientMethod<never, unknown, unknown>,
  answer: Answer,
): RpcError {
  try {
    const json: unknown = (method.json ?? JSON).parse(answer.text);
    const error = fromEnvelope(json, answer.status);
    return error ?? badResponse(answer, "expected an error envelope");
  } catch (error) {
    return badResponse(answer, error);
  }
}

function badResponse({ status, text }: Answer, why: unknown): TransportError {
  const message = `bad response: HTTP ${status}: ${String(why)}`;
  const cause = text.slice(0, maxExcerpt);
  return new TransportError("bad-response", { message, cause, status });
}
