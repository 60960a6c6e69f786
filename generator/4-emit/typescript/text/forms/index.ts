import type { EmitOptions } from "../../../emitter.js";
import { declarations } from "./declarations.js";
import type { Form } from "./form.js";
import { javascript } from "./javascript.js";
import { typescript } from "./typescript.js";

/** The files that each file of the output is, by the language of the project. */
const forms = {
  typescript: [typescript],
  javascript: [javascript, declarations],
} as const;

/** The kinds of files that a project gets. */
export function formsOf({
  language = "typescript",
}: EmitOptions): readonly Form[] {
  return forms[language];
}
