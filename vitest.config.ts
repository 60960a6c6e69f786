import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vitest/config";
import {
  BaseSequencer,
  type TestModule,
  type TestSpecification,
} from "vitest/node";
import { isLong } from "./test/support/draw-some.js";
import { drawnFiles } from "./scripts/test-long/drawn-files.js";
import { embedTemplates } from "./scripts/embed-templates.js";
import { memoryFolder } from "./test/support/memory-folder.js";
import { runtimeEntries } from "./test/support/runtime-entries.js";

const here = (path: string): string =>
  fileURLToPath(new URL(path, import.meta.url));

/**
 * Files that need a process of their own: one measures the memory of the whole
 * process, and two replace modules that other files load.
 */
const isolated = [
  "test/golden/structures.test.ts",
  "test/behavior/typescript/stream-memory.test.ts",
  "platform/test/outbound/guard.test.ts",
];

/** Installed packages, whose tests are not ours. */
const packages = "**/node_modules/**";

/** The half of `npm run test:long` that comes next, if it does. */
const next = process.env["RIDLKIT_BEFORE_LONG"];
const isBeforeLong = next !== undefined;

/** Files that `npm run test:long` runs next, with more cases. */
const repeated = isBeforeLong && next !== "parts" ? drawnFiles() : [];

/** The files that take the longest. Most of them are small. */
const longest = [
  "test/architecture/sources.test.ts",
  "test/compile/compile.test.ts",
  "test/compile/hostile.test.ts",
  "test/behavior/hosts/life-cycle.hosts.ts",
  "platform/test/marketplace/marketplace.slow.ts",
  "platform/test/end-to-end/platform.test.ts",
  "platform/test/follower/follower.slow.ts",
  "platform/test/relaying/model.long.ts",
  "platform/test/relaying/stuck.slow.ts",
].map(here);

/**
 * Starts the longest files of a project first, so that none of them runs alone
 * at the end. Without the times of an earlier run, Vitest orders files by size.
 */
class LongestFirst extends BaseSequencer {
  override async sort(
    files: TestSpecification[],
  ): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLongest = ({ moduleId }: TestSpecification): boolean =>
      longest.includes(moduleId);
    const projects = new Set(sorted.map(({ project }) => project));
    return [...projects].flatMap((project) => {
      const own = sorted.filter((each) => each.project === project);
      return [
        ...own.filter(isLongest),
        ...own.filter((each) => !isLongest(each)),
      ];
    });
  }
}

/** Names what failed once more, so that it is at the end of a log. */
const failures = {
  onTestRunEnd: (modules: readonly TestModule[]): void => {
    for (const module of modules) {
      const failed = [...module.children.allTests("failed")].map(
        (test) => [test.fullName, test.result().errors?.[0]] as const,
      );
      const [own] = module.errors();
      if (own !== undefined) failed.push(["the file", own]);
      for (const [name, error] of failed) {
        const message = error?.message.slice(0, 300) ?? "";
        console.log(`FAILED ${module.relativeModuleId} > ${name}: ${message}`);
      }
    }
  },
};

/**
 * Tests of the command line that also run with Windows paths. Those of every day
 * are about drives, folders and links.
 */
const windowsFiles = isLong
  ? ["test/cli/*.{test,slow}.ts"]
  : ["file-access", "glob", "windows-paths"].map(
      (name) => `test/cli/${name}.test.ts`,
    );

/** They only start the built command line, whose paths are those of the system. */
const built = ["bin", "endless-modules", "left-processes", "not-built"].map(
  (name) => `test/cli/${name}.test.ts`,
);

/**
 * Long tests that measure times or memory, or restart a platform again and again,
 * so they run one after another.
 */
const timed = [
  ...[
    "chain/silent-chain",
    "crash/crash",
    "crash/walls",
    "database/fail-over",
    "database/large-tables",
    "database/silent",
    "indexer/many-listeners",
    "instances/failing-instances",
    "instances/hostile-tenants",
    "instances/tenants",
    "queue/fair-lanes",
    "start/npm-start",
    "upgrade/rotation",
    "upgrade/upgrade",
  ].map((name) => `platform/test/${name}.long.ts`),
  "test/behavior/hosts/unread.long.ts",
  "test/behavior/typescript/many-subscribers.long.ts",
  "test/behavior/typescript/slow-connections.long.ts",
  "test/platform/messages.long.ts",
  "test/tools/endless-server.long.ts",
];

