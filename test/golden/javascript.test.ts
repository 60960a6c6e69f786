import { transform, type Loader } from "esbuild";
import { expect, it } from "vitest";
import { drawSome } from "../support/draw-some.js";
import {
  emitCase,
  goldenCases,
  inJavaScript,
  type GoldenCase,
} from "../support/golden-cases.js";

/**
 * Returns the executable part of each module in a case, without types or
 * comments.
 */
async function codeOf(
  golden: GoldenCase,
  loader: Loader,
): Promise<Readonly<Record<string, string>>> {
  const tsconfigRaw = { compilerOptions: { verbatimModuleSyntax: true } };
  const modules = emitCase(golden).filter(
    ({ path }) =>
      /\.[jt]s$/u.test(path) &&
      !/\.d\.ts$|^(?:runtime|explorer)\//u.test(path),
  );
  const printed = modules.map(async ({ path, text }) => {
    const { code } = await transform(text, {
      loader,
      tsconfigRaw,
      minifySyntax: true,
      minifyWhitespace: true,
    });
    // Remove differences in line breaks and quotes.
    const { code: lines } = await transform(code);
    const name = path.replace(/\.[jt]s$/u, "");
    return [name, lines.replace(/^export \{\};\n$/u, "")] as const;
  });
  return Object.fromEntries(await Promise.all(printed));
}

/** Returns a variant of a case in TypeScript whose imports end in `.js`. */
function inTypeScript(golden: GoldenCase): GoldenCase {
  const { language, ...options } = golden.options;
  return { ...golden, options: { ...options, importExtension: ".js" } };
}

const cases = drawSome(goldenCases(), 4);

it.each(cases.map((golden) => [golden.name, golden] as const))(
  "emits the same code for %s in both languages",
  async (_, golden) => {
    const expected = await codeOf(inTypeScript(golden), "ts");
    expect(Object.keys(expected).length).toBeGreaterThan(3);
    expect(await codeOf(inJavaScript(golden), "js")).toEqual(expected);
  },
);
