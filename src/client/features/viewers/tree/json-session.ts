import { readText, type TextSource } from '../rows/text-source.ts'
import { describeRow, pathText, valueText } from './describe-node.ts'
import type { JsonCommand, JsonContent, JsonMessage, JsonWindow } from './json-messages.ts'
import { isContainer, kindOf } from './json-nodes.ts'
import { openFirstLevels, type OpenNodes, openSameNodes, rowsOf } from './open-nodes.ts'
import { type JsonDocument, type JsonOptions, readJson } from './read-json.ts'

/** The part of a file that is read, in characters. */
const maxCharacters = 100_000_000
/** The value of the active row is shown up to this length, in characters. */
const wholeLength = 100_000

/** The state of a tree. `rows` contains the node of each row on screen. */
type OpenTree = OpenNodes & { readonly rows: Uint32Array }

/** Holds a JSON document, and answers the commands of the page through `post`. It runs in a worker. */
export function createJsonSession(post: (message: JsonMessage) => void): (command: JsonCommand) => void {
  let tree: OpenTree | null = null
  let reading = new AbortController()
  let window: JsonWindow = { first: 0, end: 0, active: 0 }

  const postContent = (): void => {
    if (tree !== null) post({ kind: 'content', content: contentOf(tree, window) })
  }
  const open = async (source: TextSource, name: string): Promise<void> => {
    reading.abort()
    reading = new AbortController()
    const { signal } = reading
    try {
      const document = await readDocument({ source, name, signal })
      const isOpen = tree === null ? openFirstLevels(document.nodes) : openSameNodes(tree, document)
      tree = { document, isOpen, rows: rowsOf({ document, isOpen }) }
      postContent()
    } catch {
      if (!signal.aborted) post({ kind: 'failed' })
    }
  }
  const copy = (part: 'value' | 'path'): void => {
    const node = tree?.rows[window.active]
    if (tree === null || node === undefined) return
    const { document } = tree
    const text = part === 'path' ? pathText(document, node) : valueText(document, node, document.text.length)
    post({ kind: 'copied', text })
  }
  return (command) => {
    switch (command.kind) {
      case 'open':
        void open(command.source, command.name)
        return
      case 'copy':
        copy(command.part)
        return
      case 'show':
        window = command.window
        break
      default:
        tree = tree === null ? null : changed(tree, command)
    }
    postContent()
  }
}

type ReadDocumentOptions = {
  readonly source: TextSource
  readonly name: string
  readonly signal: AbortSignal
}

async function readDocument({ source, name, signal }: ReadDocumentOptions): Promise<JsonDocument> {
  let pieces: string[] = []
  let length = 0
  const isFull = (): boolean => length >= maxCharacters
  await readText(source, {
    onPiece: (piece) => {
      pieces.push(piece)
      length += piece.length
      return !isFull()
    },
    onRestart: () => {
      pieces = []
      length = 0
    },
    signal,
  })
  const document = readJson(pieces.join(''), { ...optionsOf(name), isBeginning: isFull() })
  return { ...document, isCut: document.isCut || isFull() }
}

const optionsOf = (name: string): Omit<JsonOptions, 'isBeginning'> => ({
  hasComments: /\.jsonc$/i.test(name),
  isSequence: /\.(ndjson|jsonl)$/i.test(name),
})

type ChangeCommand = Extract<JsonCommand, { readonly kind: 'toggle' | 'open-all' | 'close-all' }>

function changed({ document, isOpen, rows }: OpenTree, command: ChangeCommand): OpenTree {
  if (command.kind === 'toggle') {
    const node = rows[command.row]
    if (node !== undefined) isOpen[node] = isOpen[node] === 1 ? 0 : 1
  } else if (command.kind === 'open-all') isOpen.fill(1)
  else isOpen.fill(0).fill(1, 0, 1)
  return { document, isOpen, rows: rowsOf({ document, isOpen }) }
}

function contentOf(tree: OpenTree, window: JsonWindow): JsonContent {
  const { document, rows } = tree
  const count = Math.max(0, Math.min(window.end, rows.length) - window.first)
  return {
    window,
    rows: Array.from({ length: count }, (_, index) => describeRow(tree, rows, window.first + index)),
    active: activeOf(tree, window.active),
    shown: rows.length,
    values: document.nodes.count,
    problem: document.problem,
    isCut: document.isCut,
  }
}

function activeOf(tree: OpenTree, index: number): JsonContent['active'] {
  const { document, rows } = tree
  const node = rows[index]
  if (node === undefined) return null
  return {
    row: describeRow(tree, rows, index),
    path: pathText(document, node),
    text: isContainer(kindOf(document.nodes, node)) ? '' : valueText(document, node, wholeLength),
  }
}
