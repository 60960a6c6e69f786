import { join, resolve } from "node:path";
import type { OutputFile } from "../../4-emit/emitter/emitter.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { System } from "../system/system.js";
import { findChanges, type FileChange } from "../output/changes.js";
import { printChanges } from "../output/summary.js";
import { createManifestFile, readManifest } from "../output/up-to-date.js";
import { writeChanges } from "../output/write.js";
import { pathFrom } from "../system/paths.js";
import { openProject, type ProjectFlags } from "../project/project.js";
import { createRecordingReader } from "../project/recording-reader.js";
import { rebaseDiagnostics } from "../report/rebase.js";
import { hasErrors, report, type Format } from "../report/report.js";
import { say } from "../report/say.js";
import { UsageError } from "../system/usage-error.js";

/** Flags of `ridl package`. */
export interface PackageFlags extends ProjectFlags {
  readonly out: string;
  readonly name?: string;
  readonly version?: string;
  readonly force?: boolean;
  readonly format: Format;
}

/**
 * `ridl package`: writes the npm package of the contract's client, ready for
 * `npm publish`. Output: the exit code.
 * Errors: a {@link UsageError} for a name or version that npm does not take.
 */
export async function packageClient(
  patterns: readonly string[],
  flags: PackageFlags,
  system: System,
): Promise<number> {
  const opened = await openProject(patterns, flags, system);
  const project = opened.value;
  if (project === null || hasErrors(opened.diagnostics)) {
    report(opened.diagnostics, flags.format, system);
    return 1;
  }
  // Loaded on demand: other commands need none of it.
  const [details, { packageFiles }] = await Promise.all([
    import("../../package/details.js"),
    import("../project/package-pipeline.js"),
  ]);
  checkFlags(flags, details);
  const out = resolve(project.root, project.config.out);
  const documents = createRecordingReader(project, system);
  const { value, diagnostics } = packageFiles(
    project,
    documents,
    (contract) => ({
      name: flags.name ?? details.defaultPackageName(contract),
      version: flags.version ?? details.defaultPackageVersion(contract),
      runtimeVersion: system.version,
      kept: readPackageJson(out, system),
    }),
  );
  const { root } = project;
  const found = rebaseDiagnostics(diagnostics, root, system.workingFolder);
  if (value === null) {
    report(found, flags.format, system);
    return 1;
  }
  const { files } = value;
  const stubs = value.stubs.filter(
    ({ path }) => system.readText(join(out, path)) === null,
  );
  const all = { files, kept: new Map<string, string>(), parts: null };
  const manifest = createManifestFile(all, project, documents, system);
  return carryOut([...files, ...stubs, manifest], found, out, flags, system);
}

function checkFlags(
  { name, version }: PackageFlags,
  details: typeof import("../../package/details.js"),
): void {
  if (name !== undefined && !details.isPackageName(name)) {
    throw new UsageError(
      `npm takes no package of the name \`${name}\``,
      "names are in small letters, e.g. `--name @scope/api-client`",
    );
  }
  if (version !== undefined && !details.isPackageVersion(version)) {
    throw new UsageError(
      `npm takes no package of the version \`${version}\``,
      "versions have three numbers, e.g. `--version 1.2.0`",
    );
  }
}

/** What people have added to package.json stays there. */
function readPackageJson(
  out: string,
  system: System,
): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(system.readText(join(out, "package.json")) ?? ""));
  } catch {
    return {};
  }
}

function carryOut(
  files: readonly OutputFile[],
  found: readonly Diagnostic[],
  out: string,
  { force, format }: PackageFlags,
  system: System,
): number {
  const show = (path: string): string =>
    pathFrom(system.workingFolder, join(out, path));
  const output = findChanges(
    files,
    out,
    readManifest(out, system),
    { isForced: force === true, show },
    system,
  );
  const diagnostics = [...found, ...output.diagnostics];
  report(diagnostics, format, system);
  if (hasErrors(diagnostics)) return 1;
  writeChanges(output.changes, out, system);
  const shown = output.changes.map((change): FileChange => ({
    ...change,
    path: show(change.path),
  }));
  say(printChanges(shown, system, system.stdout.isTerminal), format, system);
  return 0;
}
