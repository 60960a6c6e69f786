import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { Location } from "../../source/source.js";
import type { PartialCall, Template } from "./template.js";
import type { TemplateScope } from "./template-scope.js";
import type { ViewType } from "./view-types.js";

/** Reports the templates that no other uses. Input: the names of those used. */
export function reportUnused(
  templates: ReadonlyMap<string, Template>,
  used: ReadonlyMap<string, unknown>,
): readonly Diagnostic[] {
  return [...templates.values()]
    .filter(({ name }) => !used.has(name))
    .map(({ name, source }) => ({
      code: "unused-template",
      severity: "error",
      message: `no template uses the partial \`${name}\``,
      location: { source, span: { start: 0, end: 0 } },
      help: `call it with \`{{> ${name}}}\`, or remove the file`,
    }));
}

/** Identifies a template and the types of what it gets. */
export function keyOf(
  { name }: Template,
  type: ViewType,
  parameters: ReadonlyMap<string, ViewType>,
): string {
  return JSON.stringify([name, type, [...parameters]]);
}

/** Whether the name of a partial depends on the kind of the value it gets. */
export function isOwnKind({ context, name }: PartialCall): boolean {
  if (context.kind !== "path") return false;
  const kind = [...context.names, "kind"].join(".");
  return name.some(
    (part) =>
      part.kind === "path" &&
      part.depth === context.depth &&
      part.names.join(".") === kind,
  );
}

/** Whether a partial gets the record of the template that calls it. */
export function isSameRecord(
  { context }: PartialCall,
  scope: TemplateScope,
): boolean {
  if (context.kind !== "path" || context.names.length > 0) return false;
  let from: TemplateScope | null = scope;
  for (let up = 0; up < context.depth; up++) from = from?.outer ?? null;
  return from?.outer === null;
}

/** A call that passes the record of its template on. */
interface SameRecordCall {
  /** Name of the partial. */
  readonly name: string;
  /** The key of the partial and of what it gets. */
  readonly called: string;
  readonly location: Location;
}

/**
 * The calls that pass the record of their template on. Other calls pass a part
 * of it, so they end.
 */
export class SameRecordCalls {
  readonly #byCaller = new Map<string, SameRecordCall[]>();

  /** Input: the keys of the two templates, and the partial's name. */
  add(caller: string, name: string, called: string, location: Location): void {
    const calls = this.#byCaller.get(caller) ?? [];
    calls.push({ name, called, location });
    this.#byCaller.set(caller, calls);
  }

  /** Returns the calls with which a template calls itself. */
  findEndless(): readonly SameRecordCall[] {
    const found: SameRecordCall[] = [];
    const entered = new Map<string, "inside" | "left">();
    const enter = (caller: string): void => {
      entered.set(caller, "inside");
      for (const call of this.#byCaller.get(caller) ?? []) {
        const state = entered.get(call.called);
        if (state === "inside") found.push(call);
        if (state === undefined) enter(call.called);
      }
      entered.set(caller, "left");
    };
    for (const caller of this.#byCaller.keys())
      if (!entered.has(caller)) enter(caller);
    return found;
  }
}
