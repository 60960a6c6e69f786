import {
  appendFileSync,
  cpSync,
  mkdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { readContract } from "../conformance/load-contract.js";
import { middlewareModules } from "../go/middleware-modules.js";
import { runCommand } from "../run-command.js";
import { writeSet } from "../write-set.js";

/** The middlewares of Go servers in the documentation, and in the program. */
export const goMiddlewares: readonly (readonly [string, string])[] = [
  ["nothing", "none"],
  ["chi's `Logger`", "Logger"],
  ["chi's `Recoverer`", "Recoverer"],
  ["chi's `Compress`", "Compress"],
  ["chi's `Timeout`", "Timeout"],
  ["chi's `Throttle`", "Throttle"],
  ["gorilla's `LoggingHandler`", "logging"],
  ["gorilla's `CompressHandler`", "compress"],
  ["gorilla's `RecoveryHandler`", "recovery"],
  ["a recorder without `Unwrap`", "recorder"],
  ["`http.TimeoutHandler`", "timeout"],
];

/** Builds the life-cycle server in Go as `server` in a folder. Returns the folder. */
export async function buildGoServer(folder: string): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const app = join(import.meta.dirname, "app");
  const contract = readContract(app, "life-cycle.ridl");
  writeSet("go", contract, folder, "example.com/lifecycle");
  const module = join(folder, "go");
  const program = join(module, "cmd", "main.go");
  cpSync(join(app, "life_cycle_server.go"), program);
  appendFileSync(join(module, "go.mod"), middlewareModules.required);
  writeFileSync(join(module, "go.sum"), middlewareModules.sums);
  const words = ["build", "-o", join(folder, "server"), "./cmd"];
  await runCommand("go", words, module);
  return folder;
}
