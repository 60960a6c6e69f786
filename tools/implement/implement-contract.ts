import type { ts } from "ts-morph";
import type { Plan } from "../../generator/4-emit/typescript/plan/plan.js";
import type { Compiler } from "./compiler.js";
import type { ImportForm } from "./create-handler-files.js";
import type { TextEdit } from "./edits.js";
import { readStyle } from "./file-style.js";
import {
  findImplementations,
  isOwnFile,
  type Implementation,
} from "./find-implementations.js";
import {
  findDeclarations,
  type HandledMethod,
  type HandledService,
} from "./handler-methods.js";
import { NeededImports } from "./import-names.js";
import { withoutInherited } from "./inherited-methods.js";
import { fillGap, findGaps, readBody } from "./place-stubs.js";
import { printStub, formOf, namesOf } from "./print-stub.js";
import {
  findRenamed,
  type Lookup,
  renameIn,
  type RenamedMember,
  type Renaming,
} from "./rename-methods.js";

/** A project and the contract that it has to implement. */
export interface ImplementInput {
  readonly plan: Plan;
  /** The services of the plan. Renamings refer to their methods. */
  readonly services: readonly HandledService[];
  readonly programs: readonly ts.Program[];
  readonly compiler: Compiler;
  readonly output: ImportForm;
  readonly renamings: readonly Renaming[];
}

/** A missing method and the implementation that it has to be added to. */
export interface MissingMethod {
  readonly implementation: Implementation;
  readonly method: HandledMethod;
}

/** A member that the contract has no method for. */
export interface UnknownMember {
  readonly implementation: Implementation;
  readonly name: string;
  readonly member: ts.NamedDeclaration;
}

/** The changes that a project needs, and findings that people have to fix. */
export interface ImplementPlan {
  readonly edits: ReadonlyMap<ts.SourceFile, readonly TextEdit[]>;
  /** Syntax errors in files that have to change or have unknown members. */
  readonly faults: readonly ts.DiagnosticWithLocation[];
  readonly missing: readonly MissingMethod[];
  readonly renamed: readonly RenamedMember[];
  readonly unknown: readonly UnknownMember[];
  /** Inbound services that nothing implements. */
  readonly unhandled: readonly HandledService[];
  /** Hosts with at least one implemented service. */
  readonly handledHosts: ReadonlySet<HandledService["host"]>;
}

/** Compares handlers with the contract. Returns edits and findings. */
export function implementContract(input: ImplementInput): ImplementPlan {
  const { compiler, output, programs, services } = input;
  const edits = new Map<ts.SourceFile, TextEdit[]>();
  const all: Implementation[] = [];
  const renamed: RenamedMember[] = [];
  const faults: ts.DiagnosticWithLocation[] = [];
  const seen = new Set<string>();
  for (const program of programs) {
    const checker = program.getTypeChecker();
    const declarations = findDeclarations(services, program, output, compiler);
    const found = findImplementations(
      program,
      declarations,
      output.folder,
      compiler,
    ).filter(({ node, source }) => {
      const key = `${source.fileName}:${node.pos}`;
      return !seen.has(key) && seen.add(key);
    });
    const changes = found.map((implementation) => ({
      implementation,
      members: findRenamed(implementation, input.renamings),
    }));
    const members = changes.flatMap((each) => each.members);
    renameAll(
      input,
      program,
      { checker, compiler, declarations },
      members,
      edits,
    );
    renamed.push(...members);
    const current = withoutInherited(
      changes.map(withNewNames),
      found,
      checker,
      compiler,
    );
    addStubs(input, program, current, edits);
    faults.push(...faultsOf(program, edits, current));
    all.push(...current);
  }
  const handled = new Set(all.flatMap(({ allowed }) => [...allowed]));
  return {
    edits,
    faults,
    missing: all.flatMap((implementation) =>
      implementation.missing.map((method) => ({ implementation, method })),
    ),
    renamed,
    unknown: all.flatMap((each) => unknownOf(each, faults)),
    unhandled: services.filter(
      ({ methods, service }) =>
        service.service.direction === "inbound" &&
        !methods.some((method) => handled.has(method)),
    ),
    handledHosts: new Set([...handled].map(({ host }) => host)),
  };
}

