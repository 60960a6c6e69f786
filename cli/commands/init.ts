import { posix } from "node:path/posix";
import { availability } from "../system/availability.js";
import type { System } from "../system/system.js";
import { exitCodes } from "../system/exit-codes.js";
import { writeChanges } from "../output/write.js";
import { type AbsolutePath, pathFrom, resolvePath } from "../system/paths.js";
import { createAgentsFile } from "./init-agents.js";
import {
  findScaffold,
  type InitialFile,
  readScaffold,
  type TemplateName,
} from "./init-files.js";

/** Flags of `ridl init`. */
export interface InitFlags {
  /** The name of one of ridlkit's templates, a folder, or a package. */
  readonly template?: string;
}

/**
 * `ridl init`: writes the files of a template: a contract, its configuration,
 * its handlers, a server, a client and AGENTS.md. In a project with Next.js, the template
 * is `next`, otherwise `node`. Writes nothing if one of these files already
 * exists. Files that set up a project are left unchanged. Returns the exit code.
 */
export async function init(
  [folder = "."]: readonly string[],
  { template }: InitFlags,
  system: System,
): Promise<number> {
  const root = resolvePath(system.workingFolder, folder);
  const shown = pathFrom(system.workingFolder, root);
  const existing = system.readText(resolvePath(root, "package.json"));
  const usual = usesNext(existing) ? "next" : "node";
  const scaffold = findScaffold(template ?? usual, system);
  const all = readScaffold(scaffold.folder, packageName(root), system);
  const isFitted = scaffold.name === "next" && usual === "next";
  const fitted = isFitted ? fitNext(all, root, system) : all;
  const { name, run } = findPackageManager(system);
  const known = fitted.filter(
    ({ path }) => path !== "package.json" || existing === null,
  );
  const files = [...fitted, ...createAgentsFile(known, name, run)];
  const taken = files.filter(({ path }) => !setup.has(path) && exists(path));
  if (taken.length > 0) {
    const names = taken.map(({ path }) => `\`${path}\``).join(", ");
    system.stderr.write(
      `error: ${shown === "." ? "this folder" : shown} already contains ${names}\n  = help: choose an empty folder: \`ridl init my-api\`\n`,
    );
    return exitCodes.failure;
  }
  const written = files.filter(({ path }) => !exists(path));
  writeChanges(
    written.map((file) => ({ ...file, kind: "create", current: null })),
    root,
    system,
  );
  const steps =
    scaffold.name === null
      ? otherSteps(files, existing, system)
      : firstSteps[scaffold.name](existing, system);
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
  "AGENTS.md",
]);

/**
 * Fits the files of the template `next` into a project with Next.js. The project
 * has pages and settings. Its folder for pages can be in `src`, or missing if it
 * uses the Pages Router.
 */
function fitNext(
  files: readonly InitialFile[],
  root: AbsolutePath,
  system: System,
): readonly InitialFile[] {
  const has = (path: string): boolean =>
    system.listFolder(resolvePath(root, path)) !== null;
  const isBelow = !has("app") && (has("src/app") || has("src/pages"));
  const app = isBelow ? "src/app" : "app";
  const known = ["app/page.tsx", "tsconfig.json"];
  if (has(app)) known.push("app/layout.tsx");
  return files
    .filter(({ path }) => !known.includes(path))
    .map(({ path, text }) => ({
      path: path.replace(/^app(?=\/)/u, app),
      text:
        path === "ridl.config.yaml"
          ? text.replace("out: app/", `out: ${app}/`)
          : text,
    }));
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

/** Whether a package.json lists Next.js. */
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

/** Lists what to do next in a project with a template of ridlkit. */
const firstSteps: Readonly<
  Record<TemplateName, (existing: string | null, system: System) => string[]>
> = {
  next: (existing, system) => {
    const manager = findPackageManager(system);
    const { add, name, run } = manager;
    const lacksNext = existing !== null && !usesNext(existing);
    const start = lacksNext ? `${run} next dev` : `${name} run dev`;
    return [
      ...(lacksNext
        ? [`${add} next react react-dom`, `${add} -D @types/react`]
        : []),
      ...installSteps(manager, existing, system.version),
      ...(existing === null ? [] : [`${run} ridlkit generate`]),
      `${start}   # then open http://localhost:3000/greet`,
    ];
  },
  node: (existing, system) => {
    const manager = findPackageManager(system);
    const { name, run, node } = manager;
    return [
      ...installSteps(manager, existing, system.version),
      ...(existing === null
        ? [`${name} run dev              # generates code and runs the server`]
        : [
            `${run} ridlkit generate      # writes generated/`,
            `${run} tsc && ${node} dist/server.js`,
          ]),
      `${node} dist/client.js Ada   # in a second terminal`,
    ];
  },
};

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
    `${manager.run} ridlkit generate`,
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
    "Editor support: node_modules/ridlkit/docs/editors.md",
    ...(availability === "" ? [] : availability.split(/(?<=\.) /u)),
    "",
  ].join("\n");
}
