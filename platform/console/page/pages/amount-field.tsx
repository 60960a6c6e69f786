import { useEffect, useState } from "react";
import {
  get,
  useController,
  type FieldPath,
  type FieldValues,
} from "react-hook-form";
import { smallestUnits, useNetwork } from "../api/networks.js";
import type { FormOf } from "../parts/action-form.js";
import { Field } from "../parts/field.js";

/**
 * Accepts an amount in the chain's currency and stores it in the smallest unit.
 */
export function AmountField<Fields extends FieldValues, Request>({
  form,
  name,
  chainId,
  label = "Amount",
  hint,
  initial = "",
  empty,
}: {
  readonly form: FormOf<Fields, Request>;
  readonly name: FieldPath<Fields>;
  readonly chainId: number;
  readonly label?: string;
  readonly hint?: string;
  /** The text at first. */
  readonly initial?: string;
  /** The value of the field if the text is empty. */
  readonly empty: string | undefined;
}) {
  const { field } = useController({ name, control: form.control });
  const [text, setText] = useState(initial);
  const network = useNetwork(chainId);
  const typed = smallestUnits(text.trim(), network?.nativeDecimals ?? 0);
  const units = typed === "" ? empty : typed;
  const { onChange, value } = field;
  useEffect(() => {
    if (units !== value) onChange(units);
  }, [onChange, units, value]);
  const error: unknown = get(form.formState.errors, name);
  return (
    <Field
      label={`${label} in ${network?.nativeSymbol ?? "the smallest unit"}`}
      hint={/^\d+$/u.test(typed) ? `${typed} of the smallest unit` : hint}
      error={
        error === undefined
          ? undefined
          : "Enter a decimal number above zero, such as 1.5."
      }
    >
      {(links) => (
        <input
          {...links}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
    </Field>
  );
}
