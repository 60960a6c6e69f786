import { join, resolve } from "node:path";
import type { OutputFile } from "../../4-emit/emitter/emitter.js";
import { compileDocuments } from "../../compile-documents.js";
import { createPackage } from "../../package/create-package.js";
import {
  defaultPackageName,
  defaultPackageVersion,
  isPackageName,
  isPackageVersion,
} from "../../package/details.js";
import { carryOut } from "../output/carry-out.js";
import { createManifestFile, readManifest } from "../output/up-to-date.js";
import { loadEntries } from "../project/entries.js";
import type { Project, ProjectFlags } from "../project/project.js";
import type { RecordingReader } from "../project/recording-reader.js";
import { rebaseDiagnostics } from "../report/rebase.js";
import { conclude, type Format } from "../report/report.js";
import type { System } from "../system/system.js";
import { UsageError } from "../system/usage-error.js";
import { withProject } from "./with-project.js";

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
  checkFlags(flags);
  return withProject(patterns, flags, flags.format, system, (project, reader) =>
    writePackage(project, reader, flags, system),
  );
}

function writePackage(
  project: Project,
  reader: RecordingReader,
  flags: PackageFlags,
  system: System,
): number {
  const { config, root } = project;
  const { entries, documents } = loadEntries(project.documents, reader);
  const { value: contract, diagnostics } = compileDocuments(entries, documents);
  const found = rebaseDiagnostics(diagnostics, project, system);
  if (contract === null) return conclude(found, flags.format, system);
  const out = resolve(root, config.out);
  const version = flags.version ?? defaultPackageVersion(contract);
  const details = {
    name: flags.name ?? defaultPackageName(contract),
    version,
    runtimeVersion: system.version,
    kept: readPackageJson(out, system),
  };
  const files = createPackage(contract, details, config.options);
  const made = { files, kept: new Map<string, string>(), parts: null };
  const manifest = createManifestFile(made, project, reader, system);
  return carryOut(
    [...files, ...firstChangelog(version, out, system), manifest],
    found,
    { path: out, manifest: readManifest(out, system) },
    flags,
    system,
  );
}

/** From the first run on, people write the changelog. */
function firstChangelog(
  version: string,
  out: string,
  system: System,
): readonly OutputFile[] {
  const path = "CHANGELOG.md";
  if (system.readText(join(out, path)) !== null) return [];
  return [{ path, text: `# Changelog\n\n## ${version}\n\n- First version.\n` }];
}

function checkFlags({ name, version }: PackageFlags): void {
  if (name !== undefined && !isPackageName(name)) {
    throw new UsageError(
      `npm takes no package of the name \`${name}\``,
      "names are in small letters, e.g. `--name @scope/api-client`",
    );
  }
  if (version !== undefined && !isPackageVersion(version)) {
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
