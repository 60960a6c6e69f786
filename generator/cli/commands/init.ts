import { posix } from "node:path/posix";
import type { System } from "../system/system.js";
import { exitCodes } from "../system/exit-codes.js";
import { writeChanges } from "../output/write.js";
import { pathFrom, resolvePath } from "../system/paths.js";
import { firstProject, firstSetup } from "./init-files.js";

/**
 * `ridl init`: writes a contract, its configuration, its handlers, a server and
 * a client. Writes nothing if one of these files already exists. An existing
 * package.json, tsconfig.json or .gitignore is left unchanged, and a project
 * with Next.js gets no tsconfig.json. Returns the exit code.
 */
export async function init(
  folder: string,
  _flags: object,
  system: System,
): Promise<number> {
  const root = resolvePath(system.workingFolder, folder);
  const shown = pathFrom(system.workingFolder, root);
  const files = firstProject();
  const taken = files.filter(({ path }) => exists(path));
  if (taken.length > 0) {
    const names = taken.map(({ path }) => `\`${path}\``).join(", ");
    system.stderr.write(
      `error: ${shown === "." ? "this folder" : shown} already contains ${names}\n  = help: choose an empty folder: \`ridl init my-api\`\n`,
    );
    return exitCodes.failure;
  }
  const existing = system.readText(resolvePath(root, "package.json"));
  const setup = firstSetup(packageName(root), system.version).filter(
    ({ path }) => !(path === "tsconfig.json" && usesNext(existing)),
  );
  const written = [...files, ...setup.filter(({ path }) => !exists(path))];
  writeChanges(
    written.map((file) => ({ ...file, kind: "create", current: null })),
    root,
    system,
  );
  system.stdout.write(describe(written, shown, existing, system));
  return exitCodes.success;

  function exists(path: string): boolean {
    return system.readText(resolvePath(root, path)) !== null;
  }
}

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

function describe(
  written: readonly { readonly path: string }[],
  shown: string,
  existing: string | null,
  system: System,
): string {
  const manager = findPackageManager(system);
  const { run, node } = manager;
  const steps = [
    ...(shown === "." ? [] : [`cd ${shown}`]),
    ...installSteps(manager, existing, system.version),
    ...(usesNext(existing)
      ? [
          "# then follow the Next.js section of node_modules/ridlkit/docs/frameworks.md",
        ]
      : [
          `${run} ridl generate           # writes generated/`,
          `${run} tsc && ${node} dist/server.js`,
          `${node} dist/client.js Ada     # in a second terminal`,
        ]),
  ];
  return [
    ...written.map(({ path }) => `create ${posix.join(shown, path)}`),
    "",
    "Next:",
    ...steps.map((step) => `  ${step}`),
    "",
  ].join("\n");
}
