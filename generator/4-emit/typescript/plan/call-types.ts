import type { HostScope } from "./file-scope.js";
import type { MethodPlan } from "./plan.js";
import { declaredType } from "./type-text.js";

/** Returns the type arguments of `Call`: request, response and errors. */
export function callTypes(
  { imports, unit }: HostScope,
  { method, names, request, response }: MethodPlan,
): readonly [request: string, response: string, error: string] {
  return [
    declaredType(imports, request.object),
    method.route.kind === "webhook"
      ? "void"
      : declaredType(imports, response.object),
    imports.generatedType(unit, "errors", names.error),
  ];
}
