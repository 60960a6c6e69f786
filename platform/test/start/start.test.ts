import { expect, test } from "vitest";

import { createDataFolder, startProcess } from "./start-platform.js";

test("reports an invalid variable", { timeout: 120_000 }, async () => {
  const folder = createDataFolder();
  const started = startProcess(folder, { PORT: "http" });
  await expect(started).rejects.toThrow(
    /PORT: expected an integer from 0 to 65535, got "http"/u,
  );
});
