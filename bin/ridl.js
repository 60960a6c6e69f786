#!/usr/bin/env node
import module from "node:module";

// From Node 22 on, compiled code is kept from one run to the next.
module.enableCompileCache?.();

const { createNodeHost } = await import("../dist/cli/host.js");
const { main } = await import("../dist/cli/main.js");

/**
 * A run is over before most of what V8 would optimise has paid for that.
 * Loading `node:v8` takes a while itself, so this waits for real work.
 */
async function beforeWork() {
  const { setFlagsFromString } = await import("node:v8");
  setFlagsFromString("--interrupt-budget=1000000");
}

const host = createNodeHost({ beforeWork });
process.exitCode = await main(process.argv.slice(2), host);
