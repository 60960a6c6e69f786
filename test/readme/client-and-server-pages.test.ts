import { expect, test } from "vitest";
import { compileBoth, run, textOf } from "./program.js";

test.each([
  ["docs/files.md", "pictures.ridl"],
  ["docs/streams.md", "chat.ridl"],
])(
  "%s has a server and a client with the documented output",
  async (page, contract) => {
    const { sandbox } = await compileBoth(page, contract);
    expect(run(sandbox, "dist/client.js")).toBe(textOf(page, "text"));
  },
);
