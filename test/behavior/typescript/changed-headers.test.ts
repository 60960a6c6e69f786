import { expect, test } from "vitest";
import { NodeExchange } from "../../../runtime/typescript/hosts/node/exchange.js";

/** Returns the content type that a server on Node reads. */
function typeOf(now: string, ...received: readonly string[]): string | null {
  const request = {
    ...{ method: "POST", url: "/", httpVersionMajor: 1, readableEnded: true },
    headers: { "content-type": now },
    rawHeaders: received.flatMap((value) => ["Content-Type", value]),
  };
  const parts = [request, {}] as unknown as ConstructorParameters<
    typeof NodeExchange
  >;
  return new NodeExchange(...parts).header("Content-Type");
}

test("a header that a middleware has set stands for what was received", () => {
  expect(typeOf("application/json", "text/plain")).toBe("application/json");
  expect(typeOf("a/b", "c/d", "e/f")).toBe("a/b");
});

test("all values of a header that can be sent once are seen", () => {
  expect(typeOf("a/b", "a/b")).toBe("a/b");
  expect(typeOf("a/b", "a/b", "c/d")).toBe("a/b, c/d");
});
