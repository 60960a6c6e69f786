import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { makeFolder } from "../../../process/programs/make-folder.js";
import { createDataFolder } from "../../start/start-platform.js";

test("creates a folder and its parents once", () => {
  const folder = join(createDataFolder(), "one", "two");
  makeFolder(folder);
  makeFolder(folder);
  writeFileSync(join(folder, "file"), "");
  expect(() => makeFolder(join(folder, "file"))).toThrow("EEXIST");
});

test.runIf(process.platform === "linux")(
  "reports a file system that has no room for folders",
  () => {
    expect(() => makeFolder("/proc/ridlkit/database")).toThrow(
      /ENOENT.*'\/proc\/ridlkit'/u,
    );
  },
);
