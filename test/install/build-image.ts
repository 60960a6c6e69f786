import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Trial } from "./session.js";

/**
 * Builds the last stage of a project's Dockerfile without Docker, in folders on
 * this machine and with this machine's programs. Base images and users are
 * ignored. Returns the folder and the command with which the container would
 * start.
 *
 * Input: the project, and an empty folder.
 */
export async function buildImage(
  project: Trial,
  folder: Trial,
): Promise<{ readonly image: Trial; readonly command: string }> {
  const stages = new Map<string, Trial>();
  const ignored = project.read(".dockerignore").trim().split("\n");
  let [stage, workFolder, command] = [folder, folder, ""];
  for (const line of project.read("Dockerfile").split("\n")) {
    const [instruction, ...words] = line.split(" ");
    const rest = words.join(" ");
    switch (instruction) {
      case "FROM":
        stage = folder.within(String(stages.size));
        stages.set(words[2] ?? "", stage);
        break;
      case "WORKDIR":
        workFolder = stage.within(rest);
        break;
      case "COPY": {
        const [, from] = /^--from=(\S+)/u.exec(rest) ?? [];
        const source = from === undefined ? project : stages.get(from);
        const paths = words.filter((word) => !word.startsWith("--"));
        const target = paths.pop() ?? "";
        for (const path of paths) copy(path, source ?? project, target);
        break;
      }
      case "RUN":
        await workFolder.run(rest);
        break;
      case "CMD":
        command = JSON.parse(rest).join(" ");
        break;
      default:
        expect(["USER", ""]).toContain(instruction);
    }
  }
  return { image: workFolder, command };

  function copy(path: string, source: Trial, target: string): void {
    const isFolder = target.endsWith("/");
    const to = workFolder.path(isFolder ? join(target, path) : target);
    const excluded = ignored.map((each) => source.path(each));
    cpSync(source.path(path), to, {
      recursive: true,
      filter: (each) => source !== project || !excluded.includes(each),
    });
  }
}
