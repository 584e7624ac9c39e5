import { childOf, parentOf, type Path, root } from '../../../../shared/domain/path.ts'
import { call } from '../../../api/call.ts'
import { CoverFrame } from '../../../listing/covers/cover-frame.tsx'
import { createCoverLoader } from '../../../listing/covers/cover-loader.ts'
import type { FolderCoverPart } from '../../../listing/covers/folder-cover-part.ts'
import { folderListing } from '../../../listing/grid/shown-listings.ts'
import { thumbnailOf, thumbnailRequest } from '../../../operations/thumbnails/thumbnail-address.ts'
import { entryChanged } from '../../../state/entry-changes.ts'
import { registerPersonal } from '../../../state/personal.ts'
import { useMay } from '../../../state/session.ts'

const covers = createCoverLoader({
  request: (path, signal) =>
    call('resources.get', {
      path: path as Path,
      isFolder: true,
      headers: { accept: 'application/x-ndjson' },
      signal,
    }),
  hasPicture: (entry) => thumbnailRequest(entry) !== null,
})

registerPersonal({ drop: covers.clear })

// The row of a folder keeps its time when the content of the folder changes.
entryChanged.subscribe(({ from, to }) => {
  for (const path of [from, to]) if (path !== null) covers.countChange(parentOf(path))
})

/** Renders the cover of a folder among the files. */
export const FolderCover: FolderCoverPart = (props) => {
  const { entry } = props
  const path = childOf(entry.folder ?? folderListing.selection.get().folder ?? root, entry.name) ?? root
  return (
    <CoverFrame
      {...props}
      path={path}
      covers={covers}
      thumbnailOf={(picture) => thumbnailOf(path, picture)}
      hasPictures={useMay()('download')}
    />
  )
}
