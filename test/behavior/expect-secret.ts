import { expect } from "vitest";
import { planted, type Attempt } from "./invalid-requests.js";

/** Expects a call to fail without its credential in the error. */
export function expectSecret({ name, text }: Attempt): void {
  expect([name, text]).not.toEqual([name, "it has no error"]);
  expect([name, text.includes(planted) ? text : ""]).toEqual([name, ""]);
}

/** Expects the client to refuse to send a call, without the reason. */
export function expectRefusal(attempt: Attempt): void {
  const { name, text } = attempt;
  expect([name, text.split("\n")[0]]).toEqual([name, "TypeError: bad-request"]);
  expectSecret(attempt);
}
