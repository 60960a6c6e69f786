import {
  runtimeSpecifier,
  specifierOf,
  type FileName,
  type Layout,
  type Unit,
} from "../names/layout.js";

/** One import declaration, its names sorted. */
export interface ImportLine {
  readonly from: string;
  readonly names: readonly ImportedName[];
}

/** One name of an import declaration. */
export interface ImportedName {
  readonly name: string;
  /** Name in this file; the same as `name` unless it clashes. */
  readonly local: string;
  readonly isType: boolean;
}

/**
 * Collects what a file imports while its code is built. Every method returns
 * the name to use in the code.
 */
export class Imports {
  readonly #layout: Layout;
  readonly #unit: Unit;
  readonly #file: FileName;
  /** By the unit that a file belongs to (null: the runtime), then by file. */
  readonly #names = new Map<Unit | null, Map<string, ImportedNames>>();

  constructor(layout: Layout, unit: Unit, file: FileName) {
    this.#layout = layout;
    this.#unit = unit;
    this.#file = file;
  }

  /** A value of a file of the runtime, e.g. `runtime("client", "rpc")`. */
  runtime(file: string, name: string): string {
    return this.#add(null, file, name, false);
  }

  /** A type of a file of the runtime, e.g. `runtimeType("client", "Call")`. */
  runtimeType(file: string, name: string): string {
    return this.#add(null, file, name, true);
  }

  /** A value of another generated file; nothing to import from this one. */
  generated(unit: Unit, file: FileName, name: string): string {
    return this.#fromGenerated(unit, file, name, false);
  }

  /** A type of another generated file, e.g. a declared struct. */
  generatedType(unit: Unit, file: FileName, name: string): string {
    return this.#fromGenerated(unit, file, name, true);
  }

  /** The declarations: packages first, then files, each in order of text. */
  lines(): readonly ImportLine[] {
    return [...this.#names]
      .flatMap(([unit, files]) =>
        [...files].map(([file, names]) => ({
          from: this.#specifierOf(unit, file),
          names: [...names.values()].sort((left, right) =>
            compare(left.name, right.name),
          ),
        })),
      )
      .sort((left, right) => compare(sortKey(left), sortKey(right)));
  }

  #specifierOf(unit: Unit | null, file: string): string {
    return unit === null
      ? runtimeSpecifier(this.#layout, this.#unit, file)
      : specifierOf(this.#layout, this.#unit, unit, file);
  }

  #fromGenerated(
    unit: Unit,
    file: FileName,
    name: string,
    isType: boolean,
  ): string {
    if (unit === this.#unit && file === this.#file) return name;
    return this.#add(unit, file, name, isType);
  }

  #add(unit: Unit | null, file: string, name: string, isType: boolean): string {
    const names = this.#namesOf(unit, file);
    const known = names.get(name);
    if (known !== undefined && (isType || !known.isType)) return known.local;
    const local = known?.local ?? this.#localName(unit, name);
    // Something used as a value anywhere is imported as a value.
    names.set(name, { name, local, isType });
    return local;
  }

  #namesOf(unit: Unit | null, file: string): ImportedNames {
    const files = this.#names.get(unit);
    const known = files?.get(file);
    if (known !== undefined) return known;
    const names: ImportedNames = new Map();
    if (files === undefined) this.#names.set(unit, new Map([[file, names]]));
    else files.set(file, names);
    return names;
  }

  #localName(unit: Unit | null, name: string): string {
    return unit === null
      ? this.#layout.names.imported(name, this.#unit.host)
      : name;
  }
}

type ImportedNames = Map<string, ImportedName>;

function sortKey({ from }: ImportLine): string {
  const nearness = from.startsWith("./") ? 2 : from.startsWith("../") ? 1 : 0;
  return `${nearness}${from}`;
}

/** By UTF-16 units, so that the order is the same under every locale. */
function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
