import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, test } from "vitest";
import { runtimeEntries } from "../../support/runtime-entries.js";
import type { Listening } from "../../support/listen.js";
import { expectRefusal, expectSecret } from "../expect-secret.js";
import type { Attempt } from "../invalid-requests.js";
import { startCutter } from "../start-cutter.js";
import { binary } from "./hosts.js";

const work = join(import.meta.dirname, ".work");
mkdirSync(work, { recursive: true });
const folder = mkdtempSync(join(work, "credentials-"));
const file = join(folder, "program.mjs");

/** Prints what clients make of requests that cannot be sent or answered. */
const program = `
  import { inspect } from "node:util";
  import { argv } from "node:process";
  import { withInvalidHeaders, withInvalidUrls, withoutAnswer, withPasswords } from "../invalid-requests.ts";
  const own = (globalThis.Bun ?? globalThis.Deno).inspect;
  const print = (error) => inspect(error, { depth: 10, showHidden: true }) + own(error);
  const urls = ["http://127.0.0.1:9", argv[2], argv[2] + "/gone"];
  console.log(JSON.stringify({
    headers: await withInvalidHeaders(print),
    urls: await withInvalidUrls(print),
    cut: await withoutAnswer(urls, print),
    passwords: await withPasswords(urls, print),
  }));
`;

const runtimes = {
  Bun: () => [binary("@oven", "bin/bun"), file],
  Deno: () => [
    binary("@deno", "deno"),
    ...["run", "--no-config", "--allow-net", "--allow-env", file],
  ],
};

let cutter: Listening;
beforeAll(async () => {
  cutter = await startCutter();
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    alias: runtimeEntries,
    write: false,
  });
  writeFileSync(file, outputFiles[0]?.text ?? "");
});
afterAll(async () => {
  await cutter.close();
  rmSync(folder, { recursive: true });
});

describe.each(Object.entries(runtimes))("errors on %s", (_, commandOf) => {
  let found: Readonly<
    Record<"headers" | "urls" | "cut" | "passwords", readonly Attempt[]>
  >;
  beforeAll(async () => {
    const [command = "", ...words] = commandOf();
    const run = promisify(execFile);
    const { stdout } = await run(command, [...words, cutter.url], {
      maxBuffer: 2 ** 26,
    });
    found = JSON.parse(stdout);
  });

  test("of invalid credentials do not contain them", () => {
    for (const each of found.headers) expectRefusal(each);
  });

  test("of invalid URLs do not contain the key", () => {
    for (const each of found.urls) {
      // These hosts accept a password in a URL.
      if (each.name.endsWith("@host")) expectSecret(each);
      else expectRefusal(each);
    }
  });

  test("of requests without a response do not contain the key", () => {
    for (const each of found.cut) expectSecret(each);
  });

  test("do not contain the password in a URL", () => {
    for (const each of found.passwords) expectSecret(each);
  });
});
