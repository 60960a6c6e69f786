import type {
  EnumDeclaration,
  ErrorDeclaration,
  Document,
  Method,
  ServiceDeclaration,
  Word,
} from "../../../generator/1-parse/ast.js";
import { jsonNameOf } from "../../../generator/2-check/notation/metadata.js";
import type { TypeSyntax } from "../../../generator/2-check/program/program.js";
import type {
  HostPlan,
  MethodPlan,
  Plan,
  ServicePlan,
  TypePlan,
} from "../../../generator/4-emit/typescript/plan/plan.js";
import type { Location, Source } from "../../../generator/source/source.js";
import type { TracedName } from "./list-declared.js";

/**
 * Finds the declaration of a generated name in a file such as `shop/client.ts`.
 * Returns null if there is none.
 */
export type FindOrigin = (
  path: string,
  generated: Pick<TracedName, "container" | "name">,
) => Location | null;

/**
 * Creates a function that traces names in generated TypeScript to the documents
 * of the contract.
 */
export function traceNames(
  plan: Plan,
  documents: readonly Document[],
): FindOrigin {
  const tracer = new Tracer(plan, documents);
  const folders = new Set(plan.units.map(({ folder }) => folder));
  return (path, { container, name }) => {
    const [first = ""] = path.split("/");
    const folder = path.includes("/") ? first : "";
    // Names in a copy of the runtime do not come from the contract.
    if (!folders.has(folder)) return null;
    // Declarations that all hosts share are at the root.
    return (
      tracer.origins.get(keyOf(folder, container, name)) ??
      tracer.origins.get(keyOf("", container, name)) ??
      null
    );
  };
}

function keyOf(folder: string, container: string | null, name: string): string {
  return JSON.stringify([folder, container, name]);
}

/** A declaration with its document. */
interface LocatedSyntax<Syntax> {
  readonly syntax: Syntax;
  readonly source: Source;
}

/** Prefixes of the functions that are generated for a type or message. */
const verbs = ["check", "decode", "draw", "encode", "is", "print", "read"];

class Tracer {
  readonly origins = new Map<string, Location>();
  readonly #plan: Plan;
  readonly #types = new Map<string, LocatedSyntax<TypeSyntax>>();
  readonly #errors = new Map<string, LocatedSyntax<ErrorDeclaration>>();
  readonly #services = new Map<string, LocatedSyntax<ServiceDeclaration>>();

  constructor(plan: Plan, documents: readonly Document[]) {
    this.#plan = plan;
    for (const document of documents) this.#index(document);
    plan.types.forEach((type) => this.#addType(type));
    for (const { name } of plan.contract.errors) {
      const found = this.#errors.get(name);
      if (found === undefined) continue;
      this.#add("", null, plan.names.errorClass(name), found);
    }
    for (const { name, names } of plan.credentials) {
      const found = this.#types.get(name);
      if (found !== undefined) this.#add("", null, names.constant, found);
    }
    plan.hosts.forEach((host) => this.#addHost(host));
  }

  #index({ items, source }: Document): void {
    for (const item of items) {
      if (item.kind === "service") {
        setOnce(this.#services, { syntax: item, source });
      } else if (item.kind === "error") {
        setOnce(this.#errors, { syntax: item, source });
      } else if (item.kind !== "header" && item.kind !== "import") {
        setOnce(this.#types, { syntax: item, source });
      }
    }
  }

  #add(
    folder: string,
    container: string | null,
    name: string,
    { source, syntax }: LocatedSyntax<{ readonly name: Word }>,
  ): void {
    const { span } = syntax.name;
    this.origins.set(keyOf(folder, container, name), { source, span });
  }

  #addType(type: TypePlan): void {
    const { name, schemaName, unit } = type;
    const found = this.#types.get(schemaName);
    if (found === undefined) return;
    const { source, syntax } = found;
    this.#addObject(unit.folder, name, found);
    if (syntax.kind === "struct") {
      for (const field of syntax.fields) {
        const property = jsonNameOf(field);
        if (property === null) continue;
        this.#add(unit.folder, name, property, { syntax: field, source });
      }
    } else if (syntax.kind === "enum") {
      this.#addMembers(unit.folder, name, { syntax, source });
    }
  }

  #addMembers(
    folder: string,
    container: string,
    { source, syntax }: LocatedSyntax<EnumDeclaration>,
  ): void {
    for (const each of syntax.members) {
      this.#add(folder, container, each.name.text, { syntax: each, source });
    }
  }

  /** Adds a type with its functions and its schema. */
  #addObject(
    folder: string,
    name: string,
    found: LocatedSyntax<{ readonly name: Word }>,
  ): void {
    const functions = verbs.map((verb) => verb + name);
    const schema = this.#plan.names.schema(name);
    for (const each of [name, ...functions, schema]) {
      this.#add(folder, null, each, found);
    }
  }

  #addHost({ names, services, unit }: HostPlan): void {
    for (const service of services) {
      const found = this.#services.get(service.service.name);
      if (found === undefined) continue;
      const { platform } = this.#plan.names;
      this.#add("", platform.client, service.names.property, found);
      this.#add(unit.folder, names.client, service.names.property, found);
      this.#addService(unit.folder, service, found);
    }
  }

  #addService(
    folder: string,
    { methods, names }: ServicePlan,
    found: LocatedSyntax<ServiceDeclaration>,
  ): void {
    const { property: _, ...declared } = names;
    for (const name of Object.values(declared)) {
      this.#add(folder, null, name, found);
    }
    for (const method of methods) {
      const syntax = found.syntax.methods.find(
        ({ name }) => name.text === method.method.name,
      );
      if (syntax === undefined) continue;
      const own = { syntax, source: found.source };
      for (const container of Object.values(declared)) {
        this.#add(folder, container, method.names.property, own);
      }
      this.#addMethod(folder, method, own);
    }
  }

  #addMethod(
    folder: string,
    { names, request, response }: MethodPlan,
    found: LocatedSyntax<Method>,
  ): void {
    this.#add(folder, null, names.constant, found);
    this.#add(folder, null, names.error, found);
    const { source, syntax } = found;
    for (const [{ message, object }, written] of [
      [request, syntax.input],
      [response, syntax.output],
    ] as const) {
      if (message.struct !== null) continue;
      this.#addObject(folder, object.name, found);
      for (const each of written.arguments) {
        const argument = { syntax: each, source };
        this.#add(folder, object.name, each.name.text, argument);
      }
    }
  }
}

function setOnce<Syntax extends { readonly name: Word }>(
  known: Map<string, LocatedSyntax<Syntax>>,
  found: LocatedSyntax<Syntax>,
): void {
  const { text } = found.syntax.name;
  if (!known.has(text)) known.set(text, found);
}
