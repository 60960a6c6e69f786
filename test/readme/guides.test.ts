import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { format } from "prettier";
import { createSandbox } from "../cli/support/sandbox.js";
import { readBlocks } from "./program.js";

const pages = readdirSync("docs/guides").map((name) => `docs/guides/${name}`);

test.for(pages)(
  "%s shows contracts and programs in canonical format",
  async (page) => {
    const sandbox = createSandbox();
    for (const { language, path, text } of readBlocks(page)) {
      if (language === "ridl") {
        sandbox.write({ "shown.ridl": text });
        const result = await sandbox.run(["fmt", "--check", "shown.ridl"]);
        expect(result).toMatchObject({ exitCode: 0, stderr: "" });
      } else if (/^(?:tsx?|js|json|yaml)$/u.test(language)) {
        expect(await format(text, { filepath: path })).toBe(text);
      }
    }
  },
);
