import type { EmitOptions } from "../../emitter/emitter.js";

/** A kind of file that declarations are printed in. */
export interface Form {
  readonly ending: ".ts" | ".js" | ".d.ts";
  /** Whether its files have types. */
  readonly hasTypes: boolean;
  /** Whether its files have code that runs. */
  readonly hasCode: boolean;
}

const typescript: Form = { ending: ".ts", hasTypes: true, hasCode: true };
const javascript: Form = { ending: ".js", hasTypes: false, hasCode: true };
const declarations: Form = { ending: ".d.ts", hasTypes: true, hasCode: false };

/** Returns the kinds of files that a project generates. */
export function formsOf({
  language = "typescript",
  declarations: isDeclared = true,
}: EmitOptions): readonly Form[] {
  if (language === "typescript") return [typescript];
  return isDeclared ? [javascript, declarations] : [javascript];
}
