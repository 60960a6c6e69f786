import { contract } from "../conformance/served-contract.js";

/** Prints the implementation of the service whose methods return their argument. */
export function printEcho(): string {
  const services = contract.hosts.flatMap((host) => host.services);
  const echo = services.find(({ name }) => name === "Echo");
  const methods = echo?.methods.map(({ name, request }) =>
    request.fields.length === 0
      ? `func (echo) ${name}(context.Context) error { return nil }`
      : `func (echo) ${name}(_ context.Context, r *c.${name}Request) (*c.${name}Response, error) { return (*c.${name}Response)(r), nil }`,
  );
  return [
    'package main\n\nimport (\n\t"context"\n\n\tc "example.com/conformance"\n)',
    "type echo struct{}",
    ...(methods ?? []),
  ].join("\n\n");
}
