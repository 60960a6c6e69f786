import type {
  EmitOptions,
  HostSkew,
} from "../../../generator/4-emit/emitter/emitter.js";
import type {
  Diagnosed,
  Diagnostic,
} from "../../../generator/diagnostics/diagnostic.js";
import type { Contract, Host } from "../../../generator/ir/contract.js";
import { announcedIn } from "./announced.js";
import { digestOf, headerOf, versionOf } from "./digest.js";
import { historyOf, parseHistory } from "./parse-history.js";

/** The file that `ridl breaking --record` wrote. */
interface HistoryFile {
  /** Path relative to the configuration. */
  readonly path: string;
  /** Null if there is no file. */
  readonly text: string | null;
}

/** A contract before and after the filter. */
interface Contracts {
  readonly whole: Contract;
  readonly contract: Contract;
}

/**
 * Returns what generated code says about contracts, from the file that `ridl
 * breaking --record` wrote. Without the file, servers know no earlier contracts.
 *
 * Returns null if the file is invalid. A file that was written for another
 * version of a contract results in a warning, and its changes are not used,
 * because some of them may not be true anymore.
 */
export function readHistory(
  { path, text }: HistoryFile,
  { contract, whole }: Contracts,
  sha256: (text: string) => string,
): Diagnosed<Pick<EmitOptions, "skew"> | null> {
  const history = text === null ? { hosts: {} } : parseHistory(text);
  if (history === null) {
    return {
      value: null,
      diagnostics: [
        {
          code: "invalid-history",
          severity: "error",
          message: `\`${path}\` is not a history of contracts`,
          help: "write it again with `ridl breaking --record`",
        },
      ],
    };
  }
  const skew = new Map<string, HostSkew>();
  const diagnostics: Diagnostic[] = [];
  for (const host of contract.hosts) {
    if (host.errorBody !== null) continue;
    const origin = whole.hosts.find(({ name }) => name === host.name) ?? host;
    const digest = digestOf(whole, origin, sha256);
    const version = versionOf(host);
    const header = headerOf(host, digest, version);
    const known = historyOf(history, host.name);
    const isKnown = known?.digest === digest;
    const past = isKnown ? known.past : [];
    const settings = isKnown ? known.settings : undefined;
    const announced = announcedIn(host, contract);
    skew.set(host.name, { header, version, announced, past, settings });
    if (known !== null && !isKnown) diagnostics.push(explainStale(path, host));
  }
  return { value: { skew }, diagnostics };
}

function explainStale(path: string, { name }: Host): Diagnostic {
  return {
    code: "stale-history",
    severity: "warning",
    message: `\`${path}\` was written for another version of \`${name}\``,
    help: "write it again with `ridl breaking --record`",
  };
}
