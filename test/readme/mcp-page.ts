import { readBlocks, compile, generate, textOf } from "./program.js";
import type { Sandbox } from "../cli/support/sandbox.js";

const page = "docs/mcp.md";

/**
 * Compiles the programs in docs/mcp.md. Input: a port for the programs that
 * need one.
 */
export async function compilePage(port = 8080): Promise<Sandbox> {
  const sandbox = await generate({
    "shop.ridl": textOf(page, "shop.ridl"),
    "ridl.config.yaml": textOf(page, "ridl.config.yaml"),
  });
  const programs = readBlocks(page)
    .filter(({ path }) => path.endsWith(".ts"))
    .map(({ path, text }) => [path, text.replace("8080", String(port))]);
  compile(sandbox, Object.fromEntries(programs));
  return sandbox;
}
