import { connect } from "node:net";
import { expect } from "vitest";

/** A request that web-standard clients cannot send, and its response. */
export interface RawCase {
  readonly name: string;
  /** The target, in the form in which it is sent. */
  readonly target: string;
  readonly verb?: string;
  /** Header lines. Default: a content type of `application/json`. */
  readonly headers?: readonly string[];
  readonly body?: string;
  /**
   * How the body is sent: in two parts with a pause, in chunks with a pause,
   * after permission to continue, or never. Default: with the headers.
   */
  readonly sending?: "pausing" | "chunked" | "permitted" | "never";
  /** Default: 1.1. */
  readonly version?: "1.0";
  readonly status: number;
  /** The body of a success, or the error and the start of its cause. */
  readonly answer: string | { readonly error: string; readonly cause?: string };
}

const uint8 = { target: "/rpc/Echo/Uint8", body: '{"value":1}' };
const ok = { status: 200, answer: uint8.body };
const json = "Content-Type: application/json";
const badRequest = (cause: string): RawCase["answer"] => ({
  error: "WebrpcBadRequest",
  cause,
});
const noUrl = {
  status: 400,
  answer: badRequest("host and path are not a valid URL"),
};
const noRoute = { status: 404, answer: { error: "WebrpcBadRoute" } };
const tooLarge = {
  target: "/rpc/Sizes/Body",
  body: JSON.stringify({ value: "x".repeat(2000) }),
  status: 413,
  answer: badRequest("body larger than 1000 bytes"),
};
const guarded = {
  target: "/rpc/Access/Guarded",
  status: 401,
  answer: { error: "KeyMissing" },
};
const stream = {
  target: "/rpc/Lines/Count",
  body: '{"to":2,"large":"1"}',
  version: "1.0",
} as const;
const noJson = {
  status: 415,
  answer: badRequest("content-type: expected application/json, got "),
};
const own = { verb: "GET", headers: ["X-Key: key"], status: 200 };

/** All hosts answer these requests in the same way. */
export const rawCases: readonly RawCase[] = [
  { ...uint8, ...ok, name: "fragment", target: `${uint8.target}#x` },
  {
    ...uint8,
    ...ok,
    name: "question in a fragment",
    target: `${uint8.target}#?`,
  },
  {
    ...own,
    name: "fragment after a parameter",
    target: "/own/a#x",
    answer: '{"name":"a"}',
  },
  {
    name: "fragment after a query",
    verb: "GET",
    headers: [],
    target: "/query?text=a#b&text=c",
    status: 200,
    answer: '{"text":"a",',
  },
  {
    ...uint8,
    ...ok,
    name: "absolute URL",
    target: `http://other${uint8.target}`,
  },
  {
    ...uint8,
    ...ok,
    name: "absolute URL with TLS",
    target: `https://other${uint8.target}`,
  },
  ...["a://x", "ftp://x", "http://", "http://u@x"].map((origin) => ({
    ...uint8,
    ...noUrl,
    name: `the URL ${origin}`,
    target: `${origin}${uint8.target}`,
  })),
  { ...uint8, ...noUrl, name: "an asterisk", target: "*" },
  ...[
    [json, json],
    [json, "Content-Type: text/plain"],
    ["Content-Type: text/plain", json],
    [`${json};charset=utf-8`, "Content-Type: text/plain"],
    [`${json};charset=utf-8, text/plain`],
  ].map((headers) => ({
    ...uint8,
    ...noJson,
    name: headers.join(", "),
    headers,
  })),
  {
    ...uint8,
    ...ok,
    name: "a comma in a quoted text",
    headers: [`${json};charset="utf-8";x="a,b"`],
  },
  ...[
    ["Authorization: Bearer secret", "Authorization: Bearer other"],
    ["Authorization: Bearer other", "Authorization: Bearer secret"],
  ].map((headers) => ({
    ...uint8,
    name: headers.join(", "),
    target: "/rpc/Access/Guarded",
    headers: [json, "X-Key: key", ...headers],
    status: 403,
    answer: { error: "Forbidden" },
  })),
  ...["gzip", "GZIP", "br", "identity, gzip"].map((coding) => ({
    ...uint8,
    name: `Content-Encoding: ${coding}`,
    headers: [json, `Content-Encoding: ${coding}`],
    status: 415,
    answer: badRequest(`content-encoding: expected identity, got "${coding}"`),
  })),
  {
    ...uint8,
    ...ok,
    name: "Content-Encoding: Identity",
    headers: [json, "Content-Encoding: Identity"],
  },
  { ...uint8, ...ok, name: "an empty query", target: `${uint8.target}?` },
  {
    ...uint8,
    ...ok,
    name: "an empty query before a fragment",
    target: `${uint8.target}?#/../x`,
  },
  ...["/rpc/Echo/Uint8;x", "/rpc/Echo/Uint8|", "/rpc/Echo/Uint8%5C"].map(
    (target) => ({ ...uint8, ...noRoute, name: `the path ${target}`, target }),
  ),
  {
    ...guarded,
    name: "two keys",
    headers: [json, "X-Key: key", "X-Key: key", "Authorization: Bearer secret"],
  },
  {
    ...guarded,
    name: "two keys in one header",
    headers: [json, "X-Key: key, key", "Authorization: Bearer secret"],
  },
  {
    ...uint8,
    ...ok,
    name: "two of a header that the server does not read",
    headers: [json, "X-Other: a", "X-Other: b"],
  },
  {
    name: "two cookie headers",
    verb: "GET",
    target: "/sessions/7",
    headers: ["Cookie: a=1", "Cookie: sid=s=1"],
    status: 200,
    answer: '{"id":7}',
  },
  { ...uint8, ...ok, name: "a body that pauses", sending: "pausing" },
  { ...uint8, ...ok, name: "chunks that pause", sending: "chunked" },
  { ...tooLarge, name: "a body that is too large" },
  { ...tooLarge, name: "chunks that are too large", sending: "chunked" },
  { ...uint8, ...ok, name: "permission to continue", sending: "permitted" },
  { ...tooLarge, name: "no permission for a large body", sending: "permitted" },
  {
    ...uint8,
    ...noJson,
    name: "no permission for another content type",
    headers: ["Content-Type: text/plain"],
    sending: "permitted",
  },
  {
    ...uint8,
    ...noRoute,
    name: "no permission for an unknown path",
    target: "/rpc/Echo/None",
    sending: "permitted",
  },
  {
    ...guarded,
    name: "a body without a credential that never arrives",
    body: '{"value":1}',
    sending: "never",
  },
  {
    name: "a body that never arrives before the deadline",
    target: "/rpc/Time/Rest",
    headers: [json, "Request-Timeout-Ms: 200"],
    body: '{"ms":1}',
    sending: "never",
    status: 504,
    answer: {
      error: "WebrpcRequestFailed",
      cause: "no response within 200 ms",
    },
  },
  { ...uint8, ...ok, name: "HTTP/1.0", version: "1.0" },
  {
    ...uint8,
    ...noRoute,
    name: "HTTP/1.0, unknown path",
    target: "/rpc/Echo/None",
    version: "1.0",
  },
  {
    ...stream,
    name: "HTTP/1.0, a stream with an end",
    headers: [json, "Accept: application/x-ndjson;end=1"],
    status: 200,
    answer: '{"n":2,"large":"1"}\n[]\n',
  },
  {
    ...stream,
    name: "HTTP/1.0, a stream without an end",
    status: 505,
    answer: { error: "WebrpcRequestFailed" },
  },
];

