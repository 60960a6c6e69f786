import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

import { generateInterop } from "./generate.js";

const files = generateInterop();
const folder = fileURLToPath(new URL("./generated/", import.meta.url));

it.each(files)("generated/$path is up to date", async ({ path, text }) => {
  await expect(text).toMatchFileSnapshot(`${folder}${path}`);
});

it("generated/ contains no other files", () => {
  expect(readdirSync(folder).sort()).toEqual(
    files.map(({ path }) => path).sort(),
  );
});
