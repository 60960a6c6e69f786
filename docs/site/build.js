// Builds the documentation site into dist/site, or serves it while pages are
// edited: `npm run docs -- dev`. The playground and the explorer of the contract
// in schema/ are part of it.
import { cpSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, createServer } from "vitepress";
import { findDeadLinks } from "./find-dead-links.js";
import { root, work } from "./pages.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const files = `${work}/public`;

rmSync(files, { recursive: true, force: true });
await import(`${root}/playground/build.js`);
cpSync(`${root}/dist/playground`, `${files}/playground`, { recursive: true });
cpSync(`${root}/generated/explorer`, `${files}/example`, { recursive: true });

if (process.argv[2] === "dev") {
  const server = await createServer(here);
  await server.listen();
  server.printUrls();
} else {
  await build(here);
  const dead = findDeadLinks(`${root}/dist/site`, process.env.SITE_BASE ?? "/");
  for (const each of dead) console.error(`dead link: ${each}`);
  process.exitCode = dead.length === 0 ? 0 : 1;
}
