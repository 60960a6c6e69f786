import { Link, useLocation } from "wouter";
import { createProjectRequestSchema } from "../../generated/schemas.js";
import type { ListProjectsResponse } from "../../generated/types.js";
import { projects } from "../api/console-api.js";
import { FormDialog } from "../parts/form-dialog.js";
import { Page } from "../parts/page.js";
import { SearchField, useSearch } from "../parts/filters.js";
import { TextField } from "../parts/text-field.js";
import { createdColumn, idColumn } from "../tables/columns.js";
import { PagedTable } from "../tables/paged-table.js";

/** The page that lists all projects. */
export function Projects() {
  const search = useSearch("search");
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
          list={projects.listProjects.infiniteQueryOptions(
            search.text === "" ? {} : { search: search.text },
          )}
          rowsOf={(page: ListProjectsResponse) => page.projects}
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
            idColumn,
            createdColumn,
          ]}
          empty={
            search.text === ""
              ? "There are no projects yet. Create the first one."
              : `No project has “${search.text}” in its name or ID.`
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
