import { useQuery } from "@tanstack/react-query";
import { Link, Route, Switch } from "wouter";
import { NotFoundError } from "../../generated/errors.js";
import type { Project } from "../../generated/types.js";
import { projects } from "../api/console-api.js";
import { FailureNote } from "../parts/failure-note.js";
import { NavLink } from "../parts/nav-link.js";
import { Waiting } from "../tables/paged-table.js";
import { AudiencePage } from "./audience.js";
import { Audiences } from "./audiences.js";
import { Calls } from "./calls.js";
import { Deliveries } from "./webhooks/deliveries.js";
import { DeliveryPage } from "./webhooks/delivery.js";
import { GasTankPage } from "./gas-tank.js";
import { GasTanks } from "./gas-tanks.js";
import { Keys } from "./keys.js";
import { Listeners } from "./webhooks/listeners.js";
import { NotFound } from "../parts/not-found.js";
import { NumberRoute } from "./number-route.js";
import { Overview } from "./overview.js";
import { ProjectLog } from "./activity.js";
import { RefreshTasks } from "./refresh-tasks.js";
import { Relays } from "./relays.js";

/** The pages of one project, with their navigation. */
export function ProjectPages({ projectId }: { readonly projectId: number }) {
  const { data, error, refetch } = useQuery(
    projects.getProject.queryOptions({ projectId }),
  );
  const base = `/projects/${projectId}`;
  if (error instanceof NotFoundError) return <NotFound />;
  if (error && data === undefined) {
    return (
      <div className="alone">
        <FailureNote error={error} retry={refetch} />
      </div>
    );
  }
  if (data === undefined) return <Waiting />;
  const { project } = data;
  return (
    <div className="project">
      <aside>
        <Link href={base} className="project-name">
          {project.name}
        </Link>
        <nav aria-label="Project">
          <NavLink href={base} and="/">
            Overview
          </NavLink>
          <NavLink href={`${base}/keys`}>Keys</NavLink>
          <NavLink href={`${base}/audiences`}>Audiences</NavLink>
          <NavLink href={`${base}/gas`}>Gas</NavLink>
          <NavLink href={`${base}/relays`}>Relays</NavLink>
          <NavLink href={`${base}/webhooks`}>Webhooks</NavLink>
          <NavLink href={`${base}/deliveries`}>Deliveries</NavLink>
          <NavLink href={`${base}/calls`}>Calls</NavLink>
          <NavLink href={`${base}/refreshes`}>Refresh tasks</NavLink>
          <NavLink href={`${base}/log`}>Audit log</NavLink>
        </nav>
      </aside>
      <div>
        <Routes project={project} base={base} />
      </div>
    </div>
  );
}

function Routes({
  project,
  base,
}: {
  readonly project: Project;
  /** The address of the project's first page. */
  readonly base: string;
}) {
  const projectId = project.id;
  return (
    <Switch>
      <Route path={base}>
        <Overview project={project} />
      </Route>
      <Route path={`${base}/keys`}>
        <Keys projectId={projectId} />
      </Route>
      <Route path={`${base}/audiences`}>
        <Audiences projectId={projectId} />
      </Route>
      <NumberRoute path={`${base}/audiences/:id`}>
        {(id) => <AudiencePage projectId={projectId} audienceId={id} />}
      </NumberRoute>
      <Route path={`${base}/gas`}>
        <GasTanks projectId={projectId} />
      </Route>
      <NumberRoute path={`${base}/gas/:id`}>
        {(id) => <GasTankPage projectId={projectId} chainId={id} />}
      </NumberRoute>
      <Route path={`${base}/relays`}>
        <Relays projectId={projectId} />
      </Route>
      <Route path={`${base}/webhooks`}>
        <Listeners projectId={projectId} />
      </Route>
      <Route path={`${base}/deliveries`}>
        <Deliveries projectId={projectId} />
      </Route>
      <Route path={`${base}/deliveries/:key`}>
        {({ key }) => <DeliveryPage deliveryKey={key} />}
      </Route>
      <Route path={`${base}/calls`}>
        <Calls projectId={projectId} />
      </Route>
      <Route path={`${base}/refreshes`}>
        <RefreshTasks projectId={projectId} />
      </Route>
      <Route path={`${base}/log`}>
        <ProjectLog projectId={projectId} />
      </Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
