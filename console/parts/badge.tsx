/** A one-word state. `tone` says whether it is good. */
export function Badge({
  tone,
  children,
}: {
  readonly tone: "good" | "bad" | "busy" | "calm";
  readonly children: string;
}) {
  return <span className={`badge ${tone}`}>{children}</span>;
}
