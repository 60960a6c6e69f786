import { afterAll, beforeAll, test } from "vitest";
import type { Listening } from "../support/listen.js";
import { expectSkewAnswer, serveSkewCalls } from "./serve-skew.js";
import { skewCalls } from "./skew-calls.js";

let server: Listening;
beforeAll(async () => {
  server = await serveSkewCalls();
});
afterAll(() => server.close());

test.each(skewCalls)("a server in TypeScript $name", (call) =>
  expectSkewAnswer(server.url, call),
);
