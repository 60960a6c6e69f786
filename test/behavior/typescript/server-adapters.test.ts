import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  hosts,
  listenerHost,
  type Received,
  type Running,
  type Sent,
} from "./hosts.js";
import { lambdaHosts } from "./lambda-hosts.js";
import { sampleOn } from "./sample-on.js";
import { createSampleServer } from "./sample-server.js";
import { hostCases, type ServerCase, serverCases } from "./server-cases.js";

function toSent(given: ServerCase): Sent {
  const { verb = "POST", path, body } = given;
  const isJson = verb === "POST" ? { "Content-Type": "application/json" } : {};
  const bytes =
    typeof body === "string" ? new TextEncoder().encode(body) : body;
  return {
    verb,
    path,
    headers: given.headers ?? isJson,
    body: bytes ?? null,
  };
}

function expectAnswer(given: ServerCase, answer: Received): void {
  const { status, error, cause, allow } = given;
  expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
  expect(answer.header("content-type")).toMatch(/^application\/json(;|$)/u);
  expect(answer.header("allow")).toBe(allow ?? null);
  if (given.verb === "HEAD") return;
  const body = JSON.parse(answer.text) as Record<string, unknown>;
  if (error === undefined) {
    expect(body).toEqual(given.json);
    return;
  }
  expect(body).toMatchObject({ error, status });
  const known = ["cause", "code", "error", "msg", "status"];
  const hasCause = body["cause"] !== undefined;
  expect(Object.keys(body).sort()).toEqual(known.slice(hasCause ? 0 : 1));
  if (cause === null) expect(hasCause).toBe(false);
  else if (cause !== undefined) expect(body["cause"]).toMatch(cause);
  expect(answer.text).not.toContain("postgres");
}

const everywhere = [...hosts, listenerHost, ...lambdaHosts];

describe.each(sampleOn(everywhere, serverCases))(
  "server on $name",
  ({ passesAll, sample, start }) => {
    let running: Running;
    beforeAll(async () => {
      running = await start(createSampleServer());
    });
    afterAll(() => running.close());

    it.each(sample)("$title", async (given) => {
      expectAnswer(given, await running.send(toSent(given)));
    });

    it.each(hostCases)("$title", async (given) => {
      const answer = await running.send(toSent(given));
      if (passesAll) expectAnswer(given, answer);
      else expect([400, 415]).toContain(answer.status);
    });

    it("keeps answering after requests with rejected bodies", async () => {
      const paths = ["/rpc/API/Ping", "/rpc/API/Pong", "/rpc/API/Echo"];
      for (const path of [...paths, ...paths]) {
        const body = new TextEncoder().encode(`{"a":"${"x".repeat(5000)}"}`);
        const headers = { "content-type": "application/json" };
        const answer = await running.send({
          verb: "POST",
          path,
          headers,
          body,
        });
        expect(answer.status).toBe(path.endsWith("Pong") ? 404 : 413);
      }
    });
  },
);
