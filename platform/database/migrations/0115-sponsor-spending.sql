-- What sponsors paid in each five minutes, so that the limit for 24 hours does not
-- take a sum over all relays of a day. Triggers count it, because instances of an
-- older version also store relays during an upgrade.
create table sponsor_spending (
  gas_sponsor_id bigint not null,
  slot bigint not null,
  amount numeric(78) not null,
  primary key (gas_sponsor_id, slot)
);
create index on sponsor_spending (slot);

create function slot_of_spending(paid_at timestamptz) returns bigint
  language sql immutable
  as $$ select floor(extract(epoch from paid_at) / 300)::bigint $$;

create function add_spending(relay relays, sign integer) returns void
  language sql
  as $$
    insert into sponsor_spending as known (gas_sponsor_id, slot, amount)
    select relay.gas_sponsor_id,
      slot_of_spending(coalesce(relay.settled_at, relay.created_at)),
      sign * relay.cost
    where relay.state <> 'pending' and relay.cost > 0
    on conflict (gas_sponsor_id, slot) do update
    set amount = known.amount + excluded.amount
  $$;

create function count_spending() returns trigger
  language plpgsql
  as $$
  begin
    if tg_op <> 'INSERT' then perform add_spending(old, -1); end if;
    if tg_op <> 'DELETE' then perform add_spending(new, 1); end if;
    return null;
  end
  $$;

create trigger count_spending
  after insert or delete or update of state, cost, settled_at on relays
  for each row execute function count_spending();

insert into sponsor_spending
select gas_sponsor_id, slot_of_spending(coalesce(settled_at, created_at)), sum(cost)
from relays
where state <> 'pending' and cost > 0
  and coalesce(settled_at, created_at) > now() - interval '2 days'
group by 1, 2;
