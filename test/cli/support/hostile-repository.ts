import { chmodSync, existsSync, readFileSync, rmSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { commit, git, makeRepository } from "./repository.js";
import { createSandbox, type Sandbox } from "./sandbox.js";

/** A repository whose own configuration makes git start programs. */
export interface HostileRepository {
  readonly sandbox: Sandbox;
  /** Lists the programs that have run, and forgets them. */
  ran(): readonly string[];
}

const head = "webrpc = v1\nname = shop\nversion = v1.0.0\n\n";
const shop = `${head}service Shop\n  - Ping()\n  - Pong()\n`;

/** Settings that each contain a program. Git starts it at different times. */
const programs = [
  "core.askPass",
  "core.alternateRefsCommand",
  "core.fsmonitor",
  "core.gitProxy",
  "core.pager",
  "core.sshCommand",
  "credential.helper",
  "diff.evil.command",
  "diff.evil.textconv",
  "diff.external",
  "filter.evil.clean",
  "filter.evil.process",
  "filter.evil.smudge",
  "gpg.program",
  "remote.origin.uploadpack",
  ...["cat-file", "ls-files", "ls-tree", "merge-base", "rev-parse"].flatMap(
    (command) => [`alias.${command}`, `pager.${command}`],
  ),
] as const;

/** How the missing file would be fetched. */
export const transports: Readonly<Record<string, string>> = {
  ssh: "ssh://example.com/shop",
  "a folder": ".",
  "a program": "ext::./program ext",
};

/**
 * Creates a repository that lacks a file of its main branch, so that git
 * fetches it from `url`.
 */
export function createHostileRepository(url: string): HostileRepository {
  const sandbox = createSandbox({
    "ridl.config.yaml": "schema: [shop.ridl]\nemit: [types]\n",
    "shop.ridl": shop,
    ".gitattributes": "* filter=evil diff=evil\n",
    program: '#!/bin/sh\necho "$1" >> "$(dirname "$0")/ran"\n',
  });
  const program = join(sandbox.root, "program");
  const log = join(sandbox.root, "ran");
  chmodSync(program, 0o755);
  makeRepository(sandbox);
  git(sandbox, "checkout", "--quiet", "-b", "feature");
  sandbox.write({ "shop.ridl": shop.replace("  - Pong()\n", "") });
  commit(sandbox);
  const { stdout } = spawnSync("git", ["rev-parse", "main:shop.ridl"], {
    cwd: sandbox.root,
    encoding: "utf8",
  });
  const object = stdout.trim();
  rmSync(
    join(sandbox.root, ".git/objects", object.slice(0, 2), object.slice(2)),
  );
  for (const [name, value] of [
    ["core.repositoryFormatVersion", "1"],
    ["extensions.partialClone", "origin"],
    ["remote.origin.promisor", "true"],
    ["remote.origin.url", url],
    ["protocol.allow", "always"],
    ["core.hooksPath", sandbox.root],
    ...programs.map((each) => [each, `${program} ${each}`]),
  ]) {
    git(sandbox, "config", name ?? "", value ?? "");
  }
  return {
    sandbox,
    ran: () => {
      const ran = existsSync(log) ? readFileSync(log, "utf8") : "";
      rmSync(log, { force: true });
      return ran.split("\n").filter(Boolean);
    },
  };
}
