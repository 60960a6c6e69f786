/**
 * Returns a generated file without the comment that keeps compilers of projects
 * from checking it, so that a test can check it.
 */
export function withChecks(text: string): string {
  return text.replace(/^(\/\/ [^\n]*\n)\/\/ @ts-nocheck\n/u, "$1");
}
