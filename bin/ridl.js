#!/usr/bin/env node
// CommonJS: loading Node's support for ES modules would take a twentieth of the
// time of a run that changes nothing.
"use strict";
const { enableCompileCache } = require("node:module");

// From Node 22 on, runs reuse the code that earlier runs compiled.
enableCompileCache?.();

/**
 * Makes V8 optimize less code. Most runs end before optimized code pays off, and
 * a language server rarely repeats the same work often enough. Called only
 * before real work, because loading `node:v8` takes time, too.
 */
function beforeWork() {
  // V8 12, which is part of Node 22, prints a warning, because it does not have
  // this flag.
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
    // An editor ends the server whenever it wants.
    isDone = true;
    return serve();
  }
  const { createNodeSystem } = await import("../dist/cli/node-system.js");
  const { main } = await import("../dist/cli/main.js");
  return main(args, createNodeSystem({ beforeWork }));
}

// Node ends a run whose `await` never ends, and an emitter or a router can call
// `process.exit`. Without these lines, such a run would exit with 0.
const unfinished = 13;
let isDone = false;
process.exitCode = unfinished;
process.once("exit", (code) => {
  if (isDone || (code !== unfinished && code !== 0)) return;
  console.error(
    code === 0
      ? "error: code of the project ended the process"
      : "error: code of the project waits for a promise that never settles",
  );
  process.exitCode = 1;
});

function endAfterOutput() {
  process.stdout.write("", () =>
    process.stderr.write("", () => process.exit()),
  );
}

run(process.argv.slice(2)).then(
  (code) => {
    isDone = true;
    process.exitCode = code;
    // A router can have opened connections, and a failed emitter can still wait,
    // which would keep the process alive.
    if (process.argv[2] === "import" || code !== 0) endAfterOutput();
  },
  (error) => {
    isDone = true;
    const { existsSync } = require("node:fs");
    if (existsSync(`${__dirname}/../dist/cli/main.js`)) throw error;
    console.error("error: ridlkit is not built; run `npm run build` first");
    process.exitCode = 1;
  },
);
