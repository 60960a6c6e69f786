import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import {
  addContactsRequestSchema,
  listContactsRequestSchema,
  renameAudienceRequestSchema,
} from "../../generated/schemas.js";
import type { Audience, ListContactsResponse } from "../../generated/types.js";
import { audiences } from "../api/console-api.js";
import { countText } from "../parts/count.js";
import { ConfirmAction } from "../parts/confirm-action.js";
import { FormDialog } from "../parts/form-dialog.js";
import { LinesField } from "../parts/lines-field.js";
import { Loaded } from "../parts/loaded.js";
import { Page, Section } from "../parts/page.js";
import { Permitted } from "../parts/permitted.js";
import { SearchField, useSearch } from "../parts/filters.js";
import { TextField } from "../parts/text-field.js";
import { PagedTable } from "../tables/paged-table.js";
import { ExportButton } from "./contacts-export.js";
import { ImportDialog } from "./contacts-import.js";

/** The page for an audience and its contacts. */
export function AudiencePage(reference: {
  readonly projectId: number;
  readonly audienceId: number;
}) {
  const query = useQuery(audiences.getAudience.queryOptions(reference));
  return (
    <Loaded query={query}>{(data) => <AudienceDetails {...data} />}</Loaded>
  );
}

function AudienceDetails({ audience }: { readonly audience: Audience }) {
  const { contactCount, name } = audience;
  return (
    <Page
      title={name}
      about={`Audience ${audience.id}`}
      actions={<AudienceActions audience={audience} />}
    >
      <Section
        title={countText(contactCount, "contact")}
        actions={
          <>
            <AddContacts audience={audience} />
            <Permitted action={audiences.importContacts.mutationOptions()}>
              <ImportDialog audience={audience} />
            </Permitted>
            <ExportButton audience={audience} />
          </>
        }
      >
        <Contacts audience={audience} />
      </Section>
    </Page>
  );
}

function AudienceActions({ audience }: { readonly audience: Audience }) {
  const [, navigate] = useLocation();
  const { id: audienceId, name, projectId } = audience;
  return (
    <>
      <FormDialog
        opener="Rename"
        title="Rename audience"
        schema={renameAudienceRequestSchema}
        defaultValues={{ projectId, audienceId, name }}
        action={audiences.renameAudience.mutationOptions()}
        done="The audience was renamed."
      >
        {(form) => <TextField form={form} name="name" label="Name" />}
      </FormDialog>
      <ConfirmAction
        label="Delete"
        name="audience"
        look="plain"
        title={`Delete ${name}?`}
        action={audiences.deleteAudience.mutationOptions()}
        request={{ projectId, audienceId }}
        done={() => "The audience was deleted."}
        onDone={() => navigate(`/projects/${projectId}/audiences`)}
      >
        <p>Programs will no longer be able to see it. This cannot be undone.</p>
      </ConfirmAction>
    </>
  );
}

function AddContacts({ audience }: { readonly audience: Audience }) {
  return (
    <FormDialog
      opener="Add contacts"
      schema={addContactsRequestSchema}
      defaultValues={{
        projectId: audience.projectId,
        audienceId: audience.id,
        contactIds: [],
      }}
      action={audiences.addContacts.mutationOptions()}
      done="The contacts were added."
    >
      {(form) => (
        <LinesField
          form={form}
          name="contactIds"
          label="Contact IDs"
          hint="One per line, at most 1,000. For more, import a CSV file."
          rows={8}
        />
      )}
    </FormDialog>
  );
}

function Contacts({ audience }: { readonly audience: Audience }) {
  const { id: audienceId, projectId } = audience;
  const search = useSearch("contact");
  const place = { projectId, audienceId };
  const checked = listContactsRequestSchema["~standard"].validate(
    search.text === "" ? place : { ...place, contactId: search.text },
  );
  return (
    <>
      <SearchField
        label="Find a contact"
        placeholder="Search by contact ID"
        search={search}
      />
      <PagedTable
        label="Contacts"
        list={audiences.listContacts.infiniteQueryOptions(
          checked.issues ? place : checked.value,
        )}
        rowsOf={(page: ListContactsResponse) => page.contactIds}
        issues={checked.issues}
        rowKey={(id) => `${id}`}
        columns={[
          { name: "Contact ID", cell: (id) => <code>{`${id}`}</code> },
          {
            name: "Actions",
            isActions: true,
            cell: (id) => (
              <ConfirmAction
                label="Remove"
                name={`contact ${id}`}
                title={`Remove contact ${id}?`}
                action={audiences.removeContacts.mutationOptions()}
                request={{ projectId, audienceId, contactIds: [id] }}
                done={() => `Contact ${id} was removed.`}
              >
                <p>
                  Programs will no longer find it in this audience. The audit
                  log records the removal.
                </p>
              </ConfirmAction>
            ),
          },
        ]}
        empty={
          search.text === ""
            ? "This audience has no contacts. Add some, or import a file."
            : `Contact ${search.text} is not in this audience.`
        }
      />
    </>
  );
}
