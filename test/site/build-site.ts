import { spawnSync } from "node:child_process";

const run = (command: string, timeout = 600_000) =>
  spawnSync(command, { shell: true, encoding: "utf8", timeout });

/** Whether the registry, which has VitePress, is reachable. If not, says so. */
export function hasRegistry(): boolean {
  const isReachable = run("npm view vitepress version", 30_000).status === 0;
  if (!isReachable) {
    console.log(
      "NOT RUN: the documentation site. The npm registry is not reachable.",
    );
  }
  return isReachable;
}

/** Builds the documentation site into dist/site. */
export function buildSite(): ReturnType<typeof run> {
  return run(
    "npm ci --prefix docs/site --no-audit --no-fund --ignore-scripts && node docs/site/build.js",
  );
}
