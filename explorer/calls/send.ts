import { printFlat } from "./json-text.js";
import { type CallRequest, sentHeaders } from "./request.js";

/** How a call ended. */
export type CallOutcome =
  | Answer
  | {
      readonly kind: "failed";
      readonly reason: FailureReason;
      readonly milliseconds: number;
      /** What the browser says. */
      readonly detail: string;
    };

/** An answer of the server, whatever its status. */
export interface Answer {
  readonly kind: "answer";
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly milliseconds: number;
  readonly body: Blob;
}

/** Why there is no answer. */
export type FailureReason =
  | "aborted"
  /** The server is there, and the browser may not show what it says. */
  | "refused"
  | "unreachable"
  | "redirected"
  /** It could not even be sent. */
  | "invalid";

/** What a call is sent with. */
export interface SendOptions {
  readonly signal: AbortSignal;
  /** Origin of the page. */
  readonly origin: string;
  /** Told of each line of a stream as it comes. */
  readonly onLine: ((line: string) => void) | null;
}

/** Sends a call with `fetch`. Errors: none; failures are outcomes. */
export async function sendCall(
  request: CallRequest,
  options: SendOptions,
): Promise<CallOutcome> {
  const start = performance.now();
  const failed = (reason: FailureReason, detail: unknown): CallOutcome => ({
    kind: "failed",
    reason,
    milliseconds: performance.now() - start,
    detail: detail instanceof Error ? detail.message : String(detail),
  });
  let built: Request;
  try {
    built = buildRequest(request, options.signal);
  } catch (error) {
    return failed("invalid", error);
  }
  try {
    const response = await fetch(built);
    if (response.type === "opaqueredirect") return failed("redirected", "");
    const body = await readBody(response, options.onLine);
    return {
      kind: "answer",
      status: response.status,
      statusText: response.statusText,
      headers: [...response.headers],
      milliseconds: performance.now() - start,
      body,
    };
  } catch (error) {
    if (options.signal.aborted) return failed("aborted", "");
    const isThere = await isRefused(request.url, options);
    return failed(isThere ? "refused" : "unreachable", error);
  }
}

function buildRequest(request: CallRequest, signal: AbortSignal): Request {
  return new Request(request.url, {
    method: request.verb,
    headers: sentHeaders(request).map(([name, value]) => [name, value]),
    body: bodyOf(request),
    signal,
    // Keys are headers: cookies of that server are not this page's to send.
    credentials: "omit",
    cache: "no-store",
    // A redirect would take the keys with it.
    redirect: "manual",
    referrerPolicy: "no-referrer",
  });
}

function bodyOf({ files, message }: CallRequest): BodyInit | null {
  if (message === null) return null;
  const json = printFlat(message);
  if (files === null) return json;
  const form = new FormData();
  form.append("json", json);
  for (const [name, file] of files) form.append(name, file, file.name);
  return form;
}

async function readBody(
  response: Response,
  onLine: SendOptions["onLine"],
): Promise<Blob> {
  if (onLine === null || !response.ok || response.body === null) {
    return response.blob();
  }
  const chunks: string[] = [];
  let rest = "";
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value = "" } = await reader.read();
    const lines = (rest + value).split("\n");
    rest = done ? "" : (lines.pop() ?? "");
    for (const line of lines) {
      if (line.trim() === "") continue;
      chunks.push(`${line}\n`);
      onLine(line);
    }
    if (done) return new Blob(chunks, { type: "application/x-ndjson" });
  }
}

/** How long a server may take to show that it is there. */
const probeMs = 3000;

/**
 * Whether a server is there that did not let this page see its answer. Browsers
 * do not say why a request failed; one without any key tells.
 */
async function isRefused(url: string, options: SendOptions): Promise<boolean> {
  const { origin } = new URL(url);
  if (origin === options.origin) return false;
  try {
    const probe: RequestInit = {
      mode: "no-cors",
      credentials: "omit",
      cache: "no-store",
      signal: AbortSignal.timeout(probeMs),
    };
    await fetch(origin, probe);
    return true;
  } catch {
    return false;
  }
}
