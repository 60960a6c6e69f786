import { expect, it } from "vitest";
import { toLambdaHandler } from "../../../runtime/typescript/hosts/lambda.js";
import {
  countTo,
  createClock,
  sleep,
  until,
  type Watch,
} from "./stream-server.js";

const event = {
  rawPath: "/rpc/Clock/Watch",
  rawQueryString: "",
  headers: { "content-type": "application/json" },
  requestContext: { http: { method: "POST" } },
  body: "{}",
  isBase64Encoded: false,
};

it("sends a complete stream on Lambda", async () => {
  const handler = toLambdaHandler(createClock(countTo(2)));
  expect(await handler(event)).toMatchObject({
    statusCode: 200,
    headers: { "content-type": "application/x-ndjson" },
    body: '\n{"n":1}\n{"n":2}\n',
    isBase64Encoded: false,
  });
});

it("sends the part of a stream that fits into a result", async () => {
  let isLeft = false;
  const watch: Watch = async function* () {
    try {
      for (let n = 1; ; n += 1) yield { n, text: '"'.repeat(100_000) };
    } finally {
      isLeft = true;
    }
  };
  const result = await toLambdaHandler(createClock(watch))(event);
  const bytes = Buffer.byteLength(JSON.stringify(result));
  expect(bytes).toBeGreaterThan(5.5e6);
  expect(bytes).toBeLessThan(6 * 1024 * 1024);
  const lines = result.body.trim().split("\n");
  for (const line of lines)
    expect(Object(JSON.parse(line))).toBeTypeOf("object");
  expect(lines.at(-1)).toContain("the response is too long");
  await expect.poll(() => isLeft).toBe(true);
});

it("sends part of a stream when the function's time runs out, and reports it", async () => {
  let isLeft = false;
  const watch: Watch = async function* () {
    try {
      for (let n = 1; ; n += 1) {
        yield { n };
        await sleep(20);
      }
    } finally {
      isLeft = true;
    }
  };
  const context = { getRemainingTimeInMillis: () => 300 };
  const result = await toLambdaHandler(createClock(watch))(event, context);
  const lines = result.body.trim().split("\n");
  expect(lines.length).toBeGreaterThan(1);
  expect(lines[0]).toBe('{"n":1}');
  expect(JSON.parse(lines.at(-1) ?? "")).toEqual({
    webrpcError: {
      error: "WebrpcStreamLost",
      code: -9,
      msg: "stream lost",
      cause: "the function ran out of time",
      status: 400,
    },
  });
  await until(() => isLeft);
  expect(isLeft).toBe(true);
});
