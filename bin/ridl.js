#!/usr/bin/env node
import module from "node:module";

// From Node 22 on, compiled code is kept from one run to the next.
module.enableCompileCache?.();

const { createNodeHost } = await import("../dist/cli/host.js");
const { main } = await import("../dist/cli/main.js");

process.exitCode = await main(process.argv.slice(2), createNodeHost());
