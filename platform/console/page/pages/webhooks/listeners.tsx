import { Link } from "wouter";

import type {
  ListListenersResponse,
  Listener,
  ListenerFilter,
  ListenerState,
} from "../../../generated/types.js";
import { webhooks } from "../../api/console-api.js";
import { ActionButton } from "../../parts/action-button.js";
import { Badge, type BadgeState } from "../../parts/badge.js";
import { ConfirmAction } from "../../parts/confirm-action.js";
import { shortened } from "../../parts/copyable.js";
import { countText, numberText } from "../../parts/count.js";
import { Page, type ProjectProps, Section } from "../../parts/page.js";
import { chainColumn, changedColumn } from "../../tables/columns.js";
import { PagedTable } from "../../tables/paged-table.js";
import { EditListener, NewListener } from "./listener-form.js";
import { WebhookSecretSection } from "./webhook-secret.js";

const states: Readonly<Record<ListenerState, BadgeState>> = {
  active: { name: "Active", tone: "good" },
  ended: { name: "Ended", tone: "bad" },
  "set-aside": { name: "Set aside", tone: "bad" },
};

/** The page for a project's webhooks: its listeners and its signing secret. */
export function Listeners({ projectId }: ProjectProps) {
  return (
    <Page
      title="Webhooks"
      about="A listener receives a POST for each matching event on its chain."
    >
      <ListenerSection projectId={projectId} />
      <WebhookSecretSection projectId={projectId} />
    </Page>
  );
}

function ListenerSection({ projectId }: ProjectProps) {
  return (
    <Section title="Listeners" actions={<NewListener projectId={projectId} />}>
      <PagedTable
        label="Listeners"
        list={webhooks.listListeners.infiniteQueryOptions({ projectId })}
        rowsOf={(page: ListListenersResponse) => page.listeners}
        rowKey={({ id }) => `${id}`}
        columns={[
          {
            name: "ID",
            isNumeric: true,
            cell: ({ id }) => (
              <Link href={`/projects/${projectId}/deliveries?listener=${id}`}>
                {id}
              </Link>
            ),
          },
          { name: "URL", cell: ({ url }) => <code>{url}</code> },
          chainColumn,
          { name: "Receives", cell: ({ filters }) => <Wants {...filters} /> },
          {
            name: "State",
            cell: ({ reason, skippedLogs, skippedReason, state }) => (
              <>
                <Badge {...states[state]} /> {reason ?? skippedReason}
                {skippedLogs > 0 && (
                  <div className="quiet">
                    {countText(skippedLogs, "log")} skipped so far
                  </div>
                )}
              </>
            ),
          },
          changedColumn,
          {
            name: "Actions",
            isActions: true,
            cell: (listener) => <ListenerActions {...listener} />,
          },
        ]}
        empty="This project has no listeners yet."
      />
    </Section>
  );
}

function Wants(filters: ListenerFilter) {
  const parts = [
    listText(filters.events, "event"),
    listText(filters.contractAddresses, "contract"),
    listText(filters.tokenIDs, "token"),
    listText(filters.accounts, "account"),
    listText(filters.topicHashes, "topic"),
  ].filter((part) => part !== "");
  return parts.length === 0 ? "everything" : parts.join(", ");
}

/**
 * Returns a single entry, the number of entries, or nothing for an empty list.
 */
function listText(entries: readonly string[] = [], what: string): string {
  const [only = ""] = entries;
  return entries.length < 2
    ? shortened(only.replace(/\(.*/u, ""))
    : countText(entries.length, what);
}

function ListenerActions(listener: Listener) {
  const { id, projectId, state } = listener;
  return (
    <>
      <EditListener {...listener} />
      <ActionButton
        label="Test"
        name={`listener ${id}`}
        action={webhooks.sendTestEvent.mutationOptions()}
        request={{ projectId, id }}
        done={({ attempt: { durationMs, reason } }) =>
          reason === undefined
            ? `The receiver accepted the test event after ${numberText(durationMs)} ms.`
            : `The test event was not accepted: ${reason}.`
        }
      />
      {state === "ended" && (
        <ActionButton
          label="Resume"
          name={`listener ${id}`}
          action={webhooks.resumeListener.mutationOptions()}
          request={{ projectId, id }}
          done={() => `Listener ${id} receives webhooks again.`}
        />
      )}
      <ConfirmAction
        label="Delete"
        name={`listener ${id}`}
        title={`Delete listener ${id}?`}
        action={webhooks.deleteListener.mutationOptions()}
        request={{ projectId, id }}
        done={() => `Listener ${id} was deleted.`}
      >
        <p>It will stop receiving webhooks. This cannot be undone.</p>
      </ConfirmAction>
    </>
  );
}
