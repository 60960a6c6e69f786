#!/usr/bin/env node
import module from "node:module";
import v8 from "node:v8";

// From Node 22 on, compiled code is kept from one run to the next.
module.enableCompileCache?.();
// A run is over before most of what V8 would optimise has paid for that.
v8.setFlagsFromString("--interrupt-budget=1000000");

const { createNodeHost } = await import("../dist/cli/host.js");
const { main } = await import("../dist/cli/main.js");

process.exitCode = await main(process.argv.slice(2), createNodeHost());
