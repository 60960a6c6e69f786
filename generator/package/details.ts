import { kebabCase } from "../4-emit/names/casing.js";
import type { Contract } from "../ir/contract.js";

/** What a package is told about itself. */
export interface PackageDetails {
  /** Name in the registry, e.g. `@scope/marketplace-client`. */
  readonly name: string;
  /** Version, e.g. `1.2.0`. */
  readonly version: string;
  /** The lowest version of `@ridlkit/runtime` that it works with. */
  readonly runtimeVersion: string;
  /** More of package.json, e.g. `license`; kept as it is. */
  readonly kept: Readonly<Record<string, unknown>>;
}

const part = /[a-z\d~][a-z\d._~-]*/u.source;
const namePattern = new RegExp(`^(?:@${part}/)?${part}$`, "u");

/** What npm keeps for itself. */
const reserved: ReadonlySet<string> = new Set(["favicon.ico", "node_modules"]);

/** Whether npm takes this name for a package. */
export function isPackageName(name: string): boolean {
  return name.length <= 214 && namePattern.test(name) && !reserved.has(name);
}

const versionPattern =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-[\da-z-]+(?:\.[\da-z-]+)*)?(?:\+[\da-z.-]+)?$/iu;

/** Whether this is a version as semantic versioning has it. */
export function isPackageVersion(version: string): boolean {
  return versionPattern.test(version);
}

/**
 * Name of a package that was not given one.
 *
 * Output: e.g. `marketplace-client`; for several hosts `platform-client`.
 */
export function defaultPackageName({ hosts }: Contract): string {
  const [first] = hosts;
  const name = first && hosts.length === 1 ? kebabCase(first.name) : "platform";
  const client = `${name}-client`;
  return isPackageName(client) ? client : "api-client";
}

/**
 * Version of a package that was not given one: the highest of the hosts.
 *
 * Output: three numbers, e.g. `1.2.0` for `v1.2`; `0.0.0` when none says any.
 */
export function defaultPackageVersion({ hosts }: Contract): string {
  const versions = hosts.map(({ version }) => completeVersion(version ?? ""));
  return versions.sort(compareVersions).at(-1) ?? "0.0.0";
}

function completeVersion(version: string): string {
  if (isPackageVersion(version)) return version;
  const numbers = version.match(/\d+/gu) ?? [];
  return [0, 1, 2].map((index) => Number(numbers[index] ?? 0)).join(".");
}

/** By number; a version before a release is lower than that. */
function compareVersions(left: string, right: string): number {
  const numbers = (text: string): readonly number[] =>
    (text.match(/^\d+\.\d+\.\d+/u)?.[0] ?? "").split(".").map(Number);
  const [one, other] = [numbers(left), numbers(right)];
  const differing = one.findIndex((number, index) => number !== other[index]);
  if (differing >= 0) return (one[differing] ?? 0) - (other[differing] ?? 0);
  return Number(right.includes("-")) - Number(left.includes("-"));
}
