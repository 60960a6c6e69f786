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
];

/** Sends a request to a local port, and compares the response. */
export async function expectRawAnswer(
  port: number,
  {
    answer,
    body = "",
    headers = [json],
    status,
    target,
    verb = "POST",
  }: RawCase,
): Promise<void> {
  const lines = [
    `${verb} ${target} HTTP/1.1`,
    `Host: localhost:${port}`,
    "Connection: close",
    ...headers,
    ...(verb === "GET" ? [] : [`Content-Length: ${body.length}`]),
  ];
  const [head = "", ...rest] = (
    await exchange(port, `${lines.join("\r\n")}\r\n\r\n${body}`)
  ).split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `, "u"));
  // Some hosts send chunks.
  const content = rest.join("\r\n\r\n");
  if (typeof answer === "string") return expect(content).toContain(answer);
  expect(content).toContain(`"error":"${answer.error}"`);
  const cause = JSON.stringify(answer.cause ?? "").slice(1, -1);
  if (cause !== "") expect(content).toContain(`"cause":"${cause}`);
}

function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(port, "127.0.0.1");
    socket.setEncoding("utf8");
    socket.on("data", (part: string) => (received += part));
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
    socket.write(text);
  });
}
