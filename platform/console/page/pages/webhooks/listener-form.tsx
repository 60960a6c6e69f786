import {
  addListenerRequestSchema,
  updateListenerRequestSchema,
} from "../../../generated/schemas.js";
import type { Listener } from "../../../generated/types.js";
import { webhooks } from "../../api/console-api.js";
import { useNetworks } from "../../api/networks.js";
import { ChainField } from "../../parts/chain-field.js";
import { FormDialog } from "../../parts/form-dialog.js";
import { LinesField } from "../../parts/lines-field.js";
import type { ProjectProps } from "../../parts/page.js";
import { TextField } from "../../parts/text-field.js";

const about = "An empty list matches everything.";

/** A dialog that adds a listener. */
export function NewListener({ projectId }: ProjectProps) {
  const [first] = useNetworks();
  return (
    <FormDialog
      opener="New listener"
      about={about}
      schema={addListenerRequestSchema}
      defaultValues={{
        projectId,
        chainId: first?.chainId ?? 0,
        url: "",
        filters: noFilters,
      }}
      action={webhooks.addListener.mutationOptions()}
      label="Create listener"
      done="The listener was created."
    >
      {(form) => (
        <>
          <ChainField form={form} name="chainId" />
          <TextField form={form} {...urlField} />
          {filterFields.map((field) => (
            <LinesField key={field.name} form={form} rows={2} {...field} />
          ))}
        </>
      )}
    </FormDialog>
  );
}

/** A dialog that changes a listener. */
export function EditListener({ filters, id, projectId, url }: Listener) {
  return (
    <FormDialog
      opener="Edit"
      name={`listener ${id}`}
      look="quiet"
      title={`Edit listener ${id}`}
      about={`${about} Webhooks that wait are sent to the new URL.`}
      schema={updateListenerRequestSchema}
      defaultValues={{
        projectId,
        id,
        url,
        filters: { ...noFilters, ...filters },
      }}
      action={webhooks.updateListener.mutationOptions()}
      label="Save listener"
      done={`Listener ${id} was changed.`}
    >
      {(form) => (
        <>
          <TextField form={form} {...urlField} />
          {filterFields.map((field) => (
            <LinesField key={field.name} form={form} rows={2} {...field} />
          ))}
        </>
      )}
    </FormDialog>
  );
}

const noFilters = {
  ...{ contractAddresses: [], events: [] },
  ...{ tokenIDs: [], accounts: [], topicHashes: [] },
};

const filterFields = [
  {
    name: "filters.events",
    label: "Events",
    hint: "One per line, such as Transfer(address,address,uint256).",
  },
  {
    name: "filters.contractAddresses",
    label: "Contracts",
    hint: "Addresses, one per line.",
  },
  {
    name: "filters.accounts",
    label: "Accounts",
    hint: "Addresses in the events, one per line.",
  },
  {
    name: "filters.tokenIDs",
    label: "Token IDs",
    hint: "Token IDs in the events, one per line.",
  },
  {
    name: "filters.topicHashes",
    label: "Topics",
    hint: "Topic hashes of the events, one per line.",
  },
] as const;

const urlField = {
  name: "url",
  label: "URL",
  placeholder: "https://example.com/webhooks",
  type: "url",
} as const;
