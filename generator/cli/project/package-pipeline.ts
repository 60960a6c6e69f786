import type { OutputFile } from "../../4-emit/emitter/emitter.js";
import { compileDocuments } from "../../compile.js";
import type { Diagnosed } from "../../diagnostics/diagnostic.js";
import type { Contract } from "../../ir/contract.js";
import { printChangelog } from "../../package/changelog.js";
import { createPackage } from "../../package/create-package.js";
import type { PackageDetails } from "../../package/details.js";
import { hasErrors } from "../report/report.js";
import { loadEntries } from "./entries.js";
import type { Project } from "./project.js";
import type { RecordingReader } from "./recording-reader.js";

/** The files of a package. */
export interface PackageFiles {
  /** Those that are written anew at every run. */
  readonly files: readonly OutputFile[];
  /** Those that people write from the first run on. */
  readonly stubs: readonly OutputFile[];
}

/**
 * Makes the package of a project's client, in memory.
 *
 * Output: its files; null when a document has an error.
 */
export function packageFiles(
  { config, documents: listed }: Project,
  reader: RecordingReader,
  detailsOf: (contract: Contract) => PackageDetails,
): Diagnosed<PackageFiles | null> {
  const { entries, documents } = loadEntries(listed, reader);
  const { value: contract, diagnostics } = compileDocuments(entries, documents);
  if (contract === null || hasErrors(diagnostics)) {
    return { value: null, diagnostics };
  }
  const details = detailsOf(contract);
  const files = createPackage(contract, details, config.options);
  const changelog = printChangelog(details.version);
  const stubs = [{ path: "CHANGELOG.md", text: changelog }];
  return { value: { files, stubs }, diagnostics };
}
