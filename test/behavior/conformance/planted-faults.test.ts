import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { goClient } from "./planted-faults/go-client.js";
import { goServer } from "./planted-faults/go-server.js";
import { kotlinClient } from "./planted-faults/kotlin-client.js";
import { pythonClient } from "./planted-faults/python-client.js";
import { rustClient } from "./planted-faults/rust-client.js";
import { typescriptClient } from "./planted-faults/typescript-client.js";
import { typescriptServer } from "./planted-faults/typescript-server.js";

const languages = {
  typescript: [...typescriptClient, ...typescriptServer],
  go: [...goClient, ...goServer],
  kotlin: kotlinClient,
  python: pythonClient,
  rust: rustClient,
};

it.each(Object.entries(languages))(
  "each fault has a place in the runtime for %s",
  (language, faults) => {
    const folder = `runtime/${language}`;
    const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => /\.(?:ts|go|kt|py|rs)$/u.test(path))
      .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
      .filter((path) => !/\/(?:dist|node_modules)\//u.test(path));
    const lost = faults.filter(({ file, from }) => {
      const found = paths.filter((path) => path.endsWith(`/${file}`));
      // Other files are generated.
      return (
        found.length > 0 &&
        !found.some((path) => readFileSync(path, "utf8").includes(from))
      );
    });
    expect(faults.length).toBeGreaterThan(10);
    expect(lost.map(({ name }) => name)).toEqual([]);
  },
);
