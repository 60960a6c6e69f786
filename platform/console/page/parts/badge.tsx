/** A state that a badge shows. `tone` tells whether it is good. */
export interface BadgeState {
  readonly name: string;
  readonly tone: "good" | "bad" | "busy" | "calm";
}

/** A state in one word. */
export function Badge({ name, tone }: BadgeState) {
  return <span className={`badge ${tone}`}>{name}</span>;
}
