import type { AliasDeclaration } from "../1-parse/ast.js";
import type { LoadedDocument } from "../1-parse/load/load-documents.js";
import { findHeader } from "../2-check/notation/headers.js";
import { metadataValue } from "../2-check/notation/metadata.js";
import {
  normalizeBasePath,
  parsePathTemplate,
} from "../2-check/notation/path-template.js";
import type { CheckedHost } from "../2-check/program/program.js";
import type { Host } from "../ir/contract.js";
import { lowerDocs, noDocs } from "./docs.js";
import { lowerService, type ServiceSurroundings } from "./services.js";

/** The default base path. */
const DEFAULT_BASE_PATH = "/rpc/";

/** Lowers one entry document to a host. */
export function lowerHost(
  { name, document, services }: CheckedHost,
  surroundings: Omit<ServiceSurroundings, "basePath">,
): Host {
  const address = findBaseAddress(document);
  const version = findHeader(document, "version")?.value.text;
  const written = findHeader(document, "basepath")?.value.text;
  const basePath = parsePathTemplate(
    normalizeBasePath(written ?? DEFAULT_BASE_PATH),
  );
  const described = address ?? findHeader(document, "name");
  return {
    kind: "host",
    name,
    document: document.path,
    version: version?.replace(/^v/, "") ?? null,
    docs: described ? lowerDocs(described.docs) : noDocs,
    basePath,
    baseUrl: address ? (metadataValue(address, "base") ?? null) : null,
    services: services.map((service) =>
      lowerService(service, { ...surroundings, basePath }),
    ),
  };
}

function findBaseAddress(
  document: LoadedDocument,
): AliasDeclaration | undefined {
  return document.syntax.items
    .filter((item) => item.kind === "alias")
    .find((alias) => metadataValue(alias, "base") !== undefined);
}
