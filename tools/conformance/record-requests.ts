import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyOf, type CannedResponse } from "./client-case.js";

/** A request as the server received it. */
export interface SeenRequest {
  readonly verb: string;
  /** Path and query. */
  readonly target: string;
  /** Values by lower-case name. Equal names are joined by ` | `. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** What the server of a case does. */
export interface Script {
  /** The responses to the first requests. */
  readonly responses: readonly CannedResponse[];
  /** Responds to requests if there are no canned responses. */
  readonly serve: (request: Request) => Promise<Response>;
}

/** A server that records requests. */
export interface Recorder {
  /** Responds to a request of `node:http`. */
  readonly listen: (request: unknown, response: unknown) => void;
  /** Starts a case. */
  begin(script: Script): void;
  /** The requests since then. */
  seen(): readonly SeenRequest[];
  /** Resolves once the client has closed all connections of open responses. */
  untilClosed(): Promise<void>;
}

/** Creates a recorder. */
export function createRecorder(): Recorder {
  let script: Script = { responses: [], serve: fail };
  let seen: SeenRequest[] = [];
  let open = new Set<Promise<void>>();

  async function respond(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const ended = new Promise<void>((resolve) =>
      response.once("close", resolve),
    );
    const current = { script, seen };
    if (request.headers.expect !== undefined) response.writeContinue();
    const body = await readBody(request);
    const { responses, serve } = current.script;
    const index = current.seen.length;
    const recorded = record(request, body);
    current.seen.push(recorded);
    if (responses.length === 0) {
      await pass(await serve(toRequest(recorded)), response);
      return;
    }
    const canned = responses[index] ?? { status: 500, body: "one too many" };
    if (canned.then === "silence" || canned.then === "spaces") open.add(ended);
    await sendCanned(canned, response);
  }

  return {
    listen(request, response) {
      respond(request as IncomingMessage, response as ServerResponse).catch(
        () => (response as ServerResponse).destroy(),
      );
    },
    begin(next) {
      script = next;
      seen = [];
      open = new Set();
    },
    seen: () => seen,
    async untilClosed() {
      await Promise.all(open);
    },
  };
}

async function fail(): Promise<Response> {
  throw new Error("no case has begun");
}

async function readBody(
  request: IncomingMessage,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return new Uint8Array(Buffer.concat(chunks));
}

function record(
  { method = "", rawHeaders, url = "" }: IncomingMessage,
  body: Uint8Array<ArrayBuffer>,
): SeenRequest {
  const headers = new Map<string, string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    const value = rawHeaders[at + 1] ?? "";
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before} | ${value}`);
  }
  return { verb: method, target: url, headers, body };
}

function toRequest({ body, headers, target, verb }: SeenRequest): Request {
  const isBare = verb === "GET" || verb === "HEAD" || body.length === 0;
  return new Request(new URL(target, "http://server"), {
    method: verb,
    headers: [...headers].filter(([name]) => !perConnection.test(name)),
    ...(!isBare && { body }),
  });
}

const perConnection =
  /^(?:connection|content-length|host|http2-settings|keep-alive|transfer-encoding|upgrade)$/u;

/** Sends the response of a fetch handler. */
async function pass(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  const reader = answer.body?.getReader();
  response.once("close", () => void reader?.cancel().catch(() => {}));
  for (;;) {
    const next = await reader?.read();
    if (next === undefined || next.done) break;
    response.write(next.value);
  }
  response.end();
}

async function sendCanned(
  canned: CannedResponse,
  response: ServerResponse,
): Promise<void> {
  const type = { "content-type": "application/json" };
  response.writeHead(canned.status, { ...type, ...canned.headers });
  if (canned.then === undefined) {
    response.end(bodyOf(canned));
    return;
  }
  response.flushHeaders();
  await new Promise((resolve) => response.write(bodyOf(canned), resolve));
  if (canned.then === "cut") response.destroy();
  if (canned.then !== "spaces") return;
  const timer = setInterval(() => response.write(" "), 20);
  response.once("close", () => clearInterval(timer));
}
