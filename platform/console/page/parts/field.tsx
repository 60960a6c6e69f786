import { useId, type ReactNode } from "react";
import { sentence } from "./failure-note.js";

/** The attributes that connect an input with its label, hint and error. */
export interface InputLinks {
  readonly id: string;
  readonly "aria-describedby": string;
  readonly "aria-invalid": boolean;
}

/** A labeled input. Screen readers read its error together with it. */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly children: (links: InputLinks) => ReactNode;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        "aria-describedby": `${id}-error ${id}-hint`,
        "aria-invalid": error !== undefined,
      })}
      <p id={`${id}-error`} className="field-error" role="alert">
        {error !== undefined && sentence(error)}
      </p>
      <p id={`${id}-hint`} className="hint">
        {hint}
      </p>
    </div>
  );
}
