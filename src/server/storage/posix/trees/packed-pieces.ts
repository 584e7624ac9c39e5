import { nameOf, type Path } from '../../../../shared/domain/path.ts'
import type { TreeStreamItem } from '../../port.ts'
import type { EntryAtPath } from './walk-tree.ts'

/**
 * Pieces of a tree as they are sent to the main thread. Files are packed into columns, because a tree has many of them:
 * sending an object for each file would take a tenth of the time that archiving small files takes.
 */
export type TreePiecesMessage = {
  /** The bytes of all pieces, one after the other. */
  readonly bytes: Uint8Array
  /** Path and etag of each file, separated by NUL. */
  readonly texts: string
  /** Four numbers for each piece: its kind and three values that depend on the kind. */
  readonly numbers: Float64Array
  /** Entries that are not files. */
  readonly others: readonly EntryAtPath[]
}

const kinds = { bytes: 0, file: 1, other: 2 } as const
const columns = 4
/** Value that replaces the CRC-32 when none was computed. */
const noSum = -1

/** Packs pieces into columns. `bytes` contains the bytes of all pieces, one after the other. */
export function packPieces(pieces: readonly TreeStreamItem[], bytes: Uint8Array): TreePiecesMessage {
  const numbers = new Float64Array(pieces.length * columns)
  const texts: string[] = []
  const others: EntryAtPath[] = []
  let at = 0
  for (const piece of pieces) {
    if (piece.kind === 'bytes') {
      numbers[at] = kinds.bytes
      numbers[at + 1] = piece.bytes.length
      numbers[at + 2] = piece.crc ?? noSum
    } else if (piece.entry.kind === 'file') {
      numbers[at] = kinds.file
      numbers[at + 1] = piece.entry.sizeBytes
      numbers[at + 2] = piece.entry.modifiedMs
      numbers[at + 3] = piece.entry.mode
      texts.push(piece.entry.path, piece.entry.etag)
    } else {
      numbers[at] = kinds.other
      others.push(piece.entry)
    }
    at += columns
  }
  return { bytes, texts: texts.join('\0'), numbers, others }
}

/** Restores the pieces from their columns. */
export function unpackPieces({
  bytes,
  texts,
  numbers,
  others,
}: TreePiecesMessage): readonly TreeStreamItem[] {
  const pieces: TreeStreamItem[] = []
  const words = texts.split('\0')
  let [usedBytes, usedWords, usedOthers] = [0, 0, 0]
  const number = (at: number): number => numbers[at] ?? 0

  function fileAt(at: number): EntryAtPath {
    const [path = '', etag = ''] = [words[usedWords], words[usedWords + 1]]
    usedWords += 2
    const facts = { sizeBytes: number(at + 1), modifiedMs: number(at + 2), mode: number(at + 3) }
    return { name: nameOf(path as Path), kind: 'file', ...facts, etag, path: path as Path }
  }

  function bytesAt(at: number): TreeStreamItem {
    const from = usedBytes
    usedBytes += number(at + 1)
    const piece = { kind: 'bytes', bytes: bytes.subarray(from, usedBytes) } as const
    return number(at + 2) === noSum ? piece : { ...piece, crc: number(at + 2) }
  }

  for (let at = 0; at < numbers.length; at += columns) {
    if (numbers[at] === kinds.bytes) pieces.push(bytesAt(at))
    else if (numbers[at] === kinds.file) pieces.push({ kind: 'entry', entry: fileAt(at) })
    else {
      pieces.push({ kind: 'entry', entry: others[usedOthers]! })
      usedOthers += 1
    }
  }
  return pieces
}
