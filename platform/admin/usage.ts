/** What the usage text of a command says. */
export interface Usage {
  readonly does: string;
  /** For example `<project>` or `[name]`. */
  readonly values: readonly string[];
  /** For example `--days <days>`, and what it means. */
  readonly flags: readonly (readonly [flag: string, means: string])[];
}

const all = `
--all  list all entries instead of the first 200`;

/**
 * The usage text of each command: its name and values, what it does, and its
 * flags.
 */
const texts = `
project create <name>  creates a project and prints its ID
project list [search]  lists projects, optionally only those with a matching name or ID${all}
project rename <project> <name>  renames a project
key create <project> [name]  creates and prints an access key, or a secret key
--secret  create a secret key, which can read and write; all methods that take one write
--read-only  create a secret key that cannot write
--days <days>  days for which the secret key is valid (default: 365)
key list <project>  lists access keys and secret keys${all}
key roll <project> <id>  replaces a key and prints the new one
--hours <hours>  hours for which the old key stays valid (default: 24)
key revoke <key>  revokes a key, given the whole key
key revoke-id <project> <id>  revokes a key, given its ID in the list of keys
usage <project> [from] [to]  counts calls by day and method, from one day (YYYY-MM-DD) to another; by default, the last 30 days
call list [project]  lists the calls of the last 7 days and why they failed, optionally only those of one project
--failed  list only calls that failed${all}
call show <request id>  prints all calls with a request ID, their projects, why they failed, and the relays that they started
refresh list <project>  lists refresh tasks${all}
follower list  lists the progress of everything that follows a chain
network list  lists the networks with their handles, chain IDs and native currencies
node list  lists the RPC URLs of all networks, whether relays depend on one of them alone, and what each one reported that cannot be true
operator end-sessions [operator]  ends all sessions of an operator, or of all operators
operator hash  reads a password from standard input and prints its hash, for \`operators\` in the settings
action list [project]  lists operator actions, optionally only those in one project
--operator <operator>  list only actions of one operator${all}
audience create <project> <name>  creates an audience and prints its ID
audience list <project>  lists audiences${all}
audience rename <project> <audience> <name>  renames an audience
audience delete <project> <audience>  deletes an audience
audience import <project> <audience> <file>  adds the contacts in a CSV file
audience export <project> <audience>  prints the contacts as CSV
contact list <project> <audience> [contact]  lists the contacts of an audience, or only the given one if the audience has it${all}
contact add <project> <audience> <contact>  adds a contact to an audience
contact remove <project> <audience> <contact>  removes a contact from an audience
link add <wallet> <linked wallet> [chain id]  links a wallet to a parent wallet and prints the link's ID; a parent that is a contract needs its chain ID
--kind <kind>  kind of the linked wallet
link list [wallet]  lists links, optionally only those of one wallet${all}
link remove <link>  removes a link
tank list <project>  lists gas tanks${all}
tank fill <project> <chain id> <amount>  adds an amount, in the smallest unit, to the gas tank on a chain
tank correct <project> <chain id> <amount> <reason>  takes an amount, in the smallest unit, out of the gas tank on a chain, for example after a fill by mistake
tank entries <project> <chain id>  lists the entries of a gas tank: amounts added and payments${all}
tank reconcile  compares the balances of all gas tanks and relaying accounts with what they must be; a difference of an account is what it received or, if negative, lost
relay list <project> [status]  lists relays, optionally only those that are pending, done, reverted or expired, with the reason why they are pending or had to wait before they expired
--request <request id>  list only the relay that was accepted in a request${all}
relay reason <project> <relay>  prints why the call of a reverted relay failed
sponsor add <project> <chain id> <address> [name]  sponsors an address and prints the sponsor's ID
--daily <limit>  what the sponsor pays at most in 24 hours, in the smallest unit: nothing with 0, and without a limit with none
sponsor list <project>  lists sponsored addresses, with what they spent and can still spend${all}
sponsor pause <project> <sponsor>  pauses a sponsor
sponsor resume <project> <sponsor>  resumes a sponsor
sponsor delete <project> <sponsor>  deletes a sponsor
listener add <project> <chain id> <url> [event]  adds a webhook listener and prints its ID; it receives all events on the chain, or only those with the given signature
--contract <contract>  send only events of this contract
--account <account>  send only events with this wallet
--token <token id>  send only events with this token ID
--topic <topic hash>  send only events with this topic hash
listener list <project>  lists webhook listeners${all}
listener edit <project> <listener> <url> [event]  changes the URL of a listener, and the filters that are given; the value any removes a filter
--contract <contract>  send only events of this contract
--account <account>  send only events with this wallet
--token <token id>  send only events with this token ID
--topic <topic hash>  send only events with this topic hash
listener test <project> <listener>  sends a test event to a listener, and prints the result
listener resume <project> <listener>  resumes a listener that has ended
listener delete <project> <listener>  deletes a listener
webhook list [project]  lists webhook deliveries and why they wait or failed, optionally only those of one project
--listener <listener>  list only deliveries of one listener${all}
webhook dead [project]  lists deliveries that failed permanently${all}
webhook show <key>  prints a delivery with its attempts and its notification, as JSON
webhook replay <key>  sends a delivery again; the key \`all\` selects every delivery that failed permanently
webhook secret <project>  prints the secret that signs webhooks
webhook rotate <project>  replaces the secret that signs webhooks and prints the new one; for a day, webhooks are signed with both
order import <network> <file>  stores signed orders that are not on chain; each line of the file is one order in JSON, as seaport-js creates it
order show <network> <order id>  prints an order with its signature as a line of JSON, for a buyer
database backup <file>  writes the content of the database to a new file, with pg_dump
database restore <file>  restores a backup into an empty database, with pg_restore
forwarder show  prints the address of the forwarder for relayed calls, and the transaction that deploys it, as JSON`;

/** The usage text of each command, by its name. */
export const usages: ReadonlyMap<string, Usage> = new Map(
  texts
    .trim()
    .split(/\n(?!--)/u)
    .map(toUsage),
);

function toUsage(text: string): [name: string, usage: Usage] {
  const rows = text.split("\n").map((line) => {
    const [term = "", means = ""] = line.split(/ {2}(.*)/u);
    return [term, means] as const;
  });
  const [[term, does] = ["", ""], ...flags] = rows;
  const values = term.match(/<.*?>|\[.*?\]/gu) ?? [];
  return [term.replace(/ [<[].*/u, ""), { does, values, flags }];
}
