// Loaded into every measured Node process: records its peak memory at exit.
const { writeFileSync } = require("node:fs");
const { join } = require("node:path");

process.on("exit", () => {
  const folder = process.env.BENCH_PROBE;
  if (folder === undefined) return;
  const { maxRSS } = process.resourceUsage();
  writeFileSync(join(folder, `${process.pid}`), `${maxRSS}`);
});
