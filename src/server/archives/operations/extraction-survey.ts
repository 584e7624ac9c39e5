import { codeOf } from '../../../shared/domain/failure.ts'
import type { PackedMember } from '../reading/packed/packed-file.ts'

/** A member: its position among all members, and the files and bytes that it adds. */
type LastMember = { readonly index: number; readonly files: number; readonly bytes: number }

/** The facts of an archive that an extraction needs before its first member. */
export type ArchiveSurvey = {
  readonly files: number
  readonly bytes: number
  /** The only folder at the top of the archive, or null. */
  readonly topFolder: string | null
  /** The last member of each path, which is the one that is extracted. */
  readonly lastByPath: ReadonlyMap<string, LastMember>
}

/**
 * Reads the archive once without its bytes, so that the total is known for the progress, and an extraction that cannot
 * succeed is refused at once. The part of an archive before its damage is extracted, too.
 */
export async function surveyOf(members: AsyncIterable<PackedMember>): Promise<ArchiveSurvey> {
  const lastByPath = new Map<string, LastMember>()
  const tops = new Set<string>()
  const total = { files: 0, bytes: 0 }
  let isFolder = true
  let index = 0
  try {
    for await (const { path, kind, sizeBytes } of members) {
      const member = { index, files: kind === 'file' ? 1 : 0, bytes: sizeBytes }
      const replaced = path === null ? undefined : lastByPath.get(path)
      total.files += member.files - (replaced?.files ?? 0)
      total.bytes += member.bytes - (replaced?.bytes ?? 0)
      if (path !== null) lastByPath.set(path, member)
      index += 1
      if (path === null || path === '' || tops.size > 1) continue
      const [top = ''] = path.split('/', 1)
      tops.add(top)
      if (top === path && kind === 'file') isFolder = false
    }
  } catch (error) {
    if (index === 0 || !['cut-off', 'undecodable'].includes(codeOf(error))) throw error
  }
  const [top = null] = tops
  const topFolder = tops.size === 1 && isFolder ? top : null
  return { ...total, topFolder, lastByPath }
}
