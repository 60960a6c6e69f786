import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { parse } from "yaml";
import type { Sandbox } from "../cli/support/sandbox.js";

/** A step of action.yml. */
interface Step {
  readonly name: string;
  readonly id?: string;
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The result of a step. */
export interface StepResult {
  readonly status: number | null;
  readonly output: string;
}

/** The parsed action. */
export const action: {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
} = parse(readFileSync("action.yml", "utf8"));

/**
 * Runs steps of the action as a runner would, in the `checkout` folder of a
 * sandbox.
 *
 * Input: action inputs that differ from their defaults, additional environment
 * variables, and values of `github` expressions.
 */
export function runAction(
  sandbox: Sandbox,
  names: readonly string[],
  inputs: Readonly<Record<string, string>> = {},
  environment: Readonly<Record<string, string>> = {},
  github: Readonly<Record<string, string>> = {},
): ReadonlyMap<string, StepResult> {
  const temporary = join(sandbox.root, "temp");
  mkdirSync(temporary, { recursive: true });
  const values = new Map(Object.entries(github));
  for (const [key, { default: value }] of Object.entries(action.inputs)) {
    values.set(`inputs.${key}`, inputs[key] ?? value);
  }
  const results = new Map<string, StepResult>();
  for (const step of action.runs.steps) {
    if (!names.includes(step.name)) continue;
    const outputs = join(temporary, `${step.id ?? step.name}.out`);
    const env = Object.entries(step.env).map(([key, text]) => {
      const expand = (_: string, expression: string): string =>
        values.get(expression) ?? expect.unreachable(expression);
      return [key, text.replace(/\$\{\{ (.*?) \}\}/gu, expand)];
    });
    const script = join(temporary, "step.sh");
    writeFileSync(script, step.run);
    const { status, stdout, stderr } = spawnSync(
      "bash",
      ["--noprofile", "--norc", "-eo", "pipefail", script],
      {
        cwd: join(sandbox.root, "checkout"),
        encoding: "utf8",
        env: {
          PATH: process.env["PATH"],
          HOME: temporary,
          RUNNER_TEMP: temporary,
          GITHUB_OUTPUT: outputs,
          GITHUB_STEP_SUMMARY: join(temporary, "summary.md"),
          GITHUB_REPOSITORY: "acme/shop",
          ...environment,
          ...Object.fromEntries(env),
        },
      },
    );
    results.set(step.name, { status, output: stdout + stderr });
    const text = existsSync(outputs) ? readFileSync(outputs, "utf8") : "";
    for (const [, key = "", value = ""] of text.matchAll(/^(\w+)=(.*)$/gmu)) {
      values.set(`steps.${step.id}.outputs.${key}`, value);
    }
    if (status !== 0 && step.id === "find") break;
  }
  return results;
}
