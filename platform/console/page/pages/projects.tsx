import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { createProjectRequestSchema } from "../../generated/schemas.js";
import { projects } from "../api/console-api.js";
import { FormDialog } from "../parts/form-dialog.js";
import { Moment } from "../parts/moment.js";
import { Page } from "../parts/page.js";
import { PagedTable } from "../tables/paged-table.js";
import { SearchField, useSearch } from "../parts/search-field.js";
import { TextField } from "../parts/text-field.js";

/** The page that lists all projects. */
export function Projects() {
  const search = useSearch("search");
  const pages = useInfiniteQuery({
    ...projects.listProjects.infiniteQueryOptions(
      search.text === "" ? {} : { search: search.text },
    ),
    select: (data) => data.pages.flatMap((page) => page.projects),
    placeholderData: (previous) => previous,
  });
  return (
    <div className="wide">
      <Page title="Projects" actions={<NewProject />}>
        <SearchField
          label="Search projects"
          placeholder="Search by name or ID"
          search={search}
        />
        <PagedTable
          label="Projects"
          pages={pages}
          rowKey={({ id }) => `${id}`}
          columns={[
            {
              name: "Name",
              cell: ({ id, name }) => (
                <Link href={`/projects/${id}`} className="strong">
                  {name}
                </Link>
              ),
            },
            { name: "ID", isNumeric: true, cell: ({ id }) => id },
            {
              name: "Created",
              cell: ({ createdAt }) => <Moment at={createdAt} />,
            },
          ]}
          empty={
            search.text === "" ? (
              <p>There are no projects yet. Create the first one.</p>
            ) : (
              <p>No project has “{search.text}” in its name or ID.</p>
            )
          }
        />
      </Page>
    </div>
  );
}

function NewProject() {
  const [, navigate] = useLocation();
  return (
    <FormDialog
      opener="New project"
      look="primary"
      title="New project"
      about="Keys, audiences, gas tanks and listeners belong to a project."
      schema={createProjectRequestSchema}
      defaultValues={{ name: "" }}
      action={projects.createProject.mutationOptions()}
      label="Create project"
      done="The project was created."
      onDone={({ project }) => navigate(`/projects/${project.id}`)}
    >
      {(form) => <TextField form={form} name="name" label="Name" />}
    </FormDialog>
  );
}