/** Long tests of the platform that measure no times, and kill nothing. */
const untimed = [
  "admin/walk",
  "api/uniswap",
  "api/uniswap-v3",
  "chain/artifacts",
  "chain/seaport-abi",
  "database/backup",
  "indexer/reorganizations",
  "marketplace/fresh-start",
  "marketplace/random-offers",
  "relaying/lying-nodes",
  "relaying/lying-wire",
  "relaying/model",
  "relaying/reorganizations",
  "relaying/thefts",
].map((name) => `platform/test/${name}.long.ts`);

/** Long tests with contracts that others published. Their npm packages may be missing. */
const withContracts = [
  "api/uniswap",
  "api/uniswap-v3",
  "chain/artifacts",
  "chain/seaport-abi",
].map((name) => `platform/test/${name}.long.ts`);

const hasContracts = process.env["RIDLKIT_NO_CONTRACTS"] === undefined;

/** One more than cores, because tests of time limits wait. */
const coresAndOne = availableParallelism() + 1;

/** The platform's tests mostly wait, for a database, a chain or programs. */
const coresAndTwo = availableParallelism() + 2;

/**
 * Files that take seconds of CPU time each. `npm test` leaves these projects out,
 * and `npm run test:long` runs them.
 */
const slowProjects = [
  {
    extends: true as const,
    test: {
      name: "slow",
      include: ["test/**/*.slow.ts"],
      isolate: false,
      maxWorkers: coresAndOne,
      sequence: { groupOrder: 0 },
    },
  },
  {
    extends: true as const,
    test: {
      name: "slow-platform",
      include: ["platform/test/**/*.slow.ts"],
      globalSetup: ["platform/test/support/global-setup.ts"],
      isolate: false,
      maxWorkers: coresAndTwo,
      sequence: { groupOrder: 1 },
    },
  },
];

