/** A reference from one node to another. */
export interface Edge<Node, Via> {
  readonly from: Node;
  readonly to: Node;
  /** The part of `from` that refers to `to`. */
  readonly via: Via;
}

/** A node on the current path, with the edges not yet followed. */
interface Visit<Node, Via> {
  readonly node: Node;
  readonly edges: readonly Edge<Node, Via>[];
  next: number;
  /**
   * Depth of the last step before this node that is part of a known cycle, or
   * -1.
   */
  lastKnown: number;
}

/** The result of a walk through a graph. */
export interface Walk<Node, Via> {
  /** Every reached node, after the nodes that its edges lead to. */
  readonly finished: ReadonlySet<Node>;
  /**
   * The edges of each cycle, in order. If cycles share an edge, only the first
   * is listed, because listing all of them could take quadratic space.
   */
  readonly cycles: readonly (readonly Edge<Node, Via>[])[];
}

/**
 * Walks a graph depth first. It does not recurse, because chains can be long.
 */
export function walkGraph<Node, Via>(
  nodes: Iterable<Node>,
  edgesOf: (node: Node) => readonly Edge<Node, Via>[],
): Walk<Node, Via> {
  const cycles: (readonly Edge<Node, Via>[])[] = [];
  const finished = new Set<Node>();
  /** The path from the current root. It is empty after each root. */
  const path: Visit<Node, Via>[] = [];
  const depths = new Map<Node, number>();
  for (const root of nodes) {
    if (finished.has(root)) continue;
    path.push({ node: root, edges: edgesOf(root), next: 0, lastKnown: -1 });
    depths.set(root, 0);
    for (let visit = path.at(-1); visit; visit = path.at(-1)) {
      const { lastKnown } = visit;
      const edge = visit.edges[visit.next];
      visit.next += 1;
      if (edge === undefined) {
        finished.add(visit.node);
        depths.delete(visit.node);
        path.pop();
        continue;
      }
      const depth = depths.get(edge.to);
      if (depth === undefined) {
        if (finished.has(edge.to)) continue;
        depths.set(edge.to, path.length);
        const edges = edgesOf(edge.to);
        path.push({ node: edge.to, edges, next: 0, lastKnown });
      } else if (lastKnown < depth) cycles.push(closeCycle(path, depth));
    }
  }
  return { finished, cycles };
}

/**
 * Marks the edges of the path that begin at this depth or deeper as known, and
 * returns them.
 */
function closeCycle<Node, Via>(
  path: readonly Visit<Node, Via>[],
  depth: number,
): readonly Edge<Node, Via>[] {
  return path.slice(depth).flatMap((visit, index) => {
    if (index > 0) visit.lastKnown = depth + index - 1;
    const edge = visit.edges[visit.next - 1];
    return edge ? [edge] : [];
  });
}

/** Prints a cycle, e.g. `` `A` → `B` → `A` ``. */
export function printCycle<Node>(
  edges: readonly Edge<Node, unknown>[],
  nameOf: (node: Node) => string,
): string {
  const names = edges.map(({ from }) => `\`${nameOf(from)}\``);
  return [...names, ...names.slice(0, 1)].join(" → ");
}
