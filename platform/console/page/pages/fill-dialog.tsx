import { useEffect, useState } from "react";
import { fillGasTankRequestSchema } from "../../generated/schemas.js";
import type { FillGasTankRequest } from "../../generated/types.js";
import { fillTank } from "../api/console-api.js";
import { smallestUnits, useNetwork, useNetworks } from "../api/networks.js";
import type { FormOf } from "../parts/action-form.js";
import { ChainField } from "../parts/chain-field.js";
import { Field } from "../parts/field.js";
import { FormDialog } from "../parts/form-dialog.js";
import type { ProjectProps } from "../parts/page.js";

/**
 * A dialog that fills a project's gas tank. If no chain is given, it asks for
 * one.
 */
export function FillDialog({
  projectId,
  chainId,
  opener,
}: ProjectProps & {
  readonly chainId?: number;
  readonly opener: string;
}) {
  const [first] = useNetworks();
  return (
    <FormDialog
      opener={opener}
      title="Fill gas tank"
      about="Adds to the balance of the tank. The audit log and the tank's entries record who filled it."
      schema={fillGasTankRequestSchema}
      defaultValues={{
        projectId,
        chainId: chainId ?? first?.chainId ?? 0,
        amount: "",
        // The form keeps its first values, so a repeated click has no effect.
        key: drawKey(),
      }}
      action={fillTank}
      label="Fill"
      done="The tank was filled."
    >
      {(form) => (
        <>
          {chainId === undefined && <ChainField form={form} name="chainId" />}
          <AmountField form={form} />
        </>
      )}
    </FormDialog>
  );
}

/** Draws the key of a change. */
function drawKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((each) => each.toString(16).padStart(2, "0")).join("");
}

/**
 * Accepts an amount in the chain's currency and stores it in the smallest unit.
 */
function AmountField({
  form,
}: {
  readonly form: FormOf<FillGasTankRequest, FillGasTankRequest>;
}) {
  const [text, setText] = useState("");
  const network = useNetwork(form.watch("chainId"));
  const { errors, isSubmitted } = form.formState;
  const units = smallestUnits(text.trim(), network?.nativeDecimals ?? 0);
  const { setValue } = form;
  useEffect(
    () =>
      setValue("amount", units, {
        ...{ shouldValidate: isSubmitted, shouldDirty: true },
      }),
    [isSubmitted, setValue, units],
  );
  return (
    <Field
      label={`Amount in ${network?.nativeSymbol ?? "the smallest unit"}`}
      hint={/^\d+$/u.test(units) && `${units} of the smallest unit`}
      error={errors.amount && "Enter a decimal number above zero, such as 1.5."}
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
