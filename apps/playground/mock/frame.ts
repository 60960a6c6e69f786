import type {
  FrameMessage,
  FrameStart,
  MockMessage,
} from "./frame-protocol.js";

/** A running call. */
interface RunningCall {
  begin(response: Response): void;
  fail(error: Error): void;
  body: ReadableStreamDefaultController<Uint8Array> | null;
}

/** Creates a `fetch` that sends requests to the other end of a port. */
function createFetch(port: MessagePort): typeof fetch {
  const calls = new Map<number, RunningCall>();
  let lastId = 0;
  port.onmessage = ({ data }: MessageEvent<MockMessage>) => {
    const call = calls.get(data.id);
    if (call === undefined) return;
    if (data.kind === "head") begin(call, data);
    else if (data.kind === "chunk") call.body?.enqueue(data.bytes);
    else {
      calls.delete(data.id);
      if (data.kind === "end") call.body?.close();
      else call.fail(new TypeError(data.message));
    }
  };
  const send = (message: FrameMessage): void => port.postMessage(message);
  return async (input, init) => {
    const request = new Request(input, init);
    const { headers, method, signal, url } = request;
    const hasBody = method !== "GET" && method !== "HEAD";
    const body = hasBody ? await request.arrayBuffer() : null;
    signal.throwIfAborted();
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      const call: RunningCall = { begin: resolve, fail: reject, body: null };
      calls.set(id, call);
      signal.addEventListener("abort", () => {
        if (!calls.delete(id)) return;
        send({ kind: "abort", id });
        call.body?.error(signal.reason);
        reject(signal.reason);
      });
      send({ kind: "request", id, method, url, headers: [...headers], body });
    });
  };
}

function begin(
  call: RunningCall,
  { headers, status, statusText }: MockMessage & { kind: "head" },
): void {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      call.body = controller;
      call.fail = (error) => controller.error(error);
    },
  });
  const isEmpty = status === 204 || status === 304;
  const init = { status, statusText, headers: new Headers([...headers]) };
  call.begin(new Response(isEmpty ? null : body, init));
}

/** The origin of the site. The frame's own origin is opaque. */
const site = new URL(location.href).origin;

/**
 * Whether a message comes from the site's page around this frame. A page of
 * another site could show a contract of its own in the site's name.
 */
function isFromSite({ origin, source }: MessageEvent): boolean {
  const isSandboxed = window.origin === "null";
  // All pages in sandboxes and files share the origin "null".
  return isSandboxed && source === parent && origin === site && site !== "null";
}

function start(event: MessageEvent<FrameStart>): void {
  const {
    data,
    ports: [port],
  } = event;
  // Browser extensions also send messages to every frame.
  if (port === undefined || !isFromSite(event)) return;
  window.removeEventListener("message", start);
  window.fetch = createFetch(port);
  location.hash = data.hash;
  document.open();
  document.write(data.html);
  document.close();
  // Opening the document has removed the window's listeners.
  window.addEventListener("hashchange", reportLocation);
}

function reportLocation(): void {
  parent.postMessage({ hash: location.hash }, site);
}

window.addEventListener("message", start);
