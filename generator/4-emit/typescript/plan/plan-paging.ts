import type { Contract, Field } from "../../../ir/contract.js";
import { invariant } from "../../../ir/invariant.js";
import { pagingOf } from "../../../http/method-paging.js";
import type { EmitOptions } from "../../emitter/emitter.js";
import type { MethodDraft } from "./methods.js";
import type { FieldPlan, ObjectPlan, PagingPlan } from "./plan.js";

/** Decides how a method returns pages. Returns null if it does not. */
export function planPaging(
  contract: Contract,
  options: EmitOptions,
  constant: string,
  { method, request, response }: Omit<MethodDraft, "paging">,
): PagingPlan | null {
  const paging = pagingOf(contract, options, method);
  if (paging === null) return null;
  const holder = paging.holder && planOf(request, paging.holder);
  return {
    constant,
    isNumbered: paging.isNumbered,
    linked: paging.linked,
    holder,
    asked: planOf(structIn(holder) ?? request, paging.asked),
    answered: planOf(response, paging.answered),
    items: paging.items && planOf(response, paging.items),
  };
}

function structIn(holder: FieldPlan | null): ObjectPlan | null {
  return holder?.value.kind === "struct" ? holder.value.type : null;
}

function planOf({ fields }: ObjectPlan, { jsonName }: Field): FieldPlan {
  const found = fields.find(({ field }) => field.jsonName === jsonName);
  invariant(found !== undefined, `the field ${jsonName} is planned`);
  return found;
}
