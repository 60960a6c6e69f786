// Bundles the command line and generates the code of the platform's own
// contracts, which is not committed. Runs after `npm ci`, so that editors can check the
// types of a new clone, and as a step of builds. The script of npm is `dependencies`,
// because npm warns users of a package with `prepare`.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const steps = [
  "node scripts/embed-templates.js",
  "node scripts/build-cli.js",
  ...["console", "relaying"].map(
    (part) =>
      `node bin/ridl.js generate --force --config platform/${part}/ridl.config.yaml`,
  ),
];

// Instructions of projects name the skills at this path of the package, from which
// links to pages lead through `docs`.
const skills = fileURLToPath(new URL("../docs/skills", import.meta.url));
const copy = fileURLToPath(new URL("../skills", import.meta.url));
rmSync(copy, { recursive: true, force: true });
cpSync(skills, copy, { recursive: true });
for (const name of readdirSync(copy, { recursive: true })) {
  if (!name.endsWith(".md")) continue;
  const text = readFileSync(join(copy, name), "utf8");
  const moved = text.replaceAll("](../../", "](../../docs/");
  writeFileSync(join(copy, name), moved);
}

for (const step of steps) {
  const { status, stderr, stdout } = spawnSync(step, {
    shell: true,
    encoding: "utf8",
  });
  if (status === 0) continue;
  console.error(stdout, stderr);
  process.exit(status ?? 1);
}
