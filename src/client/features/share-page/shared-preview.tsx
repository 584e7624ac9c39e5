import { QueryClientProvider } from '@tanstack/react-query'
import type { PublicResource } from '../../../shared/contract/shares.ts'
import { queryClient } from '../../api/query-client.ts'
import '../../i18n/later-texts.ts'
import { t } from '../../i18n/translate.ts'
import { addIcons } from '../../ui/icon.tsx'
import { lateIcons } from '../../ui/icons/late-icons.ts'
import { FileViewer } from '../viewers/file-viewer.tsx'
import type { ViewedFile } from '../viewers/viewer.ts'
import { fileTypeOf, shareInlineHref, shareRemuxHref } from './share-download.ts'
import type { SharePath } from './share-address.ts'
import styles from './share-page.module.css'

addIcons(lateIcons)

type SharedPreviewProps = {
  readonly path: SharePath
  readonly file: PublicResource
  readonly token: string | undefined
}

/** Renders the content of a file of a share with the viewer for it. Guests have no smaller previews and no subtitles. */
export const SharedPreview = ({ path, file, token }: SharedPreviewProps) => (
  <QueryClientProvider client={queryClient}>
    <FileViewer
      path={null}
      file={viewedShareFile(path, file, token)}
      neighboursOf={() => []}
      isQuick={false}
      renderFallback={(reason) => <p className={styles.none}>{reason ?? t('file.noPreview')}</p>}
    />
  </QueryClientProvider>
)

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
