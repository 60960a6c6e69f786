import { spawn } from "node:child_process";

/**
 * Runs a command without blocking servers in this process. Returns its output.
 *
 * Errors: an Error with the output if the command fails.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env } });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data: Buffer) => output.push(data));
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => {
      const text = Buffer.concat(output).toString();
      if (status === 0) resolve(text);
      else reject(new Error(`${command} ${args.join(" ")}\n${text}`));
    });
  });
}
