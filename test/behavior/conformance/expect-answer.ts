import { expect } from "vitest";
import type { Received, Running } from "../typescript/hosts.js";
import type { ServerCase } from "../../../tools/conformance/server-cases/index.js";

/**
 * Sends the request of a case, and expects its response. If the server runs in
 * this process, the case limits the processor time.
 */
export async function expectAnswer(
  running: Running,
  given: ServerCase,
): Promise<void> {
  const { verb = "POST", path, body = "{}" } = given;
  const bytes =
    typeof body === "string" ? new TextEncoder().encode(body) : body;
  const start = process.cpuUsage();
  const answer = await running.send({
    verb,
    path,
    headers: given.headers ?? { "Content-Type": "application/json" },
    body: bytes,
  });
  const { user } = process.cpuUsage(start);
  compare(given, answer);
  expect(user / 1000).toBeLessThan(given.withinMs ?? 2000);
}

function compare({ answer: wanted }: ServerCase, got: Received): void {
  const { status, text, error, headers = {} } = wanted;
  expect([got.status, got.text]).toEqual([status, text ?? expect.any(String)]);
  for (const [name, value] of Object.entries(headers)) {
    // Fastify declares JSON as UTF-8.
    const found = got.header(name)?.replace(/; charset=utf-8$/u, "") ?? null;
    const isPattern = value instanceof RegExp;
    const expected = isPattern ? expect.stringMatching(value) : value;
    expect([name, found]).toEqual([name, expected]);
  }
  expect(got.text).not.toContain("secret of the house");
  if (error === undefined) return;
  expect(got.header("content-type")).toMatch(/^application\/json(;|$)/u);
  const envelope = JSON.parse(got.text) as Record<string, unknown>;
  const { code, msg, cause } = wanted;
  expect(envelope).toEqual({
    error,
    code: code ?? expect.any(Number),
    msg: msg ?? expect.any(String),
    status,
    ...(cause === null
      ? {}
      : "cause" in envelope && { cause: expect.any(String) }),
  });
  if (typeof cause === "string") {
    expect(String(envelope["cause"]).slice(0, cause.length)).toBe(cause);
  }
}
