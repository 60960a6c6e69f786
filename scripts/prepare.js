// Bundles the command line and generates the code of the platform's own
// contracts, which is not committed. Runs after `npm ci`, so that editors can check the
// types of a new clone, and as a step of builds.
import { spawnSync } from "node:child_process";

const steps = [
  "node scripts/embed-templates.js",
  "node scripts/build-cli.js",
  ...["console", "relaying"].map(
    (part) =>
      `node bin/ridl.js generate --force --config platform/${part}/ridl.config.yaml`,
  ),
];

for (const step of steps) {
  const { status, stderr, stdout } = spawnSync(step, {
    shell: true,
    encoding: "utf8",
  });
  if (status === 0) continue;
  console.error(stdout, stderr);
  process.exit(status ?? 1);
}
