/** The kinds of values. The columns of the nodes contain indexes into this list. */
export const jsonKinds = ['object', 'array', 'string', 'number', 'literal'] as const
export type JsonKind = (typeof jsonKinds)[number]

/**
 * The values of a JSON text in the order of the text, so that a container is followed by its descendants. Columns of
 * numbers need about 40 bytes for a value, where JavaScript objects would need several hundred, and the texts of the values
 * stay in the source: a number of 20 digits keeps its digits.
 */
export type JsonNodes = {
  count: number
  kinds: Uint8Array
  /** The offsets at which a value begins and ends in the source. */
  starts: Uint32Array
  ends: Uint32Array
  /**
   * The offsets at which the key begins and ends in the source, including its quotes. Both are equal when there is no
   * key.
   */
  keyStarts: Uint32Array
  keyEnds: Uint32Array
  /** The node that contains this one, or -1. */
  parents: Int32Array
  /** The index of the first node that follows a node and all its descendants. */
  nexts: Uint32Array
  /** The number of entries of a container, and the position of a node among the entries of its parent, from 0. */
  sizes: Uint32Array
  positions: Uint32Array
  /** The number of containers around a node. */
  depths: Uint32Array
}

export const createNodes = (capacity = 1024): JsonNodes => ({
  count: 0,
  kinds: new Uint8Array(capacity),
  starts: new Uint32Array(capacity),
  ends: new Uint32Array(capacity),
  keyStarts: new Uint32Array(capacity),
  keyEnds: new Uint32Array(capacity),
  parents: new Int32Array(capacity),
  nexts: new Uint32Array(capacity),
  sizes: new Uint32Array(capacity),
  positions: new Uint32Array(capacity),
  depths: new Uint32Array(capacity),
})

/** The beginning of a value. Its end and its size are set when they are known. */
type JsonNodeStart = {
  readonly kind: JsonKind
  readonly start: number
  readonly key: { readonly start: number; readonly end: number }
  readonly parent: number
}

/** Adds a node and returns its index. */
export function addNode(nodes: JsonNodes, { kind, start, key, parent }: JsonNodeStart): number {
  if (nodes.count === nodes.kinds.length) grow(nodes)
  const node = nodes.count
  nodes.count += 1
  nodes.kinds[node] = jsonKinds.indexOf(kind)
  nodes.starts[node] = start
  nodes.keyStarts[node] = key.start
  nodes.keyEnds[node] = key.end
  nodes.parents[node] = parent
  nodes.nexts[node] = node + 1
  if (parent === -1) return node
  const position = nodes.sizes[parent] ?? 0
  nodes.sizes[parent] = position + 1
  nodes.positions[node] = position
  nodes.depths[node] = (nodes.depths[parent] ?? 0) + 1
  return node
}

/** Sets where a value ends in the source. */
export function endNode(nodes: JsonNodes, node: number, end: number): void {
  nodes.ends[node] = end
  nodes.nexts[node] = nodes.count
}

const columns = ['starts', 'ends', 'keyStarts', 'keyEnds', 'nexts', 'sizes', 'positions', 'depths'] as const

function grow(nodes: JsonNodes): void {
  const larger = createNodes(nodes.kinds.length * 2)
  larger.kinds.set(nodes.kinds)
  larger.parents.set(nodes.parents)
  for (const column of columns) larger[column].set(nodes[column])
  Object.assign(nodes, { ...larger, count: nodes.count })
}

export const kindOf = (nodes: JsonNodes, node: number): JsonKind =>
  jsonKinds[nodes.kinds[node] ?? 0] ?? 'literal'

export const isContainer = (kind: JsonKind): kind is 'object' | 'array' =>
  kind === 'object' || kind === 'array'
