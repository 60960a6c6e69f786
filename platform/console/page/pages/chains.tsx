import { useQuery } from "@tanstack/react-query";
import type { ChainNode, Follower } from "../../generated/types.js";
import { operators } from "../api/console-api.js";
import { Badge } from "../parts/badge.js";
import { FailureNote } from "../parts/failure-note.js";
import { Waiting } from "../parts/loaded.js";
import { Moment } from "../parts/moment.js";
import { Page, Section } from "../parts/page.js";
import { chainColumn } from "../tables/columns.js";
import { DataTable } from "../tables/data-table.js";
import { numberColumn } from "../tables/figure-columns.js";
import { Empty } from "../tables/paged-table.js";

/** The page for the progress of everything that follows a chain. */
export function Chains() {
  const { data, error, refetch } = useQuery({
    ...operators.listFollowers.queryOptions(),
    refetchInterval: 2_000,
  });
  return (
    <div className="wide">
      <Page
        title="Chains"
        about="How far the platform has read each chain: the indexer for webhooks, and the orders of marketplace contracts."
      >
        <FailureNote error={error} retry={refetch} />
        {data === undefined && error === null && <Waiting />}
        {data?.followers.length === 0 && (
          <Empty>The platform does not follow any chain yet.</Empty>
        )}
        {data !== undefined && data.followers.length > 0 && (
          <DataTable
            label="Chains"
            rows={data.followers}
            rowKey={({ chainId, name }) => `${chainId} ${name}`}
            columns={[
              chainColumn,
              { name: "What", cell: ({ name }) => name },
              { name: "State", cell: (follower) => <State {...follower} /> },
              {
                name: "Progress",
                cell: (follower) => <Progress {...follower} />,
              },
              numberColumn("Next block", "nextBlock"),
              numberColumn("Incomplete blocks", "incompleteBlocks"),
            ]}
          />
        )}
        <Nodes />
      </Page>
    </div>
  );
}

/** The nodes of all networks, and which of them are wrong. */
function Nodes() {
  const { data, error, refetch } = useQuery({
    ...operators.listNodes.queryOptions(),
    refetchInterval: 10_000,
  });
  return (
    <Section
      title="Nodes"
      about="The RPC URLs of each network, by their position in the settings, and what they reported in the last seven days that cannot be true."
    >
      <FailureNote error={error} retry={refetch} />
      {data !== undefined && (
        <DataTable
          label="Nodes"
          rows={data.nodes}
          rowKey={({ chainId, rpcUrl }) => `${chainId} ${rpcUrl}`}
          columns={[
            chainColumn,
            numberColumn("RPC URL", "rpcUrl"),
            { name: "State", cell: (node) => <NodeState {...node} /> },
            { name: "What it reported", cell: ({ wrong = "" }) => wrong },
            {
              name: "When",
              cell: ({ wrongAt }) => wrongAt && <Moment at={wrongAt} />,
            },
          ]}
        />
      )}
    </Section>
  );
}

function NodeState({ isOnlySource, wrong }: ChainNode) {
  if (wrong !== undefined) return <Badge tone="bad" name="Wrong" />;
  return isOnlySource ? (
    <Badge tone="busy" name="One source only" />
  ) : (
    <Badge tone="good" name="Believed" />
  );
}

function State({ isRunning, lastBlock, nextBlock }: Follower) {
  if (!isRunning) return <Badge tone="bad" name="Stopped" />;
  return lastBlock === undefined || nextBlock <= lastBlock ? (
    <Badge tone="busy" name="Catching up" />
  ) : (
    <Badge tone="good" name="Current" />
  );
}

/** The share of the blocks from the first one to the head that are processed. */
function Progress({ firstBlock = 0, lastBlock, nextBlock }: Follower) {
  if (lastBlock === undefined) return <span className="quiet">unknown</span>;
  const all = Math.max(lastBlock + 1 - firstBlock, 1);
  // If the chain has no block yet that must be read, all of them have been.
  const done =
    nextBlock > lastBlock ? all : Math.max(nextBlock - firstBlock, 0);
  const percent = Math.floor((100 * done) / all);
  return (
    <>
      <progress value={done} max={all} aria-label="Processed blocks" />{" "}
      {percent} %
    </>
  );
}
