import type { Helper } from "../../../../generator/4-emit/templates/template-helpers.js";

/** Describes a helper in Markdown: what it does, and an example. */
export function describeHelper(helper: Helper | undefined): string {
  if (helper === undefined) return "";
  const [call, result] = helper.example;
  return `${helper.summary}\n\n\`\`\`handlebars\n${call}\n\`\`\`\n\n\`\`\`text\n${result}\n\`\`\``;
}
