#!/usr/bin/env node
// CommonJS: what Node loads for ES modules takes a twentieth of a run that
// changes nothing.
"use strict";
const { enableCompileCache } = require("node:module");

// From Node 22 on, compiled code is kept from one run to the next.
enableCompileCache?.();

/**
 * Keeps V8 from optimizing much: a run is over before most of that pays off,
 * and a language server rarely repeats work often enough. Loading `node:v8`
 * takes a while itself, so this waits for real work.
 */
function beforeWork() {
  // V8 12, which Node 22 has, no longer knows the flag, and complains about it.
  if (Number.parseInt(process.versions.v8) >= 12) return;
  const { setFlagsFromString } = require("node:v8");
  setFlagsFromString("--interrupt-budget=1000000");
}

async function run(args) {
  const command = args.join(" ");
  if (command === "generate") {
    const { generateQuickly } = require("../dist/cli/quick.cjs");
    if (generateQuickly()) return 0;
  }
  // Some editors add the flag.
  if (command === "lsp" || command === "lsp --stdio") {
    beforeWork();
    const { serve } = require("../dist/cli/serve.cjs");
    return serve();
  }
  const { createNodeSystem } = await import("../dist/cli/node-system.js");
  const { main } = await import("../dist/cli/main.js");
  return main(args, createNodeSystem({ beforeWork }));
}

// As Node has it for an `await` that never ends; else such a run would be a success.
process.exitCode = 13;
run(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    const { existsSync } = require("node:fs");
    if (existsSync(`${__dirname}/../dist/cli/main.js`)) throw error;
    console.error("error: ridlkit is not built; run `npm run build` first");
    process.exitCode = 1;
  },
);
