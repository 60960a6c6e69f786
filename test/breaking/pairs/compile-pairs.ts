import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runTsc } from "../../support/run-tsc.js";
import { runtimePaths } from "../../support/runtime-entries.js";
import { emitVersion, type Version } from "./build-version.js";
import {
  buildPair,
  drawPair,
  findVersionChanges,
  levelFor,
  type Pair,
  printPair,
  type Tally,
} from "./try-pairs.js";
import { shared } from "./sketch.js";
import { writeUserCode } from "./user-code.js";

/** The compiler's errors in code that was written for the old version. */
interface Compiled {
  readonly pair: Pair;
  /**
   * Errors when the code is compiled with the old version's generated code. If
   * there are any, the test itself is wrong.
   */
  readonly before: readonly string[];
  readonly client: readonly string[];
  readonly server: readonly string[];
}

/**
 * Compiles the old user code of several pairs with old and new generated code
 * in one run, and compares the errors with the verdicts.
 */
export function tallyCode(seeds: readonly number[]): Tally {
  const pairs = seeds
    .map(drawPair)
    .filter((pair) => pair !== null)
    // A second host moves the files of the first one into a folder.
    .filter(
      ({ before, after }) => hasManyHosts(before) === hasManyHosts(after),
    );
  const silent: string[] = [];
  const alarms: string[] = [];
  let brokenCount = 0;
  for (const { pair, before, client, server } of compilePairs(pairs)) {
    if (before.length > 0) throw new Error(before.join("\n"));
    const versions = buildPair(pair);
    const changes = findVersionChanges(versions);
    const faults = [...client, ...server];
    if (faults.length > 0) brokenCount += 1;
    const report = (): string => printPair(pair, faults, changes);
    const said = {
      client: levelFor("client-source", changes),
      server: levelFor("server-source", changes),
    };
    if (
      (client.length > 0 && said.client === undefined) ||
      (server.length > 0 && said.server === undefined)
    ) {
      silent.push(report());
    } else if (
      (client.length === 0 && said.client === "error") ||
      (server.length === 0 && said.server === "error")
    ) {
      alarms.push(report());
    }
  }
  return { pairCount: pairs.length, brokenCount, silent, alarms };
}

function hasManyHosts({ documents }: Pair["before"]): boolean {
  return Object.hasOwn(documents, shared);
}

function compilePairs(pairs: readonly Pair[]): readonly Compiled[] {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-pairs-"));
  try {
    for (const pair of pairs) writePair(folder, pair);
    const faults = compile(folder);
    return pairs.map((pair) => {
      const of = (path: string): readonly string[] =>
        faults.filter((line) => line.startsWith(`${pair.seed}/${path}`));
      return {
        pair,
        before: of("before/"),
        client: of("after/client.ts"),
        server: of("after/server.ts"),
      };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writePair(folder: string, pair: Pair): void {
  const { before, after } = buildPair(pair);
  const code = writeUserCode(before);
  const write = (version: Version, name: string): void => {
    const place = join(folder, String(pair.seed), name);
    for (const { path, text } of emitVersion(version, "typescript")) {
      const target = join(place, "generated", path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
    writeFileSync(join(place, "client.ts"), code.client);
    writeFileSync(join(place, "server.ts"), code.server);
  };
  write(before, "before");
  write(after, "after");
}

/**
 * Returns the compiler's output, such as `7/after/client.ts(3,4): error TS2322:
 * …`, by line.
 */
function compile(folder: string): readonly string[] {
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        target: "es2022",
        lib: ["es2022", "dom", "dom.iterable", "dom.asynciterable"],
        types: [],
        module: "nodenext",
        moduleResolution: "nodenext",
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: true,
        noEmit: true,
        paths: runtimePaths(),
      },
      include: ["*/*/*.ts"],
    }),
  );
  return runTsc(join(folder, "tsconfig.json")).stdout.split("\n");
}
