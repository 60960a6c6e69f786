// Records the peak memory of a Node process at exit. Every Node process that
// `runProcess` starts loads this file.
const { writeFileSync } = require("node:fs");
const { join } = require("node:path");

process.on("exit", () => {
  const folder = process.env.BENCH_PROBE;
  if (folder === undefined) return;
  const { maxRSS } = process.resourceUsage();
  writeFileSync(join(folder, `${process.pid}`), `${maxRSS}`);
});
