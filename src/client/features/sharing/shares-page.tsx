import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import type { ShareResource } from '../../../shared/contract/shares.ts'
import { allLinks } from '../../api/link-lists.ts'
import { t } from '../../i18n/translate.ts'
import { copyText } from '../../operations/copy-text.ts'
import { Link } from '../../router/link.tsx'
import { tell, tellFailure } from '../../state/notices.ts'
import { prompt } from '../../state/prompt.ts'
import { useUser } from '../../state/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { LinkFacts } from './link-facts.tsx'
import { ownerNames, urlOfLink } from './share-links.ts'
import styles from './sharing.module.css'

/** Shows the links of the user, and those of all users to administrators, with the names of their owners. */
export function SharesPage() {
  const user = useUser()
  const isAdmin = user?.perm.admin ?? false
  const { data: links } = useSuspenseQuery(allLinks)
  const { data: names } = useQuery({ ...ownerNames, enabled: isAdmin })
  const rows = useFocusAfterDeletion(links)
  if (links.length === 0)
    return <EmptyState icon="share" text={t('share.empty')} note={t('share.emptyHint')} />
  return (
    <div className={styles.page}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('share.path')}</th>
            <th scope="col">{t('share.duration')}</th>
            {isAdmin && <th scope="col">{t('share.owner')}</th>}
            <th scope="col">
              <span className="visually-hidden">{t('share.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody ref={rows}>
          {links.map((link) => (
            <tr key={link.hash}>
              <td>
                <SharedPath link={link} isOwn={link.userID === user?.id} />
              </td>
              <td>
                <LinkFacts link={link} />
              </td>
              {isAdmin && <td dir="auto">{names?.get(link.userID)}</td>}
              <td>
                <LinkButtons link={link} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
function SharedPath({ link: { path }, isOwn }: SharedPathProps) {
  const text = <bdi>{visibleName(path)}</bdi>
  if (!isOwn) return text
  return <Link to={`/files${path.split('/').map(encodeURIComponent).join('/')}`}>{text}</Link>
}

function LinkButtons({ link }: { readonly link: ShareResource }) {
  const { hash, path } = link
  const copy = async (): Promise<void> => {
    if (await copyText(urlOfLink(hash))) tell(t('share.done.copied'))
    else tellFailure(t('failed.copyText'))
  }
  return (
    <span className={styles.rowButtons}>
      <IconButton icon="copy" label={t('share.copy.none')} onClick={() => void copy()} />
      <IconButton
        icon="pencil"
        label={t('share.editLink')}
        onClick={() => prompt.set({ kind: 'edit-share', link })}
      />
      <IconButton
        icon="trash"
        label={t('share.deleteLink')}
        onClick={() => prompt.set({ kind: 'delete-share', hash, path })}
      />
    </span>
  )
}
