import type { PublicResource } from '../../../shared/contract/shares.ts'
import '../../i18n/later-texts.ts'
import { FileViewer } from '../viewers/file-viewer.tsx'
import { NoPreview } from '../viewers/frame/no-preview.tsx'
import type { ViewedFile } from '../viewers/viewer.ts'
import { fileTypeOf, shareInlineHref, shareRemuxHref } from './share-download.ts'
import type { SharePath } from './share-address.ts'

type SharedPreviewProps = {
  readonly path: SharePath
  readonly file: PublicResource
  readonly token: string | undefined
}

/** Renders the content of a file of a share with the viewer for it. Guests have no smaller previews and no subtitles. */
export function SharedPreview({ path, file, token }: SharedPreviewProps) {
  const viewed = viewedShareFile(path, file, token)
  return (
    <FileViewer
      path={null}
      file={viewed}
      neighboursOf={() => []}
      isQuick={false}
      renderFallback={(reason) => <NoPreview file={viewed} reason={reason} />}
    />
  )
}

const viewedShareFile = (path: SharePath, file: PublicResource, token: string | undefined): ViewedFile => ({
  name: file.name,
  sizeBytes: file.size,
  modifiedMs: Date.parse(file.modified),
  type: fileTypeOf(file),
  address: shareInlineHref(path, token),
  remuxAddress: shareRemuxHref(path, token),
  previewAddress: null,
  posterAddress: null,
  subtitles: [],
  versionKey: JSON.stringify(['share', path, file.size, file.modified]),
})
