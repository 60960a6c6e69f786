import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type {
  Delivery,
  DeliveryAttempt,
  GetDeliveryResponse,
} from "../../../generated/types.js";
import { webhooks } from "../../api/console-api.js";
import { Badge } from "../../parts/badge.js";
import { Copyable } from "../../parts/copyable.js";
import { numberText } from "../../parts/count.js";
import { Facts } from "../../parts/facts.js";
import { Loaded } from "../../parts/loaded.js";
import { Moment } from "../../parts/moment.js";
import { Page, Section } from "../../parts/page.js";
import { reasonColumn } from "../../tables/columns.js";
import { DataTable } from "../../tables/data-table.js";
import { Empty } from "../../tables/paged-table.js";
import { Replay, StateBadge } from "./deliveries.js";

/** The page for a delivery: its state, its attempts and its content. */
export function DeliveryPage({
  deliveryKey,
}: {
  readonly deliveryKey: string;
}) {
  const query = useQuery({
    ...webhooks.getDelivery.queryOptions({ key: deliveryKey }),
    refetchInterval: 2_000,
  });
  return <Loaded query={query}>{(data) => <Details {...data} />}</Loaded>;
}

function Details({ attempts, delivery, notification }: GetDeliveryResponse) {
  return (
    <Page
      title="Delivery"
      actions={<Replay delivery={delivery} look="plain" />}
    >
      <Facts facts={factsOf(delivery)} />
      <Section title="Attempts">
        <Attempts attempts={attempts} />
      </Section>
      <Section title="Notification">
        {notification === undefined ? (
          <Empty>
            The notification is no longer stored, so it cannot be sent again.
          </Empty>
        ) : (
          <pre tabIndex={0} aria-label="Notification">
            {JSON.stringify(notification, null, 2)}
          </pre>
        )}
      </Section>
    </Page>
  );
}

function Attempts({
  attempts,
}: {
  readonly attempts: readonly DeliveryAttempt[];
}) {
  return attempts.length === 0 ? (
    <Empty>There have been no attempts yet.</Empty>
  ) : (
    <DataTable
      label="Attempts"
      rows={attempts}
      rowKey={({ at }) => at}
      columns={[
        { name: "When", cell: ({ at }) => <Moment at={at} /> },
        {
          name: "Result",
          cell: ({ reason }) =>
            reason === undefined ? (
              <Badge tone="good" name="Received" />
            ) : (
              <Badge tone="bad" name="Failed" />
            ),
        },
        reasonColumn,
        {
          name: "Duration",
          isNumeric: true,
          cell: ({ durationMs }) => `${numberText(durationMs)} ms`,
        },
      ]}
    />
  );
}

function factsOf(delivery: Delivery) {
  const { createdAt, endedAt, key, listenerId, nextAttemptAt, projectId } =
    delivery;
  return {
    Key: <Copyable text={key} name="delivery key" />,
    State: <StateBadge {...delivery} />,
    Listener: (
      <Link href={`/projects/${projectId}/webhooks`}>{listenerId}</Link>
    ),
    Created: <Moment at={createdAt} />,
    ...(nextAttemptAt !== undefined && {
      "Next attempt": <Moment at={nextAttemptAt} />,
    }),
    ...(endedAt !== undefined && { Ended: <Moment at={endedAt} /> }),
  };
}
