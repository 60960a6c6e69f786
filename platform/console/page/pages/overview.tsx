import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, type ComponentType } from "react";
import { renameProjectRequestSchema } from "../../generated/schemas.js";
import type { Project, Usage } from "../../generated/types.js";
import { activity, projects } from "../api/console-api.js";
import { daysUntil, sumBy, type Count } from "../api/usage.js";
import { Copyable } from "../parts/copyable.js";
import { Facts } from "../parts/facts.js";
import { FormDialog } from "../parts/form-dialog.js";
import { Loaded, Waiting } from "../parts/loaded.js";
import { Moment } from "../parts/moment.js";
import { Page, type ProjectProps, Section } from "../parts/page.js";
import { useSearchParam } from "../parts/filters.js";
import { TextField } from "../parts/text-field.js";
import { DataTable } from "../tables/data-table.js";
import { numberColumn } from "../tables/figure-columns.js";
import { Empty } from "../tables/paged-table.js";

// The import fails without a network, and after a deployment that has replaced
// the file.
const UsageChart = lazy(() =>
  import("./usage-chart.js").then(
    ({ UsageChart }): ChartModule => ({ default: UsageChart }),
    () => ({ default: MissingChart }),
  ),
);

interface ChartModule {
  readonly default: ComponentType<{ readonly days: readonly Count[] }>;
}

function MissingChart() {
  return (
    <p role="alert" className="failure">
      The chart could not be loaded. Reload the page.
    </p>
  );
}

/** The first page of a project: its details and its usage. */
export function Overview({ project }: { readonly project: Project }) {
  return (
    <Page title={project.name} actions={<Rename {...project} />}>
      <Facts
        facts={{
          "Project ID": <Copyable text={`${project.id}`} name="project ID" />,
          Created: <Moment at={project.createdAt} />,
        }}
      />
      <UsageSection projectId={project.id} />
    </Page>
  );
}

function Rename({ id, name }: Project) {
  return (
    <FormDialog
      opener="Rename"
      title="Rename project"
      schema={renameProjectRequestSchema}
      defaultValues={{ projectId: id, name }}
      action={projects.renameProject.mutationOptions()}
      done="The project was renamed."
    >
      {(form) => <TextField form={form} name="name" label="Name" />}
    </FormDialog>
  );
}

const ranges = ["7", "30", "90"];

function UsageSection({ projectId }: ProjectProps) {
  const [given, setRange] = useSearchParam("days");
  const range = ranges.includes(given) ? given : "30";
  const days = daysUntil(new Date(), Number(range));
  const [from = "", to = ""] = [days[0], days.at(-1)];
  const query = useQuery(
    activity.getUsage.queryOptions({ projectId, from, to }),
  );
  return (
    <Section
      title="Usage"
      about="Calls with this project's keys, by day (UTC)."
      actions={
        <select
          aria-label="Period"
          value={range}
          onChange={({ target }) => setRange(target.value)}
        >
          {ranges.map((count) => (
            <option key={count} value={count}>
              Last {count} days
            </option>
          ))}
        </select>
      }
    >
      <Loaded query={query}>
        {({ usage }) => <UsageFigures usage={usage} days={days} />}
      </Loaded>
    </Section>
  );
}

function UsageFigures({
  usage,
  days,
}: {
  readonly usage: readonly Usage[];
  readonly days: readonly string[];
}) {
  if (usage.length === 0) {
    return <Empty>This project made no calls in this period.</Empty>;
  }
  const byDay = new Map(
    sumBy(usage, ({ day }) => day).map((count) => [count.name, count]),
  );
  const counts = days.map(
    (day): Count => byDay.get(day) ?? { name: day, calls: 0, failures: 0 },
  );
  const byMethod = sumBy(
    usage,
    ({ service, method }) => `${service}/${method}`,
  );
  return (
    <>
      <Suspense fallback={<Waiting />}>
        <UsageChart days={counts} />
      </Suspense>
      <DataTable
        label="Calls by method"
        rows={byMethod.toSorted((one, other) => other.calls - one.calls)}
        rowKey={({ name }) => name}
        columns={[
          { name: "Method", cell: ({ name }) => <code>{name}</code> },
          numberColumn("Calls", "calls"),
          numberColumn("Failed", "failures"),
        ]}
      />
    </>
  );
}
