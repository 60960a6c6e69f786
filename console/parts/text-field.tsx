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
  /** How the text becomes the value of the field. */
  readonly read?: (text: string) => unknown;
}

/** An input that shows what the generated schema says about it. */
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

/** What an input holds for a field that may be absent. */
export function optionalText(text: string): string | undefined {
  return text === "" ? undefined : text;
}
