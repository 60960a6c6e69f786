/** A state in one word. `tone` shows whether it is good. */
export function Badge({
  tone,
  children,
}: {
  readonly tone: "good" | "bad" | "busy" | "calm";
  readonly children: string;
}) {
  return <span className={`badge ${tone}`}>{children}</span>;
}
