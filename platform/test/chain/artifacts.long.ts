import { readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { makeArtifacts } from "./compile-contracts.js";

const folder = "platform/chain/artifacts";

test("committed artifacts match the compiled contracts", () => {
  const committed = readdirSync(folder).map((file) => [
    file,
    readFileSync(`${folder}/${file}`, "utf8"),
  ]);
  expect(Object.fromEntries(committed)).toEqual(
    Object.fromEntries(makeArtifacts(".")),
  );
});
