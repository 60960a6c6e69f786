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
}

/** What a walk through a graph finds. */
export interface Walk<Node, Via> {
  /** Every node that was reached, after those that its edges lead to. */
  readonly finished: ReadonlySet<Node>;
  /** Each cycle as its edges in order. */
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
    path.push(enter(root, edgesOf));
    depths.set(root, 0);
    for (let visit = path.at(-1); visit; visit = path.at(-1)) {
      const edge = visit.edges[visit.next];
      visit.next += 1;
      if (edge === undefined) {
        finished.add(visit.node);
        depths.delete(visit.node);
        path.pop();
      } else if (depths.has(edge.to)) {
        cycles.push(edgesFrom(path, depths.get(edge.to) ?? 0));
      } else if (!finished.has(edge.to)) {
        depths.set(edge.to, path.length);
        path.push(enter(edge.to, edgesOf));
      }
    }
  }
  return { finished, cycles };
}

function enter<Node, Via>(
  node: Node,
  edgesOf: (node: Node) => readonly Edge<Node, Via>[],
): Visit<Node, Via> {
  return { node, edges: edgesOf(node), next: 0 };
}

/** The edges being followed, from a depth of the path on. */
function edgesFrom<Node, Via>(
  path: readonly Visit<Node, Via>[],
  depth: number,
): readonly Edge<Node, Via>[] {
  return path.slice(depth).flatMap((visit) => {
    const edge = visit.edges[visit.next - 1];
    return edge ? [edge] : [];
  });
}
