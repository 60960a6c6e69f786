import type { ReactNode } from "react";

/** A list of facts by name. */
export function Facts({
  facts,
}: {
  readonly facts: Readonly<Record<string, ReactNode>>;
}) {
  return (
    <dl className="facts">
      {Object.entries(facts).map(([name, fact]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{fact}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Shows a dash instead of a missing text. */
export function OrDash({ text = "" }: { readonly text?: string | undefined }) {
  return text || <span className="quiet">–</span>;
}
