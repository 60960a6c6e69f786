import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { createAudienceRequestSchema } from "../../generated/schemas.js";
import { audiences } from "../api/console-api.js";
import { numberText } from "../parts/count.js";
import { FormDialog } from "../parts/form-dialog.js";
import { Moment } from "../parts/moment.js";
import { Page } from "../parts/page.js";
import { PagedTable } from "../tables/paged-table.js";
import { TextField } from "../parts/text-field.js";

/** The page for a project's audiences. */
export function Audiences({ projectId }: { readonly projectId: number }) {
  const [, navigate] = useLocation();
  const base = `/projects/${projectId}/audiences`;
  const pages = useInfiniteQuery({
    ...audiences.listAudiences.infiniteQueryOptions({ projectId }),
    select: (data) => data.pages.flatMap((page) => page.audiences),
  });
  return (
    <Page
      title="Audiences"
      about="Groups of contacts. Programs read them through the Builder service."
      actions={
        <FormDialog
          opener="New audience"
          look="primary"
          title="New audience"
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
        pages={pages}
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
          { name: "ID", isNumeric: true, cell: ({ id }) => id },
          {
            name: "Contacts",
            isNumeric: true,
            cell: ({ contactCount }) => numberText(contactCount),
          },
          {
            name: "Changed",
            cell: ({ updatedAt }) => <Moment at={updatedAt} />,
          },
        ]}
        empty={<p>This project has no audiences yet.</p>}
      />
    </Page>
  );
}
