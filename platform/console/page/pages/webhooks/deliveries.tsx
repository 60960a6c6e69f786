import { Link } from "wouter";
import type {
  Delivery,
  DeliveryState,
  ListDeliveriesResponse,
} from "../../../generated/types.js";
import { webhooks } from "../../api/console-api.js";
import { ActionButton } from "../../parts/action-button.js";
import { Badge, type BadgeState } from "../../parts/badge.js";
import type { ButtonProps } from "../../parts/button.js";
import { ChoiceField, useChoice, useSearchParam } from "../../parts/filters.js";
import { ConfirmAction } from "../../parts/confirm-action.js";
import { shortened } from "../../parts/copyable.js";
import { countText } from "../../parts/count.js";
import { Page, type ProjectProps } from "../../parts/page.js";
import { createdColumn, reasonColumn } from "../../tables/columns.js";
import type { Column } from "../../tables/data-table.js";
import { numberColumn } from "../../tables/figure-columns.js";
import { PagedTable } from "../../tables/paged-table.js";

const states: Readonly<Record<DeliveryState, BadgeState>> = {
  pending: { name: "Pending", tone: "busy" },
  delivered: { name: "Delivered", tone: "good" },
  canceled: { name: "Canceled", tone: "calm" },
  dead: { name: "Dead", tone: "bad" },
};

/** The page for a project's webhook deliveries. */
export function Deliveries({ projectId }: ProjectProps) {
  const choice = useChoice("state", states);
  const [listener, setListener] = useSearchParam("listener");
  const { chosen: state } = choice;
  const listenerId = /^\s*\d{1,15}\s*$/u.test(listener)
    ? Number(listener)
    : null;
  const isInvalid = listener.trim() !== "" && listenerId === null;
  return (
    <Page
      title="Deliveries"
      about="Webhooks that were sent or are pending. A delivery is dead once the platform gives up on it."
      actions={<ReplayDead projectId={projectId} />}
    >
      <div className="filters">
        <ChoiceField label="State" choice={choice} />
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
        list={webhooks.listDeliveries.infiniteQueryOptions({
          projectId,
          ...(state !== undefined && { state }),
          ...(listenerId !== null && { listenerId }),
        })}
        rowsOf={(page: ListDeliveriesResponse) => page.deliveries}
        refetchInterval={5_000}
        issues={isInvalid ? [{ message: "expected a listener ID" }] : []}
        rowKey={({ key }) => key}
        columns={columns}
        empty={
          state === undefined && listener === ""
            ? "This project has no deliveries yet."
            : "No deliveries match."
        }
      />
    </Page>
  );
}

function ReplayDead({ projectId }: ProjectProps) {
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
  numberColumn("Attempts", "attempts"),
  reasonColumn,
  createdColumn,
  {
    name: "Actions",
    isActions: true,
    cell: (delivery) => <Replay delivery={delivery} />,
  },
];

/** The state of a delivery. */
export function StateBadge({ state }: Pick<Delivery, "state">) {
  return <Badge {...states[state]} />;
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
