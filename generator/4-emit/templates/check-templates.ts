import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { suggestHelp } from "../../diagnostics/suggest.js";
import type { Location } from "../../source/source.js";
import { findHelper, helperNames } from "./template-helpers.js";
import {
  isOwnKind,
  isSameRecord,
  keyOf,
  reportUnused,
  SameRecordCalls,
} from "./partial-calls.js";
import type {
  Entry,
  Expression,
  TemplatePart,
  PartialCall,
  PathExpression,
  Template,
} from "./template.js";
import {
  knownBefore,
  presentIf,
  type TemplateScope,
  withPresent,
} from "./template-scope.js";
import {
  accepts,
  describe,
  isCondition,
  isNullableText,
  isPrintable,
  kindsWith,
  listOf,
  membersOf,
  resultOf,
  wantedNames,
} from "./type-rules.js";
import { variantsOf, type ViewType } from "./view-types.js";

/**
 * Checks the templates of a set: each path and helper, that text is quoted,
 * and that all partials that can be called exist. A template that passes can
 * print every view.
 *
 * Input: the templates that are files, and all templates by name.
 * Errors: `unknown-template-name`, `invalid-template`, `unused-template`.
 */
export function checkTemplates(
  entries: readonly Entry[],
  templates: ReadonlyMap<string, Template>,
): readonly Diagnostic[] {
  const checker = new Checker(templates);
  checker.checkAll(entries);
  return [...checker.listFaults(), ...checker.findUnused()];
}

/** The names that a path can have at a place. */
export interface NameChoice {
  /** The type of the value that has the name. */
  readonly type: ViewType;
  /** The parameters of the partial, if they can be named as well. */
  readonly parameters: ReadonlyMap<string, ViewType>;
}

/**
 * Finds what paths with a certain name, which the view does not have, could name
 * instead. Returns a choice for each type that their templates are checked for.
 */
export function findChoices(
  entries: readonly Entry[],
  templates: ReadonlyMap<string, Template>,
  name: string,
): readonly NameChoice[] {
  const checker = new Checker(templates, name);
  checker.checkAll(entries);
  return checker.choices;
}

/** A template, and what it gets. */
interface CheckedCall {
  readonly template: Template;
  readonly type: ViewType;
  /** Place of the call, or null for a file. */
  readonly call: Location | null;
  /** Identifies the template, and the types of what it gets. */
  readonly key: string;
}

/** A fault, and for what it was found. */
interface TemplateFault {
  readonly checked: CheckedCall | null;
  readonly diagnostic: Diagnostic;
}

class Checker {
  /** Faults by place and message: a partial is checked for several types. */
  readonly #faults = new Map<string, TemplateFault>();
  readonly #templates: ReadonlyMap<string, Template>;
  /** What the templates were checked for: types and parameters. */
  readonly #checked = new Map<string, Set<string>>();
  readonly #sameRecordCalls = new SameRecordCalls();
  /** What is being checked. */
  #current: CheckedCall | null = null;
  readonly #wanted: string | null;
  /** What paths with the name `#wanted` could name instead. */
  readonly choices: NameChoice[] = [];

  constructor(
    templates: ReadonlyMap<string, Template>,
    wanted: string | null = null,
  ) {
    this.#templates = templates;
    this.#wanted = wanted;
  }

