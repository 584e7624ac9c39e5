import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Download, Folder } from 'lucide'
import { formatDate, formatSize } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FileName } from '../../../ui/file-name.tsx'
import { FilePicture } from '../../../ui/file-picture.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { closeNameGaps } from '../../../ui/name-gaps.ts'
import { ScrollArea } from '../../../ui/scroll-area.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { type ArchiveNode, hasDate } from './archive-tree.ts'
import styles from './archive.module.css'

/** The number of rows that are shown at first, and that the button below them adds. */
const rowsPerStep = 500

type ArchiveRowsProps = {
  readonly nodes: readonly ArchiveNode[]
  /**
   * The path of the row that gets the focus: the file or folder that the user has just left. The first row gets it when no
   * row has this path. Null focuses none.
   */
  readonly focused: string | null
  readonly addressOf: (node: ArchiveNode) => string
  readonly onOpen: (node: ArchiveNode) => void
}

/** Lists a folder of an archive. The up and down arrow keys move between the rows. */
export const ArchiveRows = (props: ArchiveRowsProps) =>
  props.nodes.length === 0 ? (
    <EmptyState icon={Folder} text={t('viewer.archive.empty')} />
  ) : (
    <FilledRows {...props} />
  )

function FilledRows({ nodes, focused, addressOf, onOpen }: ArchiveRowsProps) {
  const focusedIndex = nodes.findIndex(({ path }) => path === focused)
  const [shown, setShown] = useState(() => Math.max(rowsPerStep, focusedIndex + 1))
  const list = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => {
    if (focused === null) return
    const rows = list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? []
    rows[Math.max(0, focusedIndex)]?.focus()
  }, [focused, focusedIndex])
  useClosedNameGaps(list)
  return (
    <ScrollArea label={t('viewer.archive.content')} className={styles.rows}>
      <div className={styles.headings}>
        <span>{t('listing.name')}</span>
        <span className={styles.size}>{t('listing.size')}</span>
        <span className={styles.date}>{t('listing.modified')}</span>
      </div>
      <ul ref={list}>
        {nodes.slice(0, shown).map((node) => (
          <Row key={node.path} node={node} address={addressOf(node)} onOpen={onOpen} />
        ))}
      </ul>
      {nodes.length > shown && (
        <Button className={styles.more} onClick={() => setShown(shown + rowsPerStep)}>
          {t('viewer.archive.more', { count: Math.min(rowsPerStep, nodes.length - shown) })}
        </Button>
      )}
    </ScrollArea>
  )
}

/** Keeps the ends of shortened names directly behind their ellipses. */
function useClosedNameGaps(list: RefObject<HTMLElement | null>): void {
  useEffect(() => (list.current === null ? undefined : closeNameGaps(list.current)), [list])
}

/** Moves the focus to the next or previous row when an arrow key was pressed. At the ends of the list it stays. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const item = event.currentTarget.closest('li')
  const next = event.key === 'ArrowDown' ? item?.nextElementSibling : item?.previousElementSibling
  event.preventDefault()
  next?.querySelector<HTMLElement>('[data-row]')?.focus()
}

type RowProps = {
  readonly node: ArchiveNode
  readonly address: string
  readonly onOpen: (node: ArchiveNode) => void
}

function Row({ node, address, onOpen }: RowProps) {
  const { name, isFolder, isReadable, isEncrypted, type, sizeBytes, modifiedMs } = node
  return (
    <li className={styles.row}>
      <button
        type="button"
        data-row=""
        className={styles.open}
        aria-disabled={!isReadable || undefined}
        onKeyDown={moveFocus}
        onClick={() => {
          if (isReadable) onOpen(node)
        }}
      >
        <FilePicture name={name} type={type} isFolder={isFolder} />
        <FileName name={name} className={styles.name} />
        {!isReadable && (
          <span className={styles.note}>
            {t(isEncrypted ? 'viewer.archive.encrypted' : 'viewer.archive.unreadable')}
          </span>
        )}
        <span className={styles.size}>{formatSize(sizeBytes)}</span>
        <span className={styles.date}>{hasDate(modifiedMs) && formatDate(modifiedMs)}</span>
      </button>
      {isReadable && !isFolder && (
        <a
          href={address}
          download={name}
          className={styles.download}
          aria-label={t('viewer.archive.download', { name: visibleName(name) })}
          title={t('action.download')}
        >
          <Icon icon={Download} />
        </a>
      )}
    </li>
  )
}
