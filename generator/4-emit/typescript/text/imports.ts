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
  readonly #bySpecifier = new Map<string, Map<string, ImportedName>>();

  constructor(layout: Layout, unit: Unit, file: FileName) {
    this.#layout = layout;
    this.#unit = unit;
    this.#file = file;
  }

  /** A value of a file of the runtime, e.g. `runtime("client", "rpc")`. */
  runtime(file: string, name: string): string {
    return this.#fromRuntime(file, name, false);
  }

  /** A type of a file of the runtime, e.g. `runtimeType("client", "Call")`. */
  runtimeType(file: string, name: string): string {
    return this.#fromRuntime(file, name, true);
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
    return [...this.#bySpecifier]
      .map(([from, names]) => ({
        from,
        names: [...names.values()].sort((left, right) =>
          compare(left.name, right.name),
        ),
      }))
      .sort((left, right) => compare(sortKey(left), sortKey(right)));
  }

  #fromRuntime(file: string, name: string, isType: boolean): string {
    const from = runtimeSpecifier(this.#layout, this.#unit, file);
    return this.#add(from, name, this.#localName(name), isType);
  }

  #localName(name: string): string {
    return this.#layout.names.imported(name, this.#unit.host);
  }

  #fromGenerated(
    unit: Unit,
    file: FileName,
    name: string,
    isType: boolean,
  ): string {
    if (unit === this.#unit && file === this.#file) return name;
    const from = specifierOf(this.#layout, this.#unit, unit, file);
    return this.#add(from, name, name, isType);
  }

  #add(from: string, name: string, local: string, isType: boolean): string {
    const names =
      this.#bySpecifier.get(from) ?? new Map<string, ImportedName>();
    this.#bySpecifier.set(from, names);
    const known = names.get(name);
    if (known !== undefined && (isType || !known.isType)) return known.local;
    // Something used as a value anywhere is imported as a value.
    names.set(name, {
      name,
      local,
      isType: isType && (known?.isType ?? true),
    });
    return local;
  }
}

function sortKey({ from }: ImportLine): string {
  const nearness = from.startsWith("./") ? 2 : from.startsWith("../") ? 1 : 0;
  return `${nearness}${from}`;
}

/** By UTF-16 units, so that the order is the same under every locale. */
function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
