#!/usr/bin/env node
import module from "node:module";

// From Node 22 on, compiled code is kept from one run to the next.
module.enableCompileCache?.();

/**
 * A run is over before most of what V8 would optimise has paid for that.
 * Loading `node:v8` takes a while itself, so this waits for real work.
 */
async function beforeWork() {
  const { setFlagsFromString } = await import("node:v8");
  setFlagsFromString("--interrupt-budget=1000000");
}

async function run(args) {
  if (args.join(" ") === "generate") {
    const { generateQuickly } = await import("../dist/cli/quick.js");
    if (generateQuickly()) return 0;
  }
  const { createNodeHost } = await import("../dist/cli/host.js");
  const { main } = await import("../dist/cli/main.js");
  return main(args, createNodeHost({ beforeWork }));
}

process.exitCode = await run(process.argv.slice(2));
