import { expect, test } from "vitest";
import { expectCase } from "./expect-case.js";

// The slow tests run the other cases, with other compilers, and compile what the
// command writes.
test("ridl migrate replaces calls of openapi-fetch", async () => {
  const project = await expectCase("outcomes", {
    typescript: "node_modules/typescript",
    "ts-morph": "node_modules/ts-morph",
  });
  const args = ["migrate", "openapi-fetch", "src"];
  const { stderr } = await project.run(args, { isTerminal: true });
  expect(stderr).toContain("\r\u001b[Kmigrating\r\u001b[K");
});
