import { readerEntries } from "../plan/convert.js";
import type { Imports } from "../plan/imports.js";
import { readFields } from "../plan/objects.js";
import { declaredType } from "../plan/type-text.js";
import type { ObjectPlan } from "../plan/plan.js";
import { structIn } from "../plan/struct-in.js";
import { buildConstant } from "../text/build.js";
import type { PrintedDeclaration } from "../text/declare.js";
import { genericOf, pureCallOf } from "../text/shapes.js";

/**
 * `readX: Read<X>` for clients: a table of the fields that have to be looked at,
 * because that is what stays small in a bundle. Each stands below those that it
 * refers to.
 */
export function readerStatements(
  imports: Imports,
  objects: readonly ObjectPlan[],
): readonly PrintedDeclaration[] {
  const waiting = new Set(objects);
  /** Readers that do not stand yet. */
  const missing = new Set(objects);
  const statements: PrintedDeclaration[] = [];
  const waitingIn = ({ fields }: ObjectPlan): ObjectPlan | null => {
    for (const { type } of fields) {
      const held = structIn(type);
      if (held !== null && waiting.has(held)) return held;
    }
    return null;
  };
  // A path of our own, not recursion: structs may hold others at length.
  const path: ObjectPlan[] = [];
  const enter = (object: ObjectPlan): void => {
    if (waiting.delete(object)) path.push(object);
  };
  for (const each of objects) {
    enter(each);
    for (let last = path.at(-1); last; last = path.at(-1)) {
      const held = waitingIn(last);
      if (held !== null) enter(held);
      else {
        path.pop();
        statements.push(readerStatement(imports, last, missing));
        missing.delete(last);
      }
    }
  }
  return statements;
}

function readerStatement(
  imports: Imports,
  object: ObjectPlan,
  missing: ReadonlySet<ObjectPlan>,
): PrintedDeclaration {
  const { name } = object;
  const type = declaredType(imports, object);
  const callee = imports.runtime("codec", "readFields");
  const entries = readerEntries(imports, readFields(object), missing);
  return buildConstant(
    imports,
    [`Reads \`${name}\`; the value itself is changed.`],
    `read${name}`,
    genericOf(imports.runtimeType("codec", "Read"), [type]),
    pureCallOf(callee, [], entries),
  );
}
