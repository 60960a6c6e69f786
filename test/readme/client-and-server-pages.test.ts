import { expect, test } from "vitest";
import { findFreePort } from "../../platform/process/programs/free-port.js";
import { compile, compileBoth, generate, run, textOf } from "./program.js";

test.each([
  ["docs/files.md", "documents.ridl"],
  ["docs/streams.md", "scores.ridl"],
])(
  "%s has a server and a client with the documented output",
  async (page, contract) => {
    const { sandbox } = await compileBoth(page, contract);
    expect(run(sandbox, "dist/client.js")).toBe(textOf(page, "text"));
  },
);

test("docs/files.md shows the progress of a download", async () => {
  const page = "docs/files.md";
  const contract = "documents.ridl";
  const sandbox = await generate({ [contract]: textOf(page, contract) });
  const port = String(await findFreePort());
  const textFor = (path: string): string =>
    textOf(page, path).replace("8080", port);
  compile(sandbox, {
    "server.ts": textFor("server.ts"),
    "progress.ts": textFor("progress.ts"),
  });
  // The download can arrive in several parts.
  const printed = run(sandbox, "dist/progress.js");
  expect(printed).toMatch(/^(?:\d+ of 1005 bytes\n)+$/u);
  expect(printed.endsWith(textOf(page, "progress.txt"))).toBe(true);
});
