import type { InputHTMLAttributes, ReactNode } from "react";
import {
  get,
  type FieldPath,
  type FieldValues,
  type RegisterOptions,
} from "react-hook-form";
import type { FormOf } from "./action-form.js";
import { Field } from "./field.js";

/** Properties of an input of a form. */
export interface TextFieldProps<
  Fields extends FieldValues,
  Request,
> extends Omit<InputHTMLAttributes<HTMLInputElement>, "form" | "name"> {
  readonly form: FormOf<Fields, Request>;
  readonly name: FieldPath<Fields>;
  readonly label: string;
  readonly hint?: ReactNode;
  /** Converts the text to the field's value. */
  readonly read?: (text: string) => unknown;
}

/** A text input that shows its field's validation error. */
export function TextField<Fields extends FieldValues, Request>({
  form,
  name,
  label,
  hint,
  read,
  ...input
}: TextFieldProps<Fields, Request>) {
  const options: RegisterOptions<Fields, FieldPath<Fields>> = read === undefined
    ? {}
    : { setValueAs: read };
  const error: { readonly message?: string } | undefined = get(
    form.formState.errors,
    name,
  );
  return (
    <Field label={label} hint={hint} error={error?.message}>
      {(links) => (
        <input
          autoComplete="off"
          spellCheck={false}
          {...input}
          {...links}
          {...form.register(name, options)}
        />
      )}
    </Field>
  );
}

/** Converts the text of an optional field. Empty text means no value. */
export function optionalText(text: string): string | undefined {
  return text === "" ? undefined : text;
}
