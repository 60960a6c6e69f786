import type { CheckCode } from "../../diagnostics/catalog.js";
import type { Program } from "../program/program.js";
import type { Finding } from "../report/finding.js";

/** Finds one kind of fault. It must be a pure function. */
export type Rule = (program: Program) => readonly Finding[];

/** The rules of one topic, by code. */
export type CheckRules = Readonly<Partial<Record<CheckCode, Rule>>>;
