// Runs `npm start`: builds, generates from schema/, and serves the platform
// with a demo project and the given arguments. The platform runs in this
// process, so that it receives signals from npm.
import { spawnSync } from "node:child_process";

const steps = [
  "node apps/explorer/build.js",
  "node scripts/prepare.js",
  "node bin/ridl.js generate --force",
  "node platform/console/page/build.js",
  "node scripts/build-platform.js --with-runtime",
];

for (const step of steps) {
  // npm puts node_modules/.bin into PATH for scripts.
  const { status } = spawnSync(step, { shell: true, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
process.env.DEMO ??= "true";
await import("../dist/platform/main.js");
