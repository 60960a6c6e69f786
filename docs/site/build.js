// Builds the documentation site into dist/site. `npm run docs -- dev` serves it
// instead and updates it when a page changes. The site includes the playground and
// the explorer for the contract in schema/.
import { cpSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, createServer } from "vitepress";
import { checkSearches } from "./check-searches.js";
import { findDeadLinks } from "./find-dead-links.js";
import { root, work } from "./pages.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const site = `${root}/dist/site`;
const base = process.env.SITE_BASE ?? "/";
const files = `${work}/public`;

rmSync(files, { recursive: true, force: true });
await import(`${root}/apps/playground/build.js`);
cpSync(`${root}/dist/playground`, `${files}/playground`, { recursive: true });
for (const name of ["logo.svg", "preview.png"]) {
  cpSync(`${root}/docs/site/assets/${name}`, `${files}/${name}`);
}
cpSync(`${root}/generated/explorer`, `${files}/example`, { recursive: true });

if (process.argv[2] === "dev") {
  const server = await createServer(here);
  await server.listen();
  server.printUrls();
} else {
  await build(here);
  const faults = [
    ...findDeadLinks(site, base).map((each) => `dead link: ${each}`),
    ...findOverwritten().map((each) => `a page has overwritten ${each}`),
    ...(await checkSearches(site, base)).map((each) => `search ${each}`),
  ];
  for (const each of faults) console.error(each);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

/**
 * Returns the files of the playground and the explorer that a page with the same
 * path has overwritten.
 */
function findOverwritten() {
  return readdirSync(files, { recursive: true })
    .filter((path) => statSync(join(files, path)).isFile())
    .filter((path) => {
      const built = readFileSync(join(site, path));
      return !built.equals(readFileSync(join(files, path)));
    });
}
