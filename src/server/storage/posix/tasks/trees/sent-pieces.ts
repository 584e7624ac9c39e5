import { nameOf, type Path } from '../../../../../shared/domain/path.ts'
import type { TreePiece } from '../../../port.ts'
import type { WalkedEntry } from './walk.ts'

/**
 * Pieces on their way to the main thread. Files, which are many, are columns: as objects they would be copied one by one, which costs
 * a tenth of all that packing small files does.
 */
export type SentPieces = {
  /** Those of all pieces, one after the other. */
  readonly bytes: Uint8Array
  /** A file's path and etag, a NUL between each two. */
  readonly texts: string
  /** Four for each piece, in their order: its kind, and three that belong to it. */
  readonly numbers: Float64Array
  /** Entries that are no files. */
  readonly others: readonly WalkedEntry[]
}

const kinds = { bytes: 0, file: 1, other: 2 } as const
const columns = 4
/** In place of the sum where none is made. */
const noSum = -1

export function packPieces(pieces: readonly TreePiece[], bytes: Uint8Array): SentPieces {
  const numbers = new Float64Array(pieces.length * columns)
  const texts: string[] = []
  const others: WalkedEntry[] = []
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

export function unpackPieces({ bytes, texts, numbers, others }: SentPieces): readonly TreePiece[] {
  const pieces: TreePiece[] = []
  const words = texts.split('\0')
  let [usedBytes, usedWords, usedOthers] = [0, 0, 0]
  const number = (at: number): number => numbers[at] ?? 0

  function fileAt(at: number): WalkedEntry {
    const [path = '', etag = ''] = [words[usedWords], words[usedWords + 1]]
    usedWords += 2
    const facts = { sizeBytes: number(at + 1), modifiedMs: number(at + 2), mode: number(at + 3) }
    return { name: nameOf(path as Path), kind: 'file', ...facts, etag, path: path as Path }
  }

  function bytesAt(at: number): TreePiece {
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
