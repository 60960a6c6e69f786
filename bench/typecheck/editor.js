import { execFileSync } from "node:child_process";
import { positionOf, startServer } from "../editor/client.js";
import { median, p95 } from "../harness/statistics.js";
import { compilers } from "./project.js";

const program = "main.ts";

/** The native language server, without the program of Node that starts it. */
function findServer() {
  const code = `import getExePath from "#getExePath"; console.log(getExePath());`;
  return execFileSync(
    process.execPath,
    ["--input-type=module", "--eval", code],
    { cwd: new URL("..", `file://${compilers["7"]}`), encoding: "utf8" },
  ).trim();
}

/**
 * Measures TypeScript's language server in a project: the first completion, from
 * the start of the process, which includes loading the project; a hover; and
 * an edit that causes an error and one that corrects it, `times` times.
 *
 * Returns milliseconds, and the peak memory in MB. Errors: throws if there is no
 * completion, or if a wait takes too long.
 */
export async function measureEditor({ folder, field }, times) {
  const startedAt = performance.now();
  const server = await startServer({
    command: [findServer(), "--lsp", "--stdio"],
    folder,
    file: program,
    pulls: true,
  });
  try {
    const use = `response.${field};`;
    const offset = server.text.indexOf(use) + "response.".length;
    const position = positionOf(server.text, offset);
    const { answer } = await server.ask("completion", { position });
    const completion = performance.now() - startedAt;
    const items = answer?.items ?? answer ?? [];
    if (!items.some(({ label }) => label === field)) {
      throw new Error(`no completion of ${field} in ${folder}`);
    }
    const { ms: hover } = await server.ask("hover", { position });
    const edits = [];
    for (let index = 0; index < times; index++) {
      edits.push(await server.edit(offset, offset, "x", true));
      edits.push(await server.edit(offset, offset + 1, "", false));
    }
    return {
      completion,
      hover,
      edit: median(edits),
      slowEdit: p95(edits),
      memory: server.memory(),
    };
  } finally {
    await server.stop();
  }
}
