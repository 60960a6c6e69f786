import { useQuery } from "@tanstack/react-query";
import { Link, Route, Switch } from "wouter";
import type { Project } from "../../generated/types.js";
import { projects } from "../api/console-api.js";
import { Loaded, NotFound } from "../parts/loaded.js";
import { NavLink } from "../parts/nav-link.js";
import type { ProjectProps } from "../parts/page.js";
import { ProjectLog } from "./activity.js";
import { AudiencePage } from "./audience.js";
import { Audiences } from "./audiences.js";
import { Calls } from "./calls.js";
import { GasTankPage } from "./gas-tank.js";
import { GasTanks } from "./gas-tanks.js";
import { Keys } from "./keys.js";
import { NumberRoute } from "./number-route.js";
import { Overview } from "./overview.js";
import { RefreshTasks } from "./refresh-tasks.js";
import { Relays } from "./relays.js";
import { Deliveries } from "./webhooks/deliveries.js";
import { DeliveryPage } from "./webhooks/delivery.js";
import { Listeners } from "./webhooks/listeners.js";

/** The pages in a project's navigation, after the overview. */
const pages = [
  { path: "keys", name: "Keys", Content: Keys },
  { path: "audiences", name: "Audiences", Content: Audiences },
  { path: "gas", name: "Gas", Content: GasTanks },
  { path: "relays", name: "Relays", Content: Relays },
  { path: "webhooks", name: "Webhooks", Content: Listeners },
  { path: "deliveries", name: "Deliveries", Content: Deliveries },
  { path: "calls", name: "Calls", Content: Calls },
  { path: "refreshes", name: "Refresh tasks", Content: RefreshTasks },
  { path: "log", name: "Audit log", Content: ProjectLog },
];

/** The pages of one project, with their navigation. */
export function ProjectPages({ projectId }: ProjectProps) {
  const query = useQuery(projects.getProject.queryOptions({ projectId }));
  return <Loaded query={query}>{(data) => <Pages {...data} />}</Loaded>;
}

function Pages({ project }: { readonly project: Project }) {
  const base = `/projects/${project.id}`;
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
          {pages.map(({ name, path }) => (
            <NavLink key={path} href={`${base}/${path}`}>
              {name}
            </NavLink>
          ))}
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
      {pages.map(({ Content, path }) => (
        <Route key={path} path={`${base}/${path}`}>
          <Content projectId={projectId} />
        </Route>
      ))}
      <NumberRoute path={`${base}/audiences/:id`}>
        {(id) => <AudiencePage projectId={projectId} audienceId={id} />}
      </NumberRoute>
      <NumberRoute path={`${base}/gas/:id`}>
        {(id) => <GasTankPage projectId={projectId} chainId={id} />}
      </NumberRoute>
      <Route path={`${base}/deliveries/:key`}>
        {({ key }) => <DeliveryPage deliveryKey={key} />}
      </Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
