import { childOf, type Path, root } from '../../../../shared/domain/path.ts'
import { call } from '../../../api/call.ts'
import { CoverFrame } from '../../../listing/covers/cover-frame.tsx'
import { createCoverLoader } from '../../../listing/covers/cover-loader.ts'
import type { FolderCoverPart } from '../../../listing/covers/folder-cover-part.ts'
import { thumbnailRequest } from '../../../operations/thumbnails/thumbnail-address.ts'
import { registerPersonal } from '../../../state/personal.ts'
import { guestListing } from '../guest-listing.ts'
import { sharedThumbnailOf } from './shared-thumbnail.ts'
import { shareTokenOf } from './shared-token.ts'

const covers = createCoverLoader({
  request: (path, signal) =>
    call('public.show', {
      path: path as Path,
      query: { token: shareTokenOf(path as Path) },
      headers: { accept: 'application/x-ndjson' },
      signal,
    }),
  hasPicture: (entry) => thumbnailRequest(entry) !== null,
})

registerPersonal({ drop: covers.clear })

/** Renders the cover of a folder on the page of a share. */
export const SharedCover: FolderCoverPart = (props) => {
  const path = childOf(guestListing.selection.get().folder ?? root, props.entry.name) ?? root
  return (
    <CoverFrame
      {...props}
      path={path}
      covers={covers}
      thumbnailOf={(picture) => sharedThumbnailOf({ path, token: shareTokenOf(path) }, picture)}
      hasPictures
    />
  )
}
