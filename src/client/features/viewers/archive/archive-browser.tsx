import { encodingQuery, type ChosenEncoding } from '../../../../shared/domain/name-encodings.ts'
import { useRef, useState } from 'react'
import { Download } from 'lucide'
import type { Path } from '../../../../shared/domain/path.ts'
import { href } from '../../../api/href.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { FileViewer } from '../file-viewer.tsx'
import { NoPreview } from '../frame/no-preview.tsx'
import { useViewerKeys } from '../frame/use-viewer-keys.ts'
import type { ViewedFile } from '../viewer.ts'
import { ArchiveCrumbs } from './archive-crumbs.tsx'
import { ArchiveRows } from './archive-rows.tsx'
import type { ArchiveNode, ArchiveTree } from './archive-tree.ts'
import styles from './archive.module.css'

type ArchiveBrowserProps = {
  readonly file: ViewedFile
  readonly path: Path
  readonly tree: ArchiveTree
  /** The encoding that the user has chosen for the names. */
  readonly encoding: ChosenEncoding
  readonly isQuick: boolean
}

/** The folder that is open in the archive, and the file in it that is open, if any. */
type ArchivePlace = { readonly folder: string; readonly node: ArchiveNode | null }

/** Shows one folder of an archive, or one file in it. */
export function ArchiveBrowser({ file, path, tree, encoding, isQuick }: ArchiveBrowserProps) {
  const place: MemberSource = { path, encoding }
  const [{ folder, node }, setPlace] = useState<ArchivePlace>({ folder: '', node: null })
  const [left, setLeft] = useState<string | null>(null)
  const area = useRef<HTMLDivElement>(null)
  const open = (target: ArchiveNode): void => {
    // The row that was opened is gone, and the focus goes to the first one of the folder.
    setLeft('')
    setPlace(target.isFolder ? { folder: target.path, node: null } : { folder, node: target })
  }
  const openFolder = (target: string): void => {
    setLeft(node?.path ?? folder)
    setPlace({ folder: target, node: null })
  }
  const above =
    node !== null ? folder : folder === '' ? null : folder.slice(0, Math.max(0, folder.lastIndexOf('/')))
  const goUp = (): false | void => (above === null ? false : openFolder(above))
  const focusRows = (): false | void => {
    const row = area.current?.querySelector<HTMLElement>('[data-row]')
    return row && !area.current?.contains(document.activeElement) ? row.focus() : false
  }
  // The keys lead to the folder above in the archive before they close the archive, and to the first row.
  const keys = { Escape: goUp, Backspace: goUp, ArrowDown: focusRows }
  useViewerKeys(isQuick ? null : { tools: [], keys })
  return (
    <div ref={area} className={styles.browser}>
      <ArchiveCrumbs archive={file} path={node?.path ?? folder} onOpen={openFolder} />
      {node === null ? (
        <ArchiveRows
          key={folder}
          nodes={tree.get(folder) ?? []}
          focused={isQuick ? null : left}
          addressOf={(member) => memberAddress(place, member, { isInline: false })}
          onOpen={open}
        />
      ) : (
        <div className={styles.member}>
          <FileViewer
            key={node.path}
            path={null}
            file={viewedMember(place, file, node)}
            neighboursOf={() => []}
            isQuick={isQuick}
            renderFallback={(reason) => (
              <MemberNotice
                file={node}
                reason={reason}
                address={memberAddress(place, node, { isInline: false })}
              />
            )}
          />
        </div>
      )}
    </div>
  )
}

type MemberNoticeProps = {
  readonly file: ArchiveNode
  readonly reason: string | null
  readonly address: string
}

const MemberNotice = ({ file, reason, address }: MemberNoticeProps) => (
  <NoPreview file={file} reason={reason}>
    <Button kind="primary" icon={Download} onClick={() => window.location.assign(address)}>
      {t('action.download')}
    </Button>
  </NoPreview>
)

/** An archive, and the encoding in which its names are read. */
type MemberSource = { readonly path: Path; readonly encoding: ChosenEncoding }

function memberAddress(
  { path, encoding }: MemberSource,
  { path: member }: Pick<ArchiveNode, 'path'>,
  { isInline }: { readonly isInline: boolean },
): string {
  return href('archives.member', {
    path,
    query: { member, ...(isInline && { inline: 'true' }), ...encodingQuery(encoding) },
  })
}

const viewedMember = (source: MemberSource, archive: ViewedFile, node: ArchiveNode): ViewedFile => ({
  name: node.name,
  sizeBytes: node.sizeBytes,
  modifiedMs: node.modifiedMs,
  type: node.type,
  address: memberAddress(source, node, { isInline: true }),
  previewAddress: null,
  subtitles: [],
  posterAddress: null,
  remuxAddress: null,
  versionKey: JSON.stringify([archive.versionKey, node.path]),
})
