import { useState, type ReactNode } from "react";
import {
  get,
  useController,
  type FieldPath,
  type FieldValues,
} from "react-hook-form";
import type { FormOf } from "./action-form.js";
import { Field } from "./field.js";

/** A form's error for a list: one for the list, or one for each entry. */
interface ListError {
  readonly message?: string;
  readonly [index: number]: { readonly message?: string } | undefined;
}

/**
 * A list of strings, one per line. Blank lines are not entries. The error of an
 * entry contains its number.
 */
export function LinesField<Fields extends FieldValues, Request>({
  form,
  name,
  label,
  hint,
  rows = 4,
}: {
  readonly form: FormOf<Fields, Request>;
  readonly name: FieldPath<Fields>;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly rows?: number;
}) {
  const { field } = useController({ name, control: form.control });
  const [text, setText] = useState(() => writeLines(field.value));
  const error: ListError | undefined = get(form.formState.errors, name);
  return (
    <Field label={label} hint={hint} error={error && textOf(error)}>
      {(links) => (
        <textarea
          className="code"
          spellCheck={false}
          rows={rows}
          {...links}
          name={name}
          ref={field.ref}
          value={text}
          onBlur={field.onBlur}
          onChange={({ target }) => {
            setText(target.value);
            field.onChange(readLines(target.value));
          }}
        />
      )}
    </Field>
  );
}

function writeLines(entries: unknown): string {
  return Array.isArray(entries) ? entries.join("\n") : "";
}

/** Returns the nonempty lines of a text. */
function readLines(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function textOf(error: ListError): string | undefined {
  if (error.message !== undefined) return error.message;
  const [first] = Object.entries(error);
  return first && `Entry ${Number(first[0]) + 1}: ${first[1]?.message}`;
}
