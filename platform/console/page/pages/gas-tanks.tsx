import { Link } from "wouter";
import { saveGasSponsorRequestSchema } from "../../generated/schemas.js";
import type {
  GasSponsor,
  ListGasSponsorsResponse,
  ListGasTanksResponse,
} from "../../generated/types.js";
import { gasTanks } from "../api/console-api.js";
import { typedAmount, useNetwork, useNetworks } from "../api/networks.js";
import { ActionButton } from "../parts/action-button.js";
import { AmountField } from "./amount-field.js";
import { Amount, Chain } from "../parts/amount.js";
import { Badge } from "../parts/badge.js";
import { ChainField } from "../parts/chain-field.js";
import { ConfirmAction } from "../parts/confirm-action.js";
import { Copyable } from "../parts/copyable.js";
import { Moment } from "../parts/moment.js";
import { FormDialog } from "../parts/form-dialog.js";
import { Page, type ProjectProps, Section } from "../parts/page.js";
import { TextField } from "../parts/text-field.js";
import {
  chainColumn,
  changedColumn,
  createdColumn,
} from "../tables/columns.js";
import type { Column } from "../tables/data-table.js";
import { amountColumn } from "../tables/figure-columns.js";
import { PagedTable } from "../tables/paged-table.js";
import { FillDialog } from "./fill-dialog.js";

/** The page for a project's gas tanks and the addresses that it sponsors. */
export function GasTanks({ projectId }: ProjectProps) {
  return (
    <Page
      title="Gas"
      about="A gas tank pays for sponsored transactions on its chain: those from sponsored wallets and those to sponsored addresses."
    >
      <Tanks projectId={projectId} />
      <Sponsors projectId={projectId} />
    </Page>
  );
}

function Tanks({ projectId }: ProjectProps) {
  return (
    <Section
      title="Gas tanks"
      actions={<FillDialog projectId={projectId} opener="Fill a tank" />}
    >
      <PagedTable
        label="Gas tanks"
        list={gasTanks.listGasTanks.infiniteQueryOptions({ projectId })}
        rowsOf={(page: ListGasTanksResponse) => page.gasTanks}
        rowKey={({ id }) => `${id}`}
        columns={[
          {
            name: "Chain",
            cell: ({ chainId }) => (
              <Link
                href={`/projects/${projectId}/gas/${chainId}`}
                className="strong"
              >
                <Chain id={chainId} />
              </Link>
            ),
          },
          amountColumn("Balance", "balance"),
          amountColumn("Reserved", "reserved"),
          changedColumn,
        ]}
        empty="This project has no tanks yet. Filling one creates it."
      />
    </Section>
  );
}

const spendingColumn: Column<GasSponsor> = {
  name: "Last 24 hours",
  isNumeric: true,
  cell: ({ chainId, dailyLimit, emptyAt, left, spent }) => (
    <>
      <Amount value={spent} chainId={chainId} />
      <div className="quiet">
        {dailyLimit === undefined ? (
          "no limit"
        ) : (
          <>
            of <Amount value={dailyLimit} chainId={chainId} />
          </>
        )}
      </div>
      <div className="quiet">
        left: <Amount value={left} chainId={chainId} />
      </div>
      {emptyAt !== undefined && (
        <div className="quiet">
          tank empty: <Moment at={emptyAt} />
        </div>
      )}
    </>
  ),
};

function Sponsors({ projectId }: ProjectProps) {
  return (
    <Section
      title="Sponsored addresses"
      actions={<NewSponsor projectId={projectId} />}
    >
      <PagedTable
        label="Sponsored addresses"
        list={gasTanks.listGasSponsors.infiniteQueryOptions({ projectId })}
        rowsOf={(page: ListGasSponsorsResponse) => page.gasSponsors}
        rowKey={({ id }) => `${id}`}
        columns={[
          {
            name: "Name",
            cell: ({ name }) => name || <span className="quiet">unnamed</span>,
          },
          {
            name: "Address",
            cell: ({ address }) => (
              <Copyable isShort text={address} name="address" />
            ),
          },
          chainColumn,
          spendingColumn,
          createdColumn,
          {
            name: "State",
            cell: ({ active }) =>
              active ? (
                <Badge tone="good" name="Active" />
              ) : (
                <Badge tone="busy" name="Paused" />
              ),
          },
          {
            name: "Actions",
            isActions: true,
            cell: (sponsor) => <SponsorActions {...sponsor} />,
          },
        ]}
        empty="This project does not sponsor any address yet."
      />
    </Section>
  );
}

function SponsorActions(sponsor: GasSponsor) {
  const { active, address, chainId, id, name, projectId } = sponsor;
  return (
    <>
      <EditSponsor {...sponsor} />
      <ActionButton
        label={active ? "Pause" : "Resume"}
        name={address}
        action={gasTanks.saveGasSponsor.mutationOptions()}
        request={{ projectId, chainId, address, name, active: !active }}
        done={({ gasSponsor }) =>
          gasSponsor.active
            ? "The address is sponsored again."
            : "Sponsoring is paused."
        }
      />
      <ConfirmAction
        label="Delete"
        name={address}
        title="Stop sponsoring this address?"
        action={gasTanks.deleteGasSponsor.mutationOptions()}
        request={{ projectId, id }}
        done={() => "The sponsor was deleted."}
      >
        <p>
          The project will no longer sponsor <code>{address}</code>.
        </p>
      </ConfirmAction>
    </>
  );
}

function EditSponsor(sponsor: GasSponsor) {
  const { active, address, chainId, dailyLimit, name, projectId } = sponsor;
  const network = useNetwork(chainId);
  const initial =
    dailyLimit === undefined ? "" : typedAmount(dailyLimit, network);
  return (
    <FormDialog
      opener="Edit"
      name={address}
      look="quiet"
      title="Edit sponsor"
      schema={saveGasSponsorRequestSchema}
      defaultValues={{
        ...{ projectId, chainId, address, name, active },
        dailyLimit: dailyLimit ?? "none",
      }}
      action={gasTanks.saveGasSponsor.mutationOptions()}
      label="Save sponsor"
      done="The sponsor was changed."
    >
      {(form) => (
        <>
          <TextField form={form} name="name" label="Name" hint="Optional." />
          <AmountField
            form={form}
            name="dailyLimit"
            chainId={chainId}
            label="Daily limit"
            hint="What it pays at most in 24 hours. Empty means no limit."
            initial={initial}
            empty="none"
          />
        </>
      )}
    </FormDialog>
  );
}

function NewSponsor({ projectId }: ProjectProps) {
  const [first] = useNetworks();
  return (
    <FormDialog
      opener="Sponsor an address"
      about="If the address is already sponsored on this chain, this changes the sponsor's name and its daily limit, and resumes sponsoring if it is paused."
      schema={saveGasSponsorRequestSchema}
      defaultValues={{
        projectId,
        chainId: first?.chainId ?? 0,
        address: "",
        name: "",
        active: true,
      }}
      action={gasTanks.saveGasSponsor.mutationOptions()}
      label="Sponsor"
      done="The address is sponsored."
    >
      {(form) => (
        <>
          <ChainField form={form} name="chainId" />
          <TextField
            form={form}
            name="address"
            label="Address"
            hint="A wallet, a contract, or another address that receives transfers."
            className="code"
          />
          <TextField form={form} name="name" label="Name" hint="Optional." />
          <AmountField
            form={form}
            name="dailyLimit"
            chainId={form.watch("chainId")}
            label="Daily limit"
            hint="Optional. What it pays at most in 24 hours."
            empty={undefined}
          />
        </>
      )}
    </FormDialog>
  );
}
