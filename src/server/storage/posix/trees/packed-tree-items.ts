import { nameOf, type Path } from '../../../../shared/domain/path.ts'
import type { TreeStreamItem } from '../../port.ts'
import type { EntryAtPath } from './walk-tree.ts'

/**
 * Message with items of a tree, sent to the main thread. Files are packed into columns, because creating and sending an
 * object for each file would take a tenth of the total time when small files are archived.
 */
export type TreeItemsMessage = {
  /** The bytes of all items, one after the other. */
  readonly bytes: Uint8Array
  /** Path and etag of each file, separated by NUL. */
  readonly texts: string
  /** Four numbers for each item: its kind and three values that depend on the kind. */
  readonly numbers: Float64Array
  /** Entries that are not files. */
  readonly others: readonly EntryAtPath[]
}

const kinds = { bytes: 0, file: 1, other: 2 } as const
const columns = 4
/** This value replaces the CRC-32 when none was computed. */
const noSum = -1

/** Packs items into columns. `bytes` contains the bytes of all items, one after the other. */
export function packTreeItems(items: readonly TreeStreamItem[], bytes: Uint8Array): TreeItemsMessage {
  const numbers = new Float64Array(items.length * columns)
  const texts: string[] = []
  const others: EntryAtPath[] = []
  let offset = 0
  for (const item of items) {
    if (item.kind === 'bytes') {
      numbers[offset] = kinds.bytes
      numbers[offset + 1] = item.bytes.length
      numbers[offset + 2] = item.crc ?? noSum
    } else if (item.entry.kind === 'file') {
      numbers[offset] = kinds.file
      numbers[offset + 1] = item.entry.sizeBytes
      numbers[offset + 2] = item.entry.modifiedMs
      numbers[offset + 3] = item.entry.mode
      texts.push(item.entry.path, item.entry.etag)
    } else {
      numbers[offset] = kinds.other
      others.push(item.entry)
    }
    offset += columns
  }
  return { bytes, texts: texts.join('\0'), numbers, others }
}

/** Restores the items from their columns. */
export function unpackTreeItems({
  bytes,
  texts,
  numbers,
  others,
}: TreeItemsMessage): readonly TreeStreamItem[] {
  const items: TreeStreamItem[] = []
  const strings = texts.split('\0')
  let [usedBytes, usedStrings, usedOthers] = [0, 0, 0]
  const number = (offset: number): number => numbers[offset] ?? 0

  function fileAt(offset: number): EntryAtPath {
    const [path = '', etag = ''] = [strings[usedStrings], strings[usedStrings + 1]]
    usedStrings += 2
    const stat = { sizeBytes: number(offset + 1), modifiedMs: number(offset + 2), mode: number(offset + 3) }
    return { name: nameOf(path as Path), kind: 'file', ...stat, etag, path: path as Path }
  }

  function bytesAt(offset: number): TreeStreamItem {
    const from = usedBytes
    usedBytes += number(offset + 1)
    const item = { kind: 'bytes', bytes: bytes.subarray(from, usedBytes) } as const
    return number(offset + 2) === noSum ? item : { ...item, crc: number(offset + 2) }
  }

  for (let offset = 0; offset < numbers.length; offset += columns) {
    if (numbers[offset] === kinds.bytes) items.push(bytesAt(offset))
    else if (numbers[offset] === kinds.file) items.push({ kind: 'entry', entry: fileAt(offset) })
    else {
      items.push({ kind: 'entry', entry: others[usedOthers]! })
      usedOthers += 1
    }
  }
  return items
}
