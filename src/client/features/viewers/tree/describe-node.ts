import { isContainer, type JsonNodes, kindOf } from './json-nodes.ts'
import type { JsonRow } from './json-messages.ts'
import { type OpenNodes, rowOfNode } from './open-nodes.ts'
import type { JsonDocument } from './read-json.ts'

/** A value and a key are shown in their row up to this length, in characters. */
const rowLength = 200

/** Describes a row on screen. */
export function describeRow({ document, isOpen }: OpenNodes, rows: Uint32Array, index: number): JsonRow {
  const { nodes } = document
  const node = rows[index] ?? 0
  const parent = parentOf(nodes, node)
  const kind = kindOf(nodes, node)
  return {
    index,
    key: keyText(document, node)?.slice(0, rowLength) ?? null,
    kind,
    text: isContainer(kind) ? '' : valueText(document, node, rowLength),
    size: nodes.sizes[node] ?? 0,
    level: (nodes.depths[node] ?? 0) + 1,
    position: (nodes.positions[node] ?? 0) + 1,
    setSize: parent === -1 ? 1 : (nodes.sizes[parent] ?? 1),
    isOpen: isOpen[node] === 1,
    parent: parent === -1 ? -1 : rowOfNode(rows, parent),
  }
}

/** Returns the value of a node as people read it, up to a length: a string without quotes, else the text of the source. */
export function valueText({ text, nodes }: JsonDocument, node: number, maxLength: number): string {
  const start = nodes.starts[node] ?? 0
  const end = nodes.ends[node] ?? 0
  if (kindOf(nodes, node) !== 'string')
    return shortened(text.slice(start, Math.min(end, start + maxLength + 1)), maxLength)
  return shortened(
    decoded(text.slice(start + 1, Math.min(end - 1, start + maxEscape * (maxLength + 1)))),
    maxLength,
  )
}

/** The largest number of characters in the source for a character of a string: `\u0041`. */
const maxEscape = 6

/** A path with more parts than this begins with dots. */
const maxPathParts = 200

/** Returns the path of a node in the notation of JSONPath, such as `$.people[3].name`. */
export function pathText(document: JsonDocument, node: number): string {
  const { nodes } = document
  const parts: string[] = []
  let at = node
  while (parentOf(nodes, at) !== -1 && parts.length < maxPathParts) {
    const key = keyText(document, at) ?? ''
    const isEntry = kindOf(nodes, parentOf(nodes, at)) === 'array'
    const isName = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key)
    parts.push(isEntry ? `[${key}]` : isName ? `.${key}` : `[${JSON.stringify(key)}]`)
    at = parentOf(nodes, at)
  }
  return `${parentOf(nodes, at) === -1 ? '$' : '…'}${parts.reverse().join('')}`
}

/** Returns the key of a node in its object, its position in its list, or null for the outermost value. */
function keyText({ text, nodes }: JsonDocument, node: number): string | null {
  const [start, end] = [nodes.keyStarts[node] ?? 0, nodes.keyEnds[node] ?? 0]
  if (end > start) return decoded(text.slice(start + 1, end - 1))
  return parentOf(nodes, node) === -1 ? null : String(nodes.positions[node])
}

const parentOf = ({ parents }: JsonNodes, node: number): number => parents[node] ?? -1

/** Decodes the content of a JSON string. An escape that is cut off at the end is left out. */
function decoded(content: string): string {
  if (!content.includes('\\')) return content
  const cutOff = /\\(?:u[\da-fA-F]{0,3})?$/.exec(content)
  const isEscaped = cutOff !== null && backslashesBefore(content, cutOff.index) % 2 === 1
  return JSON.parse(`"${cutOff === null || isEscaped ? content : content.slice(0, cutOff.index)}"`) as string
}

function backslashesBefore(text: string, index: number): number {
  let count = 0
  while (text[index - count - 1] === '\\') count += 1
  return count
}

const shortened = (text: string, maxLength: number): string =>
  text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
