import { isContainer, type JsonNodes, kindOf } from './json-nodes.ts'
import type { JsonDocument } from './read-json.ts'

/** A document, and for each of its nodes 1 when the node is open and 0 when it is closed. */
export type OpenNodes = { readonly document: JsonDocument; readonly isOpen: Uint8Array }

/** A tree opens with as many levels as give at most this number of rows. */
const firstRows = 100

/** Returns the nodes that are on screen, in their order. */
export function rowsOf({ document: { nodes }, isOpen }: OpenNodes): Uint32Array {
  const rows = new Uint32Array(nodes.count)
  let count = 0
  for (let node = 0; node < nodes.count; count += 1) {
    rows[count] = node
    node = isOpen[node] === 1 ? node + 1 : (nodes.nexts[node] ?? nodes.count)
  }
  return rows.slice(0, count)
}

/** Returns the row of a node. Rows are in the order of their nodes. */
export function rowOfNode(rows: Uint32Array, node: number): number {
  let low = 0
  let high = rows.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle] ?? 0) < node) low = middle + 1
    else high = middle
  }
  return rows[low] === node ? low : -1
}

/** Opens as many levels as give few rows, but at least the outermost value. */
export function openFirstLevels({ count, depths }: JsonNodes): Uint8Array {
  const counts: number[] = []
  for (let node = 0; node < count; node += 1) {
    const depth = depths[node] ?? 0
    if (depth <= firstRows) counts[depth] = (counts[depth] ?? 0) + 1
  }
  let levels = 1
  let rows = (counts[0] ?? 0) + (counts[1] ?? 0)
  while (levels < counts.length && rows + (counts[levels + 1] ?? 0) <= firstRows) {
    levels += 1
    rows += counts[levels] ?? 0
  }
  const isOpen = new Uint8Array(count)
  for (let node = 0; node < count; node += 1) isOpen[node] = (depths[node] ?? 0) < levels ? 1 : 0
  return isOpen
}

/**
 * Opens the containers of another document that are open in this one, as far as both have the same keys. A document of
 * another kind opens as at first, because no node of it corresponds to an open one.
 */
export function openSameNodes(before: OpenNodes, document: JsonDocument): Uint8Array {
  if (kindOf(before.document.nodes, 0) !== kindOf(document.nodes, 0)) return openFirstLevels(document.nodes)
  const isOpen = new Uint8Array(document.nodes.count)
  const pairs: (readonly [old: number, now: number])[] = document.nodes.count === 0 ? [] : [[0, 0]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [old, now] = pair
    const kind = kindOf(document.nodes, now)
    if (kindOf(before.document.nodes, old) !== kind || before.isOpen[old] !== 1 || !isContainer(kind))
      continue
    isOpen[now] = 1
    const olds = new Map(entriesOf(before.document, old))
    for (const [name, child] of entriesOf(document, now)) {
      const match = olds.get(name)
      if (match !== undefined) pairs.push([match, child])
    }
  }
  return isOpen
}

/** Returns the entries of a container by their key, or by their position. */
function entriesOf(
  { text, nodes }: JsonDocument,
  container: number,
): (readonly [name: string, node: number])[] {
  const entries: (readonly [string, number])[] = []
  const isObject = kindOf(nodes, container) === 'object'
  const end = nodes.nexts[container] ?? 0
  for (let node = container + 1; node < end; node = nodes.nexts[node] ?? end) {
    const name = isObject ? text.slice(nodes.keyStarts[node], nodes.keyEnds[node]) : String(entries.length)
    entries.push([name, node])
  }
  return entries
}
