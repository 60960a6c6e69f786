import { pagingOf } from "../../http/method-paging.js";
import type { Contract, Method } from "../../ir/contract.js";

/** Languages with templates have integers of 64 bits. */
const options = { int64: "number", timestamp: "string" } as const;

/** Returns how a method returns pages, or null if it does not. */
export function pagingFor(
  contract: Contract,
  method: Method,
): ReturnType<typeof pagingOf> {
  return pagingOf(contract, options, method);
}

/** Whether one of some methods returns pages. */
export function hasPages(
  contract: Contract,
  methods: readonly Method[],
): boolean {
  return methods.some((method) => pagingFor(contract, method) !== null);
}
