import { expect, test } from "vitest";
import { clientEmitter } from "../../generator/4-emit/typescript/client/client.js";
import { compileContract } from "../../generator/compile.js";

function needsOf(text: string): readonly string[] {
  const { value } = compileContract(["a.ridl"], {
    read: () => `webrpc = v1\nname = a\nversion = v1.0.0\n\n${text}`,
  });
  if (value === null) throw new Error("the contract does not compile");
  return clientEmitter.needsFor?.(value) ?? [];
}

test("a client needs the validators of what it reads in errors", () => {
  const service = "service A\n  - Read()\n";
  const body = `struct Problem
  - message: string
    + error = message

type ErrorBody: Problem
  + errorBody = application/json

`;
  expect(needsOf(service)).toEqual([]);
  expect(needsOf(body + service)).toEqual(["validators"]);
});
