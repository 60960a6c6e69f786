/** One step of a cycle: from a node, by what leads on. */
export interface Edge<Node, Via> {
  readonly from: Node;
  readonly to: Node;
  /** What in `from` mentions `to`. */
  readonly via: Via;
}

/** A node on the way, with the edges not yet followed. */
interface Visit<Node, Via> {
  readonly node: Node;
  readonly edges: readonly Edge<Node, Via>[];
  next: number;
  /** Depth of the last step to it that is in a known cycle; -1 for none. */
  lastKnown: number;
}

/** What a walk through a graph finds. */
export interface Walk<Node, Via> {
  /** Every node that was reached, after those that its edges lead to. */
  readonly finished: ReadonlySet<Node>;
  /**
   * Each cycle as its edges in order. Of cycles that share an edge only the
   * first is listed: together they could be as long as the graph squared.
   */
  readonly cycles: readonly (readonly Edge<Node, Via>[])[];
}

/**
 * Walks a graph from its nodes, depth first. Takes linear time, and does not
 * recurse, so that a long chain of declarations cannot overflow the stack.
 */
export function walkGraph<Node, Via>(
  nodes: Iterable<Node>,
  edgesOf: (node: Node) => readonly Edge<Node, Via>[],
): Walk<Node, Via> {
  const cycles: (readonly Edge<Node, Via>[])[] = [];
  const finished = new Set<Node>();
  /** From a root on; each root leaves both empty. */
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

/** The edges being followed, from a depth of the path on, which are then known. */
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

/** A cycle for people, e.g. `` `A` → `B` → `A` ``. */
export function printCycle<Node>(
  edges: readonly Edge<Node, unknown>[],
  nameOf: (node: Node) => string,
): string {
  const names = edges.map(({ from }) => `\`${nameOf(from)}\``);
  return [...names, ...names.slice(0, 1)].join(" → ");
}