  checkAll(entries: readonly Entry[]): void {
    for (const { record, template } of entries) {
      const type: ViewType = { kind: "record", name: record };
      const key = keyOf(template, type, new Map());
      this.#check({ template, type, call: null, key }, new Map());
    }
    for (const { location, name } of this.#sameRecordCalls.findEndless()) {
      this.#refuse(
        location,
        `\`${name}\` calls itself with the same record, and so without end`,
      );
    }
  }

  #check(
    checked: CheckedCall,
    parameters: ReadonlyMap<string, ViewType>,
  ): void {
    const { key, template, type } = checked;
    const known = this.#checked.get(template.name) ?? new Set();
    if (known.has(key)) return;
    this.#checked.set(template.name, known.add(key));
    const outer = this.#current;
    this.#current = checked;
    const scope = { type, parameters, outer: null, present: new Set<string>() };
    this.#checkParts(template.body, scope);
    this.#current = outer;
  }

  /** Returns the faults. If only some calls cause one, names such a call. */
  listFaults(): readonly Diagnostic[] {
    return Array.from(this.#faults.values(), ({ checked, diagnostic }) => {
      const { call = null, template, type } = checked ?? {};
      const types = this.#checked.get(template?.name ?? "")?.size ?? 0;
      if (call === null || type === undefined || types < 2) return diagnostic;
      const label = `the partial gets ${describe(type)} here`;
      return { ...diagnostic, related: [{ location: call, label }] };
    });
  }

  findUnused(): readonly Diagnostic[] {
    // A template that a faulty call means is not reported as well.
    if (this.#faults.size > 0) return [];
    return reportUnused(this.#templates, this.#checked);
  }

  #checkParts(parts: readonly TemplatePart[], scope: TemplateScope): void {
    for (const part of parts) {
      switch (part.kind) {
        case "text":
          break;
        case "print":
          this.#checkPrint(part.value, part.location, scope);
          break;
        case "condition": {
          this.#checkCondition(part.condition, scope);
          const [yes, no] = presentIf(part.condition);
          this.#checkParts(part.body, withPresent(scope, yes));
          this.#checkParts(part.otherwise, withPresent(scope, no));
          break;
        }
        case "each": {
          const type = this.#typeOf(part.list, scope);
          if (type !== null && type.kind !== "list") {
            this.#refuse(
              part.list.location,
              `\`{{#each}}\` needs a list, and this is ${describe(type)}`,
            );
          }
          if (type?.kind === "list") {
            this.#checkParts(part.body, {
              type: type.element,
              parameters: new Map(),
              outer: scope,
              present: new Set(),
            });
          }
          this.#checkParts(part.otherwise, scope);
          break;
        }
        case "partial":
          this.#checkPartial(part, scope);
      }
    }
  }

  #checkPrint(
    value: Expression,
    location: Location,
    scope: TemplateScope,
  ): void {
    const type = this.#typeOf(value, scope);
    if (type === null || isPrintable(type)) return;
    const isText = type.kind === "text" || isNullableText(type);
    this.#refuse(
      location,
      isText
        ? "text from a contract is printed without quoting"
        : `${describe(type)} cannot be printed`,
      isText
        ? "use the helper of the output's language, e.g. `{{md …}}`, `{{json …}}` or `{{comment …}}`"
        : undefined,
    );
  }

  #checkCondition(condition: Expression, scope: TemplateScope): void {
    const type = this.#typeOf(condition, scope);
    if (type === null || isCondition(type)) return;
    const isNullable = type.kind === "nullable";
    this.#refuse(
      condition.location,
      `${describe(type)} is not a condition`,
      isNullable
        ? "write `(exists …)`, because an empty text would count as absent"
        : 'compare it, as in `(is kind "rpc")`, or use a property such as `isOptional`',
    );
  }

  #checkPartial(call: PartialCall, scope: TemplateScope): void {
    const context = this.#typeOf(call.context, scope);
    const parameters = new Map(
      call.parameters.flatMap(([name, value]): [string, ViewType][] => {
        const type = this.#typeOf(value, scope);
        return type === null ? [] : [[name, type]];
      }),
    );
    if (context?.kind === "nullable") {
      this.#refuse(
        call.context.location,
        "this can be null",
        "call the partial inside `{{#if (exists …)}}`",
      );
      return;
    }
    if (context === null) return;
    if (parameters.size > 0 && membersOf(context) === null) {
      this.#refuse(
        call.location,
        `a partial that gets ${describe(context)} cannot have parameters`,
        "pass the value as another parameter: `{{> name fields=fields}}`",
      );
      return;
    }
    for (const { kind, name } of this.#namesOf(call, scope)) {
      const template = this.#templates.get(name);
      if (template === undefined) {
        this.#report(call.location, {
          code: "unknown-template-name",
          message:
            kind === null
              ? `there is no partial \`${name}\``
              : `there is no partial \`${name}\`, which the kind \`${kind}\` needs`,
          ...suggestHelp(name, this.#templates.keys()),
        });
        continue;
      }
      const variant =
        kind !== null && context.kind === "union" && isOwnKind(call)
          ? variantsOf(context.name).get(kind)
          : undefined;
      const type: ViewType =
        variant === undefined ? context : { kind: "record", name: variant };
      const key = keyOf(template, type, parameters);
      if (this.#current !== null && isSameRecord(call, scope))
        this.#sameRecordCalls.add(this.#current.key, name, key, call.location);
      this.#check({ template, type, call: call.location, key }, parameters);
    }
  }

  /** Returns all names that a call can have, and the kinds that they are for. */
  #namesOf(
    { name: parts }: PartialCall,
    scope: TemplateScope,
  ): readonly { readonly name: string; readonly kind: string | null }[] {
    let names: readonly { name: string; kind: string | null }[] = [
      { name: "", kind: null },
    ];
    for (const part of parts) {
      const type = this.#typeOf(part, scope);
      if (type === null) return [];
      if (part.kind === "literal") {
        names = names.map(({ kind, name }) => ({
          kind,
          name: name + String(part.value),
        }));
        continue;
      }
      if (type.kind !== "choice") {
        this.#refuse(
          part.location,
          `the name of a partial cannot contain ${describe(type)}`,
          "use `kind`, or another value of a closed list",
        );
        return [];
      }
      names = names.flatMap(({ name }) =>
        type.values.map((kind) => ({ kind, name: name + kind })),
      );
    }
    return names;
  }

  /** Returns the type of a value, or null if a fault was found. */
  #typeOf(expression: Expression, scope: TemplateScope): ViewType | null {
    switch (expression.kind) {
      case "literal":
        return typeof expression.value === "number"
          ? { kind: "number" }
          : { kind: "choice", values: [expression.value] };
      case "position":
        if (scope.outer === null) {
          this.#refuse(
            expression.location,
            `\`@${expression.name}\` is used outside of \`{{#each}}\``,
          );
          return null;
        }
        return { kind: expression.name === "index" ? "number" : "boolean" };
      case "call":
        return this.#typeOfCall(expression, scope);
      case "path":
        return this.#typeOfPath(expression, scope);
    }
  }

  #typeOfPath(path: PathExpression, scope: TemplateScope): ViewType | null {
    const { depth, location, names } = path;
    let from: TemplateScope | null = scope;
    for (let up = 0; up < depth && from !== null; up++) from = from.outer;
    if (from === null) {
      this.#refuse(
        location,
        "`../` leads out of the template",
        "pass the value to the partial: `{{> name value=…}}`",
      );
      return null;
    }
    let type = from.type;
    let place = "";
    for (const [index, name] of names.entries()) {
      const parameter = index === 0 ? from.parameters.get(name) : undefined;
      const found: ViewType | null =
        parameter ?? this.#member(type, name, from, index, location);
      if (found === null) return null;
      place = place === "" ? name : `${place}.${name}`;
      type =
        found.kind === "nullable" && from.present.has(place) ? found.of : found;
    }
    return type;
  }

  #member(
    type: ViewType,
    name: string,
    scope: TemplateScope,
    index: number,
    location: Location,
  ): ViewType | null {
    if (name === this.#wanted) {
      const parameters = index === 0 ? scope.parameters : new Map();
      this.choices.push({ type, parameters });
    }
    const properties = membersOf(type);
    const found = properties?.get(name);
    if (found !== undefined) return found;
    if (type.kind === "nullable" && membersOf(type.of) !== null) {
      this.#refuse(
        location,
        `this can be null, so it may have no \`${name}\``,
        "use it inside `{{#if (exists …)}}`",
      );
      return null;
    }
    const known = [
      ...(properties?.keys() ?? []),
      ...(index === 0 ? scope.parameters.keys() : []),
    ];
    const kinds = kindsWith(type, name);
    this.#report(location, {
      code: "unknown-template-name",
      message: `${describe(type)} has no \`${name}\``,
      ...(kinds.length === 0
        ? suggestHelp(name, known)
        : {
            help: `only ${listOf(kinds)} has it: call a partial for each kind, as in \`{{> (concat "type/" kind)}}\``,
          }),
      notes: [`it has ${listOf(known)}`],
    });
    return null;
  }

  #typeOfCall(
    call: Extract<Expression, { kind: "call" }>,
    scope: TemplateScope,
  ): ViewType | null {
    const helper = findHelper(call.helper);
    if (helper === undefined) {
      this.#report(call.location, {
        code: "unknown-template-name",
        message: `there is no helper \`${call.helper}\``,
        ...suggestHelp(call.helper, helperNames),
        notes: [`the helpers are ${listOf(helperNames)}`],
      });
      return null;
    }
    const { isVariadic, parameters } = helper;
    const extra = call.arguments.length - parameters.length;
    if (extra < 0 || (extra > 0 && !isVariadic)) {
      this.#refuse(
        call.location,
        `\`${call.helper}\` needs ${isVariadic ? "at least " : ""}${parameters.length} ${parameters.length === 1 ? "value" : "values"}`,
        `for example, \`${helper.example[0]}\``,
      );
      return null;
    }
    const known = call.arguments.map((value, index) => {
      const type = this.#typeOf(value, knownBefore(call, index, scope));
      const wanted = parameters[Math.min(index, parameters.length - 1)];
      if (type === null || wanted === undefined) return null;
      if (!accepts(wanted, type)) {
        this.#refuse(
          value.location,
          `\`${call.helper}\` needs ${wantedNames[wanted]}, and this is ${describe(type)}`,
          type.kind === "nullable"
            ? "use it inside `{{#if (exists …)}}`"
            : undefined,
        );
        return null;
      }
      return type;
    });
    if (known.includes(null)) return null;
    if (call.helper === "is") this.#checkChoice(call, known);
    return resultOf(helper.result);
  }

  /** Checks that a value is only compared with those that it can have. */
  #checkChoice(
    call: Extract<Expression, { kind: "call" }>,
    [value, ...others]: readonly (ViewType | null)[],
  ): void {
    if (value?.kind !== "choice") return;
    for (const [at, other] of others.entries()) {
      if (other?.kind !== "choice") continue;
      const wrong = other.values.find((each) => !value.values.includes(each));
      if (wrong === undefined) continue;
      this.#report(call.arguments[at + 1]?.location, {
        code: "unknown-template-name",
        message: `the value is never \`${wrong}\``,
        ...suggestHelp(wrong, value.values),
        notes: [`it is one of ${listOf(value.values)}`],
      });
    }
  }

  #refuse(location: Location, message: string, help?: string): void {
    this.#report(location, {
      code: "invalid-template",
      message,
      ...(help !== undefined && { help }),
    });
  }

  #report(
    location: Location | undefined,
    rest: Pick<Diagnostic, "code" | "message" | "help" | "notes">,
  ): void {
    const { source, span } = location ?? {};
    this.#faults.set(JSON.stringify([source?.path, span, rest.message]), {
      checked: this.#current,
      diagnostic: { severity: "error", ...rest, ...(location && { location }) },
    });
  }
}
