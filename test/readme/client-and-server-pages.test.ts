import { expect, test } from "vitest";
import { compileBoth, run, textOf } from "./program.js";

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
