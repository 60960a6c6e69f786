import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../harness/statistics.js";
import { ridl } from "./tools.js";
import { createWorkspace } from "./workspace.js";

/**
 * Measures how long `--watch` takes from saving a document until the changed
 * output can be read. Returns the size, and the milliseconds of each round.
 */
export async function measureWatch(size, rounds, goals, say) {
  const { folder } = createWorkspace(size, "watch");
  const [program, ...args] = ridl("generate", "--watch");
  const child = spawn(program, args, { cwd: folder, stdio: "inherit" });
  try {
    const output = join(folder, "ridlkit/service0/types.ts");
    const schema = join(folder, "schema/service0.ridl");
    await until(() => readOr(output) !== "");
    await sleep(1_500);
    const samples = [];
    for (let round = 0; round <= rounds; round++) {
      const text = `Edited in round ${round}.`;
      const old = readFileSync(schema, "utf8");
      const document = old.replace(/# .+\nstruct/u, `# ${text}\nstruct`);
      if (document === old) throw new Error("there is no comment to edit");
      const start = performance.now();
      writeFileSync(schema, document);
      await until(() => readOr(output).includes(text));
      if (round > 0) samples.push(performance.now() - start);
      await sleep(500);
    }
    const wall = median(samples);
    say(`watch at ${size}: ${wall.toFixed(0)} ms`);
    goals.atMost(`--watch at ${size} methods, save to disk`, wall, 150, " ms");
    return { size, samples };
  } finally {
    child.kill("SIGINT");
  }
}

async function until(isDone) {
  const end = performance.now() + 60_000;
  while (!isDone()) {
    if (performance.now() > end) throw new Error("--watch wrote nothing");
    await sleep(2);
  }
}

function readOr(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
