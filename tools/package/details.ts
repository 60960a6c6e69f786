import { kebabCase } from "../../generator/4-emit/names/casing.js";
import type { Contract } from "../../generator/ir/contract.js";

/** Metadata of a package. */
export interface PackageDetails {
  /** Name in the registry, e.g. `@scope/marketplace-client`. */
  readonly name: string;
  /** Version, e.g. `1.2.0`. */
  readonly version: string;
  /** The lowest version of `@ridlkit/runtime` that the package works with. */
  readonly runtimeVersion: string;
  /** Other properties of package.json, e.g. `license`, which are copied. */
  readonly kept: Readonly<Record<string, unknown>>;
}

const part = /[a-z\d~][a-z\d._~-]*/u.source;
const namePattern = new RegExp(`^(?:@${part}/)?${part}$`, "u");

/** Names that npm reserves. */
const reserved: ReadonlySet<string> = new Set(["favicon.ico", "node_modules"]);

/** Whether npm accepts a name for a package. */
export function isPackageName(name: string): boolean {
  return name.length <= 214 && namePattern.test(name) && !reserved.has(name);
}

const versionPattern =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-[\da-z-]+(?:\.[\da-z-]+)*)?(?:\+[\da-z.-]+)?$/iu;

/** Whether text is a version in semantic versioning. */
export function isPackageVersion(version: string): boolean {
  return versionPattern.test(version);
}

/** Returns the default name of a package, e.g. `marketplace-client`. */
export function defaultPackageName({ hosts }: Contract): string {
  const [first] = hosts;
  const name = first && hosts.length === 1 ? kebabCase(first.name) : "platform";
  const client = `${name}-client`;
  return isPackageName(client) ? client : "api-client";
}

/** Returns the highest version of the hosts as a semantic version. */
export function defaultPackageVersion({ hosts }: Contract): string {
  const versions = hosts.map(({ version }) => completeVersion(version ?? ""));
  return versions.sort(compareVersions).at(-1) ?? "0.0.0";
}

function completeVersion(version: string): string {
  if (isPackageVersion(version)) return version;
  const numbers = version.match(/\d+/gu) ?? [];
  return [0, 1, 2].map((index) => Number(numbers[index] ?? 0)).join(".");
}

/** Compares versions by number. A prerelease is lower than its release. */
function compareVersions(left: string, right: string): number {
  const numbers = (text: string): readonly number[] =>
    (text.match(/^\d+\.\d+\.\d+/u)?.[0] ?? "").split(".").map(Number);
  const [one, other] = [numbers(left), numbers(right)];
  const differing = one.findIndex((number, index) => number !== other[index]);
  if (differing >= 0) return (one[differing] ?? 0) - (other[differing] ?? 0);
  return Number(right.includes("-")) - Number(left.includes("-"));
}
