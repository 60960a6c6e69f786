import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { DeliveryState, type Delivery } from "../../../generated/types.js";
import { webhooks } from "../../api/console-api.js";
import { ActionButton } from "../../parts/action-button.js";
import { Badge } from "../../parts/badge.js";
import type { ButtonProps } from "../../parts/button.js";
import { ConfirmAction } from "../../parts/confirm-action.js";
import { shortened } from "../../parts/copyable.js";
import { countText } from "../../parts/count.js";
import type { Column } from "../../tables/data-table.js";
import { Moment } from "../../parts/moment.js";
import { Page } from "../../parts/page.js";
import { PagedTable } from "../../tables/paged-table.js";
import { useSearchParam } from "../../parts/search-param.js";

const states = Object.values(DeliveryState);

/** The page for a project's webhook deliveries. */
export function Deliveries({ projectId }: { readonly projectId: number }) {
  const [givenState, setState] = useSearchParam("state");
  const [listener, setListener] = useSearchParam("listener");
  const state = states.find((each) => each === givenState);
  const listenerId = /^\s*\d{1,15}\s*$/u.test(listener)
    ? Number(listener)
    : null;
  const isInvalid = listener.trim() !== "" && listenerId === null;
  const pages = useInfiniteQuery({
    ...webhooks.listDeliveries.infiniteQueryOptions({
      projectId,
      ...(state !== undefined && { state }),
      ...(listenerId !== null && { listenerId }),
    }),
    select: (data) => data.pages.flatMap((page) => page.deliveries),
    enabled: !isInvalid,
    placeholderData: (previous) => previous,
    refetchInterval: 5_000,
  });
  return (
    <Page
      title="Deliveries"
      about="Webhooks that were sent or are pending. A delivery is dead once the platform gives up on it."
      actions={<ReplayDead projectId={projectId} />}
    >
      <div className="filters">
        <label>
          State
          <select
            value={state ?? ""}
            onChange={({ target }) => setState(target.value)}
          >
            <option value="">Any</option>
            {states.map((each) => (
              <option key={each} value={each}>
                {stateNames[each]}
              </option>
            ))}
          </select>
        </label>
        <label>
          Listener
          <input
            inputMode="numeric"
            placeholder="Any"
            value={listener}
            onChange={({ target }) => setListener(target.value)}
          />
        </label>
      </div>
      <PagedTable
        label="Deliveries"
        pages={pages}
        issues={isInvalid ? [{ message: "expected a listener ID" }] : []}
        rowKey={({ key }) => key}
        columns={columns}
        empty={
          givenState === "" && listener === "" ? (
            <p>This project has no deliveries yet.</p>
          ) : (
            <p>No deliveries match.</p>
          )
        }
      />
    </Page>
  );
}

function ReplayDead({ projectId }: { readonly projectId: number }) {
  return (
    <ConfirmAction
      label="Replay all dead"
      name="deliveries"
      look="plain"
      title="Replay all dead deliveries?"
      action={webhooks.replayDeadDeliveries.mutationOptions()}
      request={{ projectId }}
      done={({ count }) => `Replaying ${countText(count, "webhook")}.`}
    >
      <p>Sends every dead delivery of this project again.</p>
    </ConfirmAction>
  );
}

const columns: readonly Column<Delivery>[] = [
  {
    name: "Delivery",
    cell: ({ key, projectId }) => (
      <Link href={`/projects/${projectId}/deliveries/${key}`}>
        <code title={key}>{shortened(key)}</code>
      </Link>
    ),
  },
  { name: "State", cell: ({ state }) => <StateBadge state={state} /> },
  {
    name: "Attempts",
    isNumeric: true,
    cell: ({ attempts }) => attempts,
  },
  {
    name: "Reason",
    cell: ({ reason = "" }) => reason || <span className="quiet">–</span>,
  },
  {
    name: "Created",
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
  {
    name: "Actions",
    isActions: true,
    cell: (delivery) => <Replay delivery={delivery} />,
  },
];

const stateNames: Readonly<Record<DeliveryState, string>> = {
  pending: "Pending",
  delivered: "Delivered",
  canceled: "Canceled",
  dead: "Dead",
};

const stateTones = {
  pending: "busy",
  delivered: "good",
  canceled: "calm",
  dead: "bad",
} as const;

/** The state of a delivery. */
export function StateBadge({ state }: Pick<Delivery, "state">) {
  return <Badge tone={stateTones[state]}>{stateNames[state]}</Badge>;
}

/** A button that sends a delivery again. */
export function Replay({
  delivery: { key, state },
  look = "quiet",
}: {
  readonly delivery: Delivery;
  readonly look?: ButtonProps["look"];
}) {
  return (
    <ActionButton
      look={look}
      label={state === "pending" ? "Send now" : "Replay"}
      name={`delivery ${key}`}
      action={webhooks.replayDelivery.mutationOptions()}
      request={{ key }}
      done={() => "The delivery is being sent."}
    />
  );
}
