import { codeOf } from '../../../shared/domain/failure.ts'
import type { ByteReservation } from '../../concurrency/byte-budget.ts'
import { reserveEntry } from '../reading/packed/archive-memory.ts'
import type { PackedMember } from '../reading/packed/packed-file.ts'

/** The facts of an archive that an extraction needs before its first member. */
export type ArchiveSurvey = {
  readonly files: number
  readonly bytes: number
  /** The only folder at the top of the archive, or null. */
  readonly topFolder: string | null
  /** Returns true for a member that is extracted: of several members with the same path, the last one. */
  readonly isExtracted: (index: number) => boolean
}

type CountedMember = { readonly index: number; readonly files: number; readonly bytes: number }

/**
 * Reads the archive once without its bytes, so that the total is known for the progress, and an extraction that cannot
 * succeed is refused at once. The part of an archive before its damage is extracted, too. The paths are in memory only
 * until the archive has been read.
 */
export async function surveyOf(
  members: AsyncIterable<PackedMember>,
  memory: ByteReservation,
): Promise<ArchiveSurvey> {
  const lastByPath = new Map<string, CountedMember>()
  const replacedIndexes = createNumberSet()
  const tops = new Set<string>()
  const total = { files: 0, bytes: 0 }
  let isFolder = true
  let count = 0
  try {
    for await (const { path, kind, sizeBytes } of members) {
      const member = { index: count, files: kind === 'file' ? 1 : 0, bytes: sizeBytes }
      const replaced = path === null ? undefined : lastByPath.get(path)
      total.files += member.files - (replaced?.files ?? 0)
      total.bytes += member.bytes - (replaced?.bytes ?? 0)
      if (replaced !== undefined) replacedIndexes.add(replaced.index)
      else if (path !== null) reserveEntry(memory, path)
      if (path !== null) lastByPath.set(path, member)
      count += 1
      if (path === null || path === '' || tops.size > 1) continue
      const [top = ''] = path.split('/', 1)
      tops.add(top)
      if (top === path && kind === 'file') isFolder = false
    }
  } catch (error) {
    if (count === 0 || !['cut-off', 'undecodable'].includes(codeOf(error))) throw error
  } finally {
    memory.release()
  }
  const [top = null] = tops
  const topFolder = tops.size === 1 && isFolder ? top : null
  return { ...total, topFolder, isExtracted: (index) => index < count && !replacedIndexes.has(index) }
}

type NumberSet = { readonly add: (number: number) => void; readonly has: (number: number) => boolean }

/** Creates a set of small numbers that takes one bit for each number up to the largest: 62 kB for 500,000 members. */
function createNumberSet(): NumberSet {
  let bits = new Uint8Array(1024)
  return {
    add(number) {
      const at = number >> 3
      if (at >= bits.length) {
        const larger = new Uint8Array(2 * at)
        larger.set(bits)
        bits = larger
      }
      bits[at] = (bits[at] ?? 0) | (1 << (number & 7))
    },
    has: (number) => ((bits[number >> 3] ?? 0) & (1 << (number & 7))) !== 0,
  }
}
