import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const probe = fileURLToPath(new URL("probe.cjs", import.meta.url));

// bash reports the CPU time of a process and its children to the microsecond.
// Its report goes to a separate file.
const script =
  'TIMEFORMAT="%R %U %S"; { time "$@" >&3 2>&4; } 3>&1 4>&2 2>"$BENCH_TIMES"';

/**
 * Runs a command until it ends.
 *
 * Input: the command with its arguments, and its working directory.
 * Returns CPU seconds (user and system, including child processes), wall-clock
 * seconds, the peak memory in MB of its largest Node process, and what it
 * printed. Errors: throws if the command fails, with its output.
 */
export function runProcess(command, folder) {
  const notes = mkdtempSync(join(tmpdir(), "ridlkit-bench-"));
  const times = join(notes, "times");
  try {
    const { status, stdout, stderr } = spawnSync(
      "bash",
      ["-c", script, "bash", ...command],
      {
        cwd: folder,
        encoding: "utf8",
        maxBuffer: 2 ** 28,
        env: {
          ...process.env,
          BENCH_TIMES: times,
          BENCH_PROBE: notes,
          NODE_OPTIONS: `--require ${probe}`,
          NO_COLOR: "1",
        },
      },
    );
    if (status !== 0) {
      const said = `${stdout}${stderr}`.trim().slice(-2000);
      throw new Error(`${command.join(" ")} ended with ${status}\n${said}`);
    }
    const [wall, user, system] = readFileSync(times, "utf8")
      .trim()
      .split(/\s+/u)
      .map(Number);
    const peaks = readdirSync(notes)
      .filter((name) => name !== "times")
      .map((name) => Number(readFileSync(join(notes, name), "utf8")));
    return {
      cpu: user + system,
      wall,
      peak: Math.max(0, ...peaks) / 1024,
      stdout,
    };
  } finally {
    rmSync(notes, { recursive: true, force: true });
  }
}
