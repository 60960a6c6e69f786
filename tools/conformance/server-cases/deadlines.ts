import type { Answer, ServerCase } from "./case.js";

const expired = (ms: number): Answer => ({
  status: 504,
  error: "WebrpcRequestFailed",
  code: -1,
  cause: `no response within ${String(ms)} ms`,
});
const answered: Answer = { status: 200, text: '{"remaining":0}' };

const rows: readonly (readonly [
  title: string,
  header: string | null,
  ms: number,
  answer: Answer,
])[] = [
  ["enough time", null, 1, answered],
  ["the server's own limit", null, 5000, expired(120)],
  ["the client's limit", "20", 5000, expired(20)],
  ["a client limit that the server meets", "30000", 1, answered],
  ["a client limit above the server's", "60000", 5000, expired(120)],
  ["a very large limit", "9999999999", 5000, expired(120)],
  ["a limit of zero", "0", 5000, expired(0)],
  ["a limit that is not a number", "soon", 1, answered],
  ["a negative limit", "-1", 1, answered],
  ["a limit with a fraction", "0.5", 1, answered],
  ["a hexadecimal limit", "0x10", 1, answered],
  ["a limit with an exponent", "1e3", 1, answered],
  ["an empty limit", "", 1, answered],
  ["a limit with a hundred digits", "9".repeat(100), 1, answered],
];

/** Responses from methods with deadlines. */
export const deadlines: readonly ServerCase[] = rows.map(
  ([title, header, ms, answer]): ServerCase => ({
    name: `deadlines: ${title}`,
    path: `/rpc/Time/${answer === answered ? "Rest" : "Sleep"}`,
    headers: {
      "Content-Type": "application/json",
      ...(header !== null && { "Request-Timeout-Ms": header }),
    },
    body: JSON.stringify({ ms }),
    answer,
  }),
);
