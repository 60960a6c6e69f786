// Packs both packages as they would be published.
//
//   npm run pack             writes them to dist/packages
//   npm run pack -- serve    also serves them as a registry on this machine, which
//                            gets all other packages from the configured registry
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pack } from "./release/pack.js";
import { createRegistry } from "./release/serve-packages.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = "dist/packages";
const port = 4873;

mkdirSync(join(root, out), { recursive: true });
const packed = ["runtime/typescript", "."].map((folder) => ({
  folder: join(root, folder),
  path: join(root, pack(root, folder, out).path),
}));

if (process.argv[2] === "serve") {
  const args = ["config", "get", "registry"];
  const upstream = execFileSync("npm", args, { cwd: root, encoding: "utf8" });
  createRegistry(packed, upstream.trim()).listen(port, "localhost", () => {
    console.log(`serving both packages at http://localhost:${port}`);
  });
}
