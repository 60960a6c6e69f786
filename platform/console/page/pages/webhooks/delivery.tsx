import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { NotFoundError } from "../../../generated/errors.js";
import type { Delivery, DeliveryAttempt } from "../../../generated/types.js";
import { webhooks } from "../../api/console-api.js";
import { Badge } from "../../parts/badge.js";
import { Copyable } from "../../parts/copyable.js";
import { numberText } from "../../parts/count.js";
import { DataTable } from "../../tables/data-table.js";
import { FailureNote } from "../../parts/failure-note.js";
import { Moment } from "../../parts/moment.js";
import { Page, Section } from "../../parts/page.js";
import { Waiting } from "../../tables/paged-table.js";
import { Replay, StateBadge } from "./deliveries.js";
import { NotFound } from "../../parts/not-found.js";

/** The page for a delivery: its state, its attempts and its content. */
export function DeliveryPage({
  deliveryKey,
}: {
  readonly deliveryKey: string;
}) {
  const { data, error, refetch } = useQuery({
    ...webhooks.getDelivery.queryOptions({ key: deliveryKey }),
    refetchInterval: 2_000,
  });
  if (error instanceof NotFoundError) return <NotFound />;
  if (error && data === undefined)
    return <FailureNote error={error} retry={refetch} />;
  if (data === undefined) return <Waiting />;
  const { attempts, delivery, notification } = data;
  return (
    <Page
      title="Delivery"
      actions={<Replay delivery={delivery} look="plain" />}
    >
      <Facts delivery={delivery} />
      <Section title="Attempts">
        <Attempts attempts={attempts} />
      </Section>
      <Section title="Notification">
        {notification === undefined ? (
          <div className="empty">
            <p>
              The notification is no longer stored, so it cannot be sent again.
            </p>
          </div>
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
    <div className="empty">
      <p>There have been no attempts yet.</p>
    </div>
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
              <Badge tone="good">Received</Badge>
            ) : (
              <Badge tone="bad">Failed</Badge>
            ),
        },
        {
          name: "Reason",
          cell: ({ reason = "" }) => reason || <span className="quiet">–</span>,
        },
        {
          name: "Duration",
          isNumeric: true,
          cell: ({ durationMs }) => `${numberText(durationMs)} ms`,
        },
      ]}
    />
  );
}

function Facts({ delivery }: { readonly delivery: Delivery }) {
  return (
    <dl className="facts">
      <div>
        <dt>Key</dt>
        <dd>
          <Copyable text={delivery.key} name="delivery key" />
        </dd>
      </div>
      <div>
        <dt>State</dt>
        <dd>
          <StateBadge state={delivery.state} />
        </dd>
      </div>
      <div>
        <dt>Listener</dt>
        <dd>
          <Link href={`/projects/${delivery.projectId}/webhooks`}>
            {delivery.listenerId}
          </Link>
        </dd>
      </div>
      <div>
        <dt>Created</dt>
        <dd>
          <Moment at={delivery.createdAt} />
        </dd>
      </div>
      {delivery.nextAttemptAt !== undefined && (
        <div>
          <dt>Next attempt</dt>
          <dd>
            <Moment at={delivery.nextAttemptAt} />
          </dd>
        </div>
      )}
    </dl>
  );
}