/**
 * Returns the first syntax error of each file that has to change or has an
 * unknown member.
 */
function faultsOf(
  program: ts.Program,
  edits: ReadonlyMap<ts.SourceFile, unknown>,
  implementations: readonly Implementation[],
): readonly ts.DiagnosticWithLocation[] {
  const faulty = new Set(
    implementations
      .filter(({ unknown }) => unknown.size > 0)
      .map(({ source }) => source),
  );
  return program
    .getSourceFiles()
    .filter((source) => edits.has(source) || faulty.has(source))
    .flatMap((source) => program.getSyntacticDiagnostics(source).slice(0, 1));
}

/**
 * Returns the members without a method. After a syntax error, a parser mistakes
 * other code for members.
 */
function unknownOf(
  implementation: Implementation,
  faults: readonly ts.DiagnosticWithLocation[],
): readonly UnknownMember[] {
  if (faults.some(({ file }) => file === implementation.source)) return [];
  return Array.from(implementation.unknown, ([name, member]) => ({
    implementation,
    name,
    member,
  }));
}

/** Returns the implementation after its members have been renamed. */
function withNewNames({
  implementation,
  members,
}: {
  readonly implementation: Implementation;
  readonly members: readonly RenamedMember[];
}): Implementation {
  const isDone = (method: HandledMethod): boolean =>
    members.some(({ renaming }) => renaming.to === method);
  const isRenamed = (member: ts.NamedDeclaration): boolean =>
    members.some((each) => each.member === member);
  const { missing, unknown } = implementation;
  return {
    ...implementation,
    members: new Map([
      ...implementation.members,
      ...members.map(
        ({ member, renaming }) => [renaming.to.property, member] as const,
      ),
    ]),
    missing: missing.filter((method) => !isDone(method)),
    unknown: new Map([...unknown].filter(([, member]) => !isRenamed(member))),
  };
}

function renameAll(
  { output }: ImplementInput,
  program: ts.Program,
  lookup: Lookup,
  members: readonly RenamedMember[],
  edits: Map<ts.SourceFile, TextEdit[]>,
): void {
  if (members.length === 0) return;
  for (const source of program.getSourceFiles()) {
    if (!isOwnFile(source, program, output.folder)) continue;
    const found = members.flatMap((each) => renameIn(source, each, lookup));
    // Edits for several members can rename the same type, so keep one of them.
    const unique = new Map(found.map((edit) => [edit.start, edit]));
    append(edits, source, [...unique.values()]);
  }
}

function append(
  edits: Map<ts.SourceFile, TextEdit[]>,
  source: ts.SourceFile,
  added: readonly TextEdit[],
): void {
  if (added.length === 0) return;
  edits.set(source, [...(edits.get(source) ?? []), ...added]);
}

function addStubs(
  { compiler, output, plan }: ImplementInput,
  program: ts.Program,
  implementations: readonly Implementation[],
  edits: Map<ts.SourceFile, TextEdit[]>,
): void {
  const sources = new Set(implementations.map(({ source }) => source));
  for (const source of sources) {
    const style = readStyle(source, compiler);
    const imports = new NeededImports({
      source,
      program,
      style,
      output: output.folder,
      importExtension: output.importExtension,
      compiler,
    });
    const added = implementations
      .filter((each) => each.source === source && each.missing.length > 0)
      .flatMap((implementation) => {
        const body = readBody(implementation, style, compiler);
        const form = formOf(implementation, compiler);
        const print = (method: HandledMethod, indent: string) =>
          printStub(
            method,
            form,
            namesOf(plan, method, form, imports),
            style,
            indent,
          );
        return findGaps(implementation, body).flatMap((gap) =>
          fillGap(body, gap, print, style, compiler),
        );
      });
    append(edits, source, [...imports.edits(), ...added]);
  }
}
