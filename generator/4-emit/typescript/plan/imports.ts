import type { PrintedFile } from "../text/print.js";
import { formsOf, type Form } from "../text/forms.js";
import { kinds, type ImportStructure } from "../text/structures.js";
import {
  headerOf,
  pathOf,
  runtimeSpecifier,
  specifierOf,
  type FileName,
} from "./layout.js";
import type { Plan, UnitPlan } from "./plan.js";

/** The uses of an imported name in a file. */
interface Use {
  /** Whether the name is used only as a type. */
  isType: boolean;
  /** Whether code, or the types in code, use the name. */
  inCode: boolean;
  /** Whether declaration files (`.d.ts`) use the name. */
  inDeclarations: boolean;
}

/** One name of an import declaration. */
interface ImportedName extends Use {
  readonly name: string;
  /**
   * Name in this file. It equals `name` unless `name` clashes with another
   * name.
   */
  readonly local: string;
}

/** The owner of a file: a unit, the runtime (null), or another package. */
type Owner = UnitPlan | "package" | null;

/** The parts of a unit that its files use. */
type FileUnit = Pick<UnitPlan, "documents" | "folder" | "host">;

const uses = {
  value: { isType: false, inCode: true, inDeclarations: false },
  type: { isType: true, inCode: true, inDeclarations: true },
  /** A type of a local declaration, which declaration files omit. */
  inner: { isType: true, inCode: true, inDeclarations: false },
  /** A type that only declarations need, because code infers it. */
  declared: { isType: true, inCode: false, inDeclarations: true },
} as const;

/**
 * Files that compilers of projects check. They have few bodies, and `errors`
 * states which runtime the code needs.
 */
const checkedFiles: ReadonlySet<string> = new Set(["types", "errors", "index"]);

/** Collects what a file imports. Methods return the name to use. */
export class Imports implements PrintedFile {
  readonly #plan: Plan;
  readonly #unit: FileUnit;
  readonly #file: string;
  /** The forms in which the file is written. */
  readonly forms: readonly Form[];
  /** Imports by owner, then by file. */
  readonly #sources = new Map<Owner, Map<string, ImportSource>>();

  constructor(plan: Plan, unit: FileUnit, file: string) {
    this.#plan = plan;
    this.#unit = unit;
    this.#file = file;
    this.forms = formsOf(plan.options);
  }

  /** Returns the first line of the file. */
  get header(): string {
    return headerOf(this.#unit);
  }

  /** Whether projects check the file: only if it contains what users name. */
  get isChecked(): boolean {
    return checkedFiles.has(this.#file);
  }

  /** Whether the types of optional fields include `undefined`. */
  get hasExplicitUndefined(): boolean {
    return this.#plan.options.explicitUndefined === true;
  }

  /** Whether the types of lists are read-only. */
  get hasReadonlyLists(): boolean {
    return this.#plan.options.readonlyLists === true;
  }

  /** Returns the path below the output folder, without an extension. */
  get path(): string {
    return pathOf(this.#unit, this.#file);
  }

  /** Imports a name from the runtime, e.g. `runtime("client", "call")`. */
  runtime(
    file: string,
    name: string,
    use: keyof typeof uses = "value",
  ): string {
    return this.#add(null, file, name, uses[use]);
  }

  /** Imports a type from the runtime, e.g. `runtimeType("client", "Call")`. */
  runtimeType(file: string, name: string): string {
    return this.runtime(file, name, "type");
  }

  /** Imports a name from a package that the project has installed. */
  package(
    name: string,
    imported: string,
    use: keyof typeof uses = "value",
  ): string {
    return this.#add("package", name, imported, uses[use]);
  }

  /** Imports a name from a generated file, unless that is this file. */
  generated(
    unit: UnitPlan,
    file: FileName,
    name: string,
    use: keyof typeof uses = "value",
  ): string {
    if (unit === this.#unit && file === this.#file) return name;
    return this.#add(unit, file, name, uses[use]);
  }

  /** Imports a type from another generated file, e.g. a declared struct. */
  generatedType(unit: UnitPlan, file: FileName, name: string): string {
    return this.generated(unit, file, name, "type");
  }

  /** Returns import declarations: packages first, sorted by text. */
  structures(form: Form): readonly ImportStructure[] {
    return [...this.#sources.values()]
      .flatMap((files) => [...files.values()])
      .map(({ from, names }) => ({
        from,
        names: [...names.values()]
          .filter((name) => isNeeded(name, form))
          .sort((left, right) => compare(left.name, right.name)),
      }))
      .filter(({ names }) => names.length > 0)
      .sort((left, right) => compare(sortKey(left.from), sortKey(right.from)))
      .map(({ from, names }) => importOf(from, names));
  }

  #add(owner: Owner, file: string, name: string, use: Use): string {
    const { names } = this.#sourceOf(owner, file);
    const known = names.get(name);
    if (known === undefined) {
      const local = this.#localName(owner, name);
      names.set(name, { name, local, ...use });
      return local;
    }
    // If a name is used as a value anywhere, it is imported as a value.
    known.isType &&= use.isType;
    known.inCode ||= use.inCode;
    known.inDeclarations ||= use.inDeclarations;
    return known.local;
  }

  #sourceOf(owner: Owner, file: string): ImportSource {
    const files = this.#sources.get(owner) ?? new Map<string, ImportSource>();
    const known = files.get(file);
    if (known !== undefined) return known;
    const source = { from: this.#specifier(owner, file), names: new Map() };
    this.#sources.set(owner, files.set(file, source));
    return source;
  }

  #specifier(owner: Owner, file: string): string {
    if (owner === "package") return file;
    const { options } = this.#plan;
    return owner === null
      ? runtimeSpecifier(options, this.#unit, file)
      : specifierOf(options, this.#unit, owner, file);
  }

  #localName(owner: Owner, name: string): string {
    return owner === null || owner === "package"
      ? this.#plan.names.imported(name, this.#unit.host?.host)
      : name;
  }
}

interface ImportSource {
  readonly from: string;
  readonly names: Map<string, ImportedName>;
}

function isNeeded(name: ImportedName, { hasCode, hasTypes }: Form): boolean {
  if (!hasCode) return name.inDeclarations;
  return name.inCode && (hasTypes || !name.isType);
}

/** Builds an import, which is `import type` if all names are types. */
function importOf(
  moduleSpecifier: string,
  names: readonly ImportedName[],
): ImportStructure {
  const isTypeOnly = names.every(({ isType }) => isType);
  const namedImports = names.map(({ isType, local, name }) => ({
    name,
    ...(local !== name && { alias: local }),
    isTypeOnly: isType && !isTypeOnly,
  }));
  return { kind: kinds.import, isTypeOnly, moduleSpecifier, namedImports };
}

function sortKey(from: string): string {
  const nearness = from.startsWith("./") ? 2 : from.startsWith("../") ? 1 : 0;
  return `${nearness}${from}`;
}

/** Compares UTF-16 code units, so the order does not depend on the locale. */
function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