/**
 * Sends a request to a local port, and compares the response.
 *
 * Input: whether the server permits clients to send bodies. Otherwise, its host
 * does, before the server can refuse them.
 */
export async function expectRawAnswer(
  port: number,
  given: RawCase,
  permitsBodies = false,
): Promise<void> {
  const { answer, sending, status } = given;
  const received = await exchange(port, given);
  const text = received.replace(permission, "");
  if (permitsBodies && sending === "permitted") {
    expect(text !== received, "whether it permits the body").toBe(status < 400);
  }
  const [head = "", ...rest] = text.split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1.[01] ${status} `, "u"));
  // Some hosts send chunks.
  const content = rest.join("\r\n\r\n");
  if (typeof answer === "string") return expect(content).toContain(answer);
  expect(content).toContain(`"error":"${answer.error}"`);
  const cause = JSON.stringify(answer.cause ?? "").slice(1, -1);
  if (cause !== "") expect(content).toContain(`"cause":"${cause}`);
}

function headOf(port: number, given: RawCase): string {
  const { body = "", headers = [json], sending, verb = "POST" } = given;
  const length =
    sending === "chunked"
      ? "Transfer-Encoding: chunked"
      : `Content-Length: ${body.length}`;
  return [
    `${verb} ${given.target} HTTP/${given.version ?? "1.1"}`,
    `Host: localhost:${port}`,
    "Connection: close",
    ...headers,
    ...(verb === "GET" ? [] : [length]),
    ...(sending === "permitted" ? ["Expect: 100-continue"] : []),
    "\r\n",
  ].join("\r\n");
}

const chunk = (text: string): string =>
  `${text.length.toString(16)}\r\n${text}\r\n`;

/** A pause that hosts notice, in milliseconds. */
const pauseMs = 100;

const permission = "HTTP/1.1 100 Continue\r\n\r\n";

/** Whether a text is a response whose end it shows. */
function isWhole(text: string): boolean {
  const [head = "", ...rest] = text.replace(permission, "").split("\r\n\r\n");
  const [, length] = /^content-length: *(\d+)$/imu.exec(head) ?? [];
  const isChunked = /^transfer-encoding: *chunked$/imu.test(head);
  return length === undefined
    ? isChunked && text.endsWith("\r\n0\r\n\r\n")
    : Buffer.byteLength(rest.join("\r\n\r\n")) >= Number(length);
}

/** Returns everything that the server sends. */
function exchange(port: number, given: RawCase): Promise<string> {
  const { body = "", sending } = given;
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(port, "127.0.0.1");
    socket.setEncoding("utf8");
    socket.on("data", (part: string) => {
      received += part;
      if (sending === "permitted" && received === permission)
        socket.write(body);
      // Some proxies keep the connection although the client wants no other.
      else if (sending !== "never" && isWhole(received)) socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
    socket.write(headOf(port, given) + (sending === undefined ? body : ""));
    if (sending !== "pausing" && sending !== "chunked") return;
    const write = sending === "chunked" ? chunk : (text: string) => text;
    socket.write(write(body.slice(0, 5)));
    setTimeout(() => {
      const end = sending === "chunked" ? chunk("") : "";
      socket.write(write(body.slice(5)) + end);
    }, pauseMs);
  });
}
