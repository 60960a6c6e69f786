import type { WirePlace } from "./paired-contracts.js";

/** The place of a type that is in no message. */
export const unusedPlace: WirePlace = {
  flow: "code",
  path: "code alone",
  part: "",
};

/** Longer paths are not extended any further. */
const maxPathLength = 200;

/** Returns a place inside another one. */
export function inside({ flow, path }: WirePlace, step: string): WirePlace {
  return { flow, path: extendPath(path, step), part: "" };
}

function extendPath(path: string, step: string): string {
  if (path.length > maxPathLength) {
    return path.endsWith("…`") ? path : `${path}, \`…\``;
  }
  if (!path.includes(", ")) return `${path}, \`${step}\``;
  const dot = /^[[{(]/u.test(step) ? "" : ".";
  return `${path.slice(0, -1)}${dot}${step}\``;
}
