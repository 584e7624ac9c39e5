import { splitName } from '../../../../shared/domain/names.ts'
import { href } from '../../../api/href.ts'
import { posterOriginOf, type PreviewOrigin, previewOriginOf } from '../../viewers/server-pictures.ts'
import type { ViewedFile } from '../../viewers/viewer.ts'
import { shareInlineHref, shareRemuxHref } from '../share-download.ts'
import type { SharePath } from '../share-address.ts'

type SharedFileFacts = Pick<ViewedFile, 'name' | 'sizeBytes' | 'modifiedMs' | 'type' | 'resolution'>

/** Describes a file of a share for a viewer. Guests have no subtitles. */
export const viewedShareFile = (
  path: SharePath,
  facts: SharedFileFacts,
  token: string | undefined,
): ViewedFile => ({
  ...facts,
  address: shareInlineHref(path, token),
  remuxAddress: shareRemuxHref(path, token),
  previewAddress: pictureAddress({ path, token, facts }, hasPreview(facts) ? previewOriginOf(facts) : null),
  posterAddress: pictureAddress({ path, token, facts }, posterOriginOf(facts)),
  subtitles: [],
  versionKey: JSON.stringify(['share', path, facts.sizeBytes, facts.modifiedMs]),
})

/** Returns false for files of which a guest gets no preview: empty ones, and GIF files, which may be animations. */
const hasPreview = ({ name, sizeBytes }: SharedFileFacts): boolean =>
  sizeBytes > 0 && splitName(name).extension.toLowerCase() !== '.gif'

type PictureSource = {
  readonly path: SharePath
  readonly token: string | undefined
  readonly facts: SharedFileFacts
}

/** Returns the URL of a large picture that the server makes of a file. It changes with the file, because browsers keep it. */
function pictureAddress(
  { path, token, facts: { modifiedMs } }: PictureSource,
  origin: PreviewOrigin | null,
): string | null {
  if (origin === null) return null
  const query = { token, k: String(Math.floor(modifiedMs)), poster: origin === 'drawing' ? true : undefined }
  return href('public.preview', { size: 'big', path, query })
}
