import { fillGasTankRequestSchema } from "../../generated/schemas.js";
import { fillGasTank } from "../api/console-api.js";
import { useNetworks } from "../api/networks.js";
import { AmountField } from "./amount-field.js";
import { ChainField } from "../parts/chain-field.js";
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
      action={fillGasTank}
      label="Fill"
      done="The tank was filled."
    >
      {(form) => (
        <>
          {chainId === undefined && <ChainField form={form} name="chainId" />}
          <AmountField
            form={form}
            name="amount"
            chainId={form.watch("chainId")}
            empty=""
          />
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