/** What takes too long for every day: only `npm run test:long` has it. */
const longProjects = isLong
  ? [
      {
        extends: true as const,
        test: {
          name: "long",
          include: ["test/**/*.long.ts", ...untimed],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          exclude: [packages, ...timed, ...(hasContracts ? [] : withContracts)],
          globalSetup: ["platform/test/support/global-setup.ts"],
          maxWorkers: coresAndOne,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true as const,
        test: {
          name: "killed",
          include: ["platform/test/**/*.long.ts"],
          exclude: [packages, ...timed, ...untimed],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          globalSetup: ["platform/test/support/global-setup.ts"],
          // They mostly wait, for programs that start again.
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true as const,
        test: {
          name: "timed",
          include: timed,
          testTimeout: 600_000,
          hookTimeout: 600_000,
          globalSetup: ["platform/test/support/global-setup.ts"],
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ]
  : [];

/** Tests run the sources, not the build. */
const resolve = {
  alias: [
    ...Object.entries(runtimeEntries).map(([find, replacement]) => ({
      find,
      replacement,
    })),
    { find: /^ridlkit$/, replacement: here("./cli/index.ts") },
  ],
};

/**
 * What other programs, hosts and languages need. `npm run test:long` starts each
 * of these projects by itself, once they are installed (`scripts/test-long/`).
 */
const parts = {
  browser: {
    include: ["test/browser/*.browser.ts"],
    globalSetup: ["platform/test/support/global-setup.ts"],
    maxWorkers: 2,
  },
  frameworks: { include: ["test/frameworks/*.frameworks.ts"], maxWorkers: 1 },
  hosts: {
    include: ["test/behavior/hosts/*.hosts.ts"],
    maxWorkers: 2,
    // Most cases of the life cycle wait for longer than they work.
    maxConcurrency: 12,
  },
  // Both files at once, because they mostly wait.
  install: { include: ["test/install/*.install.ts"], maxWorkers: 2 },
  languages: { include: ["test/behavior/**/*.languages.ts"], maxWorkers: 1 },
};

const part = Object.entries(parts)
  .filter(([name]) => name === process.env["RIDLKIT_PART"])
  .map(([name, own]) => ({
    resolve,
    test: {
      ...{ name, testTimeout: 600_000, hookTimeout: 600_000 },
      // Other tests run at the same time.
      expect: { poll: { timeout: 30_000 } },
      ...own,
    },
  }));

// Most tests end before optimized code pays off: optimizing it would take a sixth
// of their CPU time. V8 12, which is part of Node 22, does not have this flag.
const isEarlier = Number.parseInt(process.versions.v8, 10) < 12;
const execArgv = isEarlier && !isLong ? ["--interrupt-budget=1000000"] : [];

// Thousands of files, most of them databases, are made and removed again. Long
// tests measure databases, which belong on a disk.
const folder = isLong ? null : memoryFolder();
if (folder !== null) process.env["TMPDIR"] ??= folder;

// Tests run the templates as they are now.
embedTemplates();

const pathsModule = here("./cli/system/paths.ts");

/** Lets the command line compute with Windows paths on every platform. */
const windowsPaths = {
  name: "windows-paths",
  enforce: "pre" as const,
  // Its project reuses all other modules of other projects (`distinctPaths`).
  api: { vitest: { experimental: { ignoreFsModuleCache: true } } },
  transform: (code: string, id: string) =>
    id === pathsModule
      ? code.replace('"node:path"', '"node:path/win32"')
      : null,
};

/** Keeps the module that differs between projects out of their common cache. */
const distinctPaths: Plugin = {
  name: "distinct-paths",
  configureVitest: (context) =>
    context.experimental_defineCacheKeyGenerator(({ id }) =>
      id === pathsModule ? false : undefined,
    ),
};

/** The same cases in every run; `ridl test` draws its own. */
const fixedSeed = {
  name: "fixed-seed",
  enforce: "pre" as const,
  resolveId: (source: string, importer = "") =>
    source === "fast-check" &&
    !["cli", "generator", "tools"].some((room) =>
      importer.startsWith(here(`./${room}/`)),
    )
      ? here("./test/support/fast-check.ts")
      : null,
};

// Files of a project share processes, which saves them the start of one and the
// loading of what they all use. A process never changes projects, so one project
// comes after the other.
const projects = [
  {
    extends: true as const,
    test: {
      name: "isolated",
      include: isolated,
      exclude: repeated,
      maxWorkers: coresAndOne,
      sequence: { groupOrder: 0 },
    },
  },
  {
    extends: true as const,
    test: {
      name: "ridlkit",
      include: ["test/**/*.test.ts"],
      exclude: [packages, ...isolated, ...repeated],
      isolate: false,
      maxWorkers: coresAndOne,
      sequence: { groupOrder: 0 },
    },
  },
  {
    extends: true as const,
    plugins: [windowsPaths],
    test: {
      name: "windows",
      // `npm run test:long` runs all of them next.
      include: isBeforeLong ? [] : windowsFiles,
      exclude: [...repeated, ...built],
      isolate: false,
      maxWorkers: coresAndOne,
      sequence: { groupOrder: 0 },
    },
  },
  {
    extends: true as const,
    test: {
      name: "platform",
      include: ["platform/test/**/*.test.ts"],
      exclude: isolated,
      globalSetup: ["platform/test/support/global-setup.ts"],
      isolate: false,
      maxWorkers: coresAndTwo,
      sequence: { groupOrder: 1 },
    },
  },
  ...(isBeforeLong ? [] : slowProjects),
  ...longProjects,
];

export default defineConfig({
  plugins: [fixedSeed, distinctPaths],
  resolve,
  test: {
    execArgv,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A machine that has other work may stand still for seconds.
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: "100%",
    // Later runs, and later projects of `test:long`, reuse transformed modules
    // whose text and settings are the same.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    reporters: ["default", failures],
    projects: part.length > 0 ? part : projects,
  },
});
