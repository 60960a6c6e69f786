import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import typescript from "typescript";
import { typiaType } from "../server/contract/typia.js";
import { folder } from "../server/contract/generated.js";

const cli = fileURLToPath(
  new URL("../node_modules/typia/lib/executable/typia.js", import.meta.url),
);

/**
 * Creates the validator of a message with `typia generate`, from a type with
 * tags.
 *
 * Returns `validate(value)`, which returns `{ success, errors }`. It only
 * collects errors if a faster check has rejected the value.
 */
export async function compileTypia(message) {
  const work = join(folder, `typia-${message}`);
  rmSync(work, { recursive: true, force: true });
  mkdirSync(join(work, "source"), { recursive: true });
  const project = join(work, "tsconfig.json");
  writeFileSync(project, JSON.stringify({ compilerOptions }));
  writeFileSync(
    join(work, "source/validate.ts"),
    `import typia, { tags } from "typia";

export type Message = ${typiaType(message)};

export const validate = typia.createValidate<Message>();
`,
  );
  const flags = { input: "source", output: "written", project };
  const args = Object.entries(flags).flatMap(([flag, value]) => [
    `--${flag}`,
    value,
  ]);
  execFileSync(process.execPath, [cli, "generate", ...args], {
    cwd: work,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const text = readFileSync(join(work, "written/validate.ts"), "utf8");
  const { outputText } = typescript.transpileModule(text, { compilerOptions });
  const module = join(work, "validate.js");
  writeFileSync(module, outputText);
  const { validate } = await import(pathToFileURL(module).href);
  return validate;
}

const compilerOptions = {
  target: "es2022",
  module: "esnext",
  moduleResolution: "bundler",
  strict: true,
};
