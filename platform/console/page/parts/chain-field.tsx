import type { FieldPath, FieldValues } from "react-hook-form";
import { useNetworks } from "../api/networks.js";
import type { FormOf } from "./action-form.js";
import { Field } from "./field.js";

/** A choice among the chains of the platform. */
export function ChainField<Fields extends FieldValues, Request>({
  form,
  name,
  none,
}: {
  readonly form: FormOf<Fields, Request>;
  readonly name: FieldPath<Fields>;
  /** The label of the empty choice, if the chain is optional. */
  readonly none?: string;
}) {
  const networks = useNetworks();
  return (
    <Field label="Chain">
      {(links) => (
        <select
          {...links}
          {...form.register(name, {
            setValueAs: (value) =>
              value === "" || value === undefined ? undefined : Number(value),
          })}
        >
          {none !== undefined && <option value="">{none}</option>}
          {networks.map(({ chainId, handle, nativeSymbol }) => (
            <option key={chainId} value={chainId}>
              {handle} ({nativeSymbol}, {chainId})
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
