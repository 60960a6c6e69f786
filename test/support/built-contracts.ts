import type { Contract } from "../../generator/ir/contract.js";
import { hostileContract } from "./hostile-contract.js";
import { namesContract } from "./names-contract.js";

/** The contracts of golden cases that RIDL cannot express, by case name. */
export const builtContracts: Readonly<Record<string, Contract>> = {
  hostile: hostileContract,
  names: namesContract,
};
