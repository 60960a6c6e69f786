import type { OutputFile } from "../../generator/4-emit/emitter/emitter.js";
import { loadOwnSets } from "../../generator/4-emit/templates/own-sets.js";
import { createPackage } from "../../tools/package/create-package.js";
import { selectPackaged } from "../../tools/package/select-packaged.js";
import {
  defaultPackageName,
  defaultPackageVersion,
  isPackageName,
  isPackageVersion,
} from "../../tools/package/details.js";
import { applyChanges } from "../output/apply-changes.js";
import { parseRecord } from "../project/manifest.js";
import { createManifestFile, readManifest } from "../output/up-to-date.js";
import { readSkew } from "../project/compile-project.js";
import { readReplacedSets } from "../project/template-sets.js";
import { printSchemas } from "../project/print-schemas.js";
import type { ProjectFlags } from "../project/project.js";
import { rebaseDiagnostics } from "../report/rebase.js";
import { conclude, type Format, hasErrors } from "../report/report.js";
import { type AbsolutePath, resolvePath } from "../system/paths.js";
import { FileError, type System, UsageError } from "../system/system.js";
import { type OpenedContract, withContract } from "./with-contract.js";

/** Flags of `ridl package`. */
export interface PackageFlags extends ProjectFlags {
  readonly out: string;
  readonly name?: string;
  readonly version?: string;
  readonly force?: boolean;
  readonly format: Format;
}

/**
 * `ridl package`: writes an npm package of the contract's client. Errors: a
 * {@link UsageError} for a name or version that npm does not accept.
 */
export async function packageClient(
  patterns: readonly string[],
  flags: PackageFlags,
  system: System,
): Promise<number> {
  checkFlags(flags);
  const write = (opened: OpenedContract): Promise<number> =>
    writePackage(opened, flags, system);
  return withContract(patterns, flags, flags.format, system, write, true);
}

async function writePackage(
  opened: OpenedContract,
  flags: PackageFlags,
  system: System,
): Promise<number> {
  const { checked, contract, diagnostics, project, reader } = opened;
  const { config, configPath, root } = project;
  const out = resolvePath(root, config.out);
  const before = readManifest(out, system);
  const version = flags.version ?? defaultPackageVersion(contract);
  const kept = readPackageJson(out, system);
  const details = {
    name: flags.name ?? readName(kept) ?? defaultPackageName(contract),
    version,
    runtimeVersion: system.version,
    kept,
  };
  const schemas = printSchemas(contract, checked);
  const { value: templates, diagnostics: faults } = readReplacedSets(
    config,
    reader,
    await loadOwnSets(),
  );
  const skew = await readSkew(config, opened, reader);
  const found = [
    ...diagnostics,
    ...rebaseDiagnostics([...faults, ...skew.diagnostics], project, system),
  ];
  if (hasErrors(found)) return conclude(found, flags.format, system);
  const files = createPackage(
    contract,
    details,
    { ...config.options, ...skew.value },
    await selectPackaged(config.targets),
    schemas,
    templates.get("package"),
  );
  const made = { files, kept: new Map<string, string>(), separateHosts: null };
  const manifest = createManifestFile("package", made, project, reader, system);
  return applyChanges(
    [...files, ...firstChangelog(version, out, system), manifest],
    found,
    { path: out, root, configPath, command: "package", manifest: before },
    flags,
    system,
  );
}

/** Creates a changelog if there is none. From then on, people maintain it. */
function firstChangelog(
  version: string,
  out: AbsolutePath,
  system: System,
): readonly OutputFile[] {
  const path = "CHANGELOG.md";
  if (system.readText(resolvePath(out, path)) !== null) return [];
  return [{ path, text: `# Changelog\n\n## ${version}\n\n- First version.\n` }];
}

function checkFlags({ name, version }: PackageFlags): void {
  if (name !== undefined && !isPackageName(name)) {
    throw new UsageError(
      `\`${name}\` is not a valid npm package name`,
      "use lowercase letters, as in `--name @scope/api-client`",
    );
  }
  if (version !== undefined && !isPackageVersion(version)) {
    throw new UsageError(
      `\`${version}\` is not a valid npm version`,
      "write three numbers, as in `--version 1.2.0`",
    );
  }
}

/**
 * Reads the name of an existing package, so that the package keeps it, also if its
 * manifest is lost: under another name, npm could publish it to everyone. Errors: a
 * {@link UsageError} if npm does not accept the name.
 */
function readName({ name }: Readonly<Record<string, unknown>>): string | null {
  if (name === undefined) return null;
  if (typeof name === "string" && isPackageName(name)) return name;
  throw new UsageError(
    "the name in the existing `package.json` is not a valid npm package name",
    "give the package a name, as in `--name @scope/api-client`",
  );
}

/**
 * Reads an existing package.json, whose additional fields are kept. Errors: a
 * {@link FileError} if it cannot be parsed.
 */
function readPackageJson(
  out: AbsolutePath,
  system: System,
): Readonly<Record<string, unknown>> {
  const path = resolvePath(out, "package.json");
  const text = system.readText(path);
  if (text === null) return {};
  const data = parseRecord(text.replace(/^\uFEFF/u, ""));
  if (data !== null) return data;
  const fault = new Error("it is not a JSON object");
  throw new FileError(
    path,
    "read",
    fault,
    "its fields would be lost; fix it or remove it",
  );
}
