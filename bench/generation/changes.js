import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { runProcess } from "../harness/run-process.js";
import { runRounds } from "../harness/rounds.js";
import { median } from "../harness/statistics.js";
import { editContract } from "./contract/model.js";
import { ridl } from "./tools.js";
import { createWorkspace, writeSchema } from "./workspace.js";

/**
 * Measures a run without changes (at each size), and a run after an edit to one
 * struct (at one size). Returns the samples, and the files that the last run
 * after an edit wrote.
 */
export function measureChanges(sizes, editedSize, rounds, goals, say) {
  const unchanged = sizes.map((size) => {
    const { folder } = createWorkspace(size, "unchanged");
    runProcess(ridl("generate"), folder);
    const before = timesOf(folder);
    const [{ samples }] = runRounds(
      [
        {
          name: "unchanged",
          measure: () => runProcess(ridl("generate"), folder),
        },
      ],
      rounds,
    );
    const touched = written(before, timesOf(folder));
    const cpu = median(samples.map((each) => each.cpu));
    say(`nothing changed at ${size}: ${cpu.toFixed(3)} s`);
    const name = `nothing changed at ${size} methods`;
    goals.atMost(`CPU, ${name}`, cpu, size > 1_000 ? 0.25 : 0.1, " s");
    goals.atMost(`files touched, ${name}`, touched.length, 0);
    return { size, samples };
  });
  return { unchanged, edited: measureEdit(editedSize, rounds, goals, say) };
}

function measureEdit(size, rounds, goals, say) {
  const { folder, contract } = createWorkspace(size, "edited");
  const versions = [editContract(contract), contract];
  runProcess(ridl("generate"), folder);
  let run = 0;
  let touched = [];
  const measure = () => {
    writeSchema(folder, versions[run++ % 2]);
    const before = timesOf(folder);
    const sample = runProcess(ridl("generate"), folder);
    touched = written(before, timesOf(folder));
    if (!touched.includes("service0/types.ts")) {
      throw new Error("the edit of a struct changed no output");
    }
    return sample;
  };
  const [{ samples }] = runRounds([{ name: "edited", measure }], rounds);
  const cpu = median(samples.map((each) => each.cpu));
  say(`one struct changed at ${size}: ${cpu.toFixed(3)} s`);
  const name = `one struct changed at ${size} methods`;
  goals.atMost(`CPU, ${name}`, cpu, 0.4, " s");
  const others = touched.filter(
    (path) => !path.startsWith("service0/") && !path.startsWith("."),
  );
  goals.atMost(`files of other services rewritten, ${name}`, others.length, 0);
  return { size, samples, touched };
}

/** Returns the modification time of each file below `ridlkit/`. */
function timesOf(folder) {
  const out = join(folder, "ridlkit");
  return new Map(
    readdirSync(out, { recursive: true })
      .filter((path) => statSync(join(out, path)).isFile())
      .map((path) => [path, statSync(join(out, path)).mtimeMs]),
  );
}

function written(before, after) {
  return [...after.keys()].filter(
    (path) => before.get(path) !== after.get(path),
  );
}
