import type { FileResource } from '../../../shared/contract/resources.ts'
import type { FileType } from '../../../shared/domain/file-types.ts'
import { nameOf, pathOf, type Path } from '../../../shared/domain/path.ts'
import { offers } from '../../api/config.ts'
import { href } from '../../api/href.ts'
import { userOf } from '../../state/session.ts'
import { posterOriginOf, type PreviewOrigin, previewOriginOf } from './server-pictures.ts'
import type { Subtitle, ViewedFile } from './viewer.ts'

type FileFacts = Pick<ViewedFile, 'name' | 'sizeBytes' | 'modifiedMs' | 'type' | 'resolution'>

/** Describes a file in the user's scope for a viewer. */
export const viewedFile = (
  path: Path,
  facts: FileFacts,
  subtitlePaths: readonly string[] = [],
): ViewedFile => ({
  ...facts,
  address: href('raw.get', { path, query: { inline: true } }),
  previewAddress: previewAddress(path, facts.modifiedMs, previewOriginOf(facts)),
  posterAddress: previewAddress(path, facts.modifiedMs, posterOriginOf(facts)),
  remuxAddress: offers('remux') ? href('raw.get', { path, query: { remux: '' } }) : null,
  subtitles: subtitlePaths.flatMap(subtitleOf),
  versionKey: JSON.stringify([path, facts.sizeBytes, facts.modifiedMs]),
})

/** Returns the fields that a viewer needs from a file's description in the API. */
export const fileFactsOf = ({ name, size, modified, type, resolution }: FileResource): FileFacts => ({
  name,
  sizeBytes: size,
  modifiedMs: Date.parse(modified),
  type: type as FileType,
  resolution,
})

/**
 * Returns the URL of the smaller preview, or null without an origin. Browsers cache previews, so the URL changes with
 * the file, and with the user, because the next user of the browser may not be allowed to see the file.
 */
function previewAddress(path: Path, modifiedMs: number, origin: PreviewOrigin | null): string | null {
  if (origin === null) return null
  const poster = origin === 'drawing' ? true : undefined
  const k = `${userOf()?.id}-${Math.floor(modifiedMs)}`
  return href('preview.get', { size: 'big', path, query: { k, inline: true, poster } })
}

function subtitleOf(text: string): Subtitle[] {
  const path = pathOf(text)
  return path === null
    ? []
    : [{ name: nameOf(path), address: href('subtitles.get', { path, query: { inline: true } }) }]
}
