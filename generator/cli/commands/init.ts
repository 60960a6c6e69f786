import { posix } from "node:path/posix";
import type { System } from "../system/system.js";
import { exitCodes } from "../system/exit-codes.js";
import { writeChanges } from "../output/write.js";
import { pathFrom, resolvePath } from "../system/paths.js";
import { findScaffold, type InitialFile, readScaffold } from "./init-files.js";

/** Flags of `ridl init`. */
export interface InitFlags {
  /** A folder or an installed package with other files. */
  readonly template?: string;
}

/**
 * `ridl init`: writes the files of `templates/init`, or of another template: a
 * contract, its configuration, its handlers, a server and a client. Writes
 * nothing if one of these files already exists. An existing package.json,
 * tsconfig.json or .gitignore is left unchanged, and a project with Next.js
 * gets no tsconfig.json. Returns the exit code.
 */
export async function init(
  folder: string,
  { template }: InitFlags,
  system: System,
): Promise<number> {
  const root = resolvePath(system.workingFolder, folder);
  const shown = pathFrom(system.workingFolder, root);
  const scaffold = findScaffold(template, system);
  const files = readScaffold(scaffold, packageName(root), system);
  const taken = files.filter(({ path }) => !setup.has(path) && exists(path));
  if (taken.length > 0) {
    const names = taken.map(({ path }) => `\`${path}\``).join(", ");
    system.stderr.write(
      `error: ${shown === "." ? "this folder" : shown} already contains ${names}\n  = help: choose an empty folder: \`ridl init my-api\`\n`,
    );
    return exitCodes.failure;
  }
  const existing = system.readText(resolvePath(root, "package.json"));
  const written = files.filter(
    ({ path }) =>
      !exists(path) && !(path === "tsconfig.json" && usesNext(existing)),
  );
  writeChanges(
    written.map((file) => ({ ...file, kind: "create", current: null })),
    root,
    system,
  );
  const steps =
    template === undefined
      ? firstSteps(existing, system)
      : otherSteps(files, existing, system);
  system.stdout.write(describe(written, shown, steps));
  return exitCodes.success;

  function exists(path: string): boolean {
    return system.readText(resolvePath(root, path)) !== null;
  }
}

/** Files that describe the setup of a project, which can already exist. */
const setup: ReadonlySet<string> = new Set([
  "package.json",
  "tsconfig.json",
  ".gitignore",
]);

/** Turns a folder's name into a package name that npm accepts. */
function packageName(root: string): string {
  const name = posix
    .basename(root)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/gu, "-")
    .replaceAll(/^-+|-+$/gu, "");
  return name === "" ? "my-api" : name;
}

/** Whether a package.json lists Next.js, which creates a tsconfig.json. */
function usesNext(packageJson: string | null): boolean {
  return /"next"\s*:/u.test(packageJson ?? "");
}

/** The commands of a package manager that add packages and run programs. */
interface PackageManager {
  readonly name: string;
  readonly add: string;
  readonly run: string;
  readonly node: string;
}

const npm = { name: "npm", add: "npm install", run: "npx", node: "node" };

const packageManagers: readonly PackageManager[] = [
  npm,
  { name: "pnpm", add: "pnpm add", run: "pnpm", node: "node" },
  // Without node_modules, only `yarn node` finds packages.
  { name: "yarn", add: "yarn add", run: "yarn", node: "yarn node" },
  { name: "bun", add: "bun add", run: "bunx", node: "node" },
];

/** Finds the package manager that started this program. */
function findPackageManager({ environment }: System): PackageManager {
  const agent = environment["npm_config_user_agent"] ?? "";
  return (
    packageManagers.find(({ name }) => agent.startsWith(`${name}/`)) ?? npm
  );
}

/** Lists the commands that install packages, given a package.json or null. */
function installSteps(
  { name, add }: PackageManager,
  existing: string | null,
  version: string,
): string[] {
  if (existing === null) return [`${name} install`];
  const isModule =
    usesNext(existing) || /"type"\s*:\s*"module"/u.test(existing);
  return [
    `${add} @ridlkit/runtime@${version}`,
    `${add} -D ridlkit@${version} typescript @types/node`,
    ...(isModule
      ? []
      : ["npm pkg set type=module     # ridl writes ES modules"]),
  ];
}

/** Lists what to do next in a project with ridlkit's own files. */
function firstSteps(
  existing: string | null,
  system: System,
): readonly string[] {
  const manager = findPackageManager(system);
  const { name, run, node } = manager;
  const steps = usesNext(existing)
    ? [
        "# then follow the Next.js section of node_modules/ridlkit/docs/frameworks.md",
      ]
    : [
        ...(existing === null
          ? [
              `${name} run dev              # generates code and runs the server`,
            ]
          : [
              `${run} ridl generate         # writes generated/`,
              `${run} tsc && ${node} dist/server.js`,
            ]),
        `${node} dist/client.js Ada   # in a second terminal`,
      ];
  return [...installSteps(manager, existing, system.version), ...steps];
}

/** Lists what to do next in a project with the files of another template. */
function otherSteps(
  files: readonly InitialFile[],
  existing: string | null,
  system: System,
): readonly string[] {
  const manager = findPackageManager(system);
  const hasReadme = files.some(({ path }) => path === "README.md");
  return [
    ...installSteps(manager, existing, system.version),
    `${manager.run} ridl generate`,
    ...(hasReadme ? ["# then follow README.md"] : []),
  ];
}

function describe(
  written: readonly InitialFile[],
  shown: string,
  steps: readonly string[],
): string {
  const all = [...(shown === "." ? [] : [`cd ${shown}`]), ...steps];
  return [
    ...written.map(({ path }) => `create ${posix.join(shown, path)}`),
    "",
    "Next:",
    ...all.map((step) => `  ${step}`),
    "",
  ].join("\n");
}
