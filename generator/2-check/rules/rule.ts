import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { Program } from "../program/program.js";

/**
 * One thing that is checked: a pure function from the program to what is wrong
 * with it. Its file has the name of its diagnostic code.
 */
export type Rule = (program: Program) => readonly Diagnostic[];
