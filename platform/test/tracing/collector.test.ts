import { createServer } from "node:http";
import { once } from "node:events";
import { json } from "node:stream/consumers";

import { trace } from "@opentelemetry/api";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";

import { listen } from "../../http/listen.js";
import { createSender, startTracing } from "../../tracing/start-tracing.js";
import { silent } from "../support/test-database.js";

test("sends spans to a collector before it stops", async () => {
  const collector = createServer();
  onTestFinished(() => void collector.close());
  const received = once(collector, "request");
  const url = await listen(collector, "127.0.0.1", 0);
  const tracing = startTracing(createSender(`${url}/`), silent);
  trace.getTracer("test").startSpan("a step").end();
  const stopped = tracing.stop();
  const [request, response] = await received;
  expect(request.url).toBe("/v1/traces");
  const body = Object(await json(request));
  response.end("{}");
  await stopped;
  const [{ resource, scopeSpans }] = body.resourceSpans;
  expect(resource.attributes).toContainEqual({
    key: "service.name",
    value: { stringValue: "ridlkit-platform" },
  });
  expect(scopeSpans[0].spans[0].name).toBe("a step");
});

test("logs once that a collector rejects spans, and stops", async () => {
  const collector = createServer((_, response) => {
    response.writeHead(400).end("no spans, please");
  });
  onTestFinished(() => void collector.close());
  const otlpEndpoint = await listen(collector, "127.0.0.1", 0);
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  const tracing = startTracing(createSender(otlpEndpoint), log);
  trace.getTracer("test").startSpan("a step").end();
  await tracing.stop();
  expect(lines.join("")).toContain("cannot send traces");
  expect(lines).toHaveLength(1);
});
