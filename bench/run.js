// Runs every benchmark. Fails if one of them fails or misses a goal.
//   npm run bench                  all of them
//   npm run bench -- --quick       a few rounds of small inputs, to check that it works
//   npm run bench -- generation    one of them
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const flags = process.argv.slice(2).filter((each) => each.startsWith("--"));
const named = process.argv.slice(2).filter((each) => !each.startsWith("--"));

const names = readdirSync(here("."), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .filter((name) => existsSync(here(`${name}/main.js`)))
  .filter((name) => named.length === 0 || named.includes(name));

const failed = names.filter((name) => {
  const { status } = spawnSync(
    process.execPath,
    [here(`${name}/main.js`), ...flags],
    { stdio: "inherit" },
  );
  return status !== 0;
});
// With `--quick` there are no new results, so the summary is not updated.
if (!flags.includes("--quick")) {
  spawnSync(process.execPath, [here("summary.js")], { stdio: "inherit" });
}
if (failed.length > 0)
  console.error(`failed or missed goals: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 && names.length > 0 ? 0 : 1;
