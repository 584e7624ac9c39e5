import { useLayoutEffect, useRef, useState } from 'react'
import { Copy, Pencil, QrCode as QrCodeIcon, Share2, Trash2 } from 'lucide'
import { useQuery, useSuspenseQuery } from '../../api/use-query.ts'
import type { ShareResource } from '../../../shared/contract/shares.ts'
import { namesOf, pathOf, root } from '../../../shared/domain/path.ts'
import { allLinks } from '../../api/link-lists.ts'
import { t } from '../../i18n/translate.ts'
import { copyAndNotify } from '../../operations/copying/copy-and-notify.ts'
import { PathLink } from '../../paths/path-link.tsx'
import { prompt } from '../../state/prompt.ts'
import { useUser } from '../../state/session.ts'
import { Button } from '../../ui/button.tsx'
import { CardTable } from '../../ui/card-table/card-table.tsx'
import { Dialog, focusFirst } from '../../ui/dialog.tsx'
import { PathText } from '../../ui/direction/path-text.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { arrangeLinks, type LinkColumn, type LinkOrder } from './arrange-links.ts'
import { LinkFacts } from './link-facts.tsx'
import { SortedHeads, SortField } from './link-sorting.tsx'
import { nameOfLink } from './name-of-link.ts'
import { ownerNames, urlOfLink } from './share-links.ts'
import styles from './sharing.module.css'

/** The number of links above which the page has a field that filters them. Fewer links fit on one screen. */
const maxWithoutFilter = 10

const ownColumns: readonly LinkColumn[] = ['path', 'end']
const allColumns: readonly LinkColumn[] = [...ownColumns, 'owner']

/** Shows the links of the user, and below them those of all other users to administrators, with the names of their owners. */
export function SharesPage() {
  const user = useUser()
  const isAdmin = user?.perm.admin ?? false
  const { data: links } = useSuspenseQuery({ ...allLinks, refetchOnWindowFocus: 'always' })
  const { data: names } = useQuery({ ...ownerNames, enabled: isAdmin })
  const [order, setOrder] = useState<LinkOrder>(null)
  const [filter, setFilter] = useState('')
  const [shownCode, setShownCode] = useState<ShareResource | null>(null)
  const hasFilter = links.length > maxWithoutFilter
  const ownerOf = ({ userID }: ShareResource): string => (isAdmin ? (names?.get(userID) ?? '') : '')
  const isOwn = ({ userID }: ShareResource): boolean => userID === user?.id
  const ownFirst = links.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)))
  const shown = arrangeLinks(ownFirst, { order, filter: hasFilter ? filter : '', ownerOf })
  const rows = useFocusAfterDeletion(shown)
  const sorting = { columns: isAdmin ? allColumns : ownColumns, order, onSort: setOrder }
  const heading = <h1 className="visually-hidden">{t('settings.tab.shares')}</h1>
  if (links.length === 0)
    return (
      <>
        {heading}
        <EmptyState icon={Share2} text={t('share.empty')} note={t('share.emptyHint')} />
      </>
    )
  return (
    <div className={styles.page}>
      {heading}
      {hasFilter && (
        <TextField
          type="search"
          className={styles.filter}
          label={t('share.filter')}
          isLabelHidden
          placeholder={t(isAdmin ? 'share.filterWithOwner' : 'share.filter')}
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
      )}
      {links.length > 1 && <SortField {...sorting} />}
      <CardTable className={styles.table}>
        <thead>
          <tr>
            <SortedHeads {...sorting} />
            <th scope="col">
              <span className="visually-hidden">{t('share.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody ref={rows}>
          {shown.map((link) => (
            <tr key={link.hash}>
              <td>
                <SharedPath link={link} isOwn={isOwn(link)} />
              </td>
              <td>
                <LinkFacts link={link} />
              </td>
              {isAdmin && (
                <td>
                  <bdi>{names?.get(link.userID)}</bdi>
                </td>
              )}
              <td>
                <LinkButtons link={link} onShowCode={() => setShownCode(link)} />
              </td>
            </tr>
          ))}
        </tbody>
      </CardTable>
      <output>{shown.length === 0 && t('share.noMatch')}</output>
      {shownCode !== null && <CodeDialog link={shownCode} onClose={() => setShownCode(null)} />}
    </div>
  )
}

type CodeDialogProps = { readonly link: ShareResource; readonly onClose: () => void }

/** Shows the QR code of a link, with its address. */
function CodeDialog({ link, onClose }: CodeDialogProps) {
  const url = urlOfLink(link)
  return (
    <Dialog
      title={t('share.title', { name: nameOfLink(link.path) })}
      onClose={onClose}
      actions={
        <Button ref={focusFirst} onClick={onClose}>
          {t('buttons.close')}
        </Button>
      }
    >
      <div className={styles.code}>
        <QrCode text={url} label={t('share.qrOf', { url })} className={styles.qr} />
        <bdi dir="ltr" className={styles.codeUrl}>
          {url}
        </bdi>
      </div>
    </Dialog>
  )
}

/**
 * Focuses the button *Delete* of the next link, or of the last one, when the focus was lost with the row of a deleted
 * link. Returns the reference for the body of the table.
 */
function useFocusAfterDeletion(links: readonly ShareResource[]) {
  const rows = useRef<HTMLTableSectionElement>(null)
  const before = useRef(links)
  useLayoutEffect(() => {
    const deleted = before.current.findIndex(({ hash }) => links.every((link) => link.hash !== hash))
    before.current = links
    if (deleted === -1 || document.activeElement !== document.body) return
    const row = rows.current?.rows[Math.min(deleted, links.length - 1)]
    Array.from(row?.querySelectorAll('button') ?? [])
      .at(-1)
      ?.focus()
  }, [links])
  return rows
}

type SharedPathProps = { readonly link: ShareResource; readonly isOwn: boolean }

/** Renders the path of an entry. Only the paths of the user's own links lead to it, because others have other scopes. */
function SharedPath({ link, isOwn }: SharedPathProps) {
  const path = pathOf(link.path)
  if (path === null) return <bdi>{visibleName(link.path)}</bdi>
  if (isOwn) return <PathLink path={path} isFolder={link.path.endsWith('/')} />
  // The top folder of somebody else has no name.
  return <PathText names={path === root ? ['/'] : namesOf(path)} />
}

type LinkButtonsProps = { readonly link: ShareResource; readonly onShowCode: () => void }

function LinkButtons({ link, onShowCode }: LinkButtonsProps) {
  const { hash, path } = link
  const copy = (): Promise<void> => copyAndNotify(urlOfLink(link), t('share.done.copied'))
  return (
    <span className={styles.rowButtons}>
      <IconButton icon={Copy} label={t('share.copy.none')} onClick={() => void copy()} />
      <IconButton icon={QrCodeIcon} label={t('share.qr')} onClick={onShowCode} />
      <IconButton
        icon={Pencil}
        label={t('share.editLink')}
        onClick={() => prompt.set({ kind: 'edit-share', link })}
      />
      <IconButton
        icon={Trash2}
        label={t('share.deleteLink')}
        onClick={() => prompt.set({ kind: 'delete-share', hash, path })}
      />
    </span>
  )
}
