import type { Contract } from "../../ir/contract.js";
import type { WireOptions } from "../../values/wire-options.js";
import type { EmitContext, EmitOptions, Emitter } from "./emitter.js";
import type { JsonObject } from "./json-value.js";

/**
 * An emitter that `emit` in the configuration selects by name. A target
 * declares everything about itself. The schema of the configuration, the
 * settings' defaults and the reference pages are derived from it.
 */
export interface Target extends Emitter {
  /** What the target generates, as a sentence for the reference. */
  readonly summary: string;
  /** The page that explains the target, relative to `docs`, e.g. `mock.md`. */
  readonly guide: string;
  /** The setting that `emit` can give. Default: there is none. */
  readonly setting?: TargetSetting;
  /** Options whose default differs if this target is selected. */
  readonly implies?: Partial<EmitOptions>;
  /** Parts of the context that the target reads. Default: none. */
  readonly reads?: readonly (keyof EmitContext)[];
  /** Its part of the package that `ridl package` writes. Default: none. */
  readonly packaged?: PackagePart;
  /** Returns the same target with another value of the setting. */
  with?(value: unknown): Target;
  /** Finds parts of a contract that the target cannot represent. */
  findFaults?(contract: Contract, options: WireOptions): readonly TargetFault[];
}

/** A setting of a target. */
export interface TargetSetting {
  /** JSON Schema of the values, whose `description` ends with the default. */
  readonly schema: JsonObject;
  /** An example value, for the reference. */
  readonly example: unknown;
}

/** The part of a package of a contract's client that a target contributes. */
export interface PackagePart {
  /** Module that users import, without its extension, e.g. `query`. */
  readonly entry: string;
  /** Its content, for the package's README, e.g. `all clients and types`. */
  readonly content: string;
  /** Optional peer dependencies: versions by name. Default: none. */
  readonly peers?: Readonly<Record<string, string>>;
}

/** A part of a contract that a target cannot represent. */
export interface TargetFault {
  readonly code:
    | "merged-paths"
    | "too-many-fields"
    | "unmarked-queries"
    | "unsupported-error-body"
    | "unsupported-pattern"
    | "unsupported-union";
  /** After a warning, the files are written. */
  readonly severity: "error" | "warning";
  /** The key in the setting that is the cause, e.g. `merge`, or null. */
  readonly key: string | null;
  readonly message: string;
  readonly notes: readonly string[];
  readonly help: string;
}

/** A target with a setting, whose type TypeScript knows. */
export type ConfigurableTarget<Setting, Made extends Target = Target> = Made & {
  readonly setting: TargetSetting;
  with(value: Setting): Made;
};

/**
 * Creates a target that has a setting.
 *
 * Input: the setting, its default, and a function that creates the target for
 * one value.
 */
export function createConfigurable<Setting, Made extends Target>(
  setting: TargetSetting,
  byDefault: Setting,
  create: (value: Setting) => Made,
): ConfigurableTarget<Setting, Made> {
  const make = (value: Setting) => ({
    ...create(value),
    setting,
    with: make,
  });
  return make(byDefault);
}
