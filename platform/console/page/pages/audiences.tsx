import { Link, useLocation } from "wouter";
import { createAudienceRequestSchema } from "../../generated/schemas.js";
import type { ListAudiencesResponse } from "../../generated/types.js";
import { audiences } from "../api/console-api.js";
import { FormDialog } from "../parts/form-dialog.js";
import { Page, type ProjectProps } from "../parts/page.js";
import { TextField } from "../parts/text-field.js";
import { changedColumn, createdColumn, idColumn } from "../tables/columns.js";
import { numberColumn } from "../tables/figure-columns.js";
import { PagedTable } from "../tables/paged-table.js";

/** The page for a project's audiences. */
export function Audiences({ projectId }: ProjectProps) {
  const [, navigate] = useLocation();
  const base = `/projects/${projectId}/audiences`;
  return (
    <Page
      title="Audiences"
      about="Groups of contacts. Programs read them through the Builder service."
      actions={
        <FormDialog
          opener="New audience"
          look="primary"
          schema={createAudienceRequestSchema}
          defaultValues={{ projectId, name: "" }}
          action={audiences.createAudience.mutationOptions()}
          label="Create audience"
          done="The audience was created."
          onDone={({ audience }) => navigate(`${base}/${audience.id}`)}
        >
          {(form) => <TextField form={form} name="name" label="Name" />}
        </FormDialog>
      }
    >
      <PagedTable
        label="Audiences"
        list={audiences.listAudiences.infiniteQueryOptions({ projectId })}
        rowsOf={(page: ListAudiencesResponse) => page.audiences}
        rowKey={({ id }) => `${id}`}
        columns={[
          {
            name: "Name",
            cell: ({ id, name }) => (
              <Link href={`${base}/${id}`} className="strong">
                {name}
              </Link>
            ),
          },
          idColumn,
          numberColumn("Contacts", "contactCount"),
          createdColumn,
          changedColumn,
        ]}
        empty="This project has no audiences yet."
      />
    </Page>
  );
}
