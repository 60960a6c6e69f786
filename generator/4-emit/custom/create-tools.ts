import type {
  Contract,
  Field,
  Message,
  TypeReference,
} from "../../ir/contract.js";
import { allMethods } from "../../ir/methods-of.js";
import { rememberEach } from "../../ir/remember.js";
import type { EmitOptions } from "../emitter/emitter.js";
import { createPlan } from "../typescript/plan/create-plan.js";
import { Imports } from "../typescript/plan/imports.js";
import type { ObjectPlan, Plan } from "../typescript/plan/plan.js";
import {
  declaredType,
  fieldTypeOf,
  typeOf,
} from "../typescript/plan/type-text.js";
import { render, type Doc } from "../typescript/text/format.js";
import { formsOf } from "../typescript/text/forms.js";
import { quoteProperty, quoteString } from "../typescript/text/quote.js";
import { kinds, type ImportStructure } from "../typescript/text/structures.js";
import type { EmitTools, FileDraft } from "./emit-function.js";

/** Tools, and the targets that their use requires. */
export interface TrackedTools {
  readonly tools: EmitTools;
  /** Names of the targets whose files the started files import. */
  readonly needs: ReadonlySet<string>;
}

/**
 * Creates the tools for a custom emitter.
 *
 * Input: the contract that the emitter gets, the settings, and the emitter's
 * options. Errors: the tools can throw if they get parts of another contract.
 */
export function createTools(
  contract: Contract,
  settings: EmitOptions,
  options: EmitTools["options"],
): TrackedTools {
  const needs = new Set<string>();
  // Created on demand, because many emitters write no TypeScript.
  const plan = (): Plan => createPlan(contract, settings);
  return {
    needs,
    tools: {
      options,
      get names() {
        return plan().names;
      },
      kinds,
      quoteString,
      quoteProperty,
      startFile: (path) => startFile(path, plan(), needs),
    },
  };
}

function startFile(path: string, plan: Plan, needs: Set<string>): FileDraft {
  const unit = { folder: folderOf(path), host: null, documents: [] };
  const imports = new Imports(plan, unit, path);
  return {
    typeOf: (subject) => oneLine(typeOfSubject(imports, subject, plan)),
    finish: (statements) => {
      const all = formsOf({ ...plan.options, language: "typescript" }).flatMap(
        (form): readonly ImportStructure[] => imports.structures(form),
      );
      if (all.length > 0) needs.add("types");
      return { path, statements: [...all, ...statements] };
    },
  };
}

function folderOf(path: string): string {
  return path.split("/").slice(0, -1).join("/");
}

function typeOfSubject(
  imports: Imports,
  subject: Field | Message | TypeReference,
  plan: Plan,
): Doc {
  switch (subject.kind) {
    case "field":
      return fieldTypeOf(imports, plan.values.field(subject));
    case "message": {
      const object = objectsOf(plan).get(subject);
      if (object === undefined) {
        throw new TypeError("a message is not from the contract");
      }
      return declaredType(imports, object);
    }
    case "scalar":
    case "list":
    case "map":
    case "reference":
      return typeOf(imports, plan.values.valueOf(subject));
  }
}

/** Returns the plan of each request and response. */
const objectsOf = rememberEach(
  ({ hosts }: Plan): ReadonlyMap<Message, ObjectPlan> =>
    new Map(
      allMethods(hosts)
        .flatMap(({ request, response }) => [request, response])
        .map(({ message, object }) => [message, object]),
    ),
);

/** Renders on one line, because the text becomes part of other code. */
function oneLine(doc: Doc): string {
  return render(doc, -Infinity);
}
