import type { Contract, Method } from "../ir/contract.js";
import { errorsOf, errorsWithData } from "../ir/errors-of.js";
import { methodsOf } from "../ir/methods-of.js";
import { rememberEach } from "../ir/remember.js";
import { findReachable } from "./reachable-types.js";
import { valuesOf } from "./value.js";

/**
 * Returns the methods whose request, response or errors can contain a sensitive
 * field. The texts of their errors must not quote a message that was not read.
 */
export const sensitiveMethodsOf = rememberEach(
  (contract: Contract): ReadonlySet<Method> => {
    const values = valuesOf(contract);
    const isSensitive = ({ isSensitive }: { readonly isSensitive: boolean }) =>
      isSensitive;
    const structs = new Set(
      contract.types
        .filter(
          (type) => type.kind === "struct" && type.fields.some(isSensitive),
        )
        .map(({ name }) => name),
    );
    const found = new Set<Method>();
    for (const host of contract.hosts) {
      for (const method of methodsOf(host.services)) {
        const { request, response } = method;
        const errors = errorsWithData(contract, errorsOf(host, method));
        const carried = errors.map(({ data }) => data);
        if (host.errorBody !== null) carried.push(host.errorBody.struct);
        const isMarked = [...request.fields, ...response.fields].some(
          isSensitive,
        );
        const reached = () =>
          findReachable([{ methods: [method] }], values, carried);
        if (
          isMarked ||
          (structs.size > 0 && [...reached()].some((name) => structs.has(name)))
        )
          found.add(method);
      }
    }
    return found;
  },
);
