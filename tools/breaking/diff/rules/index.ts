import type { BreakingCode } from "../../../../generator/diagnostics/catalog.js";
import type { BreakingRule } from "../facts/rule.js";
import { credentialRules } from "./credentials.js";
import { declarationRules } from "./declarations.js";
import { deprecationRules } from "./deprecation.js";
import { enumRules } from "./enums.js";
import { errorBodyRules } from "./error-bodies.js";
import { extraMemberRules } from "./extra-members.js";
import { fieldRules } from "./fields.js";
import { hostRules } from "./hosts.js";
import { limitRules } from "./limits.js";
import { methodRules } from "./methods.js";
import { routeRules } from "./routes.js";
import { serviceRules } from "./services.js";
import { unionRules } from "./unions.js";
import { valueRules } from "./values.js";

/** Every rule, by code. TypeScript checks the codes against the catalog. */
export const breakingRules: Readonly<Record<BreakingCode, BreakingRule>> = {
  ...hostRules,
  ...serviceRules,
  ...methodRules,
  ...routeRules,
  ...credentialRules,
  ...fieldRules,
  ...extraMemberRules,
  ...valueRules,
  ...enumRules,
  ...unionRules,
  ...declarationRules,
  ...errorBodyRules,
  ...limitRules,
  ...deprecationRules,
};
